/** Adds, names, orders and removes floors, and moves objects between them. */
import type { Doc, Floor } from '#server/drawing/model/data.ts';
import { EditDraft, type Edit } from '#server/drawing/model/edit.ts';
import { seatsOf, selectItems, type Selection } from '#server/drawing/model/selection.ts';
import { boundsOfSelection } from '#server/drawing/geometry/bounds.ts';
import { rounded } from '#server/drawing/geometry/vector.ts';
import { setFloor } from './fields.ts';
import { noteSections } from './insert.ts';
import { forgetSeats } from './remove.ts';
import { nextName } from './names.ts';
import { putInto } from './sections.ts';
import { childrenOf, freeIn, type NewId } from './targets.ts';

function nameOf({ data }: Floor): string {
  return typeof data.floorName === 'string' ? data.floorName : '';
}

/** A name that is free, because floors are identified by their names. */
function freeName(doc: Doc, wanted: string, own?: string): string {
  const taken = new Set(doc.floors.filter(({ id }) => id !== own).map(nameOf));
  let name = wanted.trim() || 'Piano 1';
  while (taken.has(name)) name = nextName(name);
  return name;
}

/** A single floor has no name; it gets one when a second is added. */
export function addFloor(doc: Doc, { name }: { name?: string }, newId: NewId): Edit | null {
  const draft = new EditDraft(doc);
  const named = doc.floors.map((floor) =>
    nameOf(floor) === ''
      ? { ...floor, data: { ...floor.data, ...names(freeName(doc, 'Piano 1')) } }
      : floor,
  );
  const own = freeName({ ...doc, floors: named }, name ?? 'Piano 2');
  const { width = 1000, height = 1000 } = doc.floors[0]?.data ?? {};
  const data = { width, height, focalPoint: null, ...names(own) };
  draft.set('floors', [...named, { id: newId(), data }]);
  noteSections(draft);
  return draft.finish('add-floor', own);
}

function names(name: string): { floorName: string; floorDisplayName: string } {
  return { floorName: name, floorDisplayName: name };
}

export function renameFloor(doc: Doc, id: string, name: string): Edit | null {
  if (name.trim() === '') return null;
  return setFloor(doc, id, names(freeName(doc, name, id)), 'rename-floor');
}

/** Orders the floors; `ids` are all of them. */
export function orderFloors(doc: Doc, ids: readonly string[]): Edit | null {
  const floors = ids.flatMap((id) => doc.floors.find((floor) => floor.id === id) ?? []);
  const isSame = floors.every((floor, at) => floor === doc.floors[at]);
  if (new Set(floors).size !== doc.floors.length || isSame) return null;
  const draft = new EditDraft(doc);
  draft.set('floors', floors);
  return draft.finish('order-floors');
}

/** Removes a floor with its contents; the last one stays. */
export function removeFloor(doc: Doc, id: string): Edit | null {
  const floor = doc.floors.find((one) => one.id === id);
  if (!floor || doc.floors.length === 1) return null;
  const draft = new EditDraft(doc);
  const gone = [...doc.items.values()].filter((item) => item.floor === id);
  for (const item of gone) draft.remove(item.id);
  forgetSeats(
    draft,
    gone.flatMap((item) => seatsOf(item)),
  );
  draft.set(
    'floors',
    doc.floors.filter((one) => one !== floor),
  );
  return draft.finish('remove-floor', nameOf(floor));
}

/**
 * Moves objects to another floor: sections with their contents, and objects of a section out of
 * it.
 */
export function moveToFloor(doc: Doc, selection: Selection, floor: string): Edit | null {
  if (!doc.floors.some(({ id }) => id === floor)) return null;
  const items = freeIn(doc, selection).filter((item) => item.floor !== floor);
  const draft = new EditDraft(doc);
  putInto(draft, items, { floor, section: null });
  for (const { id, kind } of items)
    if (kind === 'section') for (const child of childrenOf(doc, id)) draft.put({ ...child, floor });
  return draft.finish('to-floor', items.length);
}

/** The free room on the right and below. */
const MARGIN = 40;

/** Sets the floor's size from its contents. */
export function fitFloor(doc: Doc, id: string): Edit | null {
  const ids = [...doc.items.values()].filter(({ floor }) => floor === id).map((item) => item.id);
  const bounds = boundsOfSelection(doc, selectItems(ids));
  if (!bounds) return null;
  const size = { width: rounded(bounds.right + MARGIN), height: rounded(bounds.bottom + MARGIN) };
  return setFloor(doc, id, size, 'fit-floor');
}
