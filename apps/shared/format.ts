/** How money, times and numbers are said to a person. */
export { formatListDate, formatLongDate, formatShortDate, formatTime, formatTimeWithSeconds } from '#server/domain/dates.ts';
export { formatEuro } from '#server/domain/money.ts';

const plurals = new Intl.PluralRules('it-IT');

/** 1 posto, 2 posti */
export function formatCount(count: number, one: string, many: string): string {
  return `${count.toLocaleString('it-IT')} ${plurals.select(count) === 'one' ? one : many}`;
}
