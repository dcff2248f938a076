/** Formats past and future times as spans, and a hook with a ticking clock. */
import { useEffect, useState } from 'react';
import { formatListDate } from '#apps/shared/format.ts';

const minute = 60_000;
const hour = 60 * minute;

/** Milliseconds of this computer's clock, renewed every `everyMs`. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** "adesso", "40 s fa", "3 min fa", "2 h fa"; the date after a day. */
export function formatAgo(iso: string, now: number): string {
  const age = now - Date.parse(iso);
  if (age < 5_000) return 'adesso';
  return age < 24 * hour ? `${formatSpan(age)} fa` : formatListDate(iso);
}

/** As in "40 s", "3 min", "2 h 5 min". */
export function formatSpan(ms: number): string {
  // "94 s" says more than "1 min".
  if (ms < 100_000) return `${Math.round(ms / 1000)} s`;
  if (ms < hour) return `${Math.floor(ms / minute)} min`;
  const minutes = Math.floor((ms % hour) / minute);
  return minutes === 0 ? `${Math.floor(ms / hour)} h` : `${Math.floor(ms / hour)} h ${minutes} min`;
}

/** The time left, as in "9:05"; never below zero. */
export function formatCountdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
