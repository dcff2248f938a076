/** The month of a date in Rome, as in "dicembre 2026". */
import { formatLongDate } from '#apps/shared/format.ts';

export function monthOf({ starts_at }: { starts_at: string }): string {
  const [day = ''] = formatLongDate(starts_at).split(',');
  return day.split(' ').slice(-2).join(' ');
}
