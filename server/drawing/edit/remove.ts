/** Deletes the selection: objects, and single seats. */
import type { Doc, SeatData } from '#server/drawing/model/data.ts';
import { EditDraft, type Edit } from '#server/drawing/model/edit.ts';
import { seatsOf, type Selection } from '#server/drawing/model/selection.ts';
import {
  childrenOf,
  freeIn,
  isLocked,
  isSeated,
  seatsIn,
  withSeats,
  type Seated,
} from './targets.ts';

/** Removes seats; the seats on both sides are then not neighbours. */
function withoutSeats(item: Seated, positions: ReadonlySet<number>): SeatData[] {
  return item.data.seats.flatMap((seat, position) => {
    if (positions.has(position)) return [];
    const isParted = item.kind === 'row' && positions.has(position + 1);
    const isLast = [...item.data.seats.keys()].every(
      (later) => later <= position || positions.has(later),
    );
    return [isParted && !isLast ? { ...seat, x_gapAfter: true } : seat];
  });
}

/** Ends the pairings of companions' seats whose wheelchair place was deleted. */
export function forgetSeats(draft: EditDraft, seats: readonly SeatData[]): void {
  const gone = new Set(seats.flatMap(({ uuid }) => uuid ?? []));
  if (gone.size === 0) return;
  const isPaired = ({ x_companionOf }: SeatData) =>
    x_companionOf !== undefined && gone.has(x_companionOf);
  for (const item of draft.doc.items.values()) {
    if (!isSeated(item) || !item.data.seats.some(isPaired)) continue;
    const left = item.data.seats.map((seat) => {
      const { x_companionOf: _, ...alone } = seat;
      return isPaired(seat) ? alone : seat;
    });
    draft.put(withSeats(item, left));
  }
}

/** Deletes the selection, and rows or tables without seats. */
export function removeSelection(doc: Doc, selection: Selection): Edit | null {
  const draft = new EditDraft(doc);
  const gone: SeatData[] = [];
  let count = 0;
  for (const item of freeIn(doc, selection)) {
    for (const one of [item, ...(item.kind === 'section' ? childrenOf(doc, item.id) : [])])
      gone.push(...seatsOf(one));
    draft.remove(item.id);
    count += 1;
  }
  for (const { item, positions } of seatsIn(doc, selection, { whole: false })) {
    if (isLocked(doc, item) || !draft.doc.items.has(item.id)) continue;
    gone.push(...item.data.seats.filter((_, position) => positions.has(position)));
    const seats = withoutSeats(item, positions);
    if (seats.length > 0) draft.put(withSeats(item, seats));
    else draft.remove(item.id);
    count += item.data.seats.length - seats.length;
  }
  forgetSeats(draft, gone);
  return draft.finish('delete', count);
}
