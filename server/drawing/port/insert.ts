/**
 * Imports another drawing, which replaces this one or is added beside it, as one act that can be
 * undone.
 */
import {
  type CategoryData,
  type Doc,
  type Item,
  type Key,
  type Point,
  type SeatData,
} from '#server/drawing/model/data.ts';
import { EditDraft, type Edit } from '#server/drawing/model/edit.ts';
import { openDrawing, type Raw } from '#server/drawing/model/open.ts';
import { seatsOf } from '#server/drawing/model/selection.ts';
import { add } from './values.ts';
import { walkSeats } from './walk.ts';
import { entryOf } from '#server/drawing/model/entry.ts';

interface Insert {
  /** The floor to which a drawing of one floor is added; several floors become new floors. */
  floor: string;
  newId: () => string;
}

/** Replaces everything except the chart's name. */
export function replaceDrawing(doc: Doc, raw: Raw, detail?: string): Edit | null {
  const other = openDrawing(raw);
  const draft = new EditDraft(doc);
  for (const id of doc.items.keys()) draft.remove(id);
  for (const ids of other.order.values()) for (const id of ids) draft.put(entryOf(other.items, id));
  draft.set('floors', other.floors);
  draft.set('categories', other.categories);
  draft.set('zones', other.zones);
  draft.set('root', { ...other.root, name: doc.root.name ?? other.root.name });
  return draft.finish('replace-drawing', detail);
}

/** Reuses categories with the same name; others get a free key. */
function mergeCategories(draft: EditDraft, other: Doc): Map<string, Key> {
  const { categories } = draft.doc;
  const byLabel = new Map(categories.map(({ label, key }) => [label, key]));
  const isNumbered = categories.every(({ key }) => typeof key === 'number');
  let last = Math.max(0, ...categories.map(({ key }) => Number(key)).filter(Number.isInteger));
  const added: CategoryData[] = [];
  const keys = new Map<string, Key>();
  for (const category of other.categories) {
    const known = byLabel.get(category.label);
    if (known === undefined) last += 1;
    const key = known ?? (isNumbered ? last : String(last));
    if (known === undefined) added.push({ ...category, key });
    keys.set(String(category.key), key);
  }
  if (added.length > 0) draft.set('categories', [...categories, ...added]);
  return keys;
}

interface Renaming {
  keys: Map<string, Key>;
  ids: Map<string, string>;
}

function repainted<T extends { categoryKey?: Key | null }>(data: T, { keys }: Renaming): T {
  const { categoryKey } = data;
  if (categoryKey === null || categoryKey === undefined) return data;
  return { ...data, categoryKey: keys.get(String(categoryKey)) ?? null };
}

function renamedSeat(seat: SeatData, renaming: Renaming): SeatData {
  const companion = seat.x_companionOf;
  return {
    ...repainted(seat, renaming),
    ...(seat.uuid === undefined ? {} : { uuid: entryOf(renaming.ids, seat.uuid) }),
    ...(companion === undefined ? {} : { x_companionOf: renaming.ids.get(companion) ?? companion }),
  };
}

function shifted<T extends Item['data']>(data: T, by: Point): T {
  const moved: Record<string, unknown> = { ...data };
  for (const key of ['center', 'topLeft'])
    if (moved[key]) moved[key] = add(moved[key] as Point, by);
  if (Array.isArray(moved.points)) moved.points = moved.points.map((point) => add(point, by));
  if (Array.isArray(moved.seats))
    moved.seats = moved.seats.map((seat: SeatData) => ({ ...seat, ...add(seat, by) }));
  return moved as T;
}

/** Replaces ids that are taken, because ids of objects and of seats must be unique. */
function renameIds(doc: Doc, other: Doc, newId: () => string): Map<string, string> {
  const taken = new Set(doc.items.keys());
  for (const item of doc.items.values())
    for (const { uuid } of seatsOf(item)) if (uuid !== undefined) taken.add(uuid);
  const ids = new Map<string, string>();
  const rename = (id: string): void => {
    const isFree = !taken.has(id) && !ids.has(id) && !id.startsWith('floor-');
    ids.set(id, isFree ? id : newId());
  };
  for (const item of other.items.values()) {
    rename(item.id);
    for (const { uuid } of seatsOf(item)) if (uuid !== undefined && !ids.has(uuid)) rename(uuid);
  }
  return ids;
}

/** The offset to the right of everything drawn. */
function besideOf(doc: Doc, other: Doc, floor: string): Point {
  const drawn = walkSeats(doc, floor).map(({ at }) => at.x);
  const coming = other.floors.flatMap(({ id }) => walkSeats(other, id)).map(({ at }) => at.x);
  if (drawn.length === 0 || coming.length === 0) return { x: 0, y: 0 };
  const most = drawn.reduce((a, b) => Math.max(a, b));
  const least = coming.reduce((a, b) => Math.min(a, b));
  return { x: Math.max(0, most + 120 - least), y: 0 };
}

/**
 * With `isBeside` the import is put to the right of everything drawn, otherwise where it was, as
 * over a traced picture.
 */
export function addDrawing(
  doc: Doc,
  raw: Raw,
  { floor, newId, isBeside, detail }: Insert & { isBeside?: boolean; detail?: string },
): Edit | null {
  const other = openDrawing(raw);
  const draft = new EditDraft(doc);
  const by = isBeside ? besideOf(doc, other, floor) : { x: 0, y: 0 };
  const renaming = { keys: mergeCategories(draft, other), ids: renameIds(doc, other, newId) };
  const floors = new Map(
    other.floors.map(({ id }) => [id, other.floors.length === 1 ? floor : newId()]),
  );
  if (other.floors.length > 1)
    draft.set('floors', [
      ...doc.floors,
      ...other.floors.map(({ id, data }) => ({ id: entryOf(floors, id), data })),
    ]);
  for (const ids of other.order.values())
    for (const id of ids) {
      const item = entryOf(other.items, id);
      const section = item.section === null ? null : entryOf(renaming.ids, item.section);
      const named = {
        ...repainted(item.data as SeatData, renaming),
        uuid: entryOf(renaming.ids, id),
      };
      const seats = seatsOf(item).map((seat) => renamedSeat(seat, renaming));
      const data = 'seats' in item.data ? { ...named, seats } : named;
      draft.put({
        ...item,
        id: entryOf(renaming.ids, id),
        floor: entryOf(floors, item.floor),
        section,
        data: section === null ? shifted(data, by) : data,
      } as Item);
    }
  return draft.finish('import', detail);
}
