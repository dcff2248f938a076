/**
 * Opens a drawing's file for editing and writes it back; unedited parts are written byte by byte
 * as they were read.
 */
import {
  KINDS,
  LISTS,
  type CategoryData,
  type Doc,
  type Floor,
  type Item,
  type Kind,
  type RootData,
  type ZoneData,
} from './data.ts';
import { entryAt, entryOf } from './entry.ts';

export type Raw = Record<string, unknown>;

/**
 * The English message is for programmers; `checkDrawing` says in Italian what is wrong with a
 * file.
 */
export class UnreadableDrawing extends Error {}

/** True for an object with keys, not for a list or null. */
export function isRaw(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function rawOf(value: unknown): Raw {
  return isRaw(value) ? value : {};
}

function recordsIn(holder: Raw, key: string): Raw[] {
  const value = holder[key];
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || !value.every(isRaw))
    throw new UnreadableDrawing(`${key} is no list of objects`);
  return value;
}

interface Opening {
  items: Map<string, Item>;
  order: Map<string, string[]>;
}

/** Lists are emptied but not removed, so that they keep their place among the keys. */
function withoutLists(part: Raw): Raw {
  const held = new Set<string>(Object.values(LISTS));
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [
      key,
      held.has(key) && Array.isArray(value) ? [] : value,
    ]),
  );
}

function openPart(
  opening: Opening,
  part: Raw,
  at: { floor: string; section: string | null },
): void {
  for (const kind of KINDS) {
    const list = `${at.section ?? at.floor}/${LISTS[kind]}`;
    const ids = recordsIn(part, LISTS[kind]).map((raw, index) => {
      const uuid = raw.uuid;
      const isOwn = typeof uuid === 'string' && uuid !== '' && !opening.items.has(uuid);
      const id = isOwn ? uuid : `${list}/${index}`;
      openItem(opening, raw, { ...at, id, kind });
      return id;
    });
    if (ids.length > 0) opening.order.set(list, ids);
  }
}

function openItem(
  opening: Opening,
  raw: Raw,
  at: { floor: string; section: string | null; id: string; kind: Kind },
): void {
  const { kind } = at;
  const hasSeats = kind === 'row' || kind === 'table';
  if (hasSeats) recordsIn(raw, 'seats');
  const seats = hasSeats && !Array.isArray(raw.seats) ? { seats: [] } : {};
  const inside = kind === 'section' && isRaw(raw.subChart) ? raw.subChart : {};
  const held = kind === 'section' ? { subChart: withoutLists(inside) } : {};
  // The kind decides about the type of the data, because the format itself does not name it.
  opening.items.set(at.id, { ...at, data: { ...raw, ...seats, ...held } } as Item);
  if (kind === 'section') openPart(opening, inside, { floor: at.floor, section: at.id });
}

/**
 * Opens a drawing for editing.
 * @throws UnreadableDrawing when it has no floor, or when a list is not one
 */
export function openDrawing(raw: unknown): Doc {
  if (!isRaw(raw) || (!isRaw(raw.subChart) && !Array.isArray(raw.subChartFloors)))
    throw new UnreadableDrawing('neither subChart nor subChartFloors');
  const parts = isRaw(raw.subChart) ? [raw.subChart] : recordsIn(raw, 'subChartFloors');
  const opening: Opening = { items: new Map(), order: new Map() };
  const floors: Floor[] = parts.map((part, index) => {
    const id = `floor-${index}`;
    openPart(opening, part, { floor: id, section: null });
    return { id, data: withoutLists(part) };
  });
  const { categories, zones } = raw;
  const root: RootData = { ...raw };
  for (const key of ['subChart', 'subChartFloors']) if (key in root) root[key] = null;
  return {
    root: {
      ...root,
      categories: isRaw(categories) ? { ...categories, list: [] } : { list: [] },
      zones: isRaw(zones) ? { ...zones, list: [] } : { list: [] },
    },
    floors,
    categories: (isRaw(categories) ? recordsIn(categories, 'list') : []) as CategoryData[],
    zones: (isRaw(zones) ? recordsIn(zones, 'list') : []) as ZoneData[],
    ...opening,
  };
}

function savePart(doc: Doc, part: Raw, container: string): Raw {
  const saved: Raw = { ...part };
  for (const kind of KINDS) {
    const ids = doc.order.get(`${container}/${LISTS[kind]}`) ?? [];
    if (ids.length > 0) saved[LISTS[kind]] = ids.map((id) => saveItem(doc, entryOf(doc.items, id)));
  }
  return saved;
}

function saveItem(doc: Doc, item: Item): Raw {
  if (item.kind !== 'section') return item.data;
  return { ...item.data, subChart: savePart(doc, item.data.subChart, item.id) };
}

/** The drawing for its file. One floor is written as `subChart`, several as `subChartFloors`. */
export function saveDrawing(doc: Doc): Raw {
  const parts = doc.floors.map(({ id, data }) => savePart(doc, data, id));
  const asList = parts.length !== 1 || entryAt(doc.floors, 0).data.floorName !== undefined;
  const saved: Raw = {};
  for (const key of Object.keys(doc.root)) {
    if (key === 'categories')
      saved[key] = { ...(doc.root.categories as Raw), list: doc.categories };
    else if (key === 'zones') saved[key] = { ...(doc.root.zones as Raw), list: doc.zones };
    else if (key !== 'subChart' && key !== 'subChartFloors') saved[key] = doc.root[key];
    else if (asList) saved.subChartFloors = parts;
    else saved.subChart = parts[0];
  }
  return saved;
}
