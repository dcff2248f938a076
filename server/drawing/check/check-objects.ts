/**
 * Checks the objects of a drawing's floors and sections one by one: names, categories, places,
 * sizes.
 */
import { isRaw, type Raw } from '#server/drawing/model/open.ts';
import { checkOutline, pitchOf } from './check-geometry.ts';
import { count, quote, SEATS } from './findings.ts';
import type { Keys } from './check-keys.ts';
import type { Placed, PlacedSeat } from './check-geometry.ts';
import type { Point } from '#server/drawing/model/data.ts';
import type { Mark, Report } from './findings.ts';

interface Labelled {
  where: string;
  own: string;
  kind: 'seat' | 'thing';
  mark: Mark;
}

/** The state that is shared during the walk through a drawing. */
export interface Walk {
  report: Report;
  keys: Keys;
  categories: Set<string>;
  zones: Set<string>;
  /** For each label that is for sale, its objects, each once. */
  labels: Map<string, Labelled[]>;
  /** For each category key, the kinds of objects that have it. */
  used: Map<string, Set<'posti' | 'aree' | 'tavoli' | 'séparé'>>;
  placed: Placed;
}

/**
 * A floor, or a section on one: the prefix of its objects' names, and the origin of their
 * coordinates.
 */
export interface Around {
  where: string;
  prefix: string;
  origin: Point;
  categoryKey: unknown;
  outline: Point[] | null;
}

/** A key as the file has it; `?` for a value that cannot be a key. */
export function show(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '?';
}

/** @returns the text, or null without one; `?` is the vendor's sign for no text */
export function readLabel(value: unknown): string | null {
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
  const own = readLabel(raw.label);
  const where = join(around, own === null ? `${kind} senza nome` : `${kind} ${own}`);
  if (own === null) walk.report.error(where, 'il nome manca', [{ raw }]);
  else if (own !== own.trim())
    walk.report.warn(where, 'il nome comincia o finisce con uno spazio', [{ raw }]);
  return { label: own ?? '?', where };
}

function remember(walk: Walk, label: string, at: Labelled): void {
  const known = walk.labels.get(label);
  if (known) known.push(at);
  else walk.labels.set(label, [at]);
}

function keyIn(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}

/** @returns false if there is no category */
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

function tellUnknown(
  walk: Walk,
  { where, raw }: { where: string; raw: object },
  unknown: Map<string, number>,
): void {
  for (const key of unknown.keys())
    walk.report.error(where, `la categoria «${key}» non è nell’elenco delle categorie`, [{ raw }]);
}

interface Row {
  raw: Raw;
  label: string;
  where: string;
  sold: boolean;
  outline: Point[] | null;
}

/** Collects the seats of one row that share a fault. */
class Faulty {
  readonly names: string[] = [];
  readonly seats: number[] = [];

  add(name: string, index: number): void {
    this.names.push(name);
    this.seats.push(index);
  }
}

function tellFaulty(
  { report }: Walk,
  { raw, where }: Row,
  faulty: Record<'unnamed' | 'loose' | 'astray', Faulty> & { of: number },
): void {
  const { unnamed, loose, astray } = faulty;
  const marks = ({ seats }: Faulty) => [{ raw, seats }];
  if (faulty.of === 0) report.warn(where, 'non ha posti', [{ raw }]);
  const some = unnamed.names.length;
  if (some > 0)
    report.error(
      where,
      `${count(some, SEATS)} senza nome${some < faulty.of ? ` (il ${unnamed.names.slice(0, 4).join(', il ')})` : ''}`,
      marks(unnamed),
    );
  if (loose.names.length > 0)
    report.error(
      where,
      `${count(loose.names.length, SEATS)} senza categoria: ${quote(loose.names)}`,
      marks(loose),
    );
  if (astray.names.length > 0)
    report.error(where, `le coordinate non sono numeri: ${quote(astray.names)}`, marks(astray));
}

function checkSeats(walk: Walk, around: Around, row: Row): void {
  const seats = listIn(walk, row.where, [row.raw, 'seats']);
  const [unnamed, loose, astray] = [new Faulty(), new Faulty(), new Faulty()];
  const unknown = new Map<string, number>();
  const places: PlacedSeat[] = [];
  const nth = walk.placed.rows.length;
  seats.forEach((raw, index) => {
    walk.keys.see('seat', raw);
    const own = readLabel(raw.label);
    const shown = own ?? `${index + 1}°`;
    if (own === null) unnamed.add(shown, index);
    if (row.sold) {
      if (own !== null)
        remember(walk, `${around.prefix}${row.label}-${own}`, {
          where: row.where,
          own,
          kind: 'seat',
          mark: { raw: row.raw, seats: [index] },
        });
      const as = { where: row.where, kind: 'posti', unknown } as const;
      if (!useCategory(walk, raw.categoryKey ?? around.categoryKey, as)) loose.add(shown, index);
    }
    const at = pointIn(raw);
    const { origin } = around;
    if (at) places.push({ x: at.x + origin.x, y: at.y + origin.y, label: shown, row: nth, index });
    else astray.add(shown, index);
  });
  tellFaulty(walk, row, { unnamed, loose, astray, of: seats.length });
  tellUnknown(walk, row, unknown);
  if (row.outline && places.length > 0)
    checkOutline(row.where, { raw: row.raw, seats: places, outline: row.outline }, walk.report);
  walk.placed.rows.push({ where: row.where, pitch: pitchOf(places), raw: row.raw });
  for (const place of places) walk.placed.seats.push(place);
}

/** The drawing's own word for its rows, unless it is the vendor's default. */
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
    if (!pointIn(raw.center))
      walk.report.error(named.where, 'il centro del tavolo manca', [{ raw }]);
    if (whole) {
      const first = Array.isArray(raw.seats) ? raw.seats.find(isRaw) : undefined;
      const unknown = new Map<string, number>();
      remember(walk, `${around.prefix}${named.label}`, {
        where: named.where,
        own: named.label,
        kind: 'thing',
        mark: { raw },
      });
      if (
        !useCategory(walk, raw.categoryKey ?? first?.categoryKey ?? around.categoryKey, {
          where: named.where,
          kind: 'tavoli',
          unknown,
        })
      )
        walk.report.error(named.where, 'la categoria manca', [{ raw }]);
      tellUnknown(walk, { where: named.where, raw }, unknown);
    }
    checkSeats(walk, around, { raw, ...named, sold: !whole, outline: null });
  }
}

/** The checks that areas and booths share; their names do not begin with the section's. */
function checkThing(
  walk: Walk,
  around: Around,
  { raw, kind, called }: { raw: Raw; kind: 'aree' | 'séparé'; called: string },
): string {
  const { label, where } = nameOf(walk, around, { raw, kind: called });
  const unknown = new Map<string, number>();
  if (label !== '?') remember(walk, label, { where, own: label, kind: 'thing', mark: { raw } });
  if (!useCategory(walk, raw.categoryKey ?? around.categoryKey, { where, kind, unknown }))
    walk.report.error(where, 'la categoria manca', [{ raw }]);
  tellUnknown(walk, { where, raw }, unknown);
  return where;
}

/** True if it has the size of an ellipse or a rectangle. */
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
      walk.report.error(where, 'la capienza dev’essere un numero intero maggiore di zero', [
        { raw },
      ]);
    else if (typeof minOccupancy === 'number' && minOccupancy > capacity)
      walk.report.error(
        where,
        `l’occupazione minima (${minOccupancy}) supera la capienza (${capacity})`,
        [{ raw }],
      );
    const points = Array.isArray(raw.points) ? raw.points.map(pointIn) : [];
    if (points.includes(null))
      walk.report.error(where, 'le coordinate del contorno non sono numeri', [{ raw }]);
    else if (points.length < 3 && !hasSize(raw))
      walk.report.error(
        where,
        'non ha una forma: servono almeno tre punti, o un centro con due raggi o con larghezza e altezza',
        [{ raw }],
      );
  }
}

export function checkBooths(walk: Walk, around: Around, list: Raw[]): void {
  for (const raw of list) {
    walk.keys.see('booth', raw);
    const where = checkThing(walk, around, { raw, kind: 'séparé', called: 'séparé' });
    if (!pointIn(raw.center))
      walk.report.error(where, 'il centro manca o non è fatto di numeri', [{ raw }]);
  }
}
