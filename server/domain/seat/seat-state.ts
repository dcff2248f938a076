/** The state of a seat in the office’s view: from orders, admissions and seats.io. */
import type { TicketState } from '#server/domain/door/admission.ts';

/**
 * Free; in a visitor's cart; booked for an order that is being paid; sold; sold and inside;
 * unavailable for another reason.
 */
export const seatStates = ['free', 'held', 'paying', 'sold', 'inside', 'blocked'] as const;
export type SeatState = (typeof seatStates)[number];

/** The seat map's status of a seat in a visitor's cart. */
export const heldStatus = 'reservedByToken';

/**
 * The office's word for an empty place of an object that is sold whole to fewer people than it has
 * places (RULES S8).
 */
export const closedStatus = 'closed_in_whole';

/** What the seat map says about an object that is not simply free. */
export interface MapFacts {
  status: string;
  for_sale: boolean;
}

/**
 * `order`: the state of the place's live order; `ticket`: the state of its ticket; null: there is
 * none. `map` is null where the seat map calls the place free.
 */
export interface SeatFacts {
  order: string | null;
  ticket: TicketState | null;
  inside: boolean;
  map: MapFacts | null;
}

/** Our own orders come first; the seat map decides only about places without one. */
export function seatStateOf({ order, ticket, inside, map }: SeatFacts): SeatState {
  if (ticket === 'valid') return inside ? 'inside' : 'sold';
  // The ticket has ended while its seat is still booked, so the seat cannot be sold now.
  if (ticket !== null) return 'blocked';
  if (order !== null) return 'paying';
  if (map === null) return 'free';
  if (map.status === heldStatus) return 'held';
  return map.status === 'free' && map.for_sale ? 'free' : 'blocked';
}

/** Sold by us but free at the seat map, so it could be sold a second time. */
export function isUnguarded(state: SeatState, map: MapFacts | null): boolean {
  return (
    (state === 'sold' || state === 'inside') &&
    (map === null || map.status === 'free' || map.status === heldStatus)
  );
}

/**
 * Places of a standing area that are taken at the seat map, which counts them without naming any.
 */
interface AreaFacts {
  booked: number;
  held: number;
  closed: number;
}

/**
 * `ours`: places of the area in live order lines; any further booked places belong to another
 * shop.
 */
export function areaStateOf(area: AreaFacts, ours: number): { held: number; blocked: number } {
  return { held: area.held, blocked: area.closed + Math.max(0, area.booked - ours) };
}

interface CountedPlace {
  category: string;
  state: SeatState;
  price_cents: number;
}
interface CategoryCount extends Record<SeatState, number> {
  category: string;
  places: number;
  income_cents: number;
}

/**
 * Counts by category, in the order of their first place; income is of valid tickets. Places of
 * areas are first counted as free, then corrected by the counts of their area.
 */
export function countCategories(
  places: readonly CountedPlace[],
  areas: readonly { category: string; held: number; blocked: number }[],
): CategoryCount[] {
  const counts = new Map<string, CategoryCount>();
  for (const { category, state, price_cents } of places) {
    const count = counts.get(category) ?? {
      category,
      places: 0,
      free: 0,
      held: 0,
      paying: 0,
      sold: 0,
      inside: 0,
      blocked: 0,
      income_cents: 0,
    };
    counts.set(category, count);
    count.places += 1;
    count[state] += 1;
    if (state === 'sold' || state === 'inside') count.income_cents += price_cents;
  }
  for (const area of areas) {
    const count = counts.get(area.category);
    if (!count) continue;
    for (const state of ['held', 'blocked'] as const) {
      const moved = Math.min(count.free, area[state]);
      count.free -= moved;
      count[state] += moved;
    }
  }
  return [...counts.values()];
}
