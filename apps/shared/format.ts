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
export { formatEuro } from '#server/domain/price/money.ts';

/** "1 posto", "2 posti", "12.500 posti": the caller gives both forms. */
export function formatCount(count: number, one: string, many: string): string {
  return `${count < 10_000 ? count : count.toLocaleString('it-IT')} ${count === 1 ? one : many}`;
}
