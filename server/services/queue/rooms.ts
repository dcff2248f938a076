/** The waiting rooms that are in use, as this process remembers them for a second: whoever waits or books asks no database about them. */
import { roomsInUse, type Room } from '#db/queue/queues.ts';
import { queuePhaseOf, type QueuePhase } from '#server/domain/queue/queue.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { publishedEvent } from '#server/services/event/events.ts';
import { shareAnswers } from '#server/services/kit/shared-answer.ts';

/** By event. */
export type Rooms = ReadonlyMap<string, Room>;

const freshMs = 1_000;
const shared = shareAnswers<Rooms>(freshMs);
/** What was read last; `at` by a clock that nobody sets. */
const remembered = new WeakMap<object, { rooms: Rooms; at: number }>();
const askedLast = new WeakMap<object, object>();

export function roomsNow(ctx: Ctx): Promise<Rooms> {
  return shared.get(ctx.memory, { now: performance.now(), ask: () => readRooms(ctx) });
}

async function readRooms(ctx: Ctx): Promise<Rooms> {
  const at = performance.now();
  const question = {};
  askedLast.set(ctx.memory, question);
  const rooms = await roomsInUse(ctx.db, ctx.now());
  const byEvent = new Map(rooms.map((room) => [room.event_id, room]));
  // Who forgot them meanwhile has changed something.
  if (askedLast.get(ctx.memory) === question) remembered.set(ctx.memory, { rooms: byEvent, at });
  return byEvent;
}

/** Without a wait; null: they were read longer ago than that. */
export function roomsAtOnce(ctx: Ctx, oldestMs: number = freshMs): Rooms | null {
  const known = remembered.get(ctx.memory);
  return known !== undefined && performance.now() - known.at < oldestMs ? known.rooms : null;
}

/** After a change that whoever asks here next must see; other processes see it within the second. */
export function forgetRooms(ctx: Ctx): void {
  shared.forget(ctx.memory);
  askedLast.delete(ctx.memory);
  remembered.delete(ctx.memory);
}

export function phaseOfRoom({ mode, opened_at, paused, closed }: Room): QueuePhase {
  return queuePhaseOf({ mode, opened_at, paused: paused === 1, closed: closed === 1 });
}

/** Null: nobody need wait for this event. */
export async function roomOf(ctx: Ctx, event_id: string): Promise<Room | null> {
  const room = (await roomsNow(ctx)).get(event_id);
  return room === undefined || phaseOfRoom(room) === 'off' ? null : room;
}

/** Of an event that the public may see. @throws Refusal event_not_found, queue_off */
export async function publicRoom(ctx: Ctx, event_id: string): Promise<Room> {
  let room = await roomOf(ctx, event_id);
  if (room === null) {
    // Another process may have told of a room that was opened within this second.
    forgetRooms(ctx);
    room = await roomOf(ctx, event_id);
  }
  if (room === null) {
    await publishedEvent(ctx, event_id);
    throw new Refusal('queue_off');
  }
  if (room.status === 'draft') throw new Refusal('event_not_found');
  return room;
}

export function rateOf({ fixed_per_minute, per_minute }: Room): number {
  return fixed_per_minute ?? per_minute;
}

/** When numbers are drawn; null: at once. */
export function opensAt({
  opens_at,
  sales_opens_at,
}: Pick<Room, 'opens_at' | 'sales_opens_at'>): number | null {
  return opens_at ?? sales_opens_at;
}

/** The one answer for all who wait; it names nobody. */
export function answerOf(room: Room, now: number) {
  const phase = phaseOfRoom(room);
  const isDrawn = room.opened_at !== null && room.root !== null;
  return {
    phase,
    opens_at: opensAt(room),
    serving: room.serving,
    last: room.last,
    drawn: isDrawn ? room.drawn : 0,
    per_minute: rateOf(room),
    minutes: room.minutes,
    has_code: room.code !== null,
    message: room.message,
    // A room that came without a draw promises none.
    seed_hash: room.root !== null || room.opened_at === null ? room.seed_hash : null,
    root: room.root,
    seed: isDrawn ? room.seed : null,
    now,
  };
}

const nobodyWaits = {
  phase: 'off',
  opens_at: null,
  serving: 0,
  last: 0,
  drawn: 0,
  per_minute: 0,
  minutes: 0,
  has_code: false,
  message: null,
  seed_hash: null,
  root: null,
  seed: null,
} as const;

/** @throws Refusal event_not_found */
export async function queueForAll(ctx: Ctx, event_id: string) {
  const room = await roomOf(ctx, event_id);
  if (room !== null && room.status !== 'draft') return answerOf(room, ctx.now());
  await publishedEvent(ctx, event_id);
  return { ...nobodyWaits, now: ctx.now() };
}
