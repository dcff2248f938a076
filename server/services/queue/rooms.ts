/**
 * The waiting rooms in use. Each process caches them for a second, so that waiting visitors and
 * bookings need no query.
 */
import { roomsInUse, type Room } from '#db/queue/queues.ts';
import { queuePhaseOf, type QueuePhase } from '#server/domain/queue/queue.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { publishedEvent } from '#server/services/event/events.ts';
import { memo } from '#server/services/kit/memo.ts';

/** The waiting rooms, by the event's id. */
export type Rooms = ReadonlyMap<string, Room>;

const freshMs = 1_000;
/** The cache's age is measured by the process's monotonic clock, which cannot be set back. */
const known = memo<Rooms>({ freshMs, keptMs: Number.POSITIVE_INFINITY });

export function roomsNow(ctx: Ctx): Promise<Rooms> {
  return known.get(ctx.memory, { ask: () => readRooms(ctx) });
}

async function readRooms(ctx: Ctx): Promise<Rooms> {
  const rooms = await roomsInUse(ctx.db, ctx.now());
  return new Map(rooms.map((room) => [room.event_id, room]));
}

/** The cached rooms; null if the cache is older than `oldestMs`. */
export function roomsAtOnce(ctx: Ctx, oldestMs: number = freshMs): Rooms | null {
  const last = known.last(ctx.memory);
  return last !== undefined && performance.now() - last.at < oldestMs ? last.value : null;
}

/** Call it after a change: this process then has it immediately, others within a second. */
export function forgetRooms(ctx: Ctx): void {
  known.forget(ctx.memory);
}

export function phaseOfRoom({ mode, opened_at, paused, closed }: Room): QueuePhase {
  return queuePhaseOf({ mode, opened_at, paused: paused === 1, closed: closed === 1 });
}

/** Null if this event has no waiting room. */
export async function roomOf(ctx: Ctx, event_id: string): Promise<Room | null> {
  const room = (await roomsNow(ctx)).get(event_id);
  return room === undefined || phaseOfRoom(room) === 'off' ? null : room;
}

/** The room of an event that the public may see. @throws Refusal event_not_found, queue_off */
export async function publicRoom(ctx: Ctx, event_id: string): Promise<Room> {
  let room = await roomOf(ctx, event_id);
  if (room === null) {
    // Another process may have opened the room within the last second.
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

/** When the numbers are drawn; null if that is as soon as the room is on. */
export function opensAt({
  opens_at,
  sales_opens_at,
}: Pick<Room, 'opens_at' | 'sales_opens_at'>): number | null {
  return opens_at ?? sales_opens_at;
}

/** The same answer for all who wait; it says nothing about a visitor. */
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
    // A room that opened without a draw has no seed to publish.
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
