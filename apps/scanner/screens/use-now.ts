/**
 * The time as React state, for ages on the screen: by the phone's own clock, or by the server's
 * for scans.
 */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { phone } from '#apps/scanner/scan/phone.ts';

const everyMs = 10_000;
/** A time of day alone is enough for this long; after that its date is needed. */
const recentMs = 20 * 3_600_000;

export function isRecent(at: number, now: number): boolean {
  return now - at < recentMs;
}

export function useNow(): number {
  return useTime(Date.now);
}

/** The server's time, as far as the phone can tell. */
export function useServerNow(): number {
  return useTime(phone.now);
}

/** How wrong the phone's clock is, fast or slow, as far as it can tell, in ms. */
export function useClockError(): number {
  return useSyncExternalStore(watchClock, readClockError);
}

/** The clock is also read at an interval, because it may be set at any moment. */
function watchClock(listener: () => void): () => void {
  const leave = phone.subscribe(listener);
  const timer = setInterval(listener, everyMs);
  return () => {
    leave();
    clearInterval(timer);
  };
}

/** In whole seconds, because React would render without end if two reads in a row differed. */
function readClockError(): number {
  return Math.abs(Math.round((phone.now() - Date.now()) / 1_000)) * 1_000;
}

function useTime(read: () => number): number {
  const [now, setNow] = useState(read);
  useEffect(() => {
    const timer = setInterval(() => setNow(read()), everyMs);
    return () => clearInterval(timer);
  }, [read]);
  return now;
}
