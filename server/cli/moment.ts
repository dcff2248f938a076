/** Reads a time in Italy as a person writes it: `21:03`, or `2026-11-23 21:03`. */
import { formatTime } from '#server/domain/time/dates.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/**
 * The start of that minute in epoch milliseconds; without a day, the last time that a clock in
 * Italy showed it. Null: the text is not a time.
 */
export function readMoment(text: string, now: number): number | null {
  const [, day, hour, minute] = /^(?:(\d{4}-\d\d-\d\d)[ T])?(\d{1,2})[:.](\d\d)$/.exec(text) ?? [];
  if (hour === undefined || Number(hour) > 23 || Number(minute) > 59) return null;
  const time = `${hour.padStart(2, '0')}:${minute}`;
  const isThen = (at: number) => formatTime(at).padStart(5, '0') === time;
  if (day !== undefined) {
    const there = Date.parse(`${day}T${time}:00Z`);
    return [there - hourMs, there - 2 * hourMs].find(isThen) ?? null;
  }
  const first = now - (now % minuteMs);
  const minutes = Array.from({ length: 25 * 60 }, (_, back) => first - back * minuteMs);
  return minutes.find(isThen) ?? null;
}
