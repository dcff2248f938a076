/**
 * Computes the seats of new rows (one row, bends, a whole block), also for the preview while
 * drawing.
 */
import type { Point } from '#server/drawing/model/data.ts';
import {
  ROW_SPACING,
  SEAT_SPACING,
  bentTrackOf,
  placedOn,
} from '#server/drawing/geometry/row-shape.ts';
import { curvedTrack, type Track } from '#server/drawing/geometry/track.ts';
import { applied, turning } from '#server/drawing/geometry/matrix.ts';
import {
  away,
  distance,
  isPoint,
  lengthOr,
  roundedPoint,
  whole,
} from '#server/drawing/geometry/vector.ts';
import { entryAt } from '#server/drawing/model/entry.ts';

/** No hall has a longer row, or a block of more rows. */
export const MOST_SEATS = 500;
const MOST_ROWS = 200;

export interface RowLine {
  from: Point;
  to: Point;
  /** Left out, as many seats as fit. */
  seats?: number;
  spacing?: number;
  /** The height of the arc over its chord; positive to the right of the row's direction. */
  curve?: number;
}

function fitting(track: Track, end: number, spacing: number): number[] {
  const steps: number[] = [];
  let mark = track.walk(0, spacing);
  while (mark <= end + 1e-6 && steps.length < MOST_SEATS - 1) {
    steps.push(spacing);
    mark = track.walk(mark, spacing);
  }
  return steps;
}

/** The steps that end exactly at both ends, found by bisection. */
function filling(track: Track, end: number, seats: number): number[] {
  let [low, high] = [0, distance(track.pointAt(0), track.pointAt(end)) * 2 + end + 1];
  const ends = (step: number) =>
    Array.from({ length: seats - 1 }).reduce<number>((mark) => track.walk(mark, step), 0);
  for (let tries = 0; tries < 50; tries += 1) {
    const step = (low + high) / 2;
    if (ends(step) < end) low = step;
    else high = step;
  }
  return Array.from({ length: seats - 1 }, () => low);
}

/** Returns no seats if the ends or the curve are not numbers. */
export function rowSeats({ from, to, seats, spacing, curve = 0 }: RowLine): Point[] {
  if (!isPoint(from) || !isPoint(to) || !Number.isFinite(curve)) return [];
  const half = distance(from, to) / 2;
  const track = curvedTrack(from, to, Math.max(-half, Math.min(half, curve)));
  const end = track.markOf(to);
  const step = lengthOr(spacing, SEAT_SPACING);
  const count = seats === undefined ? undefined : whole(seats, [1, MOST_SEATS]);
  const isFilled = count !== undefined && spacing === undefined && half > 0 && count > 1;
  if (isFilled) return placedOn(track, 0, filling(track, end, count)).map(roundedPoint);
  if (count !== undefined)
    return placedOn(
      track,
      0,
      Array.from({ length: count - 1 }, () => step),
    ).map(roundedPoint);
  const steps = fitting(track, end, step);
  const last = steps.reduce((mark) => track.walk(mark, step), 0);
  // Both ends get half of the rest of an arc, so that the row stays centred.
  const start = Math.abs(curve) > 1e-6 ? Math.max(0, end - last) / 2 : 0;
  return placedOn(track, start, steps).map(roundedPoint);
}

export interface Bends {
  points: readonly Point[];
  smooth?: boolean;
  spacing?: number;
}

export function segmentedSeats({ points, smooth, spacing }: Bends): Point[] {
  const apart = points.filter(
    (point, at) => at === 0 || distance(point, entryAt(points, at - 1)) > 0.5,
  );
  if (apart.length < 2 || !apart.every(isPoint)) return [];
  const track = bentTrackOf(apart, smooth);
  const steps = fitting(track, track.markOf(entryAt(apart, -1)), lengthOr(spacing, SEAT_SPACING));
  return placedOn(track, 0, steps).map(roundedPoint);
}

export interface Block {
  /** The middle of the first row. */
  origin: Point;
  rows: number;
  /**
   * The seats of each row: one number for all, or one for each row, of which the last repeats.
   */
  seats: number | readonly number[];
  seatSpacing?: number;
  rowSpacing?: number;
  /** The height of the first row's arc over its chord; the other rows have the same centre. */
  curve?: number;
  /** Every second row is shifted by this much. */
  stagger?: number;
  /** Each row is shifted by this much from the one before. */
  skew?: number;
  rotation?: number;
  /** How rows of different lengths are aligned. */
  align?: 'start' | 'middle' | 'end';
}

/** The radius; `sign` is positive if the circle's centre lies before the first row. */
function circleOf(curve: number, seats: number, spacing: number): { radius: number; sign: number } {
  const length = (seats - 1) * spacing;
  const height = Math.min(Math.abs(curve), length / Math.PI);
  if (height < 0.01) return { radius: Infinity, sign: 1 };
  let [low, high] = [length / Math.PI / 1.001, 1e7];
  for (let tries = 0; tries < 80; tries += 1) {
    const radius = (low + high) / 2;
    const turn = (seats - 1) * Math.asin(Math.min(1, spacing / 2 / radius));
    if (radius * (1 - Math.cos(turn)) > height) low = radius;
    else high = radius;
  }
  return { radius: high, sign: Math.sign(curve) };
}

export function blockSeats(block: Block): Point[][] {
  const { origin, align = 'middle', curve = 0, stagger = 0, skew = 0, rotation = 0 } = block;
  const numbers = [origin.x, origin.y, curve, stagger, skew, rotation];
  if (!numbers.every(Number.isFinite)) return [];
  const spacing = lengthOr(block.seatSpacing, SEAT_SPACING);
  const depth = lengthOr(block.rowSpacing, ROW_SPACING);
  const rows = whole(block.rows, [1, MOST_ROWS]);
  const given = typeof block.seats === 'number' ? [block.seats] : block.seats;
  const counts = Array.from({ length: rows }, (_, row) =>
    whole(given[Math.min(row, given.length - 1)] ?? 1, [1, MOST_SEATS]),
  );
  const most = Math.max(...counts);
  const { radius, sign } = circleOf(curve, entryAt(counts, 0), spacing);
  const turn = turning(rotation, origin);
  return counts.map((count, row) => {
    const room = ((most - count) / 2) * spacing;
    const aligned = { start: -room, middle: 0, end: room }[align];
    const aside = aligned + row * skew + (row % 2) * stagger;
    const grown = radius + sign * row * depth;
    // Rows whose radius becomes too small would close to a ring, so they become copies of the
    // first.
    const isRing = grown < (count * spacing) / (1.5 * Math.PI);
    const own = isRing ? radius : grown;
    const middle = origin.y + row * depth - sign * own;
    return Array.from({ length: count }, (_, seat) => {
      const place = seat - (count - 1) / 2;
      if (own === Infinity)
        return { x: origin.x + aside + place * spacing, y: origin.y + row * depth };
      const step = 2 * Math.asin(Math.min(1, spacing / 2 / own));
      const degrees = ((place * step + aside / own) * 180) / Math.PI;
      return away({ x: origin.x, y: middle }, sign > 0 ? 90 - degrees : degrees - 90, own);
    }).map((point) => roundedPoint(applied(turn, point)));
  });
}

/** The block that fills a rectangle. */
export function blockFor(
  from: Point,
  to: Point,
  spacing: { seatSpacing?: number; rowSpacing?: number } = {},
): { origin: Point; rows: number; seats: number } {
  const [width, height] = [Math.abs(to.x - from.x), Math.abs(to.y - from.y)];
  return {
    origin: { x: (from.x + to.x) / 2, y: Math.min(from.y, to.y) },
    rows: whole(Math.floor(height / lengthOr(spacing.rowSpacing, ROW_SPACING)) + 1, [1, MOST_ROWS]),
    seats: whole(Math.floor(width / lengthOr(spacing.seatSpacing, SEAT_SPACING)) + 1, [
      1,
      MOST_SEATS,
    ]),
  };
}
