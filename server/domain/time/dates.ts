/** Formats dates and times for people: Italian, Europe/Rome, 24 hours. */

const zone = 'Europe/Rome';
const hour = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/**
 * Created when first needed: loading the Italian dictionaries takes a phone a tenth of a second.
 */
const formats = {
  long: lazily({
    timeZone: zone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    ...hour,
  }),
  short: lazily({ timeZone: zone, weekday: 'short', day: 'numeric', month: 'short', ...hour }),
  list: lazily({ timeZone: zone, day: '2-digit', month: '2-digit', year: 'numeric', ...hour }),
  day: lazily({ timeZone: zone, day: 'numeric', month: 'long' }),
  date: lazily({ timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' }),
  time: lazily({ timeZone: zone, ...hour }),
  seconds: lazily({ timeZone: zone, ...hour, second: '2-digit' }),
};

/** A time on the wire: ISO 8601 in UTC. */
export function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

function lazily(options: Intl.DateTimeFormatOptions): () => Intl.DateTimeFormat {
  let format: Intl.DateTimeFormat | undefined;
  return () => (format ??= new Intl.DateTimeFormat('it-IT', options));
}

type Form = keyof typeof formats;

/**
 * The texts are cached, because formatting a date is slow and many orders show the date of the
 * same event.
 */
const spelled = new Map<string, string>();
const mostSpelled = 500;
let listener: Map<string, string> | null = null;

function say(
  form: Form,
  iso: string | number,
  join: (of: (type: Intl.DateTimeFormatPartTypes) => string) => string,
): string {
  const key = `${form} ${iso}`;
  let text = spelled.get(key);
  if (text === undefined) {
    const parts = formats[form]().formatToParts(new Date(iso));
    // ICU's own joining words have changed between versions, so the sentence is built from the
    // parts.
    text = join((type) => parts.find((entry) => entry.type === type)?.value ?? '');
    if (spelled.size >= mostSpelled) spelled.clear();
    spelled.set(key, text);
  }
  listener?.set(key, text);
  return text;
}

/**
 * Returns the result of `work` and all dates that it formatted, so that a browser can show the
 * same texts without a dictionary.
 */
export function hearDates<T>(work: () => T): { result: T; dates: Record<string, string> } {
  const heard = (listener = new Map<string, string>());
  try {
    return { result: work(), dates: Object.fromEntries(heard) };
  } finally {
    listener = null;
  }
}

/** Stores the texts that hearDates() returned on the server. */
export function learnDates(dates: Readonly<Record<string, string>>): void {
  for (const [key, text] of Object.entries(dates)) spelled.set(key, text);
}

/** sabato 21 novembre 2026, ore 21:00 */
export function formatLongDate(iso: string | number): string {
  return say(
    'long',
    iso,
    (of) =>
      `${of('weekday')} ${of('day')} ${of('month')} ${of('year')}, ore ${of('hour')}:${of('minute')}`,
  );
}

/** sab 21 nov · 21:00 */
export function formatShortDate(iso: string | number): string {
  return say(
    'short',
    iso,
    (of) => `${of('weekday')} ${of('day')} ${of('month')} · ${of('hour')}:${of('minute')}`,
  );
}

/** 21/11/2026 21:00 */
export function formatListDate(iso: string | number): string {
  return say(
    'list',
    iso,
    (of) => `${of('day')}/${of('month')}/${of('year')} ${of('hour')}:${of('minute')}`,
  );
}

/** 8 marzo */
export function formatDay(iso: string | number): string {
  return say('day', iso, (of) => `${of('day')} ${of('month')}`);
}

/** 5 agosto 2024: a date without a time (`2024-08-05`), the same in every time zone. */
export function formatDate(date: string): string {
  return say('date', date, (of) => `${of('day')} ${of('month')} ${of('year')}`);
}

/** 21:00 */
export function formatTime(iso: string | number): string {
  return say('time', iso, (of) => `${of('hour')}:${of('minute')}`);
}

/** 21:00:05 */
export function formatTimeWithSeconds(iso: string | number): string {
  return say('seconds', iso, (of) => `${of('hour')}:${of('minute')}:${of('second')}`);
}

/** "dal 3 dicembre alle 10:00", "dall’8 marzo alle 9:00", "dal 1º maggio alle 12:00" */
export function sayFrom(iso: string): string {
  return `${sayFromDay(iso)} alle ${formatTime(iso)}`;
}

/** "dal 3 dicembre", "dall’8 marzo", "dal 1º maggio" */
export function sayFromDay(iso: string): string {
  return joinDay('dal', iso);
}

/** "fino al 3 dicembre", "fino all’8 marzo", "fino al 1º maggio": that day included. */
export function sayUntil(iso: string): string {
  return `fino ${joinDay('al', iso)}`;
}

/** "al 3 dicembre", "all’8 marzo", "al 1º maggio" */
export function sayToDay(iso: string): string {
  return joinDay('al', iso);
}

/** "al 3 dicembre alle 10:00" */
export function sayTo(iso: string): string {
  return `${joinDay('al', iso)} alle ${formatTime(iso)}`;
}

/** "del 3 dicembre", "dell’8 marzo", "del 1º maggio" */
export function sayOfDay(iso: string): string {
  return joinDay('del', iso);
}

/** "il 3 dicembre", "l’8 marzo", "il 1º maggio" */
export function sayOnDay(iso: string | number): string {
  const said = joinDay('dal', iso);
  return said.startsWith('dall') ? said.slice(3) : `i${said.slice(2)}`;
}

/** "dal 3 dicembre al 6 gennaio", within a month "dal 3 al 12 dicembre" */
export function sayDays(from: string, to: string): string {
  const [first, last] = [joinDay('dal', from), joinDay('al', to)];
  const [, month = ''] = formatDay(from).split(' ');
  const isNear = Date.parse(to) - Date.parse(from) < 32 * 86_400_000;
  return `${isNear && last.endsWith(month) ? first.slice(0, -month.length - 1) : first} ${last}`;
}

/** The preposition loses its vowel before another one: l’8, l’11. */
function joinDay(preposition: 'dal' | 'del' | 'al', iso: string | number): string {
  const [day, month] = formatDay(iso).split(' ');
  return `${day === '8' || day === '11' ? `${preposition}l’${day}` : `${preposition} ${day === '1' ? '1º' : day}`} ${month}`;
}
