/**
 * Which orders a person may see: the office all, a cashier those of the till (RULES K7). SQL and
 * checks of one order follow this one rule.
 */
import { daysAround } from '#server/domain/time/day.ts';
import { scopeOf } from '#server/domain/user/rights.ts';
import type { Role } from '#server/domain/user/user.ts';

/**
 * Orders of published events that had not ended before a moment, those of one person's open
 * shift, and those with money to be handed back.
 */
export interface TillView {
  user_id: string;
  not_over_before: number;
}

/**
 * Undefined: the person may see all orders. A person without any right to orders was refused
 * before.
 */
export function tillViewOf(
  { id, role }: { id: string; role: Role },
  now: number,
): TillView | undefined {
  if (scopeOf(role, 'see_orders') === 'all') return undefined;
  // Events that ended today are still seen, because customers come back after the end.
  return { user_id: id, not_over_before: daysAround(now).today.from };
}
