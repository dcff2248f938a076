/** How times are said to a person: Italian, Europe/Rome, 24 hours; ISO text or milliseconds. */

const zone = 'Europe/Rome';
const partsOf = new Intl.DateTimeFormat('it-IT', { timeZone: zone, weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const shortParts = new Intl.DateTimeFormat('it-IT', { timeZone: zone, weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const numericParts = new Intl.DateTimeFormat('it-IT', { timeZone: zone, day: '2-digit', month: '2-digit', year: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const timeParts = new Intl.DateTimeFormat('it-IT', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const secondsParts = new Intl.DateTimeFormat('it-IT', { timeZone: zone, hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });

/** ICU's own joining words have changed between versions, so the sentence is built from the parts. */
function part(format: Intl.DateTimeFormat, iso: string | number): (type: Intl.DateTimeFormatPartTypes) => string {
  const parts = format.formatToParts(new Date(iso));
  return (type) => parts.find((entry) => entry.type === type)?.value ?? '';
}

/** Spelling a date costs more than a booking's rules, and an evening is sold many times. */
const spelled = new Map<string | number, string>();
const mostSpelled = 200;

/** sabato 21 novembre 2026, ore 21:00 */
export function formatLongDate(iso: string | number): string {
  const known = spelled.get(iso);
  if (known !== undefined) return known;
  if (spelled.size >= mostSpelled) spelled.clear();
  const text = spellLongDate(iso);
  spelled.set(iso, text);
  return text;
}

function spellLongDate(iso: string | number): string {
  const of = part(partsOf, iso);
  return `${of('weekday')} ${of('day')} ${of('month')} ${of('year')}, ore ${of('hour')}:${of('minute')}`;
}

/** sab 21 nov · 21:00 */
export function formatShortDate(iso: string | number): string {
  const of = part(shortParts, iso);
  return `${of('weekday')} ${of('day')} ${of('month')} · ${of('hour')}:${of('minute')}`;
}

/** 21/11/2026 21:00 */
export function formatListDate(iso: string | number): string {
  const of = part(numericParts, iso);
  return `${of('day')}/${of('month')}/${of('year')} ${of('hour')}:${of('minute')}`;
}

/** 21:00 */
export function formatTime(iso: string | number): string {
  return timeParts.format(new Date(iso));
}

/** 21:00:05 */
export function formatTimeWithSeconds(iso: string | number): string {
  return secondsParts.format(new Date(iso));
}
