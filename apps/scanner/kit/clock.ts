/**
 * Measures how far the phone's clock is from the server's: half of the round trip is subtracted,
 * and the shortest round trip of the last minutes is used.
 */
import type { Ports } from './ports.ts';
import { readMeta, writeMeta, type Clock, type ScannerDb } from './store.ts';

/** After this time even a slower contact replaces the measurement, because clocks drift. */
const trustMs = 10 * 60_000;

/**
 * A contact from request to answer: begin and end by the phone's clock, and the duration by the
 * stopwatch if there is one; all in ms.
 */
interface Trip {
  began: number;
  ended: number;
  stopwatch?: number;
}

/** Starts measuring a trip; the returned function gives the trip up to the moment of its call. */
export function timeTrip(ports: Pick<Ports, 'now' | 'elapsed'>): () => Trip {
  const began = ports.now();
  const start = ports.elapsed?.();
  return () => ({
    began,
    ended: ports.now(),
    stopwatch: start === undefined ? undefined : ports.elapsed!() - start,
  });
}

/** If clock and stopwatch differ by more, the clock was set or the phone slept. */
const tornMs = 1_000;

/** Whether the clock was set or the phone slept on the way, so that the trip proves nothing. */
export function isTorn({ began, ended, stopwatch = ended - began }: Trip): boolean {
  return Math.abs(ended - began - stopwatch) > tornMs;
}

/** Calls end earlier, so a later answer came to a phone that had slept. */
const longestTripMs = 35_000;

/** Measures the clock by one contact; null: this one cannot. `server_time`: ISO. */
export function measureClock(server_time: string, trip: Trip): Clock | null {
  const { began, ended } = trip;
  const at = Date.parse(server_time);
  if (Number.isNaN(at) || ended < began || ended - began > longestTripMs || isTorn(trip))
    return null;
  return {
    offset_ms: Math.round(at - (began + ended) / 2),
    round_trip_ms: ended - began,
    measured_at: ended,
  };
}

/**
 * Chooses between two measurements; a difference that the trips cannot explain means that the
 * phone's clock was set, so the fresh one is used.
 */
export function betterClock(known: Clock | undefined, fresh: Clock): Clock {
  if (
    !known ||
    fresh.round_trip_ms <= known.round_trip_ms ||
    fresh.measured_at - known.measured_at > trustMs ||
    fresh.measured_at < known.measured_at
  )
    return fresh;
  const explained = (fresh.round_trip_ms + known.round_trip_ms) / 2 + 1_000;
  return Math.abs(fresh.offset_ms - known.offset_ms) > explained ? fresh : known;
}

export async function noteClock(db: ScannerDb, server_time: string, trip: Trip): Promise<void> {
  const fresh = measureClock(server_time, trip);
  if (!fresh) return;
  const known = await readMeta(db, 'clock');
  const better = betterClock(known, fresh);
  if (better !== known) await writeMeta(db, 'clock', better);
}

/** A clock that lost more than this between two readings was set back; less is its own drift. */
const setBackMs = 5_000;

/**
 * What the clock and the stopwatch said at the last reading, and by how much the clock was set
 * back since the last measurement.
 */
export interface Watch {
  now: number;
  elapsed: number;
  back_ms: number;
  measured_at: number | null;
}

/**
 * The server's time as far as this phone can tell. A clock that advanced less than the stopwatch
 * was set back. A clock that advanced more was set forward, or the phone has slept; the next
 * contact shows which.
 */
export function correctedNow(
  { ports, watch }: { ports: Pick<Ports, 'now' | 'elapsed'>; watch: Watch },
  clock: Clock | undefined,
): { now: number; corrected: number } {
  const now = ports.now();
  const elapsed = ports.elapsed?.();
  if (elapsed !== undefined) {
    const measured_at = clock?.measured_at ?? null;
    const gained = watch.elapsed < 0 ? 0 : now - watch.now - (elapsed - watch.elapsed);
    const back = watch.back_ms + (gained < -setBackMs ? -gained : 0);
    // A clock that was set back (to 1970 after a dead battery, or by mistake) and now jumps
    // forward is right again. If the jump counted as a sleep, the corrected time would be too
    // late by as much, and lists would be deleted.
    const isRestored = gained > setBackMs && gained >= back - setBackMs;
    const back_ms = watch.measured_at !== measured_at || isRestored ? 0 : back;
    Object.assign(watch, { now, elapsed, back_ms, measured_at });
  }
  return { now, corrected: now + (clock?.offset_ms ?? 0) + watch.back_ms };
}

export function newWatch(): Watch {
  return { now: 0, elapsed: -1, back_ms: 0, measured_at: null };
}

/** How wrong a clock is, or how old a list: "4 min", "un’ora", "3 ore", "2 giorni". */
export function spanWords(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.round(ms / 3_600_000);
  if (hours === 1) return 'un’ora';
  return hours < 48 ? `${hours} ore` : `${Math.round(hours / 24)} giorni`;
}
