/**
 * Checks of the office's event form: which times contradict each other, and what a draft lacks
 * before its sale.
 */
import type { MissingPart } from './event.ts';

export type TimeField =
  | 'doors_at'
  | 'ends_at'
  | 'admits_from'
  | 'admits_until'
  | 'sales_opens_at'
  | 'sales_closes_at';

type EventTimes = { starts_at: number } & Record<TimeField, number | null>;

/**
 * The time fields that contradict each other: doors and admission must not be after the start,
 * the end must be after it, the doors close after they open, the sale ends after it begins and
 * before the event ends.
 */
export function timeFaults(form: EventTimes): TimeField[] {
  const {
    starts_at,
    doors_at,
    ends_at,
    admits_from,
    admits_until,
    sales_opens_at,
    sales_closes_at,
  } = form;
  const over = ends_at ?? starts_at;
  const wrong: Record<TimeField, boolean> = {
    doors_at: doors_at !== null && doors_at > starts_at,
    ends_at: ends_at !== null && ends_at <= starts_at,
    admits_from: admits_from !== null && admits_from > starts_at,
    admits_until:
      admits_until !== null && admits_until <= Math.max(admits_from ?? 0, doors_at ?? 0),
    sales_opens_at: sales_opens_at !== null && sales_opens_at >= (sales_closes_at ?? starts_at),
    sales_closes_at: sales_closes_at !== null && sales_closes_at > over,
  };
  return (Object.keys(wrong) as TimeField[]).filter((field) => wrong[field]);
}

/** Characters of a cleaned text, at most. */
export const longestText = 20_000;

interface Standing {
  form: { title: string; starts_at: number; venue_title: string };
  now: number;
  /** The copy still has the day of its original, which the office must change (RULES E2). */
  needs_day: boolean;
  /** The number of stored places. */
  places: number;
  /** The number of the chart's categories with at least one price on sale. */
  categories: number;
  /** The number of sectors without prices that the office has not marked as not sold. */
  unsaid: number;
  /** How many places its booths have is still to be said. */
  whole_places: boolean;
  /** What the site's settings lack. */
  site: readonly ('organiser_tax' | 'support_email')[];
}

/** Empty: the event may be put on sale. */
export function missingOf({
  form,
  now,
  needs_day,
  places,
  categories,
  unsaid,
  whole_places,
  site,
}: Standing): MissingPart[] {
  const missing: Partial<Record<MissingPart, boolean>> = {
    title: form.title === '',
    starts_at: needs_day || form.starts_at <= now,
    venue_title: form.venue_title === '',
    chart_key: places === 0,
    seat_pricing: categories === 0,
    sectors: categories > 0 && unsaid > 0,
    whole_places,
  };
  return [...(Object.keys(missing) as MissingPart[]).filter((part) => missing[part]), ...site];
}
