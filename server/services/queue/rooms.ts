/**
 * The waiting rooms that are in use, as this process remembers them for a second: visitors who wait
 * or book cost no question to the database.
 */
import { roomsInUse, type Room } from '#db/queue/queues.ts';
import { queuePhaseOf, type QueuePhase } from '#server/domain/queue/queue.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { publishedEvent } from '#server/services/event/events.ts';
import { memo } from '#server/services/kit/memo.ts';

/** By event. */
export type Rooms = ReadonlyMap<string, Room>;

const freshMs = 1_000;
/** The age of an answer is counted by the process's own clock, which nobody can set. */
const known = memo<Rooms>({ freshMs, keptMs: Number.POSITIVE_INFINITY });

export function roomsNow(ctx: Ctx): Promise<Rooms> {
  return known.get(ctx.memory, { ask: () => readRooms(ctx) });
}

async function readRooms(ctx: Ctx): Promise<Rooms> {
  const rooms = await roomsInUse(ctx.db, ctx.now());
  return new Map(rooms.map((room) => [room.event_id, room]));
}

/** Without a wait; null: they were read longer ago than that. */
export function roomsAtOnce(ctx: Ctx, oldestMs: number = freshMs): Rooms | null {
  const last = known.last(ctx.memory);
  return last !== undefined && performance.now() - last.at < oldestMs ? last.value : null;
}

/** After a change that the next caller here must see; other processes see it within the second. */
export function forgetRooms(ctx: Ctx): void {
  known.forget(ctx.memory);
}

export function phaseOfRoom({ mode, opened_at, paused, closed }: Room): QueuePhase {
  return queuePhaseOf({ mode, opened_at, paused: paused === 1, closed: closed === 1 });
}

/** Null: this event has no waiting room. */
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

/** The one answer for all who wait; it names no visitor. */
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
