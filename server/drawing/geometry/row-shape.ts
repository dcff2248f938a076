/**
 * The shape of a row, computed from its seats: their distance, the bend, and the line on which it
 * continues.
 */
import type { Point, RowData } from '#server/drawing/model/data.ts';
import { bentTrack, curvedTrack, smoothed, straightTrack, type Track } from './track.ts';
import { between, directionOf, distance, dot, minus, normalOf } from './vector.ts';
import { entryAt } from '#server/drawing/model/entry.ts';

/** The usual distances from seat to seat and from row to row. */
export const SEAT_SPACING = 24;
export const ROW_SPACING = 33;

type Shaped = Pick<RowData, 'seats' | 'points' | 'smooth' | 'chairSpacing' | 'rotationAngle'>;

export function stepsOf(seats: readonly Point[]): number[] {
  return seats.slice(1).map((seat, at) => distance(entryAt(seats, at), seat));
}

/**
 * The usual distance between neighbours; for a single seat the one with which its row was drawn.
 */
export function spacingOf({ seats, chairSpacing }: Shaped): number {
  const steps = stepsOf(seats)
    .filter((step, at) => step > 0.5 && entryAt(seats, at).x_gapAfter !== true)
    .toSorted((a, b) => a - b);
  const drawn = typeof chairSpacing === 'number' && chairSpacing > 0 ? chairSpacing : SEAT_SPACING;
  return steps[Math.floor((steps.length - 1) / 2)] ?? drawn;
}

/** The height of the arc through the first, the middle and the last seat over their chord. */
export function curveThrough(seats: readonly Point[]): number {
  const [from, to] = [seats[0], seats.at(-1)];
  if (!from || !to || seats.length < 3) return 0;
  const half = distance(from, to) / 2;
  if (half < 0.5) return 0;
  const direction = directionOf(from, to);
  const middle = between(from, to);
  const inner = seats.slice(1, -1).map((seat) => minus(seat, middle));
  const [nearest] = inner.toSorted(
    (a, b) => Math.abs(dot(a, direction)) - Math.abs(dot(b, direction)),
  );
  if (!nearest) return 0;
  const [x, y] = [dot(nearest, direction), dot(nearest, normalOf(direction))];
  if (Math.abs(y) < 0.02) return 0;
  const aside = (x * x + y * y - half * half) / (2 * y);
  return aside + Math.sign(y) * Math.hypot(half, aside);
}

function standsOn(track: Track, seats: readonly Point[], tolerance: number): boolean {
  return seats.every((seat) => distance(seat, track.pointAt(track.markOf(seat))) <= tolerance);
}

/** The line of a segmented row. */
export function bentTrackOf(points: readonly Point[], smooth: boolean | undefined): Track {
  return bentTrack(smooth === true ? smoothed(points) : points);
}

/**
 * The row's line, in the coordinates of its seats. Without a line of its own the row continues as
 * its last seats do.
 */
export function trackOf(row: Shaped): Track {
  const { seats, points } = row;
  const tolerance = Math.max(0.3, spacingOf(row) * 0.06);
  if (Array.isArray(points) && points.length > 1) {
    const track = bentTrackOf(points, row.smooth);
    if (standsOn(track, seats, tolerance)) return track;
  }
  const [from, to] = [seats[0] ?? { x: 0, y: 0 }, seats.at(-1) ?? { x: 0, y: 0 }];
  if (seats.length < 2) {
    const radians = (Number(row.rotationAngle ?? 0) * Math.PI) / 180;
    return straightTrack(from, { x: Math.cos(radians), y: Math.sin(radians) });
  }
  const track = curvedTrack(from, to, curveThrough(seats));
  return standsOn(track, seats, tolerance) ? track : bentTrack(seats);
}

/** Points on a track from a mark on, `steps` apart. */
export function placedOn(track: Track, from: number, steps: readonly number[]): Point[] {
  const marks = [from];
  for (const step of steps) marks.push(track.walk(entryAt(marks, -1), step));
  return marks.map(track.pointAt);
}

/**
 * Seats at these distances, bent by `curve` around the middle of their chord, up to half a
 * circle.
 */
export function bentSeats(
  steps: readonly number[],
  curve: number,
  { middle, direction }: { middle: Point; direction: Point },
): Point[] {
  const length = steps.reduce((sum, step) => sum + step, 0);
  const turns = (bend: number) =>
    steps.map((step) => 2 * Math.asin(Math.min(1, (step * bend) / 2)));
  const sum = (angles: readonly number[]) => angles.reduce((all, angle) => all + angle, 0);
  const height = (bend: number) => (1 - Math.cos(sum(turns(bend)) / 2)) / bend;
  let [low, high] = [1e-9, Math.PI / Math.max(length, 1e-6)];
  for (let tries = 0; tries < 60; tries += 1) {
    const bend = (low + high) / 2;
    if (height(bend) < Math.abs(curve)) low = bend;
    else high = bend;
  }
  const isBent = Math.abs(curve) > length * 1e-5 && length > 0;
  const bend = isBent ? low : 0;
  const angles = isBent ? turns(bend) : [];
  const normal = normalOf(direction);
  const ends = sum(angles) / 2;
  let [turn, along] = [-ends, -length / 2];
  return [0, ...steps].map((step, at) => {
    if (at > 0) [turn, along] = [turn + (angles[at - 1] ?? 0), along + step];
    const x = isBent ? Math.sin(turn) / bend : along;
    const y = isBent ? (Math.sign(curve) * (Math.cos(turn) - Math.cos(ends))) / bend : 0;
    return {
      x: middle.x + direction.x * x + normal.x * y,
      y: middle.y + direction.y * x + normal.y * y,
    };
  });
}
