/**
 * Writes a counter sale again that a restored house has lost with what its backup lacks: with the
 * prices that a person types, and with the very codes that the buyer has on paper (RULES B3).
 */
import { createHash } from 'node:crypto';
import { giveScans } from '#db/counter/lost-sales.ts';
import { findOrder, linesOf, orderOfSale, requireOrderRow } from '#db/order/orders.ts';
import { ticketsOfOrder } from '#db/order/tickets.ts';
import type { EventRow, OrderRow } from '#db/rows.ts';
import { knownPlaces } from '#db/seat/seats.ts';
import { listWholeObjects } from '#db/seat/whole-objects.ts';
import { addFees, servicePart } from '#server/domain/price/fees.ts';
import type { CounterMethod } from '#server/domain/counter/counter.ts';
import type { PlannedLine } from '#server/domain/order/order.ts';
import { writeSelection } from '#server/domain/order/selection.ts';
import { priceOf } from '#server/domain/price/pricing.ts';
import { asRefusal, Refusal } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { seatName } from '#server/domain/seat/seat-name.ts';
import { storeOrder } from '#server/services/booking/store-order.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { offerAt } from '#server/services/event/prices.ts';
import { happened } from '#server/services/kit/happened.ts';
import { confirmOrder, type Paid } from '#server/services/payment/confirmation.ts';
import { takeSeatsAgain } from '#server/services/payment/late-payments.ts';
import {
  withFirstLease,
  withLeaseOrRefuse,
  type Done,
  type LeasedCtx,
} from '#server/services/payment/order-lease.ts';
import { missingSeats } from '#server/services/payment/seats.ts';
import { endOrder } from '#server/services/payment/settle.ts';
import {
  obstacleOf,
  readName,
  requireLost,
  requireRestored,
  type LostTicket,
  type NamedTicket,
} from './lost-tickets.ts';
import { rebuiltShift, rebuiltWords } from './rebuilt-shift.ts';

export interface RebuildAsk {
  /** `ticket`: as readName() takes it; `amount_cents`: what it cost, fee included. */
  tickets: { ticket: string; ticket_type: string; amount_cents: number }[];
  method: CounterMethod;
  buyer?: { name?: string | undefined; email?: string | undefined; phone?: string | undefined };
}

interface Rebuilding {
  ask: RebuildAsk;
  names: readonly NamedTicket[];
  actor: Actor;
}

/** If a crash leaves the sale unfinished, its seats become free after this time. */
const unfinishedMs = 3 * 60_000;

/**
 * However often it is called for the same tickets, there is one sale.
 * @throws Refusal house_not_restored, lost_code_unknown, bad_request (tickets of two events, or
 * one twice), ticket_known, lost_place_taken, event_not_found, event_cancelled, sale_closed,
 * object_without_price, provider_silent, seats_taken, try_again
 */
export async function rebuildSale(ctx: Ctx, actor: Actor, ask: RebuildAsk) {
  await requireRestored(ctx);
  const names: NamedTicket[] = [];
  for (const { ticket } of ask.tickets) names.push(await readName(ctx, ticket));
  const isMixed = new Set(names.map(({ event_id }) => event_id)).size > 1;
  if (isMixed || new Set(names.map(({ place }) => place)).size < names.length)
    throw new Refusal('bad_request', { fields: ['tickets'] });
  const { sale_key, order } = await saleOf(ctx, names);
  const sale = { ask, names, actor };
  if (order) return finishAgain(ctx, order, sale);
  const stored = await store(ctx, sale, sale_key).catch(asRefusal);
  if (stored instanceof Refusal) {
    // The same call has stored it meanwhile.
    const earlier = await orderOfSale(ctx.db, sale_key);
    if (!earlier) throw stored;
    return finishAgain(ctx, earlier, sale);
  }
  await withFirstLease(ctx, stored, (leased) => finish(leased, stored, sale));
  return rebuiltInWords(ctx, stored.id, { replayed: false });
}

/** The sale of exactly these tickets; one that could not be finished counts no more. */
async function saleOf(
  ctx: Ctx,
  names: readonly NamedTicket[],
): Promise<{ sale_key: string; order: OrderRow | undefined }> {
  const what = names
    .map(({ event_id, place, revision }) => `${event_id}\n${place}\n${revision}`)
    .toSorted()
    .join('\n');
  const hash = createHash('sha256').update(what).digest('base64url');
  for (let nth = 1; ; nth += 1) {
    const sale_key = `rebuilt:${hash}:${nth}`;
    const order = await orderOfSale(ctx.db, sale_key);
    if (order?.state !== 'deleted') return { sale_key, order };
  }
}

async function finishAgain(ctx: Ctx, known: OrderRow, sale: Rebuilding) {
  if (known.state === 'booking')
    await withLeaseOrRefuse(ctx, known.id, async (leased, order) => {
      await finish(leased, order, sale);
    });
  return rebuiltInWords(ctx, known.id, { replayed: true });
}

async function store(ctx: Ctx, { ask, names, actor }: Rebuilding, sale_key: string) {
  const began = ctx.now();
  const lost: LostTicket[] = [];
  for (const name of names) lost.push(await requireLost(ctx, name));
  const { event } = requireValue(lost[0], 'ticket');
  requireOnSale(event);
  await requireFree(ctx, lost);
  const lines = await plannedLines(ctx, event, { ask, lost });
  const fees = addFees(lines);
  const places = lost.map(({ place }) => place.place);
  const kept = await knownPlaces(ctx.db, event.id, places);
  const shift = await rebuiltShift(ctx);
  const { buyer } = ask;
  const { order } = await storeOrder(ctx, {
    lines,
    places,
    ...fees,
    total_cents: fees.fee_cents + lines.reduce((sum, line) => sum + line.price_cents, 0),
    summary: '',
    priced_by: null,
    sold_in_phase: null,
    code_address: null,
    chosen: [],
    contingent_id: kept.find(({ contingent_id }) => contingent_id !== null)?.contingent_id ?? null,
    event,
    hold_token: sale_key,
    selection: writeSelection(
      lines.map(({ object_label, ticket_type }) => ({ object_id: object_label, ticket_type })),
    ),
    began,
    actor,
    counter: {
      sale_key,
      shift_id: shift.id,
      pay_by: began + unfinishedMs,
      buyer_name: buyer?.name ?? null,
      buyer_email: buyer?.email ?? null,
      buyer_phone: buyer?.phone ?? null,
    },
  });
  return order;
}

function requireOnSale({ status, sale_paused }: EventRow): void {
  if (status === 'cancelled') throw new Refusal('event_cancelled');
  if (status !== 'published') throw new Refusal('event_not_found');
  if (sale_paused === 1) throw new Refusal('sale_closed');
}

async function requireFree(ctx: Ctx, lost: readonly LostTicket[]): Promise<void> {
  for (const ticket of lost) {
    const obstacle = await obstacleOf(ctx, ticket);
    if (obstacle !== null)
      throw new Refusal('lost_place_taken', { seat: seatName(ticket.place), ...obstacle });
  }
}

/** The lines with the prices that the person typed; the fee is a part of them. */
async function plannedLines(
  ctx: Ctx,
  event: EventRow,
  { ask, lost }: { ask: RebuildAsk; lost: readonly LostTicket[] },
): Promise<PlannedLine[]> {
  const { pricing } = await offerAt(ctx, event, { at: ctx.now(), channel: 'till' });
  const sizes = new Map(
    (await listWholeObjects(ctx.db, event.id)).map((one) => [one.object_label, one.places]),
  );
  return lost.map(({ place }, at) => {
    const { ticket_type, amount_cents } = requireValue(ask.tickets[at], 'ticket');
    const price = priceOf(pricing, { key: place.category_key, label: place.category }, ticket_type);
    if (!price) throw new Refusal('object_without_price', { objects: [place.object_label] });
    const fee_cents = Math.min(price.fee_cents, amount_cents);
    return {
      object_label: place.object_label,
      place: place.place,
      whole_size: sizes.get(place.object_label) ?? 0,
      buys: 1,
      kind: place.kind,
      category: place.category,
      category_key: place.category_key,
      ticket_type: price.ticketType,
      type_label: price.label,
      price_id: price.price_id,
      price_cents: amount_cents - fee_cents,
      fee_cents,
      service_cents: servicePart(price, fee_cents),
      list_cents: null,
      price_reasons: null,
    };
  });
}

async function finish(
  ctx: LeasedCtx,
  order: OrderRow,
  { ask, names, actor }: Rebuilding,
): Promise<Done<void>> {
  if (order.state !== 'booking') return { value: undefined, gaveLease: false };
  ctx.fault('order_stored');
  await freeForLost(ctx, order);
  if (!(await takeSeatsAgain(ctx, order))) {
    await endOrder(ctx, order, { reason: 'seats_lost' });
    throw new Refusal('seats_taken', {
      objects: (await linesOf(ctx.db, order.id)).map(({ place }) => place),
    });
  }
  ctx.fault('seats_booked');
  const confirmed = await confirmOrder(ctx, order, {
    paid: paidBy(order, ask),
    out: new Map(names.map(({ place, revision }) => [place, revision])),
    actor,
    givesLease: true,
    async alongside(trx) {
      await giveScans(trx, order.id);
      await happened(ctx, trx, {
        actor,
        action: 'sale_rebuilt',
        subject: order.id,
        detail: { amount_cents: order.total_cents, places: names.map(({ place }) => place) },
      });
    },
  });
  return { value: undefined, gaveLease: confirmed };
}

/** Frees seats that the seat map still has for the lost sale, which no order here names. */
async function freeForLost(ctx: LeasedCtx, order: OrderRow): Promise<void> {
  const { seatsio_event_key, missing } = await missingSeats(ctx, order);
  const seats = missing.filter(({ quantity }) => quantity === null);
  if (seats.length === 0) return;
  const objects = await ctx.seats.read(
    seatsio_event_key,
    seats.map(({ label }) => label),
  );
  for (const seat of seats) {
    const { status, order_id } = requireValue(objects.get(seat.label), 'seat');
    const isLost = status === 'booked' && order_id !== null && !(await findOrder(ctx.db, order_id));
    if (isLost) await ctx.seats.release(seatsio_event_key, [seat], order_id);
  }
}

function paidBy({ total_cents, shift_id }: OrderRow, { method }: RebuildAsk): Paid {
  const { note } = rebuiltWords;
  if (total_cents === 0) return { kind: 'free', note };
  return { kind: 'manual', note, payments: [{ method, amount_cents: total_cents, shift_id }] };
}

/** The sale; `same_code`: the paper that the buyer has stays valid. */
async function rebuiltInWords(ctx: Ctx, id: string, { replayed }: { replayed: boolean }) {
  const order = await requireOrderRow(ctx.db, id);
  const tickets = await ticketsOfOrder(ctx.db, id);
  const restored = await requireRestored(ctx);
  return {
    order_id: order.id,
    number: order.number,
    state: order.state,
    total_cents: order.total_cents,
    replayed,
    tickets: tickets.map((ticket) => ({
      seat: seatName(ticket),
      same_code: ticket.issued_at <= restored.copied_at,
    })),
  };
}
