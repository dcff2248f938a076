/**
 * An outline that follows the bays between its points, as around a horseshoe of rows. All that is
 * near the points is marked on a grid, and its border traced.
 */
import type { Point } from '#server/drawing/model/data.ts';
import { isInside, outlineWithRoom, signedArea } from './hull.ts';
import { rounded } from './vector.ts';
import { entryAt } from '#server/drawing/model/entry.ts';

/** The number of grid cells along the longer side. */
const FINE = 180;
/** A bay smaller than this share of the convex outline is filled. */
const WORTH = 0.08;

interface Grid {
  left: number;
  top: number;
  cell: number;
  wide: number;
  high: number;
}

function gridAround(points: readonly Point[], room: number): Grid {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of points) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  // A single point, or points close together, get a grid no finer than their size requires.
  const cell = Math.max(right - left, bottom - top, 2 * room) / FINE;
  const margin = room + 2 * cell;
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
 * neighbours, straight and diagonal.
 */
function distances(marked: Uint8Array, { wide, high }: Grid): Float32Array {
  const far = Float32Array.from(marked, (is) => (is ? 0 : Infinity));
  const shorten = (at: number, neighbour: number, step: number) => {
    far[at] = Math.min(far[at] ?? Infinity, (far[neighbour] ?? Infinity) + step);
  };
  const pass = (from: number, to: number, by: 1 | -1) => {
    for (let row = from; row !== to; row += by)
      for (let step = 0; step < wide; step += 1) {
        const at = row * wide + (by > 0 ? step : wide - 1 - step);
        const column = at % wide;
        const [beside, before] = [at - by, at - by * wide];
        const hasBeside = by > 0 ? column > 0 : column < wide - 1;
        const hasAcross = by > 0 ? column < wide - 1 : column > 0;
        const hasBefore = by > 0 ? row > 0 : row < high - 1;
        if (hasBeside) shorten(at, beside, 1);
        if (!hasBefore) continue;
        shorten(at, before, 1);
        if (hasBeside) shorten(at, before - by, Math.SQRT2);
        if (hasAcross) shorten(at, before + by, Math.SQRT2);
      }
  };
  pass(0, high, 1);
  pass(high - 1, -1, -1);
  return far;
}

/**
 * Widens the points by `bridge` and narrows the result again, so that gaps between rows close and
 * bays stay open.
 */
function closed(points: readonly Point[], grid: Grid, { bridge, room }: Reach): Uint8Array {
  const { left, top, cell, wide, high } = grid;
  const seeds = new Uint8Array(wide * high);
  for (const { x, y } of points)
    seeds[Math.floor((y - top) / cell) * wide + Math.floor((x - left) / cell)] = 1;
  const near = distances(seeds, grid);
  const outside = Uint8Array.from(near, (far) => (far * cell > bridge ? 1 : 0));
  const deep = distances(outside, grid);
  return Uint8Array.from(deep, (far, at) =>
    far * cell > bridge - room || (near[at] ?? Infinity) * cell <= room ? 1 : 0,
  );
}

/** The borders between marked and other cells as closed lines, the marked ones to the right. */
function borders(marked: Uint8Array, { wide, high }: Grid): Point[][] {
  const is = (x: number, y: number) =>
    x >= 0 && y >= 0 && x < wide && y < high && marked[y * wide + x] === 1;
  const next = new Map<string, Point[]>();
  const edge = (from: Point, to: Point) => {
    const key = `${from.x} ${from.y}`;
    next.set(key, [...(next.get(key) ?? []), to]);
  };
  for (let y = 0; y < high; y += 1)
    for (let x = 0; x < wide; x += 1) {
      if (!is(x, y)) continue;
      if (!is(x, y - 1)) edge({ x, y }, { x: x + 1, y });
      if (!is(x + 1, y)) edge({ x: x + 1, y }, { x: x + 1, y: y + 1 });
      if (!is(x, y + 1)) edge({ x: x + 1, y: y + 1 }, { x, y: y + 1 });
      if (!is(x - 1, y)) edge({ x, y: y + 1 }, { x, y });
    }
  const lines: Point[][] = [];
  for (const [key, ends] of next) {
    if (ends.length === 0) continue;
    const [x, y] = key.split(' ').map(Number) as [number, number];
    const line: Point[] = [];
    let at: Point | undefined = { x, y };
    while (at) {
      line.push(at);
      at = next.get(`${at.x} ${at.y}`)?.pop();
    }
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

/**
 * Returns the convex outline if the bays are too small, or if the points form several clusters.
 */
export function concaveOutline(points: readonly Point[], reach: Reach): Point[] {
  const convex = outlineWithRoom(points, reach.room);
  const grid = gridAround(points, reach.bridge);
  const lines = borders(closed(points, grid, reach), grid);
  const largest = lines.reduce<Point[]>(
    (best, line) => (signedArea(line) > signedArea(best) ? line : best),
    [],
  );
  if (largest.length < 4) return convex;
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
  const isWhole = points.every((point) => isInside(outline, point));
  const saved = 1 - signedArea(outline) / Math.abs(signedArea(convex) || 1);
  return isWhole && saved > WORTH ? outline : convex;
}
