/** The name of a date in the office: title, day and hour, because a show has many dates. */
import { isolate } from '#server/domain/text/direction.ts';
import { formatShortDate } from '#apps/shared/format.ts';

/** As in "La locandiera · sab 5 dic · 21:00". */
export function nameOfDate(title: string, starts_at: string): string {
  return `${isolate(title || 'Senza titolo')} · ${formatShortDate(starts_at)}`;
}

/** The name for a row of a list; empty if the row is about no event. */
export function nameOfEvent(row: {
  event_title: string | null;
  event_starts_at: string | null;
}): string {
  if (row.event_title === null || row.event_starts_at === null) return '';
  return nameOfDate(row.event_title, row.event_starts_at);
}
