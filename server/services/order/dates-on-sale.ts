/** The other dates of a show for which its tickets may be exchanged now (RULES M6). */
import type { Db } from '#db/engine/dialect.ts';
import { datesFrom } from '#db/event/shows.ts';
import type { EventRow } from '#db/rows.ts';
import { salesStateOf } from '#server/domain/event/event.ts';

const mostDates = 100;

/** The soonest first. */
export async function datesOnSale(db: Db, { id, show_id }: EventRow, now: number) {
  if (show_id === null) return [];
  const dates = await datesFrom(db, show_id, { from: now, limit: mostDates });
  return dates
    .filter((date) => date.id !== id && salesStateOf(date, now) === 'open')
    .map(({ id: event_id, title, starts_at }) => ({ event_id, title, starts_at }));
}
