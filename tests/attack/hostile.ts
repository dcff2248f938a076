/** The largest and worst bodies, headers and paths that the server lets in. */
import type { Schema } from '#tests/fuzz/document.ts';

/** Texts on which regular expressions, parsers and cleaners work longest. */
const texts = ['a', '@', 'a@a.', '<', '1.', '€', '\\n'];

/** `body`: at most `most` bytes of JSON that the schema's fields are full of. */
export function hostileBodies(schema: Schema, most: number): Map<string, string> {
  const fields = Object.entries(schema.properties ?? {});
  const share = (part: number) => Math.floor((most - 100) / part) - 60;
  const each = (value: (field: Schema, room: number) => string) =>
    `{${fields.map(([name, field]) => `"${name}":${value(field, share(Math.max(1, fields.length)))}`).join(',')}}`;
  const bodies = new Map<string, string>([
    ['deep lists', '['.repeat(most / 2) + ']'.repeat(most / 2)],
    ['deep objects', `${'{"a":'.repeat(most / 7)}1${'}'.repeat(most / 7)}`],
    ['many keys', `{${many((nth) => `"k${nth}":0`, most - 10)}}`],
    ['many escapes', `{"\\u0061":[${many(() => '1', most - 40)}]}`],
    ['many proto', `{"a":[${many(() => '{"__proto__":1}', most - 40)}]}`],
    ['list of empty objects', `[${many(() => '{}', most - 10)}]`],
    ['lists for all', each((_, room) => `[${many(() => '0', room)}]`)],
    ['objects for all', each((_, room) => `{${many((nth) => `"k${nth}":{}`, room)}}`)],
    ['full lists', each((field, room) => fill(field, room))],
    ['keys of record', each((_, room) => `{${many((nth) => `"\\u0000${nth}":0`, room)}}`)],
  ]);
  for (const text of texts)
    bodies.set(
      `long ${text}`,
      each((field, room) =>
        field.type === 'string' || !field.type ? `"${repeat(text, room)}"` : '0',
      ),
    );
  return bodies;
}

function repeat(text: string, room: number): string {
  return text === '"'
    ? '\\"'.repeat(room / 2)
    : text.repeat(Math.max(0, Math.floor(room / Buffer.byteLength(text))));
}

function many(item: (nth: number) => string, room: number): string {
  const items: string[] = [];
  for (let used = 0, nth = 0; ; nth += 1) {
    const next = item(nth);
    used += next.length + 1;
    if (used > room) return items.join(',');
    items.push(next);
  }
}

/** Lists are full of the smallest items with all fields wrong. */
function fill(field: Schema, room: number): string {
  if (field.type === 'array') return `[${many(() => smallest(field.items ?? {}), room)}]`;
  if (field.type === 'object' && field.properties)
    return `{${Object.entries(field.properties)
      .map(
        ([name, part]) =>
          `"${name}":${fill(part, Math.floor(room / Object.keys(field.properties!).length) - name.length - 5)}`,
      )
      .join(',')}}`;
  return '"x"';
}

function smallest({ type }: Schema): string {
  return type === 'object' ? '{}' : type === 'array' ? '[]' : type === 'string' ? '0' : '""';
}

const line = 15_000;
export const hostileHeaders: Record<string, Record<string, string>> = {
  'accept-encoding': { 'accept-encoding': 'a,'.repeat(line / 2) },
  'accept-encoding q': { 'accept-encoding': many((nth) => `gzip;q=0.${nth}`, line) },
  accept: { accept: many((nth) => `a/b${nth};q=0.1`, line) },
  'accept *': { accept: '*/*,'.repeat(line / 4) },
  'accept-language': { 'accept-language': 'it,'.repeat(line / 3) },
  cookie: { cookie: 'sid=a; '.repeat(line / 7) },
  'cookie spaces': { cookie: `a;${' '.repeat(line)}` },
  'cookie semicolons': { cookie: ';'.repeat(line) },
  'x-forwarded-for': { 'x-forwarded-for': '1.1.1.1,'.repeat(line / 8) },
  'x-forwarded-for dots': { 'x-forwarded-for': '1.'.repeat(line / 2) },
  'x-forwarded-for brackets': { 'x-forwarded-for': '['.repeat(line) },
  'if-none-match': { 'if-none-match': '"a",'.repeat(line / 4) },
  'if-none-match commas': { 'if-none-match': ','.repeat(line) },
  range: { range: `bytes=${'0-1,'.repeat(line / 4)}` },
  'user-agent': { 'user-agent': 'Mozilla/'.repeat(line / 8) },
  authorization: { authorization: `Bearer ${'a'.repeat(line)}` },
  'authorization spaces': { authorization: `Bearer${' '.repeat(line)}x` },
  'content-type': { 'content-type': `application/json;${' a=b;'.repeat(line / 5)}` },
  origin: { origin: `https://${'a.'.repeat(line / 2)}` },
  host: { host: 'a.'.repeat(line / 2) },
  'many headers': Object.fromEntries(Array.from({ length: 900 }, (_, nth) => [`x-${nth}`, 'a'])),
};

export const hostilePaths: Record<string, string> = {
  slashes: '/'.repeat(line),
  'encoded slashes': `/${'%2f'.repeat(line / 3)}`,
  dots: `/${'../'.repeat(line / 3)}`,
  'encoded dots': `/${'%2e%2e/'.repeat(line / 7)}`,
  event: `/event/${'a'.repeat(line)}`,
  'event parts': `/event/${'a/'.repeat(line / 2)}`,
  orders: `/orders/${'a'.repeat(line / 2)}/from_stripe_cs/${'a'.repeat(line / 3)}`,
  'orders parts': `/orders/${'a/from_stripe_cs/'.repeat(line / 17)}`,
  api: `/api/${'a/'.repeat(line / 2)}`,
  'api percent': `/api/event/${'%61'.repeat(line / 3)}/`,
  standins: `/standins/seatsio/system/public/${'a'.repeat(line)}/`,
  'standins parts': `/standins/seatsio/${'assets/a.'.repeat(line / 9)}`,
  assets: `/assets/${'a-'.repeat(line / 2)}`,
  scanner: `/scanner/${'a/'.repeat(line / 2)}`,
  admin: `/admin/${'a/'.repeat(line / 2)}`,
  media: `/media/${'a'.repeat(line)}/x`,
  calendar: `/calendario/${'a.ics'.repeat(line / 5)}`,
  query: `/api/events/?${'a&'.repeat(line / 2)}`,
  'query brackets': `/api/events/?${'a[]=1&'.repeat(line / 6)}`,
  'query percent': `/api/events/?a=${'%41'.repeat(line / 3)}`,
  'bad percent': `/api/events/?a=${'%4'.repeat(line / 2)}`,
};
