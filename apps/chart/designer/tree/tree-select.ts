/** The selection that a line of the tree makes. */
import { NOTHING_SELECTED, selectItems, type Selection } from '#server/drawing/model/selection.ts';
import type { Studio } from '#apps/chart/designer/state/studio.ts';
import type { TreeLine } from './tree-model.ts';

function ofLine({ kind, item, position }: TreeLine): Selection {
  if (kind === 'floor') return NOTHING_SELECTED;
  if (kind === 'item') return selectItems([item]);
  return { items: new Set(), seats: new Map([[item, new Set([position])]]) };
}

/** The selection with this line added, or removed if it was selected. */
export function chosenWith({ items, seats }: Selection, line: TreeLine): Selection {
  if (line.kind === 'floor') return { items, seats };
  const nextItems = new Set(items);
  const nextSeats = new Map(seats);
  if (line.kind === 'item') {
    nextSeats.delete(line.item);
    if (!nextItems.delete(line.item)) nextItems.add(line.item);
    return { items: nextItems, seats: nextSeats };
  }
  const positions = new Set(seats.get(line.item));
  if (!positions.delete(line.position)) positions.add(line.position);
  nextItems.delete(line.item);
  if (positions.size > 0) nextSeats.set(line.item, positions);
  else nextSeats.delete(line.item);
  return { items: nextItems, seats: nextSeats };
}

/** Selects a line and shows its floor and section; `selection` is given to keep others. */
export function selectLine(studio: Studio, line: TreeLine, selection: Selection | null): void {
  const item = studio.state.doc.items.get(line.item);
  studio.set({
    selection: selection ?? ofLine(line),
    floor: item?.floor ?? line.item,
    section: item?.section ?? null,
  });
}
