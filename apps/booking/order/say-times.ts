/** Says when the doors open and the event begins, for the order page. */
import { formatTime } from '#apps/shared/format.ts';

/**
 * As in "Apertura porte ore 19:30 · Inizio ore 21:00"; only the start if the doors have no time.
 */
export function sayTimes(event: { starts_at: string; doors_at: string | null }): string {
  const start = `Inizio ore ${formatTime(event.starts_at)}`;
  return event.doors_at === null
    ? start
    : `Apertura porte ore ${formatTime(event.doors_at)} · ${start}`;
}
