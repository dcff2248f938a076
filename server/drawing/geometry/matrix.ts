/**
 * Moves, rotations, scalings and reflections as a matrix [a, b, c, d, e, f], which a canvas
 * accepts.
 */
import type { Point } from '#server/drawing/model/data.ts';
import { angleOf, normalDegrees } from './vector.ts';

export type Matrix = readonly [number, number, number, number, number, number];

export function moving(dx: number, dy: number): Matrix {
  return [1, 0, 0, 1, dx, dy];
}

function around(pivot: Point, [a, b, c, d]: readonly [number, number, number, number]): Matrix {
  return [a, b, c, d, pivot.x - a * pivot.x - c * pivot.y, pivot.y - b * pivot.x - d * pivot.y];
}

export function turning(degrees: number, pivot: Point): Matrix {
  // Quarter turns are exact, so that four of them change nothing.
  const quarters = degrees / 90;
  const radians = (degrees * Math.PI) / 180;
  const exact = Number.isInteger(quarters);
  const cos = exact ? Math.round(Math.cos(radians)) : Math.cos(radians);
  const sin = exact ? Math.round(Math.sin(radians)) : Math.sin(radians);
  return around(pivot, [cos, sin, -sin, cos]);
}

export function scaling(x: number, y: number, pivot: Point): Matrix {
  return around(pivot, [x, 0, 0, y]);
}

export function mirroring(axis: 'horizontal' | 'vertical', pivot: Point): Matrix {
  return axis === 'horizontal' ? scaling(-1, 1, pivot) : scaling(1, -1, pivot);
}

/** Composes matrices; the first one is applied first. */
export function composed(...matrices: readonly Matrix[]): Matrix {
  return matrices.reduce(([a, b, c, d, e, f], [p, q, r, s, t, u]) => [
    p * a + r * b,
    q * a + s * b,
    p * c + r * d,
    q * c + s * d,
    p * e + r * f + t,
    q * e + s * f + u,
  ]);
}

export function applied([a, b, c, d, e, f]: Matrix, { x, y }: Point): Point {
  return { x: a * x + c * y + e, y: b * x + d * y + f };
}

export function isFinite(matrix: Matrix): boolean {
  return matrix.every(Number.isFinite);
}

export function isMirroring([a, b, c, d]: Matrix): boolean {
  return a * d - b * c < 0;
}

/** The factor by which lengths along this angle grow. */
export function stretchAlong([a, b, c, d]: Matrix, degrees: number): number {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  return Math.hypot(a * cos + c * sin, b * cos + d * sin);
}

/** The factor by which lengths grow; the geometric mean if the axes differ. */
export function stretchOf([a, b, c, d]: Matrix): number {
  return Math.sqrt(Math.abs(a * d - b * c));
}

/**
 * The angle of a transformed object, measured at its underside, so that a mirror image is not
 * upside down.
 */
export function turnedAngle([a, b, c, d]: Matrix, degrees: number): number {
  const [x, y] = [-Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
  return normalDegrees(angleOf({ x: a * x + c * y, y: b * x + d * y }) - 90);
}
