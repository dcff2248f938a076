/**
 * Checks a single difference again, at the provider and in our database. It holds the order's
 * lease, so that an order in progress is not taken for a difference.
 */
import type { SeatRequest } from '#server/adapters/seatsio.ts';
import type { Session } from '#server/adapters/stripe.ts';
import { keptInArea } from '#db/seat/blocked-areas.ts';
import { countLiveInAreas, liveLineOn, liveLinesOfOrder } from '#db/reconcile/breaks.ts';
import { findEvent } from '#db/event/events.ts';
import { pricesIn } from '#server/services/event/chart.ts';
import { openMovesOf } from '#db/order/moves.ts';
import { findOrder, sessionsOf } from '#db/order/orders.ts';
import { paymentsOf } from '#db/payment/payments.ts';
import { refundsAt } from '#db/payment/refunds.ts';
import type { OrderRow } from '#db/rows.ts';
import type { BreakKind } from '#server/domain/office/break.ts';
import { openStates } from '#server/domain/order/order.ts';
import { dueOf } from '#server/domain/order/exchange.ts';
import { countedRefunds } from '#server/domain/payment/refund.ts';
import { pricedOf } from '#server/domain/price/phase.ts';
import { faultOf } from '#server/domain/price/pricing.ts';
import { bookedType } from '#server/domain/seat/whole.ts';
import type { Ctx } from '#server/services/context.ts';
import { withOther } from '#server/domain/text/newer-word.ts';
import { orGone, type About, type Found } from './about.ts';
import { lookAtFailure, lookAtLonely, lookAtPayout } from './payout-check.ts';
import { lookAtChannel, lookAtContingent } from './channels.ts';
import { orderOfSession } from '#server/services/payment/opened-here.ts';
import { withLease } from '#server/services/payment/order-lease.ts';

const waitMs = 1_000;

async function underLeaseOf(
  ctx: Ctx,
  order_id: string | null,
  look: (ctx: Ctx) => Promise<Found>,
): Promise<Found> {
  if (order_id === null || !(await findOrder(ctx.db, order_id))) return look(ctx);
  const done = await withLease(ctx, order_id, { waitMs, run: look });
  return done === null ? 'unsure' : done.value;
}

async function lookAtSession(ctx: Ctx, { subject, order_id }: About): Promise<Found> {
  return underLeaseOf(ctx, order_id, async (leased) => {
    const session = await orGone(leased.payments.read(subject));
    return session && judgeAgainstBook(leased, session);
  });
}

/** The same check without a lease, for a session that was just read; cheap for a first look. */
export async function judgeAgainstBook(
  ctx: Ctx,
  session: Session,
): Promise<Exclude<Found, 'unsure'>> {
  const order = await orderOfSession(ctx.db, session);
  const facts = {
    session_status: session.status,
    payment_status: session.payment_status,
    amount_cents: session.amount_total,
    order_state: order?.state ?? null,
    total_cents: order?.total_cents ?? null,
  };
  const took = session.status === 'complete' && session.paid && session.amount_total > 0;
  if (!order)
    return (await isLost(ctx, session)) ? { kind: 'session_unknown', detail: facts } : null;
  if (order.needs_attention !== null) return null;
  const isOpen = openStates.includes(order.state);
  if (took && !(await isAccountedFor(ctx, order, session)))
    return { kind: 'paid_not_settled', detail: facts };
  const known = (await sessionsOf(ctx.db, order.id)).some((row) => row.id === session.id);
  // A session that is not on record ends by itself, because no buyer has its address.
  if (session.status === 'open' && known && !isOpen)
    return { kind: 'session_left_open', detail: facts };
  const isPaidBy =
    order.state === 'confirmed' &&
    order.paid_by === 'stripe' &&
    took &&
    session.id === order.session_id;
  const due = isOpen && known ? dueOf(order) : session.amount_total;
  const asked = isPaidBy ? await paidAtStripe(ctx, order) : due;
  return session.amount_total === asked && session.currency === 'eur'
    ? null
    : { kind: 'amount_differs', detail: facts };
}

/**
 * True for a session with our mark whose order we lack: its order was lost, for example with the
 * database. A session of another shop on the account is no difference.
 */
async function isLost(ctx: Ctx, { order_id, status, paid, amount_total }: Session) {
  if (order_id === null || (await findOrder(ctx.db, order_id))) return false;
  return status === 'open' || (status === 'complete' && paid && amount_total > 0);
}

/**
 * What was paid for an order minus what was paid by hand or by tickets that it replaced: the extra
 * price of a better seat may have been paid in cash.
 */
async function paidAtStripe(ctx: Ctx, order: OrderRow): Promise<number> {
  const byHand = (await paymentsOf(ctx.db, order.id)).filter(({ kind }) => kind !== 'stripe');
  return byHand.reduce((left, { amount_cents }) => left - amount_cents, order.paid_cents);
}

/** True if this payment has paid for the tickets, or is being refunded in full. */
async function isAccountedFor(ctx: Ctx, order: OrderRow, session: Session): Promise<boolean> {
  if (order.state === 'confirmed' && order.paid_by === 'stripe' && order.session_id === session.id)
    return true;
  const payment = (await paymentsOf(ctx.db, order.id)).find(
    (row) => row.payment_intent === session.payment_intent,
  );
  const back = (await refundsAt(ctx.db, session.payment_intent ?? '')).filter(
    (refund) =>
      refund.payment_intent === session.payment_intent && countedRefunds.includes(refund.state),
  );
  return (
    payment !== undefined &&
    back.reduce((sum, refund) => sum + refund.amount_cents, 0) >= session.amount_total
  );
}

/** Compares a payment with Stripe's, after bookPayment() has recorded what was missing. */
async function lookAtPayment(ctx: Ctx, { subject, order_id }: About): Promise<Found> {
  return underLeaseOf(ctx, order_id, async (leased) => {
    const payment = await orGone(leased.payments.payment(subject));
    if (!payment?.charge || order_id === null) return null;
    const here = (await paymentsOf(leased.db, order_id)).find(
      (row) => row.payment_intent === subject,
    );
    const refunds = Map.groupBy(
      await refundsAt(leased.db, subject),
      ({ stripe_refund_id, part_of_stripe }) => stripe_refund_id ?? part_of_stripe,
    );
    const partsOf = (refund: { id: string }) => refunds.get(refund.id) ?? [];
    const odd = payment.refunds.filter(
      (refund) =>
        partsOf(refund).reduce((sum, part) => sum + part.amount_cents, 0) !== refund.amount ||
        partsOf(refund).some(({ state }) => state !== refund.status),
    );
    if (here?.amount_cents === payment.charge.amount && odd.length === 0) return null;
    return {
      kind: 'money_differs',
      detail: {
        amount_cents: payment.charge.amount,
        booked_cents: here?.amount_cents ?? null,
        refunds: odd.map(({ id, amount, status }) => ({
          id,
          amount_cents: amount,
          state: status,
          booked: partsOf({ id })[0]?.state ?? null,
        })),
      },
    };
  });
}

/** Compares a seat, table or booth; `subject`: its label. */
async function lookAtSeat(ctx: Ctx, { subject, event_id, order_id }: About): Promise<Found> {
  const event = event_id === null ? undefined : await findEvent(ctx.db, event_id);
  if (!event) return null;
  const look = async (leased: Ctx): Promise<Found> => {
    const line = await liveLineOn(leased.db, event.id, subject);
    const there = (await orGone(leased.seats.read(event.seatsio_event_key, [subject])))?.get(
      subject,
    );
    if (!there) return null;
    const detail = {
      seat: subject,
      sold_to: line?.order_id ?? null,
      booked_for: there.order_id,
      status: there.status,
    };
    if (await isBetweenSeats(leased, [line?.order_id, there.order_id])) return 'unsure';
    const booked = there.status === 'booked';
    if (line && booked && there.order_id !== line.order_id)
      return { kind: 'seat_of_another', detail };
    // While an order is in state `booking`, our database has its seats before the seat map does.
    if (line && !booked && line.order_state !== 'booking')
      return { kind: 'seat_not_booked', detail };
    // Seats that were booked by hand at the seat map have no order and are not compared.
    return !line && booked && there.order_id !== null
      ? { kind: 'seat_without_order', detail }
      : null;
  };
  const line = await liveLineOn(ctx.db, event.id, subject);
  return underLeaseOf(ctx, order_id, (leased) =>
    line && line.order_id !== order_id ? underLeaseOf(leased, line.order_id, look) : look(leased),
  );
}

/** Compares an order's places in an area; `subject`: the area's label and the order's id. */
async function lookAtAreaOfOrder(ctx: Ctx, { event_id, order_id, subject }: About): Promise<Found> {
  return underLeaseOf(ctx, order_id, async (leased) => {
    const [event, order] = [
      await findEvent(leased.db, event_id ?? ''),
      await findOrder(leased.db, order_id ?? ''),
    ];
    if (!event || !order || order.state === 'booking') return null;
    if (await isBetweenSeats(leased, [order.id])) return 'unsure';
    const label = areaOf(subject);
    const here = (await liveLinesOfOrder(leased.db, order.id, label)).filter(
      (line) => line.released_at === null,
    ).length;
    const there = await leased.seats.placesOf(event.seatsio_event_key, label, {
      orderId: order.id,
      since: order.created_at,
    });
    const detail = { area: label, sold_to: order.id, sold: here, booked: there };
    return there === here
      ? null
      : { kind: there > here ? 'area_places_left' : 'area_places_missing', detail };
  });
}

/** True while a move is unfinished: until its task ends it, both places are booked. */
async function isBetweenSeats(
  ctx: Ctx,
  order_ids: readonly (string | null | undefined)[],
): Promise<boolean> {
  for (const id of order_ids) if (id && (await openMovesOf(ctx.db, id)).length > 0) return true;
  return false;
}

export function areaSubject(label: string, order_id: string): string {
  return `${label} ${order_id}`;
}

export function areaOf(subject: string): string {
  return subject.slice(0, subject.lastIndexOf(' '));
}

/**
 * Compares a whole area. There is no lease for it, so our side is counted before and after, and
 * only a difference from both counts is reported.
 */
async function lookAtArea(ctx: Ctx, { subject, event_id }: About): Promise<Found> {
  const event = await findEvent(ctx.db, event_id ?? '');
  if (!event) return null;
  const before = (await countLiveInAreas(ctx.db, event.id)).get(subject)?.sold ?? 0;
  const area = (await orGone(ctx.seats.infos(event.seatsio_event_key, [subject])))?.get(
    subject,
  )?.area;
  // The seat map counts blocked places as booked.
  const there = area && area.booked - (await keptInArea(ctx.db, event.id, subject));
  const after = (await countLiveInAreas(ctx.db, event.id)).get(subject)?.sold ?? 0;
  if (there == null || there >= Math.min(before, after)) return null;
  return { kind: 'area_differs', detail: { area: subject, sold: after, booked: there } };
}

/**
 * Finds an event that the seat map lacks. After a change of hall the seat map deletes the old
 * event, so our row is read last: it may have changed meanwhile.
 */
async function lookAtSeatEvent(ctx: Ctx, { subject, event_id }: About): Promise<Found> {
  const isGone = (await orGone(ctx.seats.event(subject))) === null;
  const event = await findEvent(ctx.db, event_id ?? '');
  return isGone && event?.seatsio_event_key === subject
    ? { kind: 'seat_event_unknown', detail: { seatsio_event_key: subject } }
    : null;
}

/** Finds a price of an event on sale that cannot be sold at Stripe (RULES I3). */
async function lookAtPrice(ctx: Ctx, { subject, event_id }: About): Promise<Found> {
  const event = await findEvent(ctx.db, event_id ?? '');
  // The office has put another price in its place.
  if (event && !pricesIn(pricedOf(event)).includes(subject)) return null;
  const [price] = await ctx.payments.priceFacts([subject]);
  if (price && faultOf(price) === null) return null;
  return {
    kind: 'price_not_sellable',
    detail: price
      ? {
          active: price.active,
          currency: price.currency,
          unit_amount: price.unit_amount,
          type: price.type,
          product_active: price.product.active,
          product: price.product.name,
        }
      : { unknown: true },
  };
}

/** The check for each kind of difference. */
export const looks = withOther<Record<BreakKind, (ctx: Ctx, about: About) => Promise<Found>>>(
  {
    paid_not_settled: lookAtSession,
    session_unknown: lookAtSession,
    session_left_open: lookAtSession,
    amount_differs: lookAtSession,
    money_differs: lookAtPayment,
    seat_without_order: lookAtSeat,
    seat_not_booked: lookAtSeat,
    seat_of_another: lookAtSeat,
    area_places_left: lookAtAreaOfOrder,
    area_places_missing: lookAtAreaOfOrder,
    area_differs: lookAtArea,
    channel_differs: lookAtContingent,
    channel_unknown: lookAtChannel,
    payout_differs: lookAtPayout,
    payout_failed: lookAtFailure,
    payment_not_paid_out: lookAtLonely,
    seat_event_unknown: lookAtSeatEvent,
    price_not_sellable: lookAtPrice,
  },
  async () => 'unsure',
);

/** The places of a difference, to book or release them; empty if the difference is gone. */
export async function requestsFor(
  ctx: Ctx,
  about: About & { kind: BreakKind },
): Promise<SeatRequest[]> {
  const found = await looks[about.kind](ctx, about);
  if (found === null || found === 'unsure') return [];
  if (about.kind === 'seat_without_order' || about.kind === 'seat_not_booked') {
    const line = await liveLineOn(ctx.db, about.event_id ?? '', about.subject);
    return [{ label: about.subject, quantity: null, ticket_type: line ? bookedType(line) : '' }];
  }
  const { sold, booked } = found.detail as { sold: number; booked: number };
  const [line] = await liveLinesOfOrder(ctx.db, about.order_id ?? '', areaOf(about.subject));
  return [
    {
      label: areaOf(about.subject),
      quantity: Math.abs(sold - booked),
      ticket_type: line ? bookedType(line) : '',
    },
  ];
}
