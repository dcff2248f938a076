/** Changes the chairs of a table, its size, or the way it is sold. */
import type { Doc, SeatData, TableData } from '#server/drawing/model/data.ts';
import { EditDraft, type Edit } from '#server/drawing/model/edit.ts';
import { forgetSeats } from '#server/drawing/edit/remove.ts';
import { nextNumbers, takenNumbers } from '#server/drawing/edit/rows/numbers.ts';
import { isLocked, patched, withSeats, type NewId } from '#server/drawing/edit/targets.ts';
import { lengthOr, rounded, whole } from '#server/drawing/geometry/vector.ts';
import { isBox, keyOf } from './parts.ts';
import { radiusFor, sidesOf, tableSeats, type Sides } from './seats.ts';

interface TableShape {
  chairs?: number;
  radius?: number;
  openSpaces?: number;
  width?: number;
  height?: number;
  sides?: Sides;
}

/** A table without this field has half of its chairs on each long side. */
function sidesFor({ x_sides, seats }: TableData, { chairs, sides }: TableShape): Sides {
  if (sides) return sidesOf(sides);
  const count = chairs ?? seats.length;
  const isKnown = Array.isArray(x_sides) && chairs === undefined;
  return sidesOf(isKnown ? x_sides : [Math.ceil(count / 2), 0, Math.floor(count / 2), 0]);
}

/** Changes a table; remaining chairs keep their names and categories. */
export function changeTable(doc: Doc, id: string, change: TableShape, newId: NewId): Edit | null {
  const table = doc.items.get(id);
  if (table?.kind !== 'table' || isLocked(doc, table)) return null;
  const { seats } = table.data;
  const isRectangular = table.data.type === 'rectangular' && !isBox(table);
  const sides = isRectangular ? sidesFor(table.data, change) : undefined;
  const count = sides
    ? sides.reduce((sum, side) => sum + side, 0)
    : whole(change.chairs ?? seats.length, [1, 60]);
  if (count === 0) return null;
  const openSpaces = whole(change.openSpaces ?? Number(table.data.openSpaces ?? 0), [0, 30]);
  const { radius, width, height } = change;
  const patch = {
    ...(change.openSpaces === undefined ? {} : { openSpaces }),
    ...(radius === undefined ? {} : { radius: rounded(lengthOr(radius, 30)) }),
    ...(width === undefined ? {} : { width: rounded(lengthOr(width, 40)) }),
    ...(height === undefined ? {} : { height: rounded(lengthOr(height, 40)) }),
    ...(sides ? { x_sides: sides } : {}),
  };
  const shaped = patched(table, patch);
  const grows = change.chairs !== undefined && radius === undefined && count > seats.length;
  const least = radiusFor(count, openSpaces);
  const roomy =
    grows && !isRectangular && !isBox(table) && (table.data.radius ?? 0) < least
      ? patched(shaped, { radius: least })
      : shaped;
  const names = nextNumbers(seats, Math.max(0, count - seats.length), takenNumbers(doc, table));
  const placed = tableSeats(roomy.data, count).map((point, chair) => ({
    ...(seats[chair] ?? {
      uuid: newId(),
      label: names[chair - seats.length],
      ...keyOf(seats.at(-1)?.categoryKey),
    }),
    ...point,
  }));
  const draft = new EditDraft(doc);
  draft.put(withSeats(roomy, placed as SeatData[]));
  forgetSeats(draft, seats.slice(count));
  return draft.finish('change-table', count);
}

/** Sets how a table is sold: by the chair, as a whole, or as a whole to any number of people. */
export function setBooking(
  doc: Doc,
  ids: Iterable<string>,
  way: 'seats' | 'whole' | 'variable',
  minOccupancy = 1,
): Edit | null {
  const draft = new EditDraft(doc);
  for (const id of ids) {
    const item = doc.items.get(id);
    if (item?.kind !== 'table' && item?.kind !== 'area') continue;
    const most = item.kind === 'table' ? item.data.seats.length : Number(item.data.capacity ?? 1);
    const isVariable = way === 'variable';
    draft.put(
      patched(item, {
        bookAsAWhole: way !== 'seats',
        variableOccupancy: isVariable ? true : undefined,
        minOccupancy: isVariable ? whole(minOccupancy, [1, Math.max(1, most)]) : undefined,
      }),
    );
  }
  return draft.finish('booking');
}
