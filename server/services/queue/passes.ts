/**
 * Lets visitors in when it is their turn: the pass, its one hold token at the seat map, and the
 * check before a booking (RULES F4).
 */
import { hash, timingSafeEqual } from 'node:crypto';
import { hasKeptOrder } from '#db/order/orders.ts';
import { changePlace, isHoldOfPlace } from '#db/queue/queue-places.ts';
import type { Room } from '#db/queue/queues.ts';
import type { QueuePlaceRow } from '#db/rows.ts';
import { ProviderRefused } from '#server/adapters/provider.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { isPlaceOver, newPlace, ownPlace, stateOf, type Entrant } from './places.ts';
import { phaseOfRoom, publicRoom, roomOf } from './rooms.ts';

interface Pass {
  until: number;
  /** The cookie of a place that was made for this pass; otherwise left out. */ cookie?: string;
}

/** A typed code. `forgive`: takes the try back from the limit of guesses, after a right code. */
interface Typed {
  code: string;
  forgive: () => Promise<void>;
}

/**
 * Gives the visitor a pass; the same one again while it is valid. Refuses as the contract of
 * takeQueuePass says.
 */
export async function takePass(ctx: Ctx, entrant: Entrant, typed?: Typed): Promise<Pass> {
  const room = await publicRoom(ctx, entrant.event_id);
  if (typed && !isCode(room.code, typed.code)) throw new Refusal('queue_code_wrong');
  await typed?.forgive();
  const row = await ownPlace(ctx, entrant);
  const state = row && stateOf(ctx, room, row);
  if (row && state === 'inside') return { until: row.pass_until ?? 0 };
  const phase = phaseOfRoom(room);
  if (phase === 'closed') throw new Refusal('queue_closed');
  if (typed) {
    if (phase === 'before') throw new Refusal('queue_not_yet');
    return skipWait(ctx, room, row && state && !isPlaceOver(state) ? row : undefined);
  }
  if (!row) throw new Refusal('queue_place_unknown');
  if (state === 'waiting') throw new Refusal('queue_not_yet', { serving: room.serving });
  if (state !== 'called') throw new Refusal('queue_turn_over');
  const until = passUntil(ctx, room);
  const { place_hash } = row;
  // Another tab took the pass a moment before; both get the same one.
  if (!(await changePlace(ctx.db, { place_hash, pass_until: null }, { pass_until: until })))
    return takePass(ctx, entrant);
  return { until };
}

function passUntil(ctx: Ctx, { minutes }: Room): number {
  return ctx.now() + minutes * 60_000;
}

async function skipWait(ctx: Ctx, room: Room, row: QueuePlaceRow | undefined): Promise<Pass> {
  const now = ctx.now();
  const until = passUntil(ctx, room);
  const skipping = { skips: 1 as const, called_at: now, pass_until: until };
  if (!row) {
    const { cookie } = await newPlace(ctx, room, { nonce: '', ...skipping });
    return { until, cookie };
  }
  const { place_hash, called_at } = row;
  await changePlace(ctx.db, { place_hash }, { ...skipping, called_at: called_at ?? now });
  return { until };
}

/** Compares in constant time; small letters and spaces around the code do not matter. */
function isCode(right: string | null, typed: string): boolean {
  const digest = (text: string) => hash('sha256', text.trim().toUpperCase(), 'buffer');
  return right !== null && timingSafeEqual(digest(right), digest(typed));
}

/**
 * Gives the pass its hold token, one at a time, however many tabs ask. Refuses as the contract of
 * takeQueueHold says.
 */
export async function takeHold(
  ctx: Ctx,
  entrant: Entrant,
): Promise<{ hold_token: string; expires_at: number }> {
  const room = await publicRoom(ctx, entrant.event_id);
  const row = await insideOrRefuse(ctx, room, await ownPlace(ctx, entrant));
  const known = row.hold_token;
  const left = known === null ? 0 : await leftOf(ctx, known);
  if (known !== null && left > 0) {
    await admit(ctx, room, known);
    return { hold_token: known, expires_at: ctx.now() + left * 1000 };
  }
  const minutes = Math.ceil((row.pass_until! - ctx.now()) / 60_000);
  const made = await ctx.seats.newHold(minutes);
  await admit(ctx, room, made.hold_token);
  const { place_hash } = row;
  const { hold_token } = made;
  if (!(await changePlace(ctx.db, { place_hash, hold_token: known }, { hold_token })))
    return takeHold(ctx, entrant);
  return { hold_token, expires_at: ctx.now() + made.left * 1000 };
}

/**
 * Lets a visitor try again with another hold token if the order ended without tickets.
 * @throws Refusal queue_no_pass, queue_turn_over
 */
async function insideOrRefuse(
  ctx: Ctx,
  room: Room,
  row: QueuePlaceRow | undefined,
): Promise<QueuePlaceRow> {
  if (row?.pass_until == null) throw new Refusal('queue_no_pass');
  if (row.pass_until <= ctx.now()) throw new Refusal('queue_turn_over');
  if (row.done_at === null) return row;
  const { place_hash, hold_token } = row;
  const order = { event_id: room.event_id, hold_token: hold_token! };
  if (await hasKeptOrder(ctx.db, order)) throw new Refusal('queue_turn_over');
  await endHold(ctx, hold_token!);
  // Another tab of the visitor may have booked with this token meanwhile.
  if (await hasKeptOrder(ctx.db, order)) throw new Refusal('queue_turn_over');
  await changePlace(ctx.db, { place_hash, hold_token }, { done_at: null, hold_token: null });
  return { ...row, done_at: null, hold_token: null };
}

async function admit(ctx: Ctx, { seatsio_event_key }: Room, hold_token: string): Promise<void> {
  await ctx.seats.admitHold(seatsio_event_key, hold_token);
}

/** Ends the token, so that others who saw it cannot hold or book with it. */
async function endHold(ctx: Ctx, hold_token: string): Promise<void> {
  await ctx.seats.prolongHold(hold_token, 0).catch((error: unknown) => {
    // If the seat map refuses, the token has ended already.
    if (!(error instanceof ProviderRefused)) throw error;
  });
}

/** The seconds that the token has left; 0 if the seat map no longer has it. */
async function leftOf(ctx: Ctx, hold_token: string): Promise<number> {
  return ctx.seats.holdLeft(hold_token).catch((error: unknown) => {
    if (error instanceof ProviderRefused && error.status === 404) return 0;
    throw error;
  });
}

/**
 * Call it before a booking. Returns the place's hash; null if the event has no waiting room or
 * the visitor chose seats before it opened.
 * @throws Refusal queue_no_pass, queue_turn_over
 */
export async function requirePass(
  ctx: Ctx,
  event_id: string,
  { place, hold_token }: { place?: string | undefined; hold_token: string },
): Promise<string | null> {
  const room = await roomOf(ctx, event_id);
  if (room === null) return null;
  const row = await ownPlace(ctx, { event_id, cookie: place });
  if (row === undefined && hadCartBefore(ctx, room) && !(await isHoldOfPlace(ctx.db, hold_token)))
    return null;
  if (row?.pass_until == null || row.hold_token !== hold_token) throw new Refusal('queue_no_pass');
  if (row.done_at !== null || row.pass_until <= ctx.now()) throw new Refusal('queue_turn_over');
  return row.place_hash;
}

/**
 * For this time after an automatic room opened, visitors who were choosing seats may finish; our
 * seat map allows them no new holds.
 */
const finishMs = 30 * 60_000;
function hadCartBefore(ctx: Ctx, room: Room): boolean {
  return (
    room.mode === 'auto' &&
    ctx.standins.seatsio &&
    room.guarded_key === room.seatsio_event_key &&
    ctx.now() - (room.opened_at ?? 0) < finishMs
  );
}

/** Ends the pass after a booking, so that the next visitor may come in. */
export async function endPass(ctx: Ctx, place_hash: string): Promise<void> {
  await changePlace(ctx.db, { place_hash, done_at: null }, { done_at: ctx.now() });
}

/** Admits the counter's hold token, because the counter does not wait. */
export async function admitForOffice(
  ctx: Ctx,
  event_id: string,
  hold_token: string,
): Promise<void> {
  const room = await roomOf(ctx, event_id);
  if (room === null) return;
  await ctx.seats.admitHold(room.seatsio_event_key, hold_token).catch((error: unknown) => {
    if (error instanceof ProviderRefused) throw new Refusal('hold_expired');
    throw error;
  });
}
