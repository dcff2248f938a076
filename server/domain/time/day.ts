/**
 * The days of Rome around a moment: today, the same day a week ago, the next week; a change of
 * the clocks is respected.
 */
import { fromAbsolute } from '@internationalized/date';

export interface Span {
  from: number;
  /** The first moment after the span. */ to: number;
}

interface Days {
  today: Span;
  /** The same weekday a week ago, until the same hour. */
  before: Span;
  week: Span;
}

export function daysAround(now: number): Days {
  const here = fromAbsolute(now, 'Europe/Rome');
  const midnight = here.set({ hour: 0, minute: 0, second: 0, millisecond: 0 });
  const inDays = (days: number) => midnight.add({ days }).toDate().getTime();
  const tomorrow = inDays(1);
  return {
    today: { from: inDays(0), to: tomorrow },
    before: { from: inDays(-7), to: here.subtract({ days: 7 }).toDate().getTime() },
    week: { from: tomorrow, to: inDays(8) },
  };
}
