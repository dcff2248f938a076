/**
 * Which place is better: the one rule by which the chart server gives best places, and by which
 * the designer shows their order.
 */
import { RESTRICTED } from '#server/drawing/model/flags.ts';
import type { Point } from '#server/drawing/model/data.ts';

/** Behind all other places, and still a number that can be added up. */
const FAR = 1e6;
/**
 * A step of priority outweighs any distance in a hall, and weighs less than a restricted view.
 */
const STEP = 1e5;
/** Steps that a house may put a place forward or back. */
export const MOST_PRIORITY = 9;

/** The vendor measures in 32-bit floats, and clients compare to the last digit. */
export function distanceBetween(a: Point, b: Point): number {
  const f = Math.fround;
  const dx = f(f(a.x) - f(b.x));
  const dy = f(f(a.y) - f(b.y));
  return Math.sqrt(f(f(dx * dx) + f(dy * dy)));
}

/** @returns whole steps, 0 for anything that is no number; negative comes first */
export function priorityOf(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 0;
  return Math.max(-MOST_PRIORITY, Math.min(MOST_PRIORITY, Math.trunc(value)));
}

/** The smaller the better; `distance` is undefined where there is no focal point. */
export function rankOf(place: { distance?: number; flags: number; priority?: number }): number {
  const behind = (place.flags & RESTRICTED) === 0 ? 0 : FAR;
  return (place.distance ?? FAR) + behind + STEP * (place.priority ?? 0);
}
