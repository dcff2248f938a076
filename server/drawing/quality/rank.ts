/**
 * The rule for which place is better: the chart server gives best places by it, and the designer
 * shows their order.
 */
import { RESTRICTED } from '#server/drawing/model/flags.ts';
import type { Point } from '#server/drawing/model/data.ts';

/** Added to a rank, it puts a place after all others. */
const FAR = 1e6;
/**
 * A step of priority counts more than any distance in a hall, and less than a restricted view.
 */
const STEP = 1e5;
/** The most steps by which a house may put a place forward or back. */
export const MOST_PRIORITY = 9;

/** Computes in 32-bit floats as the vendor does, because clients compare to the last digit. */
export function distanceBetween(a: Point, b: Point): number {
  const f = Math.fround;
  const dx = f(f(a.x) - f(b.x));
  const dy = f(f(a.y) - f(b.y));
  return Math.sqrt(f(f(dx * dx) + f(dy * dy)));
}

/**
 * @returns whole steps, of which negative ones come first; 0 for anything that is not a number
 */
export function priorityOf(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 0;
  return Math.max(-MOST_PRIORITY, Math.min(MOST_PRIORITY, Math.trunc(value)));
}

/** A smaller rank is better; `distance` is undefined without a focal point. */
export function rankOf(place: { distance?: number; flags: number; priority?: number }): number {
  const behind = (place.flags & RESTRICTED) === 0 ? 0 : FAR;
  return (place.distance ?? FAR) + behind + STEP * (place.priority ?? 0);
}
