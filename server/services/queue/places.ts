/** A visitor's place in a waiting room: entering, reading, asking for a mail (RULES F1, F5). */
import { changePlace, findQueuePlace, insertPlace } from '#db/queue/queue-places.ts';
import type { Room } from '#db/queue/queues.ts';
import type { QueuePlaceRow } from '#db/rows.ts';
import { placeStateOf, turnEnds, type PlaceState } from '#server/domain/queue/queue.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Ctx } from '#server/services/context.ts';
import { phaseOfRoom, publicRoom, roomsNow } from './rooms.ts';
import { hashOfPlace, placeIn, signPlace } from './token.ts';

/** The event and the cookie, as a browser sends them. */
export interface Entrant {
  event_id: string;
  cookie: string | undefined;
}

/**
 * Lets a visitor enter; returns the place and the cookie to set.
 * @throws Refusal event_not_found, queue_off, queue_closed
 */
export async function enterQueue(ctx: Ctx, entrant: Entrant, nonce: string) {
  const room = await publicRoom(ctx, entrant.event_id);
  const known = await ownPlace(ctx, entrant);
  if (known && !isPlaceOver(stateOf(ctx, room, known)))
    return { cookie: requireValue(entrant.cookie, 'cookie'), place: viewOf(ctx, room, known) };
  if (phaseOfRoom(room) === 'closed') throw new Refusal('queue_closed');
  const { cookie, row } = await newPlace(ctx, room, { nonce });
  return { cookie, place: viewOf(ctx, room, row) };
}

export async function newPlace(
  ctx: Ctx,
  { event_id }: Room,
  facts: Partial<QueuePlaceRow> & Pick<QueuePlaceRow, 'nonce'>,
): Promise<{ cookie: string; row: QueuePlaceRow }> {
  const id = ctx.newId();
  const row: QueuePlaceRow = {
    place_hash: hashOfPlace(id),
    event_id,
    arrival: arrivalOf(ctx),
    number: null,
    skips: 0,
    called_at: null,
    pass_until: null,
    done_at: null,
    hold_token: null,
    email: null,
    ...facts,
  };
  await insertPlace(ctx.db, row);
  return { cookie: await signPlace(ctx, event_id, id), row };
}

const lastArrival = new WeakMap<object, number>();

/** Microseconds, so that arrivals within one millisecond keep their order. */
function arrivalOf(ctx: Ctx): number {
  const arrival = Math.max(ctx.now() * 1000, (lastArrival.get(ctx.memory) ?? 0) + 1);
  lastArrival.set(ctx.memory, arrival);
  return arrival;
}

export async function ownPlace(
  ctx: Ctx,
  { event_id, cookie }: Entrant,
): Promise<QueuePlaceRow | undefined> {
  const place_hash = await placeIn(ctx, event_id, cookie);
  return place_hash === null ? undefined : findQueuePlace(ctx.db, place_hash);
}

export function stateOf(ctx: Ctx, { minutes }: Room, row: QueuePlaceRow): PlaceState {
  return placeStateOf(row, { minutes, now: ctx.now() });
}

export function isPlaceOver(state: PlaceState): boolean {
  return state === 'expired' || state === 'done';
}

function viewOf(ctx: Ctx, room: Room, row: QueuePlaceRow) {
  const { minutes } = room;
  const { place_hash, number, called_at, pass_until, arrival, email } = row;
  return {
    place_hash,
    state: stateOf(ctx, room, row),
    // The number is stored with the root and shown after the seed.
    number: room.opened_at === null ? null : number,
    entered_at: Math.floor(arrival / 1000),
    until: pass_until ?? (called_at === null ? null : turnEnds({ called_at, minutes })),
    mail: email !== null,
  };
}

/** @throws Refusal queue_place_unknown */
async function requirePlace(
  ctx: Ctx,
  entrant: Entrant,
): Promise<{ room: Room; row: QueuePlaceRow }> {
  const room = (await roomsNow(ctx)).get(entrant.event_id);
  const row = room && (await ownPlace(ctx, entrant));
  if (!row) throw new Refusal('queue_place_unknown');
  return { room, row };
}

export async function readPlace(ctx: Ctx, entrant: Entrant) {
  const { room, row } = await requirePlace(ctx, entrant);
  return viewOf(ctx, room, row);
}

/** @throws Refusal queue_place_unknown, queue_turn_over */
export async function askQueueMail(ctx: Ctx, entrant: Entrant, email: string | null) {
  const { room, row } = await requirePlace(ctx, entrant);
  if (stateOf(ctx, room, row) !== 'waiting') throw new Refusal('queue_turn_over');
  const { place_hash } = row;
  await changePlace(ctx.db, { place_hash }, { email });
  return viewOf(ctx, room, { ...row, email });
}
