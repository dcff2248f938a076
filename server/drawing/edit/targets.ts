/**
 * The objects that an act applies to (selected, existing and not locked), and where new ones may
 * be put.
 */
import type { Doc, Item } from '#server/drawing/model/data.ts';
import type { Edit } from '#server/drawing/model/edit.ts';
import { NOTHING_SELECTED, selectItems, type Selection } from '#server/drawing/model/selection.ts';

export type NewId = () => string;
/** A floor, and a section on it if the new object belongs to one. */
export interface At {
  floor: string;
  section: string | null;
}

export type Seated = Item<'row'> | Item<'table'>;

export function isSeated(item: Item | undefined): item is Seated {
  return item?.kind === 'row' || item?.kind === 'table';
}

export function withSeats<S extends Seated>(item: S, seats: S['data']['seats']): S {
  return { ...item, data: { ...item.data, seats } };
}

export function rowOf(doc: Doc, id: string): Item<'row'> | null {
  const item = doc.items.get(id);
  return item?.kind === 'row' ? item : null;
}

export function rowsOf(doc: Doc, ids: Iterable<string>): Item<'row'>[] {
  return [...ids].flatMap((id) => rowOf(doc, id) ?? []);
}

/** Changes fields of an object's data; returns the same object if nothing differs. */
export function patched<T extends Item>(item: T, patch: Readonly<Record<string, unknown>>): T {
  const data: Record<string, unknown> = { ...item.data };
  let changed = false;
  for (const [key, value] of Object.entries(patch)) {
    if (data[key] === value) continue;
    changed = true;
    if (value === undefined) delete data[key];
    else data[key] = value;
  }
  return changed ? ({ ...item, data } as unknown as T) : item;
}

/** The objects that an edit made, without the contents of a new section. */
export function madeBy(edit: Edit | null): Selection {
  if (!edit) return NOTHING_SELECTED;
  const made = edit.changes.flatMap((change) =>
    change.at === 'item' && change.before === null && change.after ? [change.after] : [],
  );
  const ids = new Set(made.map(({ id }) => id));
  return selectItems(made.filter(({ section }) => !ids.has(section ?? '')).map(({ id }) => id));
}

/** Selected objects in the order of the drawing, except those that move with their section. */
export function wholeIn(doc: Doc, { items }: Selection): Item[] {
  return [...items].flatMap((id) => {
    const item = doc.items.get(id);
    return item && !items.has(item.section ?? '') ? [item] : [];
  });
}

export function isLocked(doc: Doc, item: Item): boolean {
  if (item.data.x_locked === true) return true;
  return item.section !== null && doc.items.get(item.section)?.data.x_locked === true;
}

export function freeIn(doc: Doc, selection: Selection): Item[] {
  return wholeIn(doc, selection).filter((item) => !isLocked(doc, item));
}

/**
 * Rows and tables with selected seats; with `whole`, also wholly selected ones with all their
 * seats.
 */
export function seatsIn(
  doc: Doc,
  selection: Selection,
  { whole }: { whole: boolean },
): { item: Seated; positions: ReadonlySet<number> }[] {
  const entire = whole
    ? [...selection.items].flatMap((id) => {
        const item = doc.items.get(id);
        return isSeated(item) ? [[item, new Set(item.data.seats.keys())] as const] : [];
      })
    : [];
  const single = [...selection.seats].flatMap(([id, positions]) => {
    const item = doc.items.get(id);
    return isSeated(item) && !selection.items.has(id) ? [[item, positions] as const] : [];
  });
  return [...entire, ...single].map(([item, positions]) => ({ item, positions }));
}

/** The selection, and all objects that share a group with it. */
export function withGroups(doc: Doc, selection: Selection): Selection {
  const groups = new Set<unknown>();
  for (const id of [...selection.items, ...selection.seats.keys()])
    groups.add(doc.items.get(id)?.data.x_group);
  groups.delete(undefined);
  if (groups.size === 0) return selection;
  const items = new Set(selection.items);
  for (const [id, { data }] of doc.items) if (groups.has(data.x_group)) items.add(id);
  const seats = new Map([...selection.seats].filter(([id]) => !items.has(id)));
  return { items, seats };
}

/** Where a new object is put; null if there is no such floor or section. */
export function placeOf(doc: Doc, { floor, section }: At): At | null {
  if (section !== null) {
    const around = doc.items.get(section);
    return around?.kind === 'section' ? { floor: around.floor, section } : null;
  }
  return doc.floors.some(({ id }) => id === floor) ? { floor, section } : null;
}

export function childrenOf(doc: Doc, section: string): Item[] {
  return [...doc.items.values()].filter((item) => item.section === section);
}
