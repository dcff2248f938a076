/** Groups the dates of a show into one card, which leads to the next date that can be bought. */
import { hasPlaces } from '#apps/booking/event/sale-words.ts';
import { formatCount, formatDay } from '#apps/shared/format.ts';
import { sayDays } from '#server/domain/time/dates.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { listPublished } from '#server/contract/events.ts';

export type ListedEvent = ReplyOf<typeof listPublished>['items'][number];

/** `shown` is one of the `dates`, with the price and the places of the whole show. */
export interface ShownDates {
  shown: ListedEvent;
  dates: readonly ListedEvent[];
}

/** Sorted by their first dates. */
export function groupDates(events: readonly ListedEvent[]): ShownDates[] {
  const shows = new Map<string, [ListedEvent, ...ListedEvent[]]>();
  for (const event of events) {
    const key = event.show_id ?? `date ${event.id}`;
    const known = shows.get(key);
    shows.set(key, known ? [...known, event] : [event]);
  }
  return [...shows.values()].map((dates) => ({ shown: ofShow(dates), dates }));
}

/** The show has many places as soon as one of its dates has many. */
function ofShow(dates: [ListedEvent, ...ListedEvent[]]): ListedEvent {
  const sold = dates.filter(hasPlaces);
  const has = (state: string) => dates.find(({ sales }) => sales.state === state);
  const shown = sold[0] ?? has('not_yet') ?? has('open') ?? dates[0];
  if (sold.length < 2) return shown;
  const prices = sold.flatMap(({ from_price }) => from_price ?? []);
  return {
    ...shown,
    from_price: prices.length === 0 ? null : Math.min(...prices),
    places_left: null,
    ...(sold.some(({ availability }) => availability === 'many') && {
      availability: 'many' as const,
    }),
  };
}

/** "9 date dal 3 al 12 dicembre"; null for a single date. The dates come in any order. */
export function sayDates(dates: readonly { starts_at: string }[]): string | null {
  const [first, ...others] = dates.map(({ starts_at }) => starts_at).sort();
  const last = others.at(-1);
  if (first === undefined || last === undefined) return null;
  const days =
    formatDay(first) === formatDay(last) ? `· ${formatDay(first)}` : sayDays(first, last);
  return `${formatCount(dates.length, 'data', 'date')} ${days}`;
}

/** "Rinviato: era 3 dicembre", or for several dates how many have moved; null: none has. */
export function sayPostponed(dates: readonly ListedEvent[]): string | null {
  const moved = dates.flatMap(({ postponed_from }) => postponed_from ?? []);
  const [from] = moved;
  if (from === undefined) return null;
  if (dates.length === 1) return `Rinviato: era ${formatDay(from)}`;
  return formatCount(moved.length, 'data rinviata', 'date rinviate');
}
