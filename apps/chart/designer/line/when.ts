/** Moments in words, in Rome's time. */

const format = new Intl.DateTimeFormat('it-IT', {
  dateStyle: 'short',
  timeStyle: 'short',
  timeZone: 'Europe/Rome',
});
const hour = new Intl.DateTimeFormat('it-IT', { timeStyle: 'short', timeZone: 'Europe/Rome' });

export function tellMoment(at: string | number): string {
  return format.format(new Date(at));
}

export function tellHour(at: string | number): string {
  return hour.format(new Date(at));
}
