/**
 * Packs the seats of a row for the wire: regular stretches as lines and arcs, labels as ranges,
 * equal categories as counts.
 */
import type { DrawingSeat, Point } from './read-drawing.ts';
import type { WireLabels, WireRun, WireSeats } from '#server/standins/seatsio/wire.ts';
import { entryAt } from '#server/drawing/model/entry.ts';

/** How far a packed seat may be from its drawn place, in tenths of a unit; that is invisible. */
const TOLERANCE = 1;
/** A step that differs by more than this begins another stretch, usually after an aisle. */
const SAME_STEP = 4;

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

function pointsOf(seats: DrawingSeat[]): Point[] {
  return seats.map(({ x, y }) => ({ x: x * 10, y: y * 10 }));
}

/** Cuts a row where the distance between neighbours changes, so that an aisle ends a stretch. */
function cutStretches(points: Point[]): Point[][] {
  const stretches: Point[][] = [];
  let stretch: Point[] = [];
  let step = -1;
  points.forEach((point, at) => {
    const before = points[at - 1];
    const distance = before ? Math.hypot(point.x - before.x, point.y - before.y) : 0;
    if (before && (step < 0 || Math.abs(distance - step) <= SAME_STEP)) {
      if (step < 0) step = distance;
      stretch.push(point);
      return;
    }
    if (stretch.length > 0) stretches.push(stretch);
    stretch = [point];
    step = -1;
  });
  if (stretch.length > 0) stretches.push(stretch);
  return stretches;
}

function fits(points: Point[], at: (index: number) => Point): boolean {
  return points.every((point, index) => {
    const { x, y } = at(index);
    return Math.abs(x - point.x) <= TOLERANCE && Math.abs(y - point.y) <= TOLERANCE;
  });
}

function asLine(points: Point[]): WireRun | null {
  const [first, last] = [entryAt(points, 0), entryAt(points, -1)];
  const steps = Math.max(1, points.length - 1);
  const line: [number, number, number, number] = [
    round(first.x, 1),
    round(first.y, 1),
    round((last.x - first.x) / steps, 2),
    round((last.y - first.y) / steps, 2),
  ];
  const [x, y, dx, dy] = line;
  return fits(points, (index) => ({ x: x + index * dx, y: y + index * dy }))
    ? { count: points.length, line }
    : null;
}

/** The circle through the first, middle and last seat, if all seats lie on it at equal angles. */
function asArc(points: Point[]): WireRun | null {
  if (points.length < 3) return null;
  const [a, b, c] = [entryAt(points, 0), entryAt(points, points.length >> 1), entryAt(points, -1)];
  const turn = 2 * (a.x * (b.y - c.y) + b.x * (c.y - a.y) + c.x * (a.y - b.y));
  if (Math.abs(turn) < 1e-3) return null;
  const square = (point: Point) => point.x ** 2 + point.y ** 2;
  const x = round(
    (square(a) * (b.y - c.y) + square(b) * (c.y - a.y) + square(c) * (a.y - b.y)) / turn,
    1,
  );
  const y = round(
    (square(a) * (c.x - b.x) + square(b) * (a.x - c.x) + square(c) * (b.x - a.x)) / turn,
    1,
  );
  const radius = round(Math.hypot(a.x - x, a.y - y), 1);
  if (radius > 1e6) return null;
  const angleOf = (point: Point) => Math.atan2(point.y - y, point.x - x);
  const near = (angle: number) => angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
  const guess = near(angleOf(entryAt(points, 1)) - angleOf(a)) * (points.length - 1);
  const step = round((guess + near(angleOf(c) - angleOf(a) - guess)) / (points.length - 1), 6);
  const from = round(angleOf(a), 6);
  const at = (index: number) => ({
    x: x + radius * Math.cos(from + index * step),
    y: y + radius * Math.sin(from + index * step),
  });
  return fits(points, at) ? { count: points.length, arc: [x, y, radius, from, step] } : null;
}

/** Rounded before the differences are computed, so that rounding errors do not add up. */
function asSteps(points: Point[]): WireRun {
  const whole = points.map(({ x, y }) => ({ x: Math.round(x), y: Math.round(y) }));
  return {
    count: points.length,
    steps: whole.flatMap(({ x, y }, at) => {
      const before = whole[at - 1] ?? { x: 0, y: 0 };
      return [x - before.x, y - before.y];
    }),
  };
}

function packLabels(labels: string[]): WireLabels {
  const from = Number(labels[0]);
  const step = labels.length > 1 ? Number(labels[1]) - from : 1;
  const isRange =
    Number.isSafeInteger(from) &&
    Number.isSafeInteger(step) &&
    labels.every((label, at) => label === String(from + at * step));
  return isRange ? { from, step } : labels;
}

/** One number if all are equal, else pairs of a value and how many times it repeats. */
function packRuns(values: number[]): number | number[] {
  if (values.every((value) => value === values[0])) return values[0] ?? -1;
  const runs: number[] = [];
  values.forEach((value, at) => {
    if (at > 0 && values[at - 1] === value) runs.push((runs.pop() ?? 0) + 1);
    else runs.push(value, 1);
  });
  return runs;
}

/** Packs seats in physical order; each has the index of its category. */
export function packSeats(seats: DrawingSeat[], categories: number[]): WireSeats {
  const labels = seats.map((seat) => seat.label);
  const displayed = seats.map((seat) => seat.displayLabel);
  const flags = seats.flatMap((seat, at) => (seat.flags === 0 ? [] : [at, seat.flags]));
  const gaps = seats.flatMap((seat, at) => (seat.gapAfter ? [at] : []));
  return {
    labels: packLabels(labels),
    displayLabels: displayed.every((label, at) => label === labels[at])
      ? undefined
      : packLabels(displayed),
    runs: cutStretches(pointsOf(seats)).map(
      (points) => asLine(points) ?? asArc(points) ?? asSteps(points),
    ),
    categories: packRuns(categories),
    flags: flags.length > 0 ? flags : undefined,
    gapsAfter: gaps.length > 0 ? gaps : undefined,
  };
}
