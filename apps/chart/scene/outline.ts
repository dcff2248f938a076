/** Outlines: what is inside, how far the edge is, and where a name has room. */
import type { Point } from '#server/standins/seatsio/wire.ts';

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export function emptyBox(): Box {
  return { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
}

export function widen(box: Box, x: number, y: number, by = 0): void {
  box.left = Math.min(box.left, x - by);
  box.top = Math.min(box.top, y - by);
  box.right = Math.max(box.right, x + by);
  box.bottom = Math.max(box.bottom, y + by);
}

export function widenBy(box: Box, other: Box): void {
  if (other.left > other.right) return;
  widen(box, other.left, other.top);
  widen(box, other.right, other.bottom);
}

export function isOutside(box: Box, x: number, y: number, by: number): boolean {
  return x < box.left - by || x > box.right + by || y < box.top - by || y > box.bottom + by;
}

/** Whether two boxes meet, or are closer than `by`. */
export function overlaps(one: Box, other: Box, by = 0): boolean {
  return (
    one.left <= other.right + by &&
    one.right >= other.left - by &&
    one.top <= other.bottom + by &&
    one.bottom >= other.top - by
  );
}

/**
 * The point of a lattice that is farthest from the outline; of equally far points one near the
 * middle. A name there stays inside even a horseshoe.
 */
export function middleOf(points: readonly Point[]): Point {
  const box = emptyBox();
  for (const point of points) widen(box, point.x, point.y);
  const center = { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
  const steps = 12;
  let best = center;
  let room = -Infinity;
  for (let column = 1; column < steps; column++) {
    for (let line = 1; line < steps; line++) {
      const at = {
        x: box.left + ((box.right - box.left) * column) / steps,
        y: box.top + ((box.bottom - box.top) * line) / steps,
      };
      if (!isInside(points, at.x, at.y)) continue;
      const score = distanceToEdge(points, at) - Math.hypot(at.x - center.x, at.y - center.y) * 0.1;
      if (score > room) {
        room = score;
        best = at;
      }
    }
  }
  return best;
}

const origin: Point = { x: 0, y: 0 };

/** How far a line of text may extend to both sides within the outline. */
export function widthAt(points: readonly Point[], { x, y }: Point): number {
  let half = Infinity;
  let p = points.at(-1) ?? origin;
  for (const q of points) {
    if (p.y > y !== q.y > y)
      half = Math.min(half, Math.abs(((q.x - p.x) * (y - p.y)) / (q.y - p.y) + p.x - x));
    p = q;
  }
  return half === Infinity ? 0 : 2 * half;
}

/** The same for a line with a height: the narrowest of its top, middle and bottom. */
export function lineRoomAt(points: readonly Point[], at: Point, height: number): number {
  return Math.min(
    ...[-0.5, 0, 0.5].map((share) => widthAt(points, { x: at.x, y: at.y + share * height })),
  );
}

/** How far the line may extend upwards and downwards. */
export function heightAt(points: readonly Point[], { x, y }: Point): number {
  return widthAt(
    points.map((point) => ({ x: point.y, y: point.x })),
    { x: y, y: x },
  );
}

export function distanceToEdge(points: readonly Point[], { x, y }: Point): number {
  let nearest = Infinity;
  let p = points.at(-1) ?? origin;
  for (const q of points) {
    const dx = q.x - p.x;
    const dy = q.y - p.y;
    const share = Math.max(
      0,
      Math.min(1, ((x - p.x) * dx + (y - p.y) * dy) / (dx * dx + dy * dy || 1)),
    );
    nearest = Math.min(nearest, (p.x + share * dx - x) ** 2 + (p.y + share * dy - y) ** 2);
    p = q;
  }
  return Math.sqrt(nearest);
}

export function isInside(points: readonly Point[], x: number, y: number): boolean {
  let inside = false;
  let q = points.at(-1) ?? origin;
  for (const p of points) {
    if (p.y > y !== q.y > y && x < ((q.x - p.x) * (y - p.y)) / (q.y - p.y) + p.x) inside = !inside;
    q = p;
  }
  return inside;
}

export function pathOf(points: readonly Point[]): Path2D {
  const path = new Path2D();
  points.forEach((point, at) =>
    at === 0 ? path.moveTo(point.x, point.y) : path.lineTo(point.x, point.y),
  );
  path.closePath();
  return path;
}
