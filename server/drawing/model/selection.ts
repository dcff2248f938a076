/** The selection in a drawing: whole objects, and single seats of rows and tables. */
import type { Doc, Item, Point, SeatData } from './data.ts';

/**
 * `seats` maps a row's or table's id to the positions of its selected seats; objects that are
 * selected whole are only in `items`.
 */
export interface Selection {
  readonly items: ReadonlySet<string>;
  readonly seats: ReadonlyMap<string, ReadonlySet<number>>;
}

export const NOTHING_SELECTED: Selection = { items: new Set(), seats: new Map() };

export function selectItems(ids: Iterable<string>): Selection {
  return { items: new Set(ids), seats: new Map() };
}

export function selectSeats(id: string, positions: readonly number[]): Selection {
  return { items: new Set(), seats: new Map([[id, new Set(positions)]]) };
}

/** The part of a selection that still exists in the drawing. */
export function keepSelection({ items }: Doc, selection: Selection): Selection {
  const seats = [...selection.seats].flatMap(([id, positions]) => {
    const count = seatsOf(items.get(id)).length;
    const kept = [...positions].filter((position) => position < count);
    return kept.length > 0 ? [[id, new Set(kept)] as const] : [];
  });
  return {
    items: new Set([...selection.items].filter((id) => items.has(id))),
    seats: new Map(seats),
  };
}

/** The part of a selection on one floor, because Delete must not take what is not seen. */
export function onFloor({ items }: Doc, selection: Selection, floor: string): Selection {
  const isThere = (id: string) => items.get(id)?.floor === floor;
  const ids = [...selection.items, ...selection.seats.keys()];
  // The same object tells the panels that nothing has changed.
  if (ids.every(isThere)) return selection;
  return {
    items: new Set([...selection.items].filter(isThere)),
    seats: new Map([...selection.seats].filter(([id]) => isThere(id))),
  };
}

/** The seats of a row or table; other objects have none. */
export function seatsOf(item: Item | undefined): readonly SeatData[] {
  return item?.kind === 'row' || item?.kind === 'table' ? item.data.seats : [];
}

const ORIGIN: Point = { x: 0, y: 0 };

/**
 * The origin of an object's coordinates: the corner of its section, or of the drawing. A
 * section's own outline is absolute.
 */
export function originOf({ items }: Doc, { section }: Pick<Item, 'section'>): Point {
  const around = section === null ? undefined : items.get(section);
  return (around?.kind === 'section' && around.data.topLeft) || ORIGIN;
}
