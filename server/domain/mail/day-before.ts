/** When the mail of the day before is sent. */
import { fromAbsolute } from '@internationalized/date';

/** Ten in the morning in Rome, on the day before the event. */
export function reminderDue(starts_at: number): number {
  const day = fromAbsolute(starts_at, 'Europe/Rome').subtract({ days: 1 });
  return day.set({ hour: 10, minute: 0, second: 0, millisecond: 0 }).toDate().getTime();
}
