/**
 * How fast numbers of a waiting room are called: at a fixed rate, or at one that follows how long
 * bookings take (RULES F3).
 */

/** The state of the counter: `credit` is the earned part of the next call, in 60,000ths. */
interface Counter {
  serving: number;
  credit: number;
}

/** A whole call in credit: at one call a minute, it is earned in 60,000 ms. */
const wholePlace = 60_000;
/**
 * After a longer stop (all processes were down) the counter does not make up for the missed time.
 */
const longestStepMs = 5_000;

/**
 * `last`: the highest number given out; `room`: how many more entrants may be inside. Calls that
 * cannot be used are lost.
 */
export function stepCounter(
  { serving, credit }: Counter,
  {
    per_minute,
    elapsedMs,
    last,
    room,
  }: { per_minute: number; elapsedMs: number; last: number; room: number },
): Counter {
  const earned = credit + per_minute * Math.min(Math.max(elapsedMs, 0), longestStepMs);
  const due = Math.floor(earned / wholePlace);
  const called = Math.max(0, Math.min(due, last - serving, room));
  return {
    serving: serving + called,
    credit: called < due ? 0 : earned - called * wholePlace,
  };
}

/**
 * The upper bound of each counter in milliseconds; one more counter holds the bookings above the
 * last bound.
 */
const longest = 5_000;
const latencySteps = [50, 100, 200, 300, 400, 600, 800, 1_200, 2_000, longest];
export type Latencies = readonly number[];
export const noLatencies: Latencies = Array.from({ length: latencySteps.length + 1 }, () => 0);

export function countLatency(counts: Latencies, ms: number): Latencies {
  const step = latencySteps.findIndex((most) => ms <= most);
  const at = step < 0 ? latencySteps.length : step;
  return counts.with(at, (counts[at] ?? 0) + 1);
}

/** The counters of all processes, added up. */
export function sumLatencies(all: readonly Latencies[]): Latencies {
  return noLatencies.map((_, at) => all.reduce((sum, counts) => sum + (counts[at] ?? 0), 0));
}

/** The bound that 95 of 100 bookings did not exceed; null: there are too few bookings to say. */
export function p95Of(counts: Latencies): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total < leastBookings) return null;
  let seen = 0;
  const at = counts.findIndex((count) => (seen += count) >= total * 0.95);
  return latencySteps[at] ?? 2 * longest;
}
const leastBookings = 5;

/**
 * The measured rate rises slowly, and is halved as soon as bookings take too long (as in TCP).
 */
export const measuredPace = {
  windowMs: 10_000,
  /** The first rate. */ first: 60,
  least: 10,
  most: 3_000,
  /** The increase per window. */ more: 10,
  slowMs: 800,
} as const;

/**
 * The rate for the next window. `waiting` false: the room is empty, so a higher rate is not
 * tried.
 */
export function nextRate(
  per_minute: number,
  { p95, waiting }: { p95: number | null; waiting: boolean },
): number {
  const { least, most, more, slowMs } = measuredPace;
  if (p95 !== null && p95 > slowMs) return Math.max(least, Math.floor(per_minute / 2));
  return waiting ? Math.min(most, per_minute + more) : per_minute;
}

/** A room that opened by itself closes after this long without load. */
const quietMs = 5 * 60_000;

/**
 * Opens the room when bookings take too long, and closes it when it is empty and nothing was slow
 * for a while.
 */
export function autoTurn({
  isOpen,
  p95,
  waiting,
  slowAt,
  now,
}: {
  isOpen: boolean;
  p95: number | null;
  waiting: boolean;
  /** When bookings were last too slow. */ slowAt: number | null;
  now: number;
}): 'open' | 'end' | null {
  const isSlow = p95 !== null && p95 > measuredPace.slowMs;
  if (!isOpen) return isSlow ? 'open' : null;
  return !isSlow && !waiting && now - (slowAt ?? 0) >= quietMs ? 'end' : null;
}
