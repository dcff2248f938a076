/**
 * The last moment to ask for a refund, counted in whole days of Rome (RULES R1). The event sets
 * the numbers of days; a new event begins with those of `emptyForm` in event.ts.
 */
import { fromAbsolute, toCalendarDate, toZoned } from '@internationalized/date';

const zone = 'Europe/Rome';

interface RefundDays {
  bought_at: number;
  starts_at: number;
  refund_days: number;
  refund_stop_days: number;
}

/**
 * `asked_until`: the end of the day `refund_days` after the purchase. `stops_at`: the end of the
 * day `refund_stop_days` before the event, but before the start; a later purchase has no refund
 * either. Both are the last millisecond that still counts; a day of 23 or 25 hours is a day.
 */
export function refundLimits({ bought_at, starts_at, refund_days, refund_stop_days }: RefundDays): {
  asked_until: number;
  stops_at: number;
} {
  return {
    asked_until: endOfDay(bought_at, refund_days),
    stops_at: Math.min(endOfDay(starts_at, -refund_stop_days), starts_at - 1),
  };
}

/** The last millisecond of the day `days` after, or before, the day of `at`. */
export function endOfDay(at: number, days: number): number {
  return (
    toZoned(toCalendarDate(fromAbsolute(at, zone)).add({ days: days + 1 }), zone)
      .toDate()
      .getTime() - 1
  );
}
