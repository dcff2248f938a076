/** Makes aisles through rows: a gap between two seats, which are then no longer neighbours. */
import type { Doc, Item, SeatData } from '#server/drawing/model/data.ts';
import { EditDraft, type Edit } from '#server/drawing/model/edit.ts';
import { placedOn, spacingOf, stepsOf, trackOf } from '#server/drawing/geometry/row-shape.ts';
import { lengthOr, roundedPoint } from '#server/drawing/geometry/vector.ts';
import { isLocked, rowOf, withSeats } from '#server/drawing/edit/targets.ts';
import { entryAt } from '#server/drawing/model/entry.ts';

export interface AisleAt {
  id: string;
  /** The position of the seat before the aisle. */
  after: number;
}

/** The side whose seats stay in place; with `middle`, both sides move by half. */
type Kept = 'start' | 'middle' | 'end';

function parted(
  row: Item<'row'>,
  after: number,
  { room, kept }: { room: number; kept: Kept },
): Item<'row'> {
  const { seats } = row.data;
  const track = trackOf(row.data);
  const steps = stepsOf(seats);
  const wider = steps.with(after, spacingOf(row.data) + room);
  const first = track.markOf(entryAt(seats, 0));
  const [before, now] = [steps, wider].map((all) =>
    all.reduce((mark, step) => track.walk(mark, step), first),
  ) as [number, number];
  const start = first - (now - before) * { start: 0, middle: 0.5, end: 1 }[kept];
  const places = placedOn(track, start, wider);
  const isMoved = (position: number) => (position > after ? kept !== 'end' : kept !== 'start');
  const next = seats.map((seat, position) =>
    isMoved(position) ? { ...seat, ...roundedPoint(entryAt(places, position)) } : seat,
  );
  return withSeats(row, next);
}

/**
 * Makes an aisle after a seat of each row, wider by `width` than the usual distance. `as-is`
 * moves nothing; null closes the aisle.
 */
export function setAisle(
  doc: Doc,
  places: readonly AisleAt[],
  width: number | 'as-is' | null,
  kept: Kept = 'start',
): Edit | null {
  const draft = new EditDraft(doc);
  for (const { id, after } of places) {
    const row = rowOf(draft.doc, id);
    const seat = row?.data.seats[after];
    if (!row || !seat || after >= row.data.seats.length - 1 || isLocked(doc, row)) continue;
    const { x_gapAfter: _, ...closed } = seat;
    const marked: SeatData = width === null ? closed : { ...seat, x_gapAfter: true };
    const flagged = withSeats(row, row.data.seats.with(after, marked));
    const room = typeof width === 'number' ? lengthOr(width, 0) : 0;
    draft.put(width === 'as-is' ? flagged : parted(flagged, after, { room, kept }));
  }
  return draft.finish('aisle', places.length);
}
