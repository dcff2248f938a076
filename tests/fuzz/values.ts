/** Values that nearly fit a schema, and values that nobody expects. */
import type { Chance } from './chance.ts';
import type { Schema } from './document.ts';

/** What answers have shown so far, by name: ids that exist make a request nearly right. */
export class Pool {
  readonly #seen = new Map<string, unknown[]>();
  /** Ids of the database, by the name that paths have for them. */
  readonly real = new Map<string, unknown[]>();
  /** Rows of the database by such a name: whose a ticket or a contingent is. */
  readonly rows = new Map<string, Record<string, unknown>[]>();
  /** Whole groups of fields: what was read makes a good body of a change. */
  readonly #groups: Record<string, unknown>[] = [];

  add(name: string, value: unknown): void {
    const values = this.#seen.get(name) ?? [];
    if (values.includes(value)) return;
    values.push(value);
    if (values.length > 40) values.shift();
    this.#seen.set(name, values);
  }

  /** Every plain value of an answer, under the name that it has there. */
  harvest(value: unknown, name = 'id', of = ''): void {
    if (Array.isArray(value)) for (const item of value.slice(0, 30)) this.harvest(item, name, name);
    else if (typeof value === 'object' && value !== null) {
      this.#groups.push(value as Record<string, unknown>);
      if (this.#groups.length > 400) this.#groups.shift();
      for (const [key, part] of Object.entries(value)) {
        this.harvest(part, key, key);
        // `tickets: [{ id }]` is what others call `ticket_id`.
        if (key === 'id') this.add(`${singular(of)}_id`, part);
      }
    } else if (typeof value === 'number' || (typeof value === 'string' && value.length < 300))
      this.add(name, value);
  }

  /** One of the groups that have most of these fields. */
  like(names: string[], chance: Chance): Record<string, unknown> {
    const sharing = this.#groups.filter(
      (group) => names.filter((name) => name in group).length > names.length / 2,
    );
    return sharing.length > 0 ? chance.one(sharing) : {};
  }

  some(name: string, chance: Chance): unknown {
    const values = this.#seen.get(name);
    return values && chance.one(values);
  }
}

function singular(name: string): string {
  return name === 'people' ? 'user' : name.replace(/s$/, '');
}

export const strange: readonly unknown[] = [
  null,
  true,
  '',
  ' ',
  'x'.repeat(70_000),
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202e\ufeff\u200b',
  '𝕬👩‍👩‍👧‍👦',
  "' OR '1'='1",
  '%00',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  '=HYPERLINK("http://x")',
  'a@b.it\r\nBcc: c@d.it',
  '<script>alert(1)</script>',
  '2027-02-30T25:61:00Z',
  '0000-00-00',
  '+275760-09-13T00:00:00.001Z',
  0,
  -1,
  0.1,
  1e21,
  -1e308,
  2 ** 53,
  2 ** 63,
  2_147_483_648,
  [],
  {},
  [[]],
  [null],
  { __proto__: null, constructor: { prototype: {} }, toString: 1 },
];

const formats: Record<string, readonly string[]> = {
  'date-time': ['2027-05-01T19:00:00.000Z', '2026-12-24T18:30:00Z', '2031-01-01T00:00:00+02:00'],
  date: ['2027-05-01', '2026-12-24', '2028-02-29'],
  'idn-email': ['ada@example.it', 'info@città.it', "p.d'angelo@teatro.it"],
};
/** One of them fits whatever pattern there is. */
const shapes = [
  '12',
  '2026',
  '0.25',
  '20:30',
  '123456',
  'https://esempio.it/pagina',
  '/media/AbCdEfGhIjKl',
  'AbCdEfGhIjKlMnOpQrStUv',
  `B${'a'.repeat(86)}`,
];
const words = ['intero', 'ridotto', 'Platea', 'la-locandiera', 'Prova', 'ABCDE12345', '12,50', 'x'];

export interface Making {
  chance: Chance;
  pool: Pool;
  /** As right as it can be; else a tenth of it is not. */
  careful: boolean;
  /** Ids in the path are only such as there are. */
  onlyReal: boolean;
}

/** Nearly right: what the schema allows, with names that were seen. */
export function fitting(schema: Schema, name: string, making: Making): unknown {
  const { chance, pool } = making;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fitting(chance.one(choices), name, making);
  if (schema.allOf) return fittingAll(schema.allOf, name, making);
  if (schema.nullable && chance.is(0.2)) return null;
  if (schema.enum) return chance.one(schema.enum);
  switch (schema.type) {
    case 'object':
      return fittingObject(schema, making);
    case 'array': {
      const length = chance.one([schema.minItems ?? 0, 1, 2, 3]);
      const most = schema.maxItems ?? 50;
      const item = schema.items ?? {};
      return Array.from({ length: Math.min(length, most) }, () => fitting(item, name, making));
    }
    case 'boolean':
      return chance.is(0.5);
    case 'integer':
    case 'number':
      return fittingNumber(schema, name, making);
    default: {
      const { pattern, format = '' } = schema;
      // Most patterns only keep NUL away, or want a sign that can be seen.
      if (pattern && !pattern.includes('x00') && !formats[format])
        return patterned(pattern, name, making);
      if (name === 'url') return chance.one(['https://esempio.it/', 'https://127.0.0.1/']);
      // A name that the caller chooses, so that a call may be repeated.
      if (name === 'ask_key') return keyOf(chance);
      if (name.endsWith('_key') && chance.is(0.8)) return `fuzz-${chance.below(2 ** 31)}-${name}`;
      const known = making.careful || chance.is(0.8) ? pool.some(name, chance) : undefined;
      if (known !== undefined) return String(known);
      return chance.one(formats[format] ?? words);
    }
  }
}

/** A UUID. */
function keyOf(chance: Chance): string {
  return `00000000-0000-4000-8000-${String(chance.below(2 ** 31)).padStart(12, '0')}`;
}

/** What was seen under this name, or is made up, as long as it has the form. */
function patterned(pattern: string, name: string, { chance, pool }: Making): unknown {
  const fits = (value: unknown) => new RegExp(pattern, 'u').test(String(value));
  const seen = chance.is(0.5) ? pool.some(name, chance) : undefined;
  if (seen !== undefined && fits(seen)) return seen;
  const right = [`prova-${chance.below(2 ** 31)}`, ...shapes].filter(fits);
  return right.length > 0 ? chance.one(right) : chance.one(words);
}

function fittingAll(parts: Schema[], name: string, making: Making): unknown {
  const values = parts.map((part) => fitting(part, name, making));
  return values.every((value) => typeof value === 'object' && value !== null)
    ? Object.assign({}, ...values)
    : values[0];
}

function fittingObject({ properties = {}, required = [] }: Schema, making: Making): object {
  const { chance, pool, careful } = making;
  const names = Object.keys(properties).filter(
    (name) => required.includes(name) || chance.is(careful ? 0.3 : 0.5),
  );
  const model = chance.is(careful ? 0.8 : 0.5) ? pool.like(Object.keys(properties), chance) : {};
  return Object.fromEntries(
    names.map((name) => [
      name,
      Object.hasOwn(model, name) && (careful || chance.is(0.9))
        ? model[name]
        : fitting(properties[name]!, name, making),
    ]),
  );
}

function fittingNumber(
  { minimum = 0, maximum = 1_000 }: Schema,
  name: string,
  { chance, pool }: Making,
) {
  const known = chance.is(0.4) ? pool.some(name, chance) : undefined;
  if (typeof known === 'number') return known;
  return chance.one([
    minimum,
    maximum,
    minimum + chance.below(Math.min(maximum - minimum, 50) + 1),
  ]);
}

/** The same value with one place of it spoilt. */
export function spoil(value: unknown, chance: Chance): unknown {
  if (typeof value !== 'object' || value === null || chance.is(0.03)) return chance.one(strange);
  const copy = structuredClone(value) as Record<string, unknown>;
  const names = Object.keys(copy);
  if (names.length === 0 || chance.is(0.1)) {
    if (Array.isArray(copy)) copy.push(chance.one(strange));
    else copy[chance.one(['constructor', 'id', 'role', 'toString', 'x'])] = chance.one(strange);
    return copy;
  }
  const name = chance.one(names);
  if (chance.is(0.15) && !Array.isArray(copy)) delete copy[name];
  else copy[name] = spoil(copy[name], chance);
  return copy;
}
