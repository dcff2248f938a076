/**
 * Outlines: the convex hull of points, whether a point lies inside, and an outline's area and
 * centre.
 */
import type { Point } from '#server/drawing/model/data.ts';
import { away, minus, rounded } from './vector.ts';
import { entryAt } from '#server/drawing/model/entry.ts';

function turn(a: Point, b: Point, c: Point): number {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/** The convex hull, by Andrew's monotone chain. */
export function hullOf(points: readonly Point[]): Point[] {
  const sorted = points.toSorted((a, b) => a.x - b.x || a.y - b.y);
  const half = (ordered: readonly Point[]) => {
    const chain: Point[] = [];
    for (const point of ordered) {
      while (chain.length > 1 && turn(entryAt(chain, -2), entryAt(chain, -1), point) <= 0)
        chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.toReversed())];
}

/** A convex outline with room around every point. */
export function outlineWithRoom(points: readonly Point[], room: number): Point[] {
  const hull = hullOf(points);
  // The hull of one point, or of points on a line, is empty or flat.
  const corners = hull.length > 2 ? hull : points;
  return hullOf(
    corners.flatMap((point) =>
      Array.from({ length: 12 }, (_, step) => {
        const { x, y } = away(point, step * 30, room);
        return { x: rounded(x), y: rounded(y) };
      }),
    ),
  );
}

export function isInside(outline: readonly Point[], { x, y }: Point): boolean {
  let inside = false;
  for (let a = 0, b = outline.length - 1; a < outline.length; b = a, a += 1) {
    const [p, q] = [entryAt(outline, a), entryAt(outline, b)];
    if (p.y > y !== q.y > y && x < ((q.x - p.x) * (y - p.y)) / (q.y - p.y) + p.x) inside = !inside;
  }
  return inside;
}

/** The area, positive if the outline runs clockwise on the screen. */
export function signedArea(outline: readonly Point[]): number {
  return (
    outline.reduce((sum, point, at) => {
      const next = entryAt(outline, (at + 1) % outline.length);
      return sum + point.x * next.y - next.x * point.y;
    }, 0) / 2
  );
}

/** The centre of gravity, or the mean of the corners if the outline is flat. */
export function middleOf(outline: readonly Point[]): Point {
  const first = outline[0] ?? { x: 0, y: 0 };
  const area = signedArea(outline);
  if (Math.abs(area) < 1e-6) {
    const count = Math.max(1, outline.length);
    return {
      x: outline.reduce((sum, { x }) => sum + x, 0) / count,
      y: outline.reduce((sum, { y }) => sum + y, 0) / count,
    };
  }
  // Coordinates are measured from the first corner, because large numbers would lose digits.
  let [x, y] = [0, 0];
  for (const [at, point] of outline.entries()) {
    const [a, b] = [minus(point, first), minus(entryAt(outline, (at + 1) % outline.length), first)];
    const cross = a.x * b.y - b.x * a.y;
    x += (a.x + b.x) * cross;
    y += (a.y + b.y) * cross;
  }
  return { x: first.x + x / (6 * area), y: first.y + y / (6 * area) };
}

/** True if the corners are numbers and enclose an area. */
export function isOutline(points: readonly Point[] | undefined): points is readonly Point[] {
  return (
    Array.isArray(points) &&
    points.length >= 3 &&
    points.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y)) &&
    Math.abs(signedArea(points)) > 0.5
  );
}
