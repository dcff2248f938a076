/** When the doors open and the event begins, as the order page says it. */
import { formatTime } from '#apps/shared/format.ts';

/** "Apertura porte ore 19:30 · Inizio ore 21:00"; without a time of the doors only the start. */
export function sayTimes(event: { starts_at: string; doors_at: string | null }): string {
  const start = `Inizio ore ${formatTime(event.starts_at)}`;
  return event.doors_at === null
    ? start
    : `Apertura porte ore ${formatTime(event.doors_at)} · ${start}`;
}
