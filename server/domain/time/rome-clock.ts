/**
 * Days and hours by the clock in Rome, for counting many moments: a day is the number of days
 * since 1970.
 */
import { fromAbsolute } from '@internationalized/date';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Rome's clock only changes at the full hour, so one offset per hour is enough. */
const offsets = new Map<number, number>();
const mostOffsets = 20_000;

/** Milliseconds by which Rome's clock is ahead of UTC. */
export function offsetAt(ms: number): number {
  const hour = Math.floor(ms / hourMs);
  let offset = offsets.get(hour);
  if (offset === undefined) {
    offset = fromAbsolute(hour * hourMs, 'Europe/Rome').offset;
    if (offsets.size >= mostOffsets) offsets.clear();
    offsets.set(hour, offset);
  }
  return offset;
}

export function romeDay(ms: number): number {
  return Math.floor((ms + offsetAt(ms)) / dayMs);
}

/** The hour from 0 to 23. */
export function romeHour(ms: number): number {
  const day = (ms + offsetAt(ms)) % dayMs;
  return Math.floor((day < 0 ? day + dayMs : day) / hourMs);
}

/** 2026-11-26 */
export function dayText(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** The number of the day `2026-11-26`. */
export function dayOf(text: string): number {
  return Date.parse(`${text}T00:00:00Z`) / dayMs;
}

/** The moment at which the day begins in Rome. */
export function startOfDay(day: number): number {
  const utc = day * dayMs;
  // Midnight is before any change of the clock on that day.
  return utc - offsetAt(utc - 2 * hourMs);
}

/**
 * The year in which the season of that day began: a season runs from 1 September to 31 August.
 */
export function seasonOf(day: number): number {
  const [year, month] = dayText(day).split('-').map(Number) as [number, number];
  return month >= 9 ? year : year - 1;
}

export function daysOfSeason(year: number): { from: number; to: number } {
  return { from: dayOf(`${year}-09-01`), to: dayOf(`${year + 1}-08-31`) };
}
