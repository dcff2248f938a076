/** The objects of a drawing's floors and sections, looked at one by one: names, categories, places, sizes. */
import { isRaw } from './check-keys.ts';
import { checkOutline, pitchOf } from './check-geometry.ts';
import { count, quote, SEATS } from './findings.ts';
import type { Keys, Raw } from './check-keys.ts';
import type { Placed } from './check-geometry.ts';
import type { Point } from '#server/standins/seatsio/drawing/model/data.ts';
import type { Report } from './findings.ts';

/** What the whole drawing shares while it is walked through. */
export interface Walk {
  report: Report;
  keys: Keys;
  categories: Set<string>;
  zones: Set<string>;
  /** Label of every object that can be sold -> where it stands, once per object. */
  labels: Map<string, { where: string; own: string; kind: 'seat' | 'thing' }[]>;
  /** Category key -> what kinds of objects it was given to. */
  used: Map<string, Set<'posti' | 'aree' | 'tavoli' | 'séparé'>>;
  placed: Placed;
}

/** A floor, or a section on one: what its objects are called after, and where they are measured from. */
export interface Around {
  where: string;
  prefix: string;
  origin: Point;
  categoryKey: unknown;
  outline: Point[] | null;
}

/** A key as it stands in a file; `?` for what cannot be one. */
export function show(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '?';
}

/** @returns the text, null when there is none; `?` is what the vendor's designer shows for none */
export function labelOf(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' && text !== '?' ? text : null;
}

export function listIn(walk: Walk, where: string, [raw, key]: [Raw, string]): Raw[] {
  const list = raw[key];
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) {
    walk.report.error(where, `«${key}» dovrebbe essere un elenco`);
    return [];
  }
  const good = list.filter(isRaw);
  if (good.length < list.length)
    walk.report.error(where, `nell’elenco «${key}» c’è qualcosa che non è un oggetto`);
  return good;
}

export function pointIn(value: unknown): Point | null {
  if (!isRaw(value)) return null;
  const { x, y } = value;
  return typeof x === 'number' && typeof y === 'number' && Number.isFinite(x) && Number.isFinite(y)
    ? { x, y }
    : null;
}

function join(around: Around, name: string): string {
  return around.where === '' ? name : `${around.where}, ${name}`;
}

function nameOf(
  walk: Walk,
  around: Around,
  { raw, kind }: { raw: Raw; kind: string },
): { label: string; where: string } {
  const own = labelOf(raw.label);
  const where = join(around, own === null ? `${kind} senza nome` : `${kind} ${own}`);
  if (own === null) walk.report.error(where, 'il nome manca');
  else if (own !== own.trim()) walk.report.warn(where, 'il nome comincia o finisce con uno spazio');
  return { label: own ?? '?', where };
}

function remember(
  walk: Walk,
  label: string,
  at: { where: string; own: string; kind: 'seat' | 'thing' },
): void {
  const known = walk.labels.get(label);
  if (known) known.push(at);
  else walk.labels.set(label, [at]);
}

function keyIn(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}

/** @returns false when there is no category at all */
function useCategory(
  walk: Walk,
  value: unknown,
  as: { where: string; kind: 'posti' | 'aree' | 'tavoli' | 'séparé'; unknown: Map<string, number> },
): boolean {
  const key = keyIn(value);
  if (key === null) return false;
  if (!walk.categories.has(key)) as.unknown.set(key, (as.unknown.get(key) ?? 0) + 1);
  const kinds = walk.used.get(key);
  if (kinds) kinds.add(as.kind);
  else walk.used.set(key, new Set([as.kind]));
  return true;
}

function tellUnknown(walk: Walk, where: string, unknown: Map<string, number>): void {
  for (const key of unknown.keys())
    walk.report.error(where, `la categoria «${key}» non è nell’elenco delle categorie`);
}

/** The seats of a row or the chairs of a table. */
function checkSeats(
  walk: Walk,
  around: Around,
  row: { raw: Raw; label: string; where: string; sold: boolean; outline: Point[] | null },
): void {
  const { report } = walk;
  const seats = listIn(walk, row.where, [row.raw, 'seats']);
  const unnamed: string[] = [];
  const loose: string[] = [];
  const astray: string[] = [];
  const unknown = new Map<string, number>();
  const places: (Point & { label: string })[] = [];
  seats.forEach((raw, index) => {
    walk.keys.see('seat', raw);
    const own = labelOf(raw.label);
    const shown = own ?? `${index + 1}°`;
    if (own === null) unnamed.push(shown);
    if (row.sold) {
      if (own !== null)
        remember(walk, `${around.prefix}${row.label}-${own}`, {
          where: row.where,
          own,
          kind: 'seat',
        });
      if (
        !useCategory(walk, raw.categoryKey ?? around.categoryKey, {
          where: row.where,
          kind: 'posti',
          unknown,
        })
      )
        loose.push(shown);
    }
    const at = pointIn(raw);
    if (at) places.push({ x: at.x + around.origin.x, y: at.y + around.origin.y, label: shown });
    else astray.push(shown);
  });
  if (seats.length === 0) report.warn(row.where, 'non ha posti');
  if (unnamed.length > 0)
    report.error(
      row.where,
      `${count(unnamed.length, SEATS)} senza nome${unnamed.length < seats.length ? ` (il ${unnamed.slice(0, 4).join(', il ')})` : ''}`,
    );
  if (loose.length > 0)
    report.error(row.where, `${count(loose.length, SEATS)} senza categoria: ${quote(loose)}`);
  if (astray.length > 0) report.error(row.where, `le coordinate non sono numeri: ${quote(astray)}`);
  tellUnknown(walk, row.where, unknown);
  if (row.outline && places.length > 0)
    checkOutline(row.where, { seats: places, outline: row.outline }, report);
  const index = walk.placed.rows.push({ where: row.where, pitch: pitchOf(places) }) - 1;
  for (const place of places) walk.placed.seats.push({ ...place, row: index });
}

/** The vendor's designer writes its own word where nobody chose one. */
function calledIn({ displayObjectType }: Raw): string {
  return typeof displayObjectType === 'string' && !['', 'row'].includes(displayObjectType)
    ? displayObjectType.toLocaleLowerCase('it')
    : 'fila';
}

export function checkRows(walk: Walk, around: Around, list: Raw[]): void {
  for (const raw of list) {
    walk.keys.see('row', raw);
    const named = nameOf(walk, around, { raw, kind: calledIn(raw) });
    checkSeats(walk, around, { raw, ...named, sold: true, outline: around.outline });
  }
}

export function checkTables(walk: Walk, around: Around, list: Raw[]): void {
  for (const raw of list) {
    walk.keys.see('table', raw);
    const named = nameOf(walk, around, { raw, kind: 'tavolo' });
    const whole = raw.bookAsAWhole === true;
    if (!pointIn(raw.center)) walk.report.error(named.where, 'il centro del tavolo manca');
    if (whole) {
      const first = Array.isArray(raw.seats) ? raw.seats.find(isRaw) : undefined;
      const unknown = new Map<string, number>();
      remember(walk, `${around.prefix}${named.label}`, {
        where: named.where,
        own: named.label,
        kind: 'thing',
      });
      if (
        !useCategory(walk, raw.categoryKey ?? first?.categoryKey ?? around.categoryKey, {
          where: named.where,
          kind: 'tavoli',
          unknown,
        })
      )
        walk.report.error(named.where, 'la categoria manca');
      tellUnknown(walk, named.where, unknown);
    }
    checkSeats(walk, around, { raw, ...named, sold: !whole, outline: null });
  }
}

/** What areas and booths have in common: their name is not prefixed by their section's. */
function checkThing(
  walk: Walk,
  around: Around,
  { raw, kind, called }: { raw: Raw; kind: 'aree' | 'séparé'; called: string },
): string {
  const { label, where } = nameOf(walk, around, { raw, kind: called });
  const unknown = new Map<string, number>();
  if (label !== '?') remember(walk, label, { where, own: label, kind: 'thing' });
  if (!useCategory(walk, raw.categoryKey ?? around.categoryKey, { where, kind, unknown }))
    walk.report.error(where, 'la categoria manca');
  tellUnknown(walk, where, unknown);
  return where;
}

/** An ellipse or a rectangle. */
function hasSize(raw: Raw): boolean {
  const sizes = [
    [raw.radius1, raw.radius2],
    [raw.width, raw.height],
  ];
  return (
    pointIn(raw.center) !== null &&
    sizes.some((pair) => pair.every((size) => typeof size === 'number' && size > 0))
  );
}

export function checkAreas(walk: Walk, around: Around, list: Raw[]): void {
  for (const raw of list) {
    walk.keys.see('area', raw);
    const where = checkThing(walk, around, { raw, kind: 'aree', called: 'area' });
    const { capacity, minOccupancy } = raw;
    if (typeof capacity !== 'number' || !Number.isInteger(capacity) || capacity <= 0)
      walk.report.error(where, 'la capienza dev’essere un numero intero maggiore di zero');
    else if (typeof minOccupancy === 'number' && minOccupancy > capacity)
      walk.report.error(
        where,
        `l’occupazione minima (${minOccupancy}) supera la capienza (${capacity})`,
      );
    const points = Array.isArray(raw.points) ? raw.points.map(pointIn) : [];
    if (points.includes(null))
      walk.report.error(where, 'le coordinate del contorno non sono numeri');
    else if (points.length < 3 && !hasSize(raw))
      walk.report.error(
        where,
        'non ha una forma: servono almeno tre punti, o un centro con due raggi o con larghezza e altezza',
      );
  }
}

export function checkBooths(walk: Walk, around: Around, list: Raw[]): void {
  for (const raw of list) {
    walk.keys.see('booth', raw);
    const where = checkThing(walk, around, { raw, kind: 'séparé', called: 'séparé' });
    if (!pointIn(raw.center)) walk.report.error(where, 'il centro manca o non è fatto di numeri');
  }
}
