/** Where a visitor stands in an event's waiting room, and how soon to look again. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { readQueue, readQueuePlace } from '#server/contract/queue.ts';

export type Room = ReplyOf<typeof readQueue>;
export type Place = ReplyOf<typeof readQueuePlace>;

/**
 * `free`: there is no queue. `outside`: one may enter. `gathering`: before the draw.
 * `numberless`: drawn, but the own number is not known yet.
 */
export type QueueStage =
  | 'free'
  | 'outside'
  | 'gathering'
  | 'numberless'
  | 'waiting'
  | 'paused'
  | 'called'
  | 'inside'
  | 'expired'
  | 'done'
  | 'closed';

/**
 * `place` is null when this browser has none. A visitor inside may finish, whatever becomes of
 * the room.
 */
export function queueStageOf(
  { phase }: Pick<Room, 'phase'>,
  place: Pick<Place, 'state' | 'number'> | null,
): QueueStage {
  if (phase === 'off') return 'free';
  if (place?.state === 'inside') return 'inside';
  if (phase === 'closed') return 'closed';
  if (place === null) return 'outside';
  if (place.state !== 'waiting') return place.state;
  if (phase === 'paused') return 'paused';
  if (phase === 'before') return 'gathering';
  return place.number === null ? 'numberless' : 'waiting';
}

/** How many go in before. */
export function aheadOf({ serving }: Pick<Room, 'serving'>, number: number): number {
  return Math.max(0, number - serving - 1);
}

const secondMs = 1_000;

/**
 * How soon to ask for the room again: often near the opening and near one's turn. `untilOpen`: ms
 * to the opening, null where it is unknown.
 */
export function roomAgainMs(
  stage: QueueStage,
  { minutesLeft, untilOpen }: { minutesLeft: number | null; untilOpen: number | null },
): number {
  switch (stage) {
    case 'gathering':
    case 'outside':
      if (untilOpen === null || untilOpen > 600 * secondMs) return 60 * secondMs;
      return untilOpen > 60 * secondMs ? 15 * secondMs : 3 * secondMs;
    case 'numberless':
      return 3 * secondMs;
    case 'waiting':
      if (minutesLeft !== null && minutesLeft > 10) return 10 * secondMs;
      return (minutesLeft ?? 0) > 2 ? 5 * secondMs : 2 * secondMs;
    case 'called':
      return 5 * secondMs;
    default:
      return 15 * secondMs;
  }
}

/** So many browsers a second ask for the number that the draw has given them. */
const numbersPerSecond = 1_500;

interface PlaceAsk {
  /** The end of one's turn, by this browser's clock. */
  until: number | null;
  /** At the last look the draw was still to come. */
  wasBefore: boolean;
  luck: number;
  now: number;
}

/**
 * When to ask for one's place again because the room says that it has changed; null when it has
 * not.
 * `luck` between 0 and 1 spreads those who all want their number at the moment of the draw.
 */
export function placeDueAt(
  room: Pick<Room, 'phase' | 'serving' | 'last'>,
  place: Pick<Place, 'state' | 'number'> | null,
  { until, wasBefore, luck, now }: PlaceAsk,
): number | null {
  if (place === null || room.phase === 'off') return null;
  // A moment later, when the turn is over for the server, too.
  if (place.state === 'called' || place.state === 'inside')
    return Math.max(now, until ?? now) + secondMs;
  if (place.state !== 'waiting' || room.phase === 'before') return null;
  if (place.number === null) {
    const spreadMs = wasBefore ? Math.min(60, room.last / numbersPerSecond) * secondMs : 0;
    return now + secondMs + luck * spreadMs;
  }
  return place.number <= room.serving ? now : null;
}
