/** Shows an order only to a person who may see it; for others it does not exist (RULES K7). */
import { isSeen } from '#db/order/order-scope.ts';
import type { OrderRow } from '#db/rows.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { tillViewOf } from '#server/domain/counter/till-view.ts';
import type { Role } from '#server/domain/user/user.ts';
import type { Ctx } from '#server/services/context.ts';
import { requireOrder } from './find-order.ts';

/** The person of the office who asks. */
export interface Viewer {
  id: string;
  role: Role;
}

export async function seesOrder(ctx: Ctx, viewer: Viewer, order_id: string): Promise<boolean> {
  const view = tillViewOf(viewer, ctx.now());
  return view === undefined || isSeen(ctx.db, order_id, view);
}

/** @throws Refusal order_not_found, also for an order that the viewer may not see */
export async function requireSeenOrder(
  ctx: Ctx,
  viewer: Viewer,
  order_id: string,
): Promise<OrderRow> {
  const order = await requireOrder(ctx, order_id);
  if (!(await seesOrder(ctx, viewer, order_id))) throw new Refusal('order_not_found');
  return order;
}
