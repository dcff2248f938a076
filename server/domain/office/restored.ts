/**
 * The time that a restored house knows nothing of: from the moment of the copy until the restore.
 */
import { formatTime, isoOf, sayOfDay, sayFrom, sayTo } from '#server/domain/time/dates.ts';

/** Epoch milliseconds. */
export interface Gap {
  from: number;
  to: number;
}

/** "dalle 05:29 alle 06:10", with the days if they are not both `now`'s. */
export function sayGap({ from, to }: Gap, now: number): string {
  const [begin, end] = [from, Math.max(from, to)].map(isoOf) as [string, string];
  const day = sayOfDay(begin);
  if (day !== sayOfDay(end)) return `${sayFrom(begin)} ${sayTo(end)}`;
  const hours = `dalle ${formatTime(begin)} alle ${formatTime(end)}`;
  return day === sayOfDay(isoOf(now)) ? hours : `${hours} ${day}`;
}

/** What is missing for good, because no vendor has it. */
export function tellGap(gap: Gap, now: number): string {
  const span = sayGap(gap, now);
  return `${span.charAt(0).toUpperCase()}${span.slice(1)}: vendite in cassa, blocchi, spostamenti non sono in questa copia.`;
}
