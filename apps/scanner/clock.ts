/** The phone's clock against the server's: half of the round trip is subtracted, the shortest trip of the last minutes is believed. */
import { readMeta, writeMeta, type Clock, type ScannerDb } from './store.ts';

/** After this time even a slower contact replaces the measure: clocks drift. */
const trustMs = 10 * 60_000;

/** `server_time` ISO; began and ended by the phone's clock in ms. */
export function measureClock(server_time: string, { began, ended }: { began: number; ended: number }): Clock | null {
  const at = Date.parse(server_time);
  if (Number.isNaN(at) || ended < began) return null;
  return { offset_ms: Math.round(at - (began + ended) / 2), round_trip_ms: ended - began, measured_at: ended };
}

/** Which of two measures to believe; one that the trip alone cannot explain means that the phone's clock was set. */
export function betterClock(known: Clock | undefined, fresh: Clock): Clock {
  if (!known || fresh.round_trip_ms <= known.round_trip_ms || fresh.measured_at - known.measured_at > trustMs || fresh.measured_at < known.measured_at) return fresh;
  const explained = (fresh.round_trip_ms + known.round_trip_ms) / 2 + 1_000;
  return Math.abs(fresh.offset_ms - known.offset_ms) > explained ? fresh : known;
}

export async function noteClock(db: ScannerDb, server_time: string, trip: { began: number; ended: number }): Promise<void> {
  const fresh = measureClock(server_time, trip);
  if (!fresh) return;
  const known = await readMeta(db, 'clock');
  const better = betterClock(known, fresh);
  if (better !== known) await writeMeta(db, 'clock', better);
}
