/** Every night the providers' books against ours: all sessions, all seats, all prices on sale. Resumable part by part; what differs and stays so becomes a break. */
import { fromAbsolute } from '@internationalized/date';
import { ProviderRefused, ProviderSilent } from '#server/adapters/provider.ts';
import type { Session } from '#server/adapters/stripe.ts';
import { countLiveInAreas, liveLines, listOpenBreaks, ordersOfArea } from '#db/breaks.ts';
import { findEvent, listEvents } from '#db/events.ts';
import { findOrder, noteSession } from '#db/orders.ts';
import type { EventRow } from '#db/rows.ts';
import { claimSetting, readSetting } from '#db/settings.ts';
import type { BreakKind } from '#server/domain/break.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { renewBreak, tellBreak } from './breaks.ts';
import { factsOf } from './checkout.ts';
import type { Ctx } from './context.ts';
import { areaSubject, judgeAgainstBook, looks, type About } from './differences.ts';
import { pricingOf } from './events.ts';
import { bookPayment } from './money.ts';
import { settleOrder } from './payments.ts';
import { takeHint } from './webhooks.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Between the last performance and the first coffee. */
const hourOfNight = 4;
/** A session of the evening before last may have been paid after it was compared. */
const overlapMs = 2 * dayMs;
/** Whoever compares renews this with every part; after it somebody else goes on. Longer than any part may take. */
const leaseMs = 10 * 60_000;
/** So long after its start an event's seats are still compared. */
const longPastMs = 2 * dayMs;
/** Of one event and night: where a whole hall differs, nobody mends it seat by seat. */
const mostCandidates = 500;

/** Kept as JSON in one setting. `last`: when the last finished run began, up to which all has been compared. */
export interface ComparisonState { last: number; finished_at: number | null; found: number; asked_at: number | null; run: { started_at: number; since: number; lease_until: number; done: string[]; found: number } | null }

const key = 'comparison';

async function readState(ctx: Ctx): Promise<{ text: string | null; state: ComparisonState }> {
  const text = await readSetting(ctx.db, key);
  return { text, state: text === null ? { last: ctx.now(), finished_at: null, found: 0, asked_at: null, run: null } : JSON.parse(text) as ComparisonState };
}

/** False: another process was faster. */
async function writeState(ctx: Ctx, before: string | null, state: ComparisonState): Promise<string | null> {
  const text = JSON.stringify(state);
  return await claimSetting(ctx.db, key, { from: before, to: text }) ? text : null;
}

/** The last four o'clock in the night in Rome, whatever summer time did to it. */
export function lastNight(now: number): number {
  const day = fromAbsolute(now, 'Europe/Rome');
  const at = day.set({ hour: hourOfNight, minute: 0, second: 0, millisecond: 0 }).toDate().getTime();
  return at <= now ? at : day.subtract({ days: 1 }).set({ hour: hourOfNight, minute: 0, second: 0, millisecond: 0 }).toDate().getTime();
}

function isDue(state: ComparisonState, now: number): boolean {
  if (state.run) return state.run.lease_until <= now;
  return state.asked_at !== null || state.last < lastNight(now);
}

/** For the schedule. On an installation that starts for the first time there is nothing to compare yet. */
export async function compareWhenDue(ctx: Ctx, stopping: AbortSignal): Promise<void> {
  const { text, state } = await readState(ctx);
  if (text === null) await writeState(ctx, text, state);
  else if (isDue(state, ctx.now())) await compareBooks(ctx, stopping);
}

/** The office wants it now: the worker hears of it within seconds. */
export async function askComparison(ctx: Ctx) {
  const { text, state } = await readState(ctx);
  if (state.run === null && !(await writeState(ctx, text, { ...state, asked_at: ctx.now() }))) throw new Refusal('try_again');
  return comparisonReport(ctx);
}

export async function comparisonReport(ctx: Ctx) {
  const { text, state } = await readState(ctx);
  return { running: state.run !== null || state.asked_at !== null, started_at: state.run?.started_at ?? null, finished_at: state.finished_at, compared_until: text === null ? null : state.last, found: state.run?.found ?? state.found };
}

interface Part { name: string; run: () => Promise<number> }

/**
 * Begins a run, or goes on with one that was broken off. A silent provider ends it for now: its part is tried again after the lease.
 * Returns how many new breaks it has told, or null when another process compares.
 */
export async function compareBooks(ctx: Ctx, stopping: AbortSignal): Promise<number | null> {
  let { text, state } = await readState(ctx);
  const run = state.run ?? { started_at: ctx.now(), since: state.last - overlapMs, lease_until: 0, done: [], found: 0 };
  const keep = async (next: ComparisonState) => {
    text = await writeState(ctx, text, next);
    state = next;
    return text !== null;
  };
  if (state.run && state.run.lease_until > ctx.now()) return null;
  if (!(await keep({ ...state, asked_at: null, run: { ...run, lease_until: ctx.now() + leaseMs } }))) return null;
  for (const part of await partsOf(ctx, run.since, stopping)) {
    if (run.done.includes(part.name)) continue;
    if (stopping.aborted) {
      await keep({ ...state, run: { ...run, lease_until: 0 } });
      return null;
    }
    try {
      run.found += await part.run();
    } catch (error) {
      if (!(error instanceof ProviderSilent) && !(error instanceof ProviderRefused) && !(error instanceof Refusal)) throw error;
      ctx.log.warn({ err: error, part: part.name }, 'comparison broken off, goes on later');
      return null;
    }
    run.done.push(part.name);
    if (!(await keep({ ...state, run: { ...run, lease_until: ctx.now() + leaseMs } }))) return null;
    ctx.fault('part_compared');
  }
  await keep({ last: run.started_at, finished_at: ctx.now(), found: run.found, asked_at: null, run: null });
  return run.found;
}

async function partsOf(ctx: Ctx, since: number, stopping: AbortSignal): Promise<Part[]> {
  const events = (await listEvents(ctx.db)).filter((event) => event.starts_at > ctx.now() - longPastMs);
  const onSale = events.filter((event) => event.status === 'published' && event.starts_at > ctx.now());
  return [
    { name: 'events', run: () => catchUp(ctx, since) },
    { name: 'sessions', run: () => compareSessions(ctx, since, stopping) },
    ...events.map((event) => ({ name: `seats ${event.id}`, run: () => compareSeats(ctx, event, stopping) })),
    { name: 'prices', run: () => comparePrices(ctx, onSale) },
    { name: 'gone', run: () => renewAll(ctx, ['paid_not_settled', 'session_unknown', 'session_left_open', 'amount_differs', 'money_differs', 'seat_event_unknown', 'price_not_sellable']) },
  ];
}

/** Looks at it in its order's turn, and tells it if it is still so. */
async function tellIfItLasts(ctx: Ctx, kind: BreakKind, about: About): Promise<number> {
  const found = await looks[kind](ctx, about);
  return found !== null && found !== 'unsure' && await tellBreak(ctx, { ...about, ...found }) ? 1 : 0;
}

/** Events that no delivery brought: remembered and worked on as if it had. */
async function catchUp(ctx: Ctx, since: number): Promise<number> {
  for (const hint of await ctx.payments.undelivered(since)) await takeHint(ctx, hint);
  ctx.wake();
  return 0;
}

/** Each session first as the machine does it every day; what is left after that is a difference. */
async function compareSessions(ctx: Ctx, since: number, stopping: AbortSignal): Promise<number> {
  let told = 0;
  for await (const session of ctx.payments.sessions(since)) {
    if (stopping.aborted) throw new ProviderSilent('Stripe', 'the house closes', null);
    if (session.order_id === null) continue;
    await noteSession(ctx.db, session.id, factsOf(ctx, session));
    const about: About = { subject: session.id, order_id: session.order_id, event_id: (await findOrder(ctx.db, session.order_id))?.event_id ?? null };
    const found = await judgeAgainstBook(ctx, session);
    if (found) {
      await settleOrder(ctx, session.order_id);
      told += await tellIfItLasts(ctx, found.kind, about);
    }
    told += await compareMoney(ctx, session, about);
  }
  return told;
}

/** Reading the payment enters what we did not know: refunds from Stripe's dashboard, disputes, fees. */
async function compareMoney(ctx: Ctx, session: Session, about: About): Promise<number> {
  if (session.payment_intent === null || !session.paid || about.event_id === null) return 0;
  await bookPayment(ctx, session.payment_intent);
  return tellIfItLasts(ctx, 'money_differs', { ...about, subject: session.payment_intent });
}

/** Both ways: what is booked there and not sold here, what is sold here and not booked there. */
async function compareSeats(ctx: Ctx, event: EventRow, stopping: AbortSignal): Promise<number> {
  const lines = new Map((await liveLines(ctx.db, event.id)).map((line) => [line.place, line]));
  const about = { event_id: event.id, order_id: null };
  const taken = await ctx.seats.taken(event.seatsio_event_key).catch((error: unknown) => {
    if (error instanceof ProviderRefused && error.status === 404) return null;
    throw error;
  });
  if (taken === null) return tellIfItLasts(ctx, 'seat_event_unknown', { ...about, subject: event.seatsio_event_key });
  const there = new Map(taken.filter((object) => object.area === null).map((object) => [object.label, object]));
  const candidates: About[] = [];
  for (const line of lines.values()) {
    const object = there.get(line.place);
    if (line.order_state !== 'booking' && (object?.status !== 'booked' || object.order_id !== line.order_id)) candidates.push({ ...about, subject: line.place, order_id: line.order_id });
  }
  for (const object of there.values()) {
    if (object.status === 'booked' && object.order_id !== null && !lines.has(object.label)) candidates.push({ ...about, subject: object.label, order_id: object.order_id });
  }
  let told = 0;
  for (const candidate of candidates.slice(0, mostCandidates)) {
    if (stopping.aborted) throw new ProviderSilent('seats.io', 'the house closes', null);
    told += await tellIfItLasts(ctx, 'seat_not_booked', candidate);
  }
  if (candidates.length > mostCandidates) ctx.log.error({ event_id: event.id, candidates: candidates.length }, 'most of a hall differs from the seat map: only the first differences are told');
  for (const object of taken) if (object.area !== null) told += await compareArea(ctx, event, { label: object.label, booked: object.area.booked });
  await renewAll(ctx, ['seat_without_order', 'seat_not_booked', 'seat_of_another', 'area_places_left', 'area_places_missing', 'area_differs'], event.id);
  return told;
}

/** Only where the sum differs are the orders asked one by one. */
async function compareArea(ctx: Ctx, event: EventRow, { label, booked }: { label: string; booked: number }): Promise<number> {
  const { sold = 0, booking = 0 } = (await countLiveInAreas(ctx.db, event.id)).get(label) ?? {};
  if (booked >= sold && booked <= sold + booking) return 0;
  let told = 0;
  let explained = false;
  for (const order_id of (await ordersOfArea(ctx.db, event.id, label, ctx.now() - 30 * dayMs)).slice(0, mostCandidates)) {
    const about: About = { subject: areaSubject(label, order_id), event_id: event.id, order_id };
    const found = await looks.area_places_left(ctx, about);
    if (found === null || found === 'unsure') continue;
    explained = true;
    if (await tellBreak(ctx, { ...about, ...found })) told += 1;
  }
  return explained ? told : tellIfItLasts(ctx, 'area_differs', { subject: label, event_id: event.id, order_id: null });
}

/** Nobody can buy what Stripe does not sell any more. */
async function comparePrices(ctx: Ctx, events: readonly EventRow[]): Promise<number> {
  let told = 0;
  const seen = new Set<string>();
  for (const event of events) {
    const ids = [...pricingOf(event).flatMap(({ ticketTypes }) => ticketTypes.map((type) => type.price_id)), ...(event.fee_price_id === null ? [] : [event.fee_price_id])];
    for (const subject of ids) {
      if (seen.has(subject)) continue;
      seen.add(subject);
      told += await tellIfItLasts(ctx, 'price_not_sellable', { subject, event_id: event.id, order_id: null });
    }
  }
  return told;
}

async function renewAll(ctx: Ctx, kinds: readonly BreakKind[], event_id?: string): Promise<number> {
  for (const row of await listOpenBreaks(ctx.db, kinds, event_id)) {
    if (row.seen_at < ctx.now() && (row.event_id === null || await findEvent(ctx.db, row.event_id))) await renewBreak(ctx, row);
  }
  return 0;
}
