/**
 * Puts copies into the drawing: from the clipboard, beside the original, in a grid, or around a
 * point.
 */
import type { CategoryData, Doc, Item, Key, Point, SeatData } from '#server/drawing/model/data.ts';
import { EditDraft, type Edit } from '#server/drawing/model/edit.ts';
import { originOf, selectItems, type Selection } from '#server/drawing/model/selection.ts';
import { boundsOfSelection, middleOfBounds } from '#server/drawing/geometry/bounds.ts';
import { isFinite, moving, turning, type Matrix } from '#server/drawing/geometry/matrix.ts';
import { ORIGIN, isPoint, whole } from '#server/drawing/geometry/vector.ts';
import { addInto } from './categories.ts';
import { clipItems, clipSeats, type Clip, type ClipItem } from './clip.ts';
import { noteSections } from './insert.ts';
import { Names, renamer, type Rename } from './names.ts';
import { isSeated, placeOf, withSeats, type At, type NewId } from './targets.ts';
import { transformInto } from './transform.ts';
import { putTransformed, transformed } from './transformed.ts';

/** The state that the copies of one act share: new ids for old ones, and free names. */
interface Batch {
  draft: EditDraft;
  matrix: Matrix;
  newId: NewId;
  ids: ReadonlyMap<string, string>;
  groups: Map<unknown, string>;
  rename: Rename;
}

function freshSeat(seat: SeatData, { ids, newId }: Batch): SeatData {
  const { x_companionOf, ...own } = seat;
  const uuid = ids.get(String(seat.uuid)) ?? newId();
  // A companion's seat whose wheelchair place was not copied loses its pairing.
  const pair = x_companionOf === undefined ? undefined : ids.get(x_companionOf);
  return { ...own, uuid, ...(pair === undefined ? {} : { x_companionOf: pair }) };
}

function fresh(batch: Batch, { kind, data }: ClipItem, at: At): Item {
  const { newId, groups } = batch;
  const id = newId();
  const group = data.x_group;
  if (group !== undefined && !groups.has(group)) groups.set(group, newId());
  const grouped = group === undefined ? {} : { x_group: groups.get(group) };
  // The kind decides about the type of the data, because the format itself does not name it.
  const item = { id, kind, ...at, data: { ...data, uuid: id, ...grouped } } as Item;
  const seats = isSeated(item) ? item.data.seats.map((seat) => freshSeat(seat, batch)) : [];
  return isSeated(item) ? withSeats(item, seats) : item;
}

function putCopy(batch: Batch, clip: ClipItem, at: At): string {
  const { draft, matrix, rename } = batch;
  const section = clip.kind === 'section' ? null : at.section;
  const item = rename(fresh(batch, clip, { floor: at.floor, section }), clip.at.section);
  if (item.kind !== 'section') {
    draft.put(transformed(item, matrix, { from: ORIGIN, to: originOf(draft.doc, item) }));
    return item.id;
  }
  draft.put(item);
  for (const child of clip.inside ?? []) {
    const inner = fresh(batch, child, { floor: at.floor, section: item.id });
    draft.put(isSeated(inner) ? inner : rename(inner, child.at.section));
  }
  putTransformed(draft, draft.doc, item, matrix);
  noteSections(draft);
  return item.id;
}

function putCopies(
  draft: EditDraft,
  items: readonly ClipItem[],
  { matrix, names, newId, at }: { matrix: Matrix; names: Names; newId: NewId; at?: At },
): string[] {
  if (!isFinite(matrix)) return [];
  const ids = new Map(clipSeats(items).map(({ uuid }) => [String(uuid), newId()]));
  const batch = { draft, matrix, newId, ids, groups: new Map(), rename: renamer(names) };
  return items.map((item) => putCopy(batch, item, at ?? item.at));
}

/** Reuses categories with the same label and adds the others. */
function repainted(draft: EditDraft, { items, categories }: Clip): ClipItem[] {
  const keys = new Map<string, Key>();
  const keyFor = (category: CategoryData): Key => {
    const known = draft.doc.categories.find(({ label }) => label === category.label);
    return known ? known.key : addInto(draft, category);
  };
  for (const category of categories) keys.set(String(category.key), keyFor(category));
  const zones = new Set(draft.doc.zones.map(({ key }) => key));
  const own = <T extends object>(data: T): T => {
    const { categoryKey, ...rest } = data as { categoryKey?: Key | null };
    const key = keys.get(String(categoryKey ?? ''));
    return { ...rest, ...(key === undefined ? {} : { categoryKey: key }) } as T;
  };
  const mend = (item: ClipItem): ClipItem => {
    const { zone, ...data } = own(item.data) as Item['data'] & {
      zone?: string;
      seats?: SeatData[];
    };
    const seats = data.seats ? { seats: data.seats.map(own) } : {};
    const kept = zone !== undefined && zones.has(zone) ? { zone } : {};
    const inside = item.inside ? { inside: item.inside.map(mend) } : {};
    return { ...item, data: { ...data, ...kept, ...seats } as Item['data'], ...inside };
  };
  return items.map(mend);
}

/** Copies are moved by this much, so that they are visible. */
const ASIDE = 24;

/** Pastes with the middle at `to`, or moved `by` if it is left out. */
export function pasteClip(
  doc: Doc,
  clip: Clip,
  { at, by, to }: { at: At; by?: { dx: number; dy: number }; to?: Point },
  newId: NewId,
): Edit | null {
  const place = placeOf(doc, at);
  if (!place) return null;
  const draft = new EditDraft(doc);
  const items = repainted(draft, clip);
  const { dx, dy } = by ?? { dx: ASIDE, dy: ASIDE };
  const matrix = to ? moving(0, 0) : moving(dx, dy);
  const ids = putCopies(draft, items, { matrix, names: new Names(doc), newId, at: place });
  const pasted = selectItems(ids);
  const bounds = to ? boundsOfSelection(draft.doc, pasted) : null;
  if (isPoint(to) && bounds) {
    const middle = middleOfBounds(bounds);
    const move = moving(Math.round(to.x - middle.x), Math.round(to.y - middle.y));
    transformInto(draft, draft.doc, pasted, move);
  }
  return draft.finish('paste', items.length);
}

/** More copies than this are a mistake. */
const MOST_COPIES = 400;
const MOST_SEATS = 100_000;

function copyMany(
  doc: Doc,
  selection: Selection,
  matrices: readonly Matrix[],
  { code, newId }: { code: string; newId: NewId },
): Edit | null {
  const items = clipItems(doc, selection, { alone: false });
  const seats = clipSeats(items).length * matrices.length;
  if (items.length === 0 || seats > MOST_SEATS) return null;
  const draft = new EditDraft(doc);
  const names = new Names(doc);
  for (const matrix of matrices) putCopies(draft, items, { matrix, names, newId });
  return draft.finish(code, code === 'duplicate' ? items.length : matrices.length);
}

export function duplicateSelection(
  doc: Doc,
  selection: Selection,
  { dx, dy }: { dx: number; dy: number },
  newId: NewId,
): Edit | null {
  return copyMany(doc, selection, [moving(dx, dy)], { code: 'duplicate', newId });
}

/** Copies the selection in a grid, of which the original is the first. */
export function gridCopy(
  doc: Doc,
  selection: Selection,
  { columns, rows, dx, dy }: { columns: number; rows: number; dx: number; dy: number },
  newId: NewId,
): Edit | null {
  const [across, down] = [whole(columns, [1, MOST_COPIES]), whole(rows, [1, MOST_COPIES])];
  if (across * down > MOST_COPIES || across * down === 1) return null;
  const matrices = Array.from({ length: across * down }, (_, copy) =>
    moving((copy % across) * dx, Math.floor(copy / across) * dy),
  ).slice(1);
  return copyMany(doc, selection, matrices, { code: 'array-copy', newId });
}

/** Makes this many copies, each turned further by the same angle. */
export function ringCopy(
  doc: Doc,
  selection: Selection,
  { count, degrees, pivot }: { count: number; degrees: number; pivot: Point },
  newId: NewId,
): Edit | null {
  if (!isPoint(pivot)) return null;
  const matrices = Array.from({ length: whole(count, [1, MOST_COPIES]) }, (_, copy) =>
    turning((copy + 1) * degrees, pivot),
  );
  return copyMany(doc, selection, matrices, { code: 'array-copy', newId });
}
