/**
 * Converts between a section's coordinates, measured from its corner, and those of the drawing.
 */
import type { Doc, Item, Point } from '#server/drawing/model/data.ts';
import { originOf, seatsOf } from '#server/drawing/model/selection.ts';
import { minus, plus } from './vector.ts';

type At = Pick<Item, 'section'>;

export function toAbsolute(doc: Doc, at: At, point: Point): Point {
  return plus(point, originOf(doc, at));
}

export function toRelative(doc: Doc, at: At, point: Point): Point {
  return minus(point, originOf(doc, at));
}

/** The seats of a row or table in the drawing's coordinates. */
export function absoluteSeats(doc: Doc, item: Item): Point[] {
  const origin = originOf(doc, item);
  return seatsOf(item).map((seat) => plus(seat, origin));
}

/**
 * The corners of an object in the drawing's coordinates; a section's outline is absolute already.
 */
export function absolutePoints(doc: Doc, item: Item): Point[] {
  const { points } = item.data as { points?: unknown };
  if (!Array.isArray(points)) return [];
  const origin = item.kind === 'section' ? { x: 0, y: 0 } : originOf(doc, item);
  return (points as Point[]).map((point) => plus(point, origin));
}
