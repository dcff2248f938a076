/** The default end of a reservation: an hour before the event. */
import { instantOf, wallTimeOf } from '#apps/admin/kit/form/wall-time.ts';

const hourMs = 3_600_000;

/** In the form's format; less than an hour before the event, it is the event's start. */
export function defaultEnd(startsAt: string, now: number): string {
  const start = Date.parse(startsAt);
  const end = start - hourMs > now ? start - hourMs : start;
  const { date, time } = wallTimeOf(new Date(end).toISOString());
  return `${date}T${time}`;
}

/** A time as the contract wants it, or what is wrong. */
export function readEnd(text: string): { pay_by: string } | string {
  const [date = '', time = ''] = text.split('T');
  const at = instantOf({ date, time, second: false });
  if (at === null) return 'Scrivi giorno e ora.';
  return { pay_by: new Date(at).toISOString() };
}
