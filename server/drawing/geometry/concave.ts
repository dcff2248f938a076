/**
 * An outline that follows the bays between its points, as around a horseshoe of rows. All that is
 * near the points is marked on a grid, and its border traced.
 */
import type { Point } from '#server/drawing/model/data.ts';
import { isInside, outlineWithRoom, signedArea } from './hull.ts';
import { rounded } from './vector.ts';
import { entryAt } from '#server/drawing/model/entry.ts';

/** The number of grid cells along the longer side, and the most of them in a large hall. */
const FINE = 180;
const FINEST = 320;
/** A narrow band needs so many cells for the room beside it. */
const CELLS_OF_ROOM = 3;
/** A bay smaller than this share of the convex outline is filled. */
const WORTH = 0.08;

interface Grid {
  left: number;
  top: number;
  cell: number;
  wide: number;
  high: number;
}

function gridAround(points: readonly Point[], { bridge, room }: Reach): Grid {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of points) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  // A single point, or points close together, get a grid no finer than their size requires.
  const longer = Math.max(right - left, bottom - top, 2 * bridge);
  const cell = Math.max(longer / FINEST, Math.min(longer / FINE, room / CELLS_OF_ROOM));
  const margin = bridge + 2 * cell;
  return {
    left: left - margin,
    top: top - margin,
    cell,
    wide: Math.ceil((right - left + 2 * margin) / cell),
    high: Math.ceil((bottom - top + 2 * margin) / cell),
  };
}

/**
 * The distance of each cell from the nearest marked one, in cells: approximated by steps to
 * neighbours, straight and diagonal. The rows at the edge are left out, because they are margin.
 */
function distances(marked: Uint8Array, { wide }: Grid): Float32Array {
  const far = new Float32Array(marked.length);
  for (let at = 0; at < far.length; at += 1) far[at] = marked[at] === 1 ? 0 : Infinity;
  for (const by of [1, -1]) {
    const [beside, before] = [-by, -by * wide];
    const [corner, other] = [before - by, before + by];
    const [first, last] =
      by > 0 ? [wide + 1, far.length - wide - 1] : [far.length - wide - 2, wide];
    for (let at = first; at !== last; at += by) {
      const straight = Math.min(far[at + beside] ?? Infinity, far[at + before] ?? Infinity) + 1;
      const across = Math.min(far[at + corner] ?? Infinity, far[at + other] ?? Infinity);
      const nearest = Math.min(straight, across + Math.SQRT2);
      if (nearest < (far[at] ?? Infinity)) far[at] = nearest;
    }
  }
  return far;
}

/** The distance of each cell from the nearest point, in cells. */
function distancesFrom(points: readonly Point[], grid: Grid): Float32Array {
  const { left, top, cell, wide, high } = grid;
  const seeds = new Uint8Array(wide * high);
  for (const { x, y } of points)
    seeds[Math.floor((y - top) / cell) * wide + Math.floor((x - left) / cell)] = 1;
  return distances(seeds, grid);
}

/** Marks the cells that pass a test; `Uint8Array.from` takes four times as long. */
function cellsWhere(count: number, test: (at: number) => boolean): Uint8Array {
  const marked = new Uint8Array(count);
  for (let at = 0; at < count; at += 1) if (test(at)) marked[at] = 1;
  return marked;
}

/** True if all cells that are as near as this to the points hang together. */
function isOne(near: Float32Array, { wide }: Grid, reach: number): boolean {
  const marked = cellsWhere(near.length, (at) => (near[at] ?? Infinity) <= reach);
  const first = marked.indexOf(1);
  const open = [first];
  marked[first] = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop())
    for (const next of [at - 1, at + 1, at - wide, at + wide])
      if (marked[next] === 1) {
        marked[next] = 0;
        open.push(next);
      }
  return !marked.includes(1);
}

/**
 * Widens the points by `bridge` and narrows the result again, so that gaps between rows close and
 * bays stay open.
 */
function closed(near: Float32Array, grid: Grid, { bridge, room }: Reach): Uint8Array {
  const [far, close, inner] = [bridge, room, bridge - room].map((length) => length / grid.cell) as [
    number,
    number,
    number,
  ];
  const deep = distances(
    cellsWhere(near.length, (at) => (near[at] ?? Infinity) > far),
    grid,
  );
  return cellsWhere(
    near.length,
    (at) => (deep[at] ?? 0) > inner || (near[at] ?? Infinity) <= close,
  );
}

/** The borders between marked and other cells as closed lines, the marked ones to the right. */
function borders(marked: Uint8Array, { wide }: Grid): Point[][] {
  // Corners are counted row by row, with one more in a row than there are cells.
  const side = wide + 1;
  const next = new Map<number, number[]>();
  const edge = (from: number, to: number) => {
    const ends = next.get(from);
    if (ends) ends.push(to);
    else next.set(from, [to]);
  };
  for (let at = marked.indexOf(1); at >= 0; at = marked.indexOf(1, at + 1)) {
    const corner = at + Math.floor(at / wide);
    if (marked[at - wide] !== 1) edge(corner, corner + 1);
    if (marked[at + 1] !== 1) edge(corner + 1, corner + 1 + side);
    if (marked[at + wide] !== 1) edge(corner + 1 + side, corner + side);
    if (marked[at - 1] !== 1) edge(corner + side, corner);
  }
  const lines: Point[][] = [];
  for (const [corner, ends] of next) {
    if (ends.length === 0) continue;
    const line: Point[] = [];
    for (let at: number | undefined = corner; at !== undefined; at = next.get(at)?.pop())
      line.push({ x: at % side, y: Math.floor(at / side) });
    lines.push(line.slice(0, -1));
  }
  return lines;
}

/**
 * Removes points that lie nearer than `off` to the line between the remaining ones (Douglas and
 * Peucker).
 */
function simplified(line: readonly Point[], off: number): Point[] {
  const [first, last] = [entryAt(line, 0), entryAt(line, -1)];
  const length = Math.hypot(last.x - first.x, last.y - first.y);
  let [farthest, most] = [0, off];
  for (let at = 1; at < line.length - 1; at += 1) {
    const { x, y } = entryAt(line, at);
    const cross = (last.x - first.x) * (y - first.y) - (last.y - first.y) * (x - first.x);
    const far = length > 0 ? Math.abs(cross) / length : Math.hypot(x - first.x, y - first.y);
    if (far > most) [farthest, most] = [at, far];
  }
  if (farthest === 0) return [first, last];
  return [
    ...simplified(line.slice(0, farthest + 1), off).slice(0, -1),
    ...simplified(line.slice(farthest), off),
  ];
}

interface Reach {
  /** Points up to twice this distance apart are joined. */
  bridge: number;
  /** The room around every point. */
  room: number;
}

/** Clusters that are farther apart are joined by a longer bridge. */
const BRIDGES = [1, 1.6, 2.6, 4, 7];

/** Around clusters that no bridge joins, and where the bays are small, the outline is convex. */
export function clusteredOutline(points: readonly Point[], { bridge, room }: Reach): Point[] {
  const convex = outlineWithRoom(points, room);
  const grid = gridAround(points, { bridge, room });
  // In a hall so wide no bay would be seen.
  if (grid.cell > bridge) return convex;
  const near = distancesFrom(points, grid);
  const times = BRIDGES.find((by) => isOne(near, grid, (bridge * by) / grid.cell));
  const outline = times && concaveOutline(points, { bridge: bridge * times, room });
  if (!outline) return convex;
  const saved = 1 - signedArea(outline) / Math.abs(signedArea(convex) || 1);
  return saved > WORTH ? outline : convex;
}

/** Returns null if the points form several clusters. */
function concaveOutline(points: readonly Point[], reach: Reach): Point[] | null {
  const grid = gridAround(points, reach);
  const lines = borders(closed(distancesFrom(points, grid), grid, reach), grid);
  const largest = lines.reduce<Point[]>(
    (best, line) => (signedArea(line) > signedArea(best) ? line : best),
    [],
  );
  if (largest.length < 4) return null;
  const half = Math.floor(largest.length / 2);
  // The border has waves between the rows, so a part of the margin is used to straighten it.
  const off = Math.max(1.1, (0.4 * reach.room) / grid.cell);
  const corners = [
    ...simplified(largest.slice(0, half + 1), off).slice(0, -1),
    ...simplified([...largest.slice(half), entryAt(largest, 0)], off).slice(0, -1),
  ];
  const outline = corners.map(({ x, y }) => ({
    x: rounded(grid.left + x * grid.cell),
    y: rounded(grid.top + y * grid.cell),
  }));
  return points.every((point) => isInside(outline, point)) ? outline : null;
}
