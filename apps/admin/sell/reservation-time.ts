/** The default end of a reservation: an hour before the event. */
import { instantOf, wallTimeOf } from '#apps/admin/kit/form/wall-time.ts';
import type { SaleBody } from './use-sale.ts';

const hourMs = 3_600_000;

/** In the form's format; less than an hour before the event, it is the event's start. */
export function defaultEnd(startsAt: string, now: number): string {
  const start = Date.parse(startsAt);
  const end = start - hourMs > now ? start - hourMs : start;
  const { date, time } = wallTimeOf(new Date(end).toISOString());
  return `${date}T${time}`;
}

export function readEnd(text: string): Partial<SaleBody> | string {
  const [date = '', time = ''] = text.split('T');
  const at = instantOf({ date, time, second: false });
  if (at === null) return 'Scrivi giorno e ora.';
  return { reservation: { pay_by: new Date(at).toISOString() } };
}
