/** What a person is offered who hands money of an order back: its parts, and the open tills. */
import { cashIn, openShifts } from '#db/counter/shifts.ts';
import { isBlind } from '#server/domain/counter/counter.ts';
import { may } from '#server/domain/user/rights.ts';
import type { Ctx } from '#server/services/context.ts';
import { requireSeenOrder, type Viewer } from '#server/services/order/order-scope.ts';
import { namesOf } from '#server/services/user/actors.ts';
import { defaultParts } from '#server/services/payment/drawer.ts';

/** @throws Refusal order_not_found */
export async function quoteHandBack(
  ctx: Ctx,
  viewer: Viewer,
  { order_id, amount_cents }: { order_id: string; amount_cents: number },
) {
  const order = await requireSeenOrder(ctx, viewer, order_id);
  return {
    ways: await defaultParts(ctx.db, order.id, amount_cents),
    tills: await openTills(ctx, viewer),
  };
}

/** The open tills that may pay: for a cashier the own one. */
export async function openTills(ctx: Ctx, viewer: Viewer) {
  const shifts = (await openShifts(ctx.db)).filter(
    ({ user_id }) => user_id === viewer.id || may(viewer.role, 'refund'),
  );
  const nameOf = await namesOf(
    ctx.db,
    shifts.map(({ user_id }) => `user:${user_id}`),
  );
  const tills = [];
  for (const shift of shifts)
    tills.push({
      shift_id: shift.id,
      till_name: shift.till_name,
      user_name: nameOf(`user:${shift.user_id}`),
      own: shift.user_id === viewer.id,
      in_drawer_cents: isBlind(viewer.role, shift) ? null : await cashIn(ctx.db, shift),
    });
  return tills;
}
