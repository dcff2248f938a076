/**
 * The selection of an ended order, for a buyer who wants the same seats again; empty unless all
 * of them are free.
 */
import { findEvent } from '#db/event/events.ts';
import { linesOf } from '#db/order/orders.ts';
import type { OrderRow } from '#db/rows.ts';
import type { SeatObject } from '#server/adapters/seatsio.ts';
import type { SelectedObject } from '#server/domain/order/order.ts';
import { readSelection } from '#server/domain/order/selection.ts';
import { salesStateOf } from '#server/domain/event/event.ts';
import type { Ctx } from '#server/services/context.ts';
import { requireOrder } from '#server/services/order/find-order.ts';

/** @throws Refusal order_not_found */
export async function seatsAgain(ctx: Ctx, order_id: string) {
  const order = await requireOrder(ctx, order_id);
  const selection = await chosenIn(ctx, order);
  return {
    event_id: order.event_id,
    selected_objects: (await canBeHad(ctx, order, selection)) ? selection : [],
  };
}

/** Of an object sold whole, the call may have left out how many come, so its lines tell it. */
async function chosenIn({ db }: Ctx, order: OrderRow) {
  const whole = (await linesOf(db, order.id)).filter(({ whole_size }) => whole_size > 0);
  const paid = Map.groupBy(whole, ({ object_label }) => object_label);
  return readSelection(order.selection).map((one) => ({
    ...one,
    quantity: paid.get(one.object_id)?.length ?? one.quantity,
  }));
}

async function canBeHad(
  ctx: Ctx,
  order: OrderRow,
  selection: readonly SelectedObject[],
): Promise<boolean> {
  if (order.state !== 'deleted' || selection.length === 0) return false;
  const event = await findEvent(ctx.db, order.event_id);
  if (event === undefined || salesStateOf(event, ctx.now()) !== 'open') return false;
  const labels = selection.map(({ object_id }) => object_id);
  // If the seat map does not answer, nothing is offered.
  const found = await ctx.seats
    .read(event.seatsio_event_key, labels)
    .catch(() => new Map<string, SeatObject>());
  return labels.every((label) => isFree(found.get(label)));
}

/** A standing area is free while at least one of its places is. */
function isFree(object: SeatObject | undefined): boolean {
  return object !== undefined && object.for_sale && object.status === 'free';
}
