/**
 * All that can be sold in an edited drawing, by the label under which it is sold; the list is the
 * same as the chart server's.
 */
import {
  LISTS,
  type AreaData,
  type BoothData,
  type Doc,
  type Item,
  type Key,
  type Point,
  type SeatData,
  type TableData,
} from './data.ts';
import { originOf, type Selection } from './selection.ts';
import { entryOf } from './entry.ts';

type Sold = 'seat' | 'table' | 'booth' | 'area';

/** A place; `x` and `y` are absolute. */
export interface Place extends Point {
  readonly sold: Sold;
  /** The id of its row or table, or of the object itself. */
  readonly item: string;
  /** Its position among the seats of `item`; null for an object sold as one. */
  readonly seat: number | null;
  readonly floor: string;
  /** The section's id. */
  readonly section: string | null;
  /**
   * `[section-]row-seat`, `[section-]table`, or an area's or booth's own label; bookings refer to
   * it.
   */
  readonly label: string;
  /** The displayed label. */
  readonly shown: string;
  readonly own: string;
  /** Its own category, or else the section's. */
  readonly category: string | null;
  readonly capacity: number;
  readonly data: SeatData | TableData | BoothData | AreaData;
}

/** Tells whether a table is sold as one: as it is drawn, unless an event decides otherwise. */
export type IsWhole = (table: { label: string; bookAsAWhole: boolean }) => boolean;

const ORIGIN: Point = { x: 0, y: 0 };
const asDrawn: IsWhole = ({ bookAsAWhole }) => bookAsAWhole;

/** The vendor's label for an object without one. */
export const UNLABELED = '?';

export function labelOf({ label }: { label?: unknown }): string {
  const text = typeof label === 'number' ? String(label) : label;
  return typeof text === 'string' && text !== '' ? text : UNLABELED;
}

export function shownOf(named: { label?: unknown; displayLabel?: unknown }): string {
  const shown = labelOf({ label: named.displayLabel });
  return shown === UNLABELED ? labelOf(named) : shown;
}

function keyText(key: Key | null | undefined): string | null {
  return key === null || key === undefined || key === '' ? null : String(key);
}

interface Around {
  doc: Doc;
  floor: string;
  section: Extract<Item, { kind: 'section' }> | null;
  origin: Point;
  prefix: string;
  prefixShown: string;
  category: string | null;
  isWhole: IsWhole;
}

function aroundOf(
  doc: Doc,
  { floor, section }: { floor: string; section: string | null },
  isWhole: IsWhole,
): Around {
  const item = section === null ? undefined : doc.items.get(section);
  const own = item?.kind === 'section' ? item : null;
  return {
    doc,
    floor,
    section: own,
    origin: originOf(doc, { section }),
    prefix: own ? `${labelOf(own.data)}-` : '',
    prefixShown: own ? `${shownOf(own.data)}-` : '',
    category: own ? keyText(own.data.categoryKey) : null,
    isWhole,
  };
}

function seatsIn(
  around: Around,
  item: Extract<Item, { kind: 'row' | 'table' }>,
  into: Place[],
): void {
  const prefix = `${around.prefix}${labelOf(item.data)}-`;
  const prefixShown = `${around.prefixShown}${shownOf(item.data)}-`;
  const section = around.section?.id ?? null;
  item.data.seats.forEach((data, seat) => {
    const own = labelOf(data);
    into.push({
      sold: 'seat',
      item: item.id,
      seat,
      floor: around.floor,
      section,
      label: prefix + own,
      shown: prefixShown + shownOf(data),
      own,
      category: keyText(data.categoryKey) ?? around.category,
      capacity: 1,
      x: data.x + around.origin.x,
      y: data.y + around.origin.y,
      data,
    });
  });
}

export function meanOf(points: readonly Point[]): Point {
  let [x, y] = [0, 0];
  for (const point of points) {
    x += point.x;
    y += point.y;
  }
  const count = points.length || 1;
  return { x: x / count, y: y / count };
}

/** The middle of an area: its centre, or the mean of its corners. */
function middleOf({ points, center, type, radius1 }: AreaData): Point {
  if (!points || points.length < 3 || (type !== 'polygon' && typeof radius1 === 'number'))
    return center ?? ORIGIN;
  return meanOf(points);
}

/** The middle of any object, in absolute coordinates. */
export function centreOf(doc: Doc, item: Item): Point {
  if (item.kind === 'section') return meanOf(item.data.points ?? []);
  const origin = originOf(doc, item);
  const { x, y } = middleIn(item);
  return { x: x + origin.x, y: y + origin.y };
}

function middleIn(item: Item): Point {
  if (item.kind === 'row') return meanOf(item.data.seats);
  if (item.kind === 'area') return middleOf(item.data);
  return (item.data as { center?: Point }).center ?? ORIGIN;
}

function wholeOf(
  around: Around,
  item: Extract<Item, { kind: 'table' | 'booth' | 'area' }>,
  at: { middle: Point; prefixed: boolean; category: string | null; capacity: number },
): Place {
  const own = labelOf(item.data);
  return {
    sold: item.kind,
    item: item.id,
    seat: null,
    floor: around.floor,
    section: around.section?.id ?? null,
    label: at.prefixed ? around.prefix + own : own,
    shown: (at.prefixed ? around.prefixShown : '') + shownOf(item.data),
    own,
    category: at.category ?? around.category,
    capacity: at.capacity,
    x: at.middle.x + around.origin.x,
    y: at.middle.y + around.origin.y,
    data: item.data,
  };
}

function placesIn(around: Around, item: Item, into: Place[]): void {
  if (item.kind === 'row') return seatsIn(around, item, into);
  const middle = middleIn(item);
  if (item.kind === 'table') {
    const { bookAsAWhole, categoryKey, seats } = item.data;
    if (!around.isWhole({ label: labelOf(item.data), bookAsAWhole: bookAsAWhole === true }))
      return seatsIn(around, item, into);
    const category = keyText(categoryKey) ?? keyText(seats[0]?.categoryKey);
    into.push(wholeOf(around, item, { middle, prefixed: true, category, capacity: 1 }));
  } else if (item.kind === 'booth') {
    const category = keyText(item.data.categoryKey);
    into.push(wholeOf(around, item, { middle, prefixed: false, category, capacity: 1 }));
  } else if (item.kind === 'area') {
    const { capacity, categoryKey } = item.data;
    into.push(
      wholeOf(around, item, {
        middle,
        prefixed: false,
        category: keyText(categoryKey),
        capacity: typeof capacity === 'number' ? Math.max(0, Math.trunc(capacity)) : 0,
      }),
    );
  }
}

const SOLD_KINDS = ['row', 'table', 'booth', 'area'] as const;

/** The floor itself, then its sections in the order in which they are read out. */
export function containersOf(doc: Doc): { floor: string; section: string | null }[] {
  return doc.floors.flatMap(({ id: floor }) => [
    { floor, section: null },
    ...(doc.order.get(`${floor}/${LISTS.section}`) ?? []).map((section) => ({ floor, section })),
  ]);
}

/**
 * Lists all places in the chart server's order: floor by floor, objects outside of sections
 * first.
 */
export function listPlaces(doc: Doc, isWhole: IsWhole = asDrawn): Place[] {
  const places: Place[] = [];
  for (const at of containersOf(doc)) {
    const around = aroundOf(doc, at, isWhole);
    for (const kind of SOLD_KINDS)
      for (const id of doc.order.get(`${at.section ?? at.floor}/${LISTS[kind]}`) ?? [])
        placesIn(around, entryOf(doc.items, id), places);
  }
  return places;
}

/** The places of some objects; a section includes all its contents. */
export function placesOf(doc: Doc, ids: Iterable<string>, isWhole: IsWhole = asDrawn): Place[] {
  const places: Place[] = [];
  const wanted = new Set(ids);
  for (const id of wanted) {
    const item = doc.items.get(id);
    if (!item) continue;
    const inside =
      item.kind === 'section'
        ? SOLD_KINDS.flatMap((kind) => doc.order.get(`${id}/${LISTS[kind]}`) ?? []).filter(
            (other) => !wanted.has(other),
          )
        : [id];
    const at = { floor: item.floor, section: item.kind === 'section' ? id : item.section };
    const around = aroundOf(doc, at, isWhole);
    for (const one of inside) placesIn(around, entryOf(doc.items, one), places);
  }
  return places;
}

export function selectPlaces(places: Iterable<Place>): Selection {
  const items = new Set<string>();
  const seats = new Map<string, Set<number>>();
  for (const { item, seat } of places) {
    if (seat === null) items.add(item);
    else seats.set(item, (seats.get(item) ?? new Set()).add(seat));
  }
  return { items, seats };
}
