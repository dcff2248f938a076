/** Formats money, times and numbers for people. */
export {
  formatDate,
  formatDay,
  formatListDate,
  formatLongDate,
  formatShortDate,
  formatTime,
  formatTimeWithSeconds,
} from '#server/domain/time/dates.ts';
import {
  formatListDate,
  formatShortDate,
  formatTimeWithSeconds,
} from '#server/domain/time/dates.ts';
import { formatEuro } from '#server/domain/price/money.ts';

export { formatEuro };

/** sab 21 nov · 21:00:05 */
export function formatDayAndSeconds(iso: string | number): string {
  return withSeconds(formatShortDate(iso), iso);
}

/** 21/11/2026 21:00:05 */
export function formatListSeconds(iso: string | number): string {
  return withSeconds(formatListDate(iso), iso);
}

function withSeconds(moment: string, iso: string | number): string {
  return moment.replace(/\d+:\d+$/, () => formatTimeWithSeconds(iso));
}

/** "1 posto", "2 posti", "12.500 posti": the caller gives both forms. */
export function formatCount(count: number, one: string, many: string): string {
  return `${count < 10_000 ? count : count.toLocaleString('it-IT')} ${count === 1 ? one : many}`;
}

/** A price for a visitor: what costs nothing is said, not counted. */
export function sayPrice(cents: number | null): string {
  return cents === 0 ? 'Gratis' : formatEuro(cents);
}

/** "da 18,00 €", "Gratis" */
export function sayLowest(cents: number): string {
  return cents === 0 ? 'Gratis' : `da ${formatEuro(cents)}`;
}
