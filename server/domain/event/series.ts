/**
 * The days of a series by its rule, and times that move with a date by the clock in Rome, so that
 * 21:00 stays 21:00 when the clocks change (RULES E2).
 */
import {
  CalendarDateTime,
  fromAbsolute,
  getDayOfWeek,
  parseDate,
  parseTime,
  toCalendarDateTime,
  toZoned,
  type CalendarDate,
} from '@internationalized/date';

const zone = 'Europe/Rome';

/** `weekdays`: 1 is Monday, 7 is Sunday. `time`: HH:MM. */
interface SeriesRule {
  weekdays: readonly number[];
  time: string;
}
/** Days as YYYY-MM-DD; `until` is included, `except` are left out. */
export interface Series {
  rules: readonly SeriesRule[];
  from: string;
  until: string;
  except?: readonly string[];
}

/** Two years: a date further in the future was mistyped. */
export const longestSeriesDays = 731;

/**
 * Milliseconds, the earliest first, each once. An hour that the clocks skip becomes the next one;
 * an hour that comes twice is the first.
 */
export function startsOf({ rules, from, until, except = [] }: Series): number[] {
  const last = parseDate(until);
  const starts = new Set<number>();
  let day = parseDate(from);
  for (let n = 0; n < longestSeriesDays && day.compare(last) <= 0; n += 1) {
    if (!except.includes(day.toString()))
      for (const rule of rules)
        if (rule.weekdays.includes(weekdayOf(day))) starts.add(instantOf(day, rule.time));
    day = day.add({ days: 1 });
  }
  return [...starts].toSorted((a, b) => a - b);
}

function weekdayOf(day: CalendarDate): number {
  return getDayOfWeek(day, 'it-IT', 'mon') + 1;
}

function instantOf(day: CalendarDate, time: string): number {
  return toInstant(toCalendarDateTime(day, parseTime(time)));
}

function toInstant(wall: CalendarDateTime): number {
  return toZoned(wall, zone, 'compatible').toDate().getTime();
}

/** Milliseconds by the clock on the wall, as if clocks never changed. */
function wallMs(at: number): number {
  return Date.parse(`${toCalendarDateTime(fromAbsolute(at, zone)).toString()}Z`);
}

function fromWallMs(ms: number): number {
  const text = new Date(ms).toISOString();
  const day = parseDate(text.slice(0, 10));
  return toInstant(toCalendarDateTime(day, parseTime(text.slice(11, 23))));
}

/** Moves `at` with the start: the distance stays the same by the clock on the wall. */
export function moveWith(at: number, { from, to }: { from: number; to: number }): number {
  return fromWallMs(wallMs(at) - wallMs(from) + wallMs(to));
}

/** The times that move with an event's start; the opening of the sale stays. */
const goWithStart = [
  'doors_at',
  'ends_at',
  'admits_from',
  'admits_until',
  'sales_closes_at',
] as const;
type MovingTimes = Record<(typeof goWithStart)[number] | 'sales_opens_at', number | null>;
type DateTimes = MovingTimes & { starts_at: number };

/**
 * All times of an event that now begins at `starts_at`. A sale that would open after its own end
 * opens immediately.
 */
export function timesAt(date: DateTimes, starts_at: number): DateTimes {
  const way = { from: date.starts_at, to: starts_at };
  const moved = Object.fromEntries(
    goWithStart.map((field) => {
      const at = date[field];
      return [field, at === null ? null : moveWith(at, way)];
    }),
  ) as Pick<DateTimes, (typeof goWithStart)[number]>;
  const closes = moved.sales_closes_at ?? starts_at;
  const opens = date.sales_opens_at;
  return {
    ...moved,
    starts_at,
    sales_opens_at: opens !== null && opens < closes ? opens : null,
  };
}
