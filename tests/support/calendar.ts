/**
 * Days of next year, for tests that need a weekday or a night in which the clocks change, and use
 * the real clock.
 */

export const nextYear = new Date().getUTCFullYear() + 1;

/** The last Sunday of a month from 1 to 12; in March and October the clocks change on it. */
export function lastSundayOf(month: number): string {
  const last = new Date(Date.UTC(nextYear, month, 0));
  last.setUTCDate(last.getUTCDate() - last.getUTCDay());
  return last.toISOString().slice(0, 10);
}

export function addDays(day: string, days: number): string {
  const later = new Date(day);
  later.setUTCDate(later.getUTCDate() + days);
  return later.toISOString().slice(0, 10);
}

export function weekdayOf(day: string): string {
  return new Date(day).toLocaleDateString('it', { weekday: 'long', timeZone: 'UTC' });
}

/** 8, not 08. */
export function numberOf(day: string): number {
  return Number(day.slice(8));
}
