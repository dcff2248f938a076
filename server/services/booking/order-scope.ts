/** Which orders a person sees: all of them, or at a till those of events that sell today and of their own shifts (RULES U1). */
import { isSeen, type OrderScope } from '#db/order-scope.ts';
import type { OrderRow } from '#db/rows.ts';
import { daysAround } from '#server/domain/day.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { scopeOf } from '#server/domain/rights.ts';
import type { Role } from '#server/domain/user.ts';
import type { Ctx } from '#server/services/context.ts';
import { requireOrder } from './find-order.ts';

/** Who looks. */
export interface Viewer {
  id: string;
  role: Role;
}

/** Undefined: there is nothing that they may not see. Whoever has no right to orders at all was refused before. */
export function scopeFor(ctx: Ctx, { id, role }: Viewer): OrderScope | undefined {
  if (scopeOf(role, 'see_orders') === 'all') return undefined;
  return { user_id: id, not_over_before: daysAround(ctx.now()).today.from };
}

export async function seesOrder(ctx: Ctx, viewer: Viewer, order_id: string): Promise<boolean> {
  const scope = scopeFor(ctx, viewer);
  return scope === undefined || isSeen(ctx.db, order_id, scope);
}

/** What one may not see is not there. Refuses order_not_found. */
export async function requireSeenOrder(
  ctx: Ctx,
  viewer: Viewer,
  order_id: string,
): Promise<OrderRow> {
  const order = await requireOrder(ctx, order_id);
  if (!(await seesOrder(ctx, viewer, order_id))) throw new Refusal('order_not_found');
  return order;
}
