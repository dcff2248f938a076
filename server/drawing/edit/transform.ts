/** Moves, turns, scales and mirrors the selection: whole objects, and single seats. */
import type { Doc, Point } from '#server/drawing/model/data.ts';
import { EditDraft, type Edit } from '#server/drawing/model/edit.ts';
import { originOf, type Selection } from '#server/drawing/model/selection.ts';
import { boundsOfSelection, middleOfBounds } from '#server/drawing/geometry/bounds.ts';
import {
  applied,
  isFinite,
  mirroring,
  moving,
  scaling,
  turning,
  type Matrix,
} from '#server/drawing/geometry/matrix.ts';
import { minus, plus, roundedPoint } from '#server/drawing/geometry/vector.ts';
import { freeIn, isLocked, seatsIn, withSeats } from './targets.ts';
import { putTransformed } from './transformed.ts';

/** Transforms into a draft, so that one act may move several objects differently. */
export function transformInto(
  draft: EditDraft,
  doc: Doc,
  selection: Selection,
  matrix: Matrix,
): void {
  if (!isFinite(matrix)) return;
  for (const item of freeIn(doc, selection)) putTransformed(draft, doc, item, matrix);
  for (const { item, positions } of seatsIn(doc, selection, { whole: false })) {
    if (isLocked(doc, item) || selection.items.has(item.section ?? '')) continue;
    const origin = originOf(doc, item);
    const seats = item.data.seats.map((seat, position) =>
      positions.has(position)
        ? { ...seat, ...roundedPoint(minus(applied(matrix, plus(seat, origin)), origin)) }
        : seat,
    );
    draft.put(withSeats(item, seats));
  }
}

function transform(
  doc: Doc,
  selection: Selection,
  matrix: Matrix,
  [code, detail]: [string, number?],
): Edit | null {
  const draft = new EditDraft(doc);
  transformInto(draft, doc, selection, matrix);
  return draft.finish(code, detail);
}

function pivotOf(doc: Doc, selection: Selection, pivot?: Point): Point {
  const bounds = boundsOfSelection(doc, selection);
  return pivot ?? (bounds ? middleOfBounds(bounds) : { x: 0, y: 0 });
}

export function moveSelection(
  doc: Doc,
  selection: Selection,
  { dx, dy }: { dx: number; dy: number },
): Edit | null {
  if (dx === 0 && dy === 0) return null;
  return transform(doc, selection, moving(dx, dy), ['move']);
}

/** Turns the selection around its middle, or around a pivot. */
export function rotateSelection(
  doc: Doc,
  selection: Selection,
  degrees: number,
  pivot?: Point,
): Edit | null {
  if (degrees % 360 === 0) return null;
  const matrix = turning(degrees, pivotOf(doc, selection, pivot));
  return transform(doc, selection, matrix, ['rotate', Math.round(degrees * 10) / 10]);
}

/** An object that is scaled below this could not be selected again. */
const LEAST = 0.01;

export function scaleSelection(
  doc: Doc,
  selection: Selection,
  { x, y = x }: { x: number; y?: number },
  pivot?: Point,
): Edit | null {
  if (x === 1 && y === 1) return null;
  const [across, down] = [Math.max(LEAST, x), Math.max(LEAST, y)];
  const matrix = scaling(across, down, pivotOf(doc, selection, pivot));
  return transform(doc, selection, matrix, ['scale', Math.round(across * 100)]);
}

/** Mirrors the selection; with `horizontal` left becomes right. */
export function mirrorSelection(
  doc: Doc,
  selection: Selection,
  axis: 'horizontal' | 'vertical',
): Edit | null {
  const matrix = mirroring(axis, pivotOf(doc, selection));
  return transform(doc, selection, matrix, ['mirror']);
}
