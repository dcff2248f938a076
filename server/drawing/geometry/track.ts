/**
 * The line of a row, which may be straight, an arc, or bent, and continues beyond its ends. Seats
 * are placed by the straight distance to the next one.
 */
import type { Point } from '#server/drawing/model/data.ts';
import {
  angleOf,
  away,
  between,
  directionOf,
  distance,
  dot,
  minus,
  normalOf,
  plus,
  times,
} from './vector.ts';
import { entryAt } from '#server/drawing/model/entry.ts';

export interface Track {
  pointAt: (mark: number) => Point;
  /** The mark of a point, or of the nearest point on the line to it. */
  markOf: (point: Point) => number;
  /** The mark at this straight distance from another; a negative distance goes backwards. */
  walk: (mark: number, distance: number) => number;
  /** The largest distance of two marks before the line meets itself. */
  span: number;
}

export function straightTrack(from: Point, direction: Point): Track {
  return {
    pointAt: (mark) => plus(from, times(direction, mark)),
    markOf: (point) => dot(minus(point, from), direction),
    walk: (mark, reach) => mark + reach,
    span: Infinity,
  };
}

/** An arc, whose marks are degrees; `sign` is 1 if it runs clockwise on the screen. */
function arcTrack(centre: Point, radius: number, sign: 1 | -1, start: number): Track {
  return {
    pointAt: (mark) => away(centre, start + sign * mark, radius),
    // A point up to 30 degrees before the start counts as behind it.
    markOf(point) {
      const turn = (((sign * (angleOf(minus(point, centre)) - start)) % 360) + 360) % 360;
      return turn > 330 ? turn - 360 : turn;
    },
    walk: (mark, reach) =>
      mark +
      Math.sign(reach) *
        ((2 * Math.asin(Math.min(1, Math.abs(reach) / 2 / radius)) * 180) / Math.PI),
    span: 330,
  };
}

/** The arc over a chord; `curve` is its height, positive to the right of the direction. */
export function curvedTrack(from: Point, to: Point, curve: number): Track {
  const chord = distance(from, to);
  const direction = directionOf(from, to);
  if (Math.abs(curve) < Math.max(1e-6, chord * 1e-5)) return straightTrack(from, direction);
  const radius = (chord ** 2 / 4 + curve ** 2) / (2 * Math.abs(curve));
  const aside = curve - Math.sign(curve) * radius;
  const centre = plus(between(from, to), times(normalOf(direction), aside));
  return arcTrack(centre, radius, curve > 0 ? -1 : 1, angleOf(minus(from, centre)));
}

/** A line through these points; marks are lengths along it. */
export function bentTrack(points: readonly Point[]): Track {
  const lengths = [0];
  for (let at = 1; at < points.length; at += 1)
    lengths.push(entryAt(lengths, at - 1) + distance(entryAt(points, at - 1), entryAt(points, at)));
  const pieceOf = (mark: number) => {
    let at = 0;
    while (at < points.length - 2 && entryAt(lengths, at + 1) <= mark) at += 1;
    return at;
  };
  const pointAt = (mark: number) => {
    const at = pieceOf(mark);
    const direction = directionOf(entryAt(points, at), entryAt(points, at + 1));
    return plus(entryAt(points, at), times(direction, mark - entryAt(lengths, at)));
  };
  const last = points.length - 2;
  /**
   * On one piece, the first mark beyond `mark` at this distance from `from`, in the direction of
   * the walk.
   */
  const onPiece = (at: number, from: Point, reach: number, mark: number) => {
    const direction = directionOf(entryAt(points, at), entryAt(points, at + 1));
    const offset = minus(entryAt(points, at), from);
    const half = dot(offset, direction);
    const root = half ** 2 - dot(offset, offset) + reach ** 2;
    if (root < 0) return null;
    const forwards = reach > 0;
    const along = -half + (forwards ? 1 : -1) * Math.sqrt(root);
    const found = entryAt(lengths, at) + along;
    const isHere =
      (along >= -1e-9 || at === 0) &&
      (along <= entryAt(lengths, at + 1) - entryAt(lengths, at) + 1e-9 || at === last);
    return isHere && (forwards ? found > mark : found < mark) ? found : null;
  };
  return {
    pointAt,
    markOf: (point) => nearestMark(points, lengths, point),
    walk(mark, reach) {
      if (Math.abs(reach) < 1e-9) return mark;
      const from = pointAt(mark);
      const step = reach > 0 ? 1 : -1;
      for (let at = pieceOf(mark); at >= 0 && at <= last; at += step) {
        const found = onPiece(at, from, reach, mark);
        if (found !== null) return found;
      }
      return mark + reach;
    },
    span: Infinity,
  };
}

function nearestMark(points: readonly Point[], lengths: readonly number[], point: Point): number {
  let best = { reach: Infinity, mark: 0 };
  for (let at = 0; at < points.length - 1; at += 1) {
    const direction = directionOf(entryAt(points, at), entryAt(points, at + 1));
    const length = entryAt(lengths, at + 1) - entryAt(lengths, at);
    const along = dot(minus(point, entryAt(points, at)), direction);
    const held = Math.max(at === 0 ? -Infinity : 0, along);
    const kept = Math.min(at === points.length - 2 ? Infinity : length, held);
    const reach = distance(point, plus(entryAt(points, at), times(direction, kept)));
    if (reach < best.reach - 1e-9) best = { reach, mark: entryAt(lengths, at) + kept };
  }
  return best.mark;
}

/** The number of straight pieces in a rounded bend. */
const PIECES = 10;

/** Rounds bends: a curve through the same points (Catmull and Rom) in short straight pieces. */
export function smoothed(points: readonly Point[]): Point[] {
  if (points.length < 3) return [...points];
  const at = (index: number) => entryAt(points, Math.max(0, Math.min(points.length - 1, index)));
  const curve = points.slice(1).flatMap((_, index) => {
    const [a, b, c, d] = [at(index - 1), at(index), at(index + 1), at(index + 2)];
    return Array.from({ length: PIECES }, (_unused, step) => {
      const t = step / PIECES;
      const on = (p: number, q: number, r: number, s: number) =>
        0.5 *
        (2 * q +
          (r - p) * t +
          (2 * p - 5 * q + 4 * r - s) * t * t +
          (3 * q - p - 3 * r + s) * t ** 3);
      return { x: on(a.x, b.x, c.x, d.x), y: on(a.y, b.y, c.y, d.y) };
    });
  });
  return [...curve, entryAt(points, -1)];
}
