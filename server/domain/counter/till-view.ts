/**
 * Which orders a person may see: the office all of them, a cashier those of the till (RULES K7).
 * The one place that says so; SQL and single calls follow it.
 */
import { daysAround } from '#server/domain/time/day.ts';
import { scopeOf } from '#server/domain/user/rights.ts';
import type { Role } from '#server/domain/user/user.ts';

/**
 * Orders of published evenings that were not over before a moment, and those of the open shift of
 * one person.
 */
export interface TillView {
  user_id: string;
  not_over_before: number;
}

/**
 * Undefined: there is nothing that they may not see. Whoever has no right to orders at all was
 * refused before.
 */
export function viewOf(
  { id, role }: { id: string; role: Role },
  now: number,
): TillView | undefined {
  if (scopeOf(role, 'see_orders') === 'all') return undefined;
  // An hour after the last bow somebody still comes back to the window.
  return { user_id: id, not_over_before: daysAround(now).today.from };
}
