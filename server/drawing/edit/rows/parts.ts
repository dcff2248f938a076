/** Splits, joins and reverses rows, and numbers them from the other side. */
import type { Doc, Item, SeatData } from '#server/drawing/model/data.ts';
import { EditDraft, type Edit } from '#server/drawing/model/edit.ts';
import { curveThrough, spacingOf } from '#server/drawing/geometry/row-shape.ts';
import { directionOf, distance, dot, minus, rounded } from '#server/drawing/geometry/vector.ts';
import { itemLabel } from '#server/drawing/edit/names.ts';
import {
  isLocked,
  patched,
  rowOf,
  rowsOf,
  withSeats,
  type NewId,
} from '#server/drawing/edit/targets.ts';
import { highestFree, takenNumbers } from './numbers.ts';
import { entryAt, entryOf } from '#server/drawing/model/entry.ts';

type Row = Item<'row'>;

function withoutGapAtEnd(seats: readonly SeatData[]): SeatData[] {
  const { x_gapAfter: _, ...last } = entryAt(seats, -1);
  return [...seats.slice(0, -1), last];
}

/** The fields of a row that describe its line, computed from its seats. */
function reshaped(row: Row, seats: SeatData[]): Row {
  const curve = rounded(curveThrough(seats));
  const isShaped = row.data.curve !== undefined || row.data.points !== undefined;
  const shape = { curve: curve === 0 ? undefined : curve, points: undefined, smooth: undefined };
  return withSeats(isShaped ? patched(row, shape) : row, seats);
}

/** Splits a row; both parts keep its name, so that no seat is renamed. */
export function splitRow(doc: Doc, id: string, after: number, newId: NewId): Edit | null {
  const row = rowOf(doc, id);
  if (!row || isLocked(doc, row) || !(after >= 0) || after >= row.data.seats.length - 1)
    return null;
  const { seats } = row.data;
  const uuid = newId();
  const rest = { ...row, id: uuid, data: { ...row.data, uuid } };
  const draft = new EditDraft(doc);
  draft.put(reshaped(row, withoutGapAtEnd(seats.slice(0, after + 1))));
  draft.put(reshaped(rest, seats.slice(after + 1)));
  const list = entryOf(draft.doc.order, `${row.section ?? row.floor}/rows`);
  const others = list.filter((one) => one !== uuid);
  draft.reorder(
    `${row.section ?? row.floor}/rows`,
    others.toSpliced(others.indexOf(id) + 1, 0, uuid),
  );
  return draft.finish('split-row', itemLabel(row));
}

function reversed(row: Row): Row {
  const { seats, curve, points } = row.data;
  const gaps = seats.map((_, position) => seats[position - 1]?.x_gapAfter === true);
  const turned = seats
    .map((seat, position) => {
      const { x_gapAfter: _, ...closed } = seat;
      return gaps[position] === true ? { ...closed, x_gapAfter: true } : closed;
    })
    .toReversed();
  const patch = {
    ...(typeof curve === 'number' ? { curve: -curve } : {}),
    ...(Array.isArray(points) ? { points: points.toReversed() } : {}),
  };
  return withSeats(patched(row, patch), turned);
}

/** Reverses the direction of rows; each seat keeps its place and its name. */
export function reverseRows(doc: Doc, ids: Iterable<string>): Edit | null {
  const draft = new EditDraft(doc);
  for (const row of rowsOf(doc, ids))
    if (row.data.seats.length > 1 && !isLocked(doc, row)) draft.put(reversed(row));
  return draft.finish('reverse-row');
}

/**
 * Numbers a row from the other side: seats stay in place, and each gets the name of its opposite.
 */
export function swapLabels(doc: Doc, ids: Iterable<string>): Edit | null {
  const draft = new EditDraft(doc);
  for (const row of rowsOf(doc, ids)) {
    const { seats } = row.data;
    const renamed = seats.map((seat, position) => {
      const { label, displayLabel } = entryAt(seats, seats.length - 1 - position);
      const { label: _, displayLabel: __, ...rest } = seat;
      return {
        ...rest,
        ...(label === undefined ? {} : { label }),
        ...(displayLabel === undefined ? {} : { displayLabel }),
      } as SeatData;
    });
    if (renamed.some(({ label }, position) => label !== seats[position]?.label))
      draft.put(withSeats(row, renamed));
  }
  return draft.finish('swap-labels');
}

/** The rows in the order of their positions, all in the direction of the first. */
function inLine(first: Row, rows: readonly Row[]): Row[] {
  const seats = first.data.seats;
  const direction = directionOf(entryAt(seats, 0), entryAt(seats, -1));
  const along = (row: Row) => {
    const [from, to] = [entryAt(row.data.seats, 0), entryAt(row.data.seats, -1)];
    return dot(
      minus({ x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 }, entryAt(seats, 0)),
      direction,
    );
  };
  return rows
    .map((row) => {
      const own = directionOf(entryAt(row.data.seats, 0), entryAt(row.data.seats, -1));
      return row.data.seats.length > 1 && dot(own, direction) < 0 ? reversed(row) : row;
    })
    .toSorted((a, b) => along(a) - along(b));
}

/**
 * Joins rows into the first one, whose name all seats get. Duplicate numbers are replaced, and an
 * aisle separates distant parts.
 */
export function joinRows(doc: Doc, ids: Iterable<string>): Edit | null {
  const found = rowsOf(doc, new Set(ids)).filter((row) => row.data.seats.length > 0);
  const [first] = found;
  const rows = found.filter(
    ({ floor, section }) => floor === first?.floor && section === first.section,
  );
  if (!first || rows.length < 2 || rows.some((row) => isLocked(doc, row))) return null;
  const spacing = spacingOf(first.data);
  const taken = takenNumbers(doc, first);
  const seats: SeatData[] = [];
  for (const row of inLine(first, rows)) {
    const [before, next] = [seats.at(-1), entryAt(row.data.seats, 0)];
    if (before && distance(before, next) > spacing * 1.6)
      seats[seats.length - 1] = { ...before, x_gapAfter: true };
    for (const seat of row.data.seats) {
      const label = String(seat.label ?? '');
      const isTwice = itemLabel(row) !== itemLabel(first) && taken.has(label);
      const name = isTwice ? highestFree(taken) : label;
      taken.add(name);
      const { displayLabel: _, ...renamed } = seat;
      seats.push(isTwice ? { ...renamed, label: name } : seat);
    }
  }
  const draft = new EditDraft(doc);
  for (const row of rows) if (row !== first) draft.remove(row.id);
  draft.put(reshaped(first, seats));
  return draft.finish('join-rows', rows.length);
}
