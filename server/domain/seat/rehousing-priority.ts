/** Who gets a place first where a new hall has too few (RULES H2). */
import type { Group } from './rehousing.ts';

/**
 * What decides after the needs of wheelchairs and their company. dearer: the dearest ticket of a
 * group, then the earlier order; earlier: the other way round.
 */
export const placedFirst = ['dearer', 'earlier'] as const;
export type PlacedFirst = (typeof placedFirst)[number];

type Ranked = Pick<Group, 'id' | 'guests' | 'since'>;

/** Below zero: the first group gets its places before the second. */
export function comparePriority(a: Ranked, b: Ranked, first: PlacedFirst): number {
  const byPrice = dearestOf(a) - dearestOf(b);
  const byTime = a.since - b.since;
  const [one, other] = first === 'dearer' ? [byPrice, byTime] : [byTime, byPrice];
  return needsOf(a) - needsOf(b) || one || other || (a.id < b.id ? -1 : 1);
}

function needsOf({ guests }: Ranked): number {
  return guests.some(({ accessible, companion }) => accessible || companion) ? 0 : 1;
}

/** An order of two prices counts as its dearest; 0 is the dearest category. */
export function dearestOf({ guests }: Pick<Group, 'guests'>): number {
  return Math.min(...guests.map(({ rank }) => rank));
}
