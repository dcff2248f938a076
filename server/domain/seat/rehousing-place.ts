/**
 * What a change of hall tells the buyers beside their seats: why, and the place to which the
 * evening goes (RULES H1, E3).
 */
import { timeFaults } from '#server/domain/event/event-form.ts';
import { isAnswerTimeWrong, type PostponementAnswer } from '#server/domain/event/postponement.ts';
import { moveWith } from '#server/domain/event/series.ts';

/** Characters of the office's sentence, at most. */
export const longestWhy = 500;

/** The columns of an event that say where it is. */
export interface Venue {
  venue_title: string;
  venue_address: string | null;
  venue_href: string | null;
  doors_at: number | null;
}

export interface NewPlace extends Venue {
  /** The start to which the doors belong: if the day moves meanwhile, they move along. */
  starts_at: number;
  /** Until when each buyer keeps the ticket or asks for the refund. */
  answer_by: number;
  if_silent: PostponementAnswer;
}

/** `place` null: the evening stays in its building. */
export interface RehousingNews {
  reason: string | null;
  place: NewPlace | null;
}

/** Null: the run was made before 1.8.0, or tells nothing. */
export function readNews({ news }: { news: string | null }): RehousingNews | null {
  return news === null ? null : (JSON.parse(news) as RehousingNews);
}

/** Buyers are asked about another name or address; its page on the web is no other place. */
export function isOtherPlace(
  now: Pick<Venue, 'venue_title' | 'venue_address'>,
  { venue_title, venue_address }: Pick<Venue, 'venue_title' | 'venue_address'>,
): boolean {
  return now.venue_title !== venue_title || (now.venue_address ?? '') !== (venue_address ?? '');
}

/** The event's columns in the new place; its doors move along with a day that has moved. */
export function venueThere({ starts_at }: { starts_at: number }, place: NewPlace): Venue {
  const { venue_title, venue_address, venue_href, doors_at } = place;
  const way = { from: place.starts_at, to: starts_at };
  return {
    venue_title,
    venue_address,
    venue_href,
    doors_at: doors_at === null ? null : moveWith(doors_at, way),
  };
}

type Evening = Parameters<typeof timeFaults>[0] & Venue;

/** The fields that must be written otherwise; `times`: those that contradict other times. */
export function newsFaults(
  event: Evening,
  { reason, place }: RehousingNews,
  now: number,
): { fields: string[]; times: string[] } {
  if (place === null) return { fields: [], times: [] };
  const isSame = !isOtherPlace(event, place);
  return {
    fields: [
      ...(place.venue_title === '' || isSame ? ['venue_title'] : []),
      ...((reason ?? '') === '' ? ['reason'] : []),
    ],
    times: [
      ...timeFaults({ ...event, doors_at: venueThere(event, place).doors_at }).filter(
        (field) => field === 'doors_at' || field === 'admits_until',
      ),
      ...(isAnswerTimeWrong({ ...place, starts_at: event.starts_at, now }) ? ['answer_by'] : []),
    ],
  };
}
