/** Groups the dates of a show into one card about the next date that can be bought. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { listPublished } from '#server/contract/events.ts';

export type ListedEvent = ReplyOf<typeof listPublished>['items'][number];

/** `others` counts the show's other dates. */
export interface ShownDates {
  shown: ListedEvent;
  others: number;
}

function canBeBought({ sales, availability }: ListedEvent): boolean {
  return sales.state === 'open' && availability !== 'none';
}

/** Sorted by their first dates. */
export function groupDates(events: readonly ListedEvent[]): ShownDates[] {
  const shows = new Map<string, [ListedEvent, ...ListedEvent[]]>();
  for (const event of events) {
    const key = event.show_id ?? `date ${event.id}`;
    const known = shows.get(key);
    shows.set(key, known ? [...known, event] : [event]);
  }
  return [...shows.values()].map((dates) => ({
    shown: dates.find(canBeBought) ?? dates[0],
    others: dates.length - 1,
  }));
}
