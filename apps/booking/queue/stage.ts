/** A visitor's stage in an event's waiting room, and how soon to refetch. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { readQueue, readQueuePlace } from '#server/contract/queue.ts';

export type Room = ReplyOf<typeof readQueue>;
export type Place = ReplyOf<typeof readQueuePlace>;

/**
 * `free`: no queue. `outside`: the visitor may enter. `gathering`: before the draw. `numberless`:
 * after the draw, while the visitor's number is unknown.
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
 * `place` is null if this browser has none. A visitor inside may finish even if the room closes.
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

/** How many visitors are before this number. */
export function aheadOf({ serving }: Pick<Room, 'serving'>, number: number): number {
  return Math.max(0, number - serving - 1);
}

const secondMs = 1_000;

/**
 * When to refetch the room, in ms: often near the opening and near the visitor's turn.
 * `untilOpen` is in ms; null if unknown.
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

/** How many browsers ask for their number per second after the draw. */
const numbersPerSecond = 1_500;

interface PlaceAsk {
  /** The end of the visitor's turn, by this browser's clock. */
  until: number | null;
  /** The previous reply was from before the draw. */
  wasBefore: boolean;
  luck: number;
  now: number;
}

/**
 * When to refetch the visitor's place; null: not yet. `luck`, 0 to 1, spreads the requests of all
 * who want their number right after the draw.
 */
export function placeDueAt(
  room: Pick<Room, 'phase' | 'serving' | 'last'>,
  place: Pick<Place, 'state' | 'number'> | null,
  { until, wasBefore, luck, now }: PlaceAsk,
): number | null {
  if (place === null || room.phase === 'off') return null;
  // Asks a second later, so that the turn has ended for the server, too.
  if (place.state === 'called' || place.state === 'inside')
    return Math.max(now, until ?? now) + secondMs;
  if (place.state !== 'waiting' || room.phase === 'before') return null;
  if (place.number === null) {
    const spreadMs = wasBefore ? Math.min(60, room.last / numbersPerSecond) * secondMs : 0;
    return now + secondMs + luck * spreadMs;
  }
  return place.number <= room.serving ? now : null;
}
