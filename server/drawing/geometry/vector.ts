/** Points and vectors; angles are degrees, clockwise on a screen whose y points down. */
import type { Point } from '#server/drawing/model/data.ts';

export const ORIGIN: Point = { x: 0, y: 0 };

export function plus(a: Point, b: Point): Point {
  return { x: a.x + b.x, y: a.y + b.y };
}
export function minus(a: Point, b: Point): Point {
  return { x: a.x - b.x, y: a.y - b.y };
}
export function times(a: Point, factor: number): Point {
  return { x: a.x * factor, y: a.y * factor };
}
export function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
export function between(a: Point, b: Point): Point {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}
export function dot(a: Point, b: Point): number {
  return a.x * b.x + a.y * b.y;
}

/** The direction as a vector of length 1; it points right if both points are equal. */
export function directionOf(from: Point, to: Point): Point {
  const length = distance(from, to);
  return length < 1e-9 ? { x: 1, y: 0 } : times(minus(to, from), 1 / length);
}

/** The vector to the right of a direction. */
export function normalOf({ x, y }: Point): Point {
  return { x: -y, y: x };
}

export function angleOf({ x, y }: Point): number {
  return (Math.atan2(y, x) * 180) / Math.PI;
}

/** The point at distance `reach` from another, under this angle. */
export function away(from: Point, degrees: number, reach: number): Point {
  const radians = (degrees * Math.PI) / 180;
  return { x: from.x + reach * Math.cos(radians), y: from.y + reach * Math.sin(radians) };
}

/**
 * The point under an angle that is 0 downwards and 90 to the right, as from the stage into the
 * hall.
 */
export function onCircle(centre: Point, radius: number, degrees: number): Point {
  const angle = (degrees * Math.PI) / 180;
  return { x: centre.x + radius * Math.sin(angle), y: centre.y + radius * Math.cos(angle) };
}

/** The same angle above -180 and up to 180. */
export function normalDegrees(degrees: number): number {
  const rest = ((((degrees % 360) + 360) % 360) + 360) % 360;
  return rest > 180 ? rest - 360 : rest;
}

/** No drawing is larger; beyond this rounding errors would show. */
const MOST = 1_000_000;

/** Rounds to hundredths of a unit, in which a drawing is stored. */
export function rounded(value: number): number {
  return Math.round(Math.max(-MOST, Math.min(MOST, value)) * 100) / 100 + 0;
}

export function roundedPoint({ x, y }: Point): Point {
  return { x: rounded(x), y: rounded(y) };
}

export function isPoint(value: { x?: unknown; y?: unknown } | null | undefined): value is Point {
  return Number.isFinite(value?.x) && Number.isFinite(value?.y);
}

/** A whole number within bounds, for any number. */
export function whole(value: number, [least, most]: readonly [number, number]): number {
  return Math.max(least, Math.min(most, Math.round(Number.isFinite(value) ? value : least)));
}

/** The given length if it is positive, else the usual one. */
export function lengthOr(value: number | undefined, usual: number): number {
  return value !== undefined && Number.isFinite(value) && value > 0.01
    ? Math.min(value, 100_000)
    : usual;
}
