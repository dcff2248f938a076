/**
 * The parts of the nightly comparison: missed webhook events, sessions, seats and prices. A
 * difference becomes a break if a second check finds it too.
 */
import type { Session } from '#server/adapters/stripe.ts';
import { keptInArea } from '#db/seat/blocked-areas.ts';
import { countLiveInAreas, liveLines, listOpenBreaks, ordersOfArea } from '#db/reconcile/breaks.ts';
import { findEvent, listEvents } from '#db/event/events.ts';
import { noteSession } from '#db/order/orders.ts';
import type { EventRow } from '#db/rows.ts';
import {
  breakKinds,
  hallBreaks,
  isHallBreak,
  type BreakKind,
} from '#server/domain/office/break.ts';
import { renewBreak, tellBreak } from './breaks.ts';
import { sessionFacts } from '#server/services/payment/checkout.ts';
import type { Ctx } from '#server/services/context.ts';
import { orGone, type About } from './about.ts';
import { areaSubject, judgeAgainstBook, looks } from './differences.ts';
import { channelsToLookAt } from './channels.ts';
import { pricedOf } from '#server/domain/price/phase.ts';
import { pricesIn } from '#server/services/event/chart.ts';
import { orderOfSession } from '#server/services/payment/opened-here.ts';
import { bookPayment } from '#server/services/payment/payment-record.ts';
import { settleOrder } from '#server/services/payment/settle.ts';
import { takeHint } from '#server/services/payment/webhooks.ts';

const dayMs = 24 * 3_600_000;
/** The seats of an event are compared until this time after its start. */
const longPastMs = 2 * dayMs;
/**
 * The most seats of one event that are checked in one night: if a whole hall differs, mending
 * single seats does not help.
 */
const mostCandidates = 500;

/** `run` returns the number of new breaks. */
interface Part {
  name: string;
  run: () => Promise<number>;
}

/** Call it between two checks of a part; it throws if the run must stop. */
type Step = () => Promise<void>;

/** The parts in their order; each may be repeated. */
export async function partsOf(ctx: Ctx, since: number, step: Step): Promise<Part[]> {
  const events = (await listEvents(ctx.db)).filter(
    (event) => event.starts_at > ctx.now() - longPastMs,
  );
  const onSale = events.filter(
    (event) => event.status === 'published' && event.starts_at > ctx.now(),
  );
  return [
    { name: 'events', run: () => catchUp(ctx, since, step) },
    { name: 'sessions', run: () => compareSessions(ctx, since, step) },
    ...events.map((event) => ({
      name: `seats ${event.id}`,
      run: () => compareSeats(ctx, event, step),
    })),
    { name: 'prices', run: () => comparePrices(ctx, onSale, step) },
    {
      name: 'gone',
      run: () => renewAll(ctx, step, { kinds: breakKinds.filter((kind) => !isHallBreak(kind)) }),
    },
  ];
}

/** Checks the difference again under its order's lease, and reports it if it is still there. */
async function tellIfItLasts(ctx: Ctx, kind: BreakKind, about: About): Promise<number> {
  const found = await looks[kind](ctx, about);
  return found !== null && found !== 'unsure' && (await tellBreak(ctx, { ...about, ...found }))
    ? 1
    : 0;
}

/** Handles the webhook events that Stripe could not send as if they had arrived. */
async function catchUp(ctx: Ctx, since: number, step: Step): Promise<number> {
  for (const hint of await ctx.payments.undelivered(since)) {
    await step();
    await takeHint(ctx, hint);
  }
  return 0;
}

/** A session that differs is first settled in the usual way; what still differs is a break. */
async function compareSessions(ctx: Ctx, since: number, step: Step): Promise<number> {
  let fresh = 0;
  for await (const session of ctx.payments.sessions(since)) {
    await step();
    const order = await orderOfSession(ctx.db, session);
    const order_id = order?.id ?? session.order_id;
    if (order_id === null) continue;
    await noteSession(ctx.db, { id: session.id, order_id }, sessionFacts(ctx, session));
    const about: About = { subject: session.id, order_id, event_id: order?.event_id ?? null };
    const found = await judgeAgainstBook(ctx, session);
    if (found) {
      await settleOrder(ctx, order_id);
      fresh += await tellIfItLasts(ctx, found.kind, about);
    }
    fresh += await compareMoney(ctx, session, about);
  }
  return fresh;
}

/**
 * Reads the payment, which records what our database lacks: refunds made in Stripe's dashboard,
 * disputes, fees.
 */
async function compareMoney(ctx: Ctx, session: Session, about: About): Promise<number> {
  if (session.payment_intent === null || !session.paid || about.event_id === null) return 0;
  await bookPayment(ctx, session.payment_intent);
  return tellIfItLasts(ctx, 'money_differs', { ...about, subject: session.payment_intent });
}

/**
 * Compares both ways: seats booked at the seat map but not sold here, and seats sold here but not
 * booked there.
 */
async function compareSeats(ctx: Ctx, event: EventRow, step: Step): Promise<number> {
  const lines = new Map(
    (await liveLines(ctx.db, event.id)).map((line) => [line.object_label, line]),
  );
  const about = { event_id: event.id, order_id: null };
  const taken = await orGone(ctx.seats.taken(event.seatsio_event_key));
  if (taken === null)
    return tellIfItLasts(ctx, 'seat_event_unknown', { ...about, subject: event.seatsio_event_key });
  const there = new Map(
    taken.filter((object) => object.area === null).map((object) => [object.label, object]),
  );
  const candidates: About[] = [];
  for (const line of lines.values()) {
    const object = there.get(line.object_label);
    if (
      line.order_state !== 'booking' &&
      (object?.status !== 'booked' || object.order_id !== line.order_id)
    )
      candidates.push({ ...about, subject: line.object_label, order_id: line.order_id });
  }
  for (const object of there.values()) {
    if (object.status === 'booked' && object.order_id !== null && !lines.has(object.label))
      candidates.push({ ...about, subject: object.label, order_id: object.order_id });
  }
  let fresh = 0;
  for (const candidate of candidates.slice(0, mostCandidates)) {
    await step();
    fresh += await tellIfItLasts(ctx, 'seat_not_booked', candidate);
  }
  if (candidates.length > mostCandidates)
    ctx.log.error(
      { event_id: event.id, candidates: candidates.length },
      'most of a hall differs from the seat map: only the first differences are told',
    );
  for (const object of taken)
    if (object.area !== null)
      fresh += await compareArea(ctx, event, {
        label: object.label,
        booked: object.area.booked,
        step,
      });
  fresh += await compareChannels(ctx, event, step);
  await renewAll(ctx, step, { kinds: hallBreaks, event_id: event.id });
  return fresh;
}

/** Compares both ways: contingents whose channel differs, and channels without contingent. */
async function compareChannels(ctx: Ctx, event: EventRow, step: Step): Promise<number> {
  let fresh = 0;
  for (const { kind, subject } of await channelsToLookAt(ctx, event)) {
    await step();
    fresh += await tellIfItLasts(ctx, kind, { subject, event_id: event.id, order_id: null });
  }
  return fresh;
}

/** Compares an area's sum, and only if it differs checks its orders one by one. */
async function compareArea(
  ctx: Ctx,
  event: EventRow,
  { label, booked, step }: { label: string; booked: number; step: Step },
): Promise<number> {
  const { sold = 0, booking = 0 } = (await countLiveInAreas(ctx.db, event.id)).get(label) ?? {};
  const ours = booked - (await keptInArea(ctx.db, event.id, label));
  if (ours >= sold && ours <= sold + booking) return 0;
  let fresh = 0;
  let explained = false;
  for (const order_id of (
    await ordersOfArea(ctx.db, event.id, label, ctx.now() - 30 * dayMs)
  ).slice(0, mostCandidates)) {
    await step();
    const about: About = { subject: areaSubject(label, order_id), event_id: event.id, order_id };
    const found = await looks.area_places_left(ctx, about);
    if (found === null || found === 'unsure') continue;
    explained = true;
    if (await tellBreak(ctx, { ...about, ...found })) fresh += 1;
  }
  return explained
    ? fresh
    : tellIfItLasts(ctx, 'area_differs', { subject: label, event_id: event.id, order_id: null });
}

/** Finds prices that Stripe no longer sells: their tickets cannot be bought. */
export async function comparePrices(
  ctx: Ctx,
  events: readonly EventRow[],
  step: Step,
): Promise<number> {
  let fresh = 0;
  const seen = new Set<string>();
  for (const event of events) {
    for (const subject of pricesIn(pricedOf(event))) {
      if (seen.has(subject)) continue;
      seen.add(subject);
      await step();
      fresh += await tellIfItLasts(ctx, 'price_not_sellable', {
        subject,
        event_id: event.id,
        order_id: null,
      });
    }
  }
  return fresh;
}

/** Checks open breaks again and settles those whose difference is gone. */
export async function renewAll(
  ctx: Ctx,
  step: Step,
  { kinds, event_id }: { kinds: readonly BreakKind[]; event_id?: string },
): Promise<number> {
  for (const row of await listOpenBreaks(ctx.db, kinds, event_id)) {
    await step();
    if (
      row.seen_at < ctx.now() &&
      (row.event_id === null || (await findEvent(ctx.db, row.event_id)))
    )
      await renewBreak(ctx, row);
  }
  return 0;
}
