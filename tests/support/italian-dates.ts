/** Reads from an Italian sentence until when something is possible. */
import { parseDate, toZoned, type CalendarDate } from '@internationalized/date';

const zone = 'Europe/Rome';
const months =
  'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre'.split(
    ' ',
  );
const spoken = /fino (?:al |all’)(\d+)º? (\p{L}+)(?: alle (\d\d):(\d\d))?/u;
const written = /fino al (\d\d)\/(\d\d)\/(\d{4}) alle (\d\d):(\d\d)/;

/**
 * The last millisecond that counts: of the named day, or before the named minute where a sentence
 * names one in words. Null: the sentence names none. A day without a year is the next one.
 */
export function lastMomentIn(sentence: string, now: number): number | null {
  const exact = written.exec(sentence);
  if (exact) {
    const [, day, month, year, hour, minute] = exact;
    return at(parseDate(`${year}-${month}-${day}`), [Number(hour), Number(minute)]);
  }
  const found = spoken.exec(sentence);
  if (!found) return null;
  const [, day, name = '', hour, minute] = found;
  const month = String(months.indexOf(name) + 1).padStart(2, '0');
  const year = new Date(now - 864e5).getUTCFullYear();
  const days = [year, year + 1].map((of) => parseDate(`${of}-${month}-${day!.padStart(2, '0')}`));
  const date = days.find((of) => at(of.add({ days: 1 }), [0, 0]) > now - 2 * 864e5)!;
  return (
    (hour === undefined
      ? at(date.add({ days: 1 }), [0, 0])
      : at(date, [Number(hour), Number(minute)])) - 1
  );
}

function at(date: CalendarDate, [hour, minute]: [number, number]): number {
  return toZoned(date, zone).set({ hour, minute }).toDate().getTime();
}
