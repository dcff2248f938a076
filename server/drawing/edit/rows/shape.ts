/** Bends, straightens and smooths rows, and changes the distances of their seats. */
import type { Doc, Item, Point, SeatData } from '#server/drawing/model/data.ts';
import { EditDraft, type Edit } from '#server/drawing/model/edit.ts';
import { toRelative } from '#server/drawing/geometry/absolute.ts';
import {
  bentSeats,
  bentTrackOf,
  curveThrough,
  placedOn,
  spacingOf,
  stepsOf,
  trackOf,
} from '#server/drawing/geometry/row-shape.ts';
import {
  between,
  directionOf,
  distance,
  dot,
  isPoint,
  minus,
  normalOf,
  rounded,
  roundedPoint,
} from '#server/drawing/geometry/vector.ts';
import { isLocked, patched, rowOf, rowsOf, withSeats } from '#server/drawing/edit/targets.ts';
import { entryAt } from '#server/drawing/model/entry.ts';

type Row = Item<'row'>;

function placed(row: Row, places: readonly Point[]): SeatData[] {
  return row.data.seats.map((seat, position) => {
    const place = places[position];
    return place ? { ...seat, ...roundedPoint(place) } : seat;
  });
}

function chordOf({ data: { seats } }: Row): { middle: Point; direction: Point; length: number } {
  const [from, to] = [entryAt(seats, 0), entryAt(seats, -1)];
  return {
    middle: between(from, to),
    direction: directionOf(from, to),
    length: distance(from, to),
  };
}

/** Changes rows, except locked ones and those without a shape. */
function changeRows(
  doc: Doc,
  ids: Iterable<string>,
  change: (row: Row) => Row,
  [code, detail]: [string, (string | number)?],
): Edit | null {
  const draft = new EditDraft(doc);
  for (const row of rowsOf(doc, ids))
    if (row.data.seats.length > 1 && !isLocked(doc, row)) draft.put(change(row));
  return draft.finish(code, detail);
}

function bent(row: Row, curve: number): Row {
  const places = bentSeats(stepsOf(row.data.seats), curve, chordOf(row));
  const kept = rounded(curveThrough(places.map(roundedPoint)));
  const shape = { curve: kept === 0 ? undefined : kept, points: undefined, smooth: undefined };
  return withSeats(patched(row, shape), placed(row, places));
}

/** Bends rows; their seats keep the distances, and their middles stay. */
export function curveRows(doc: Doc, ids: Iterable<string>, curve: number): Edit | null {
  if (!Number.isFinite(curve)) return null;
  return changeRows(doc, ids, (row) => bent(row, curve), ['curve-row', rounded(curve)]);
}

export function curveOf(doc: Doc, id: string): number {
  return rounded(curveThrough(rowOf(doc, id)?.data.seats ?? []));
}

/** The curve that brings the middle of the row to a point. */
export function curveFor(doc: Doc, id: string, pointer: Point): number {
  const row = rowOf(doc, id);
  if (!row || row.data.seats.length < 2 || !isPoint(pointer)) return 0;
  const { middle, direction } = chordOf(row);
  return dot(minus(toRelative(doc, row, pointer), middle), normalOf(direction));
}

export function straightenRows(doc: Doc, ids: Iterable<string>): Edit | null {
  return changeRows(doc, ids, (row) => bent(row, 0), ['straighten']);
}

/** The usual distance for all neighbours; aisles keep their additional width. */
function evenSteps({ data }: Row, spacing = spacingOf(data)): number[] {
  const usual = spacingOf(data);
  return stepsOf(data.seats).map((step, at) =>
    entryAt(data.seats, at).x_gapAfter === true
      ? Math.max(spacing, spacing + step - usual)
      : spacing,
  );
}

/** The arc with the least distance to all seats, found by ternary search. */
function nearestCurve({ data: { seats } }: Row): number {
  const length = distance(entryAt(seats, 0), entryAt(seats, -1));
  const error = (curve: number) => {
    const track = trackOf({
      seats: arcPoints(entryAt(seats, 0), entryAt(seats, -1), curve) as SeatData[],
    });
    return seats.reduce(
      (sum, seat) => sum + distance(seat, track.pointAt(track.markOf(seat))) ** 2,
      0,
    );
  };
  let [low, high] = [-length / 2, length / 2];
  for (let tries = 0; tries < 40; tries += 1) {
    const [a, b] = [low + (high - low) / 3, high - (high - low) / 3];
    if (error(a) < error(b)) high = b;
    else low = a;
  }
  return (low + high) / 2;
}

function arcPoints(from: Point, to: Point, curve: number): Point[] {
  const normal = normalOf(directionOf(from, to));
  const middle = between(from, to);
  return [from, { x: middle.x + normal.x * curve, y: middle.y + normal.y * curve }, to];
}

function smooth(row: Row): Row {
  const { seats, points } = row.data;
  if (Array.isArray(points) && points.length > 2) {
    const track = bentTrackOf(points, true);
    const places = placedOn(track, track.markOf(entryAt(seats, 0)), evenSteps(row));
    return withSeats(patched(row, { smooth: true }), placed(row, places));
  }
  if (seats.length < 3) return row;
  const even = bentSeats(evenSteps(row), nearestCurve(row), chordOf(row));
  const kept = rounded(curveThrough(even.map(roundedPoint)));
  return withSeats(patched(row, { curve: kept === 0 ? undefined : kept }), placed(row, even));
}

/**
 * Turns bends into curves, and puts seats that were moved one by one back on one arc at equal
 * distances.
 */
export function smoothRows(doc: Doc, ids: Iterable<string>): Edit | null {
  return changeRows(doc, ids, smooth, ['smooth']);
}

/**
 * Gives a row this line, in the drawing's coordinates, and places its seats along it from its
 * beginning.
 */
export function setRowPoints(doc: Doc, id: string, points: readonly Point[]): Edit | null {
  const apart = points.filter(
    (point, at) => at === 0 || distance(point, entryAt(points, at - 1)) > 0.5,
  );
  if (apart.length < 2 || !apart.every(isPoint)) return null;
  const change = (row: Row) => {
    const own = apart.map((point) => roundedPoint(toRelative(doc, row, point)));
    const track = bentTrackOf(own, row.data.smooth);
    const places = placedOn(track, 0, stepsOf(row.data.seats));
    return withSeats(patched(row, { points: own, curve: undefined }), placed(row, places));
  };
  return changeRows(doc, [id], change, ['row-points']);
}

/** Changes the distance of seats; the row's middle stays. */
export function setSpacing(doc: Doc, ids: Iterable<string>, spacing: number): Edit | null {
  if (!(spacing >= 1 && spacing <= 1000)) return null;
  const change = (row: Row) => {
    const { seats } = row.data;
    const track = trackOf(row.data);
    const steps = evenSteps(row, spacing);
    const [first, last] = [track.markOf(entryAt(seats, 0)), track.markOf(entryAt(seats, -1))];
    const end = steps.reduce((mark, step) => track.walk(mark, step), first);
    // An arc that would close to a ring is left as it is.
    if (Math.abs(end - first) > track.span) return row;
    const places = placedOn(track, first + (last - end) / 2, steps);
    return withSeats(patched(row, { chairSpacing: rounded(spacing) }), placed(row, places));
  };
  return changeRows(doc, ids, change, ['set-spacing', rounded(spacing)]);
}
