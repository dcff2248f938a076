/** What an order that has ended had chosen, for whoever wants the same once more: told only while all of it can be had. */
import { findEvent } from '#db/event/events.ts';
import type { OrderRow } from '#db/rows.ts';
import type { SeatObject } from '#server/adapters/seatsio.ts';
import { salesStateOf } from '#server/domain/event/event.ts';
import type { Ctx } from '#server/services/context.ts';
import { requireOrder } from '#server/services/order/find-order.ts';

interface Wanted {
  object_id: string;
  ticket_type?: string;
  quantity: number;
}

/** @throws Refusal order_not_found */
export async function seatsAgain(ctx: Ctx, order_id: string) {
  const order = await requireOrder(ctx, order_id);
  const selection = selectionOf(order);
  return {
    event_id: order.event_id,
    selected_objects: (await canBeHad(ctx, order, selection)) ? selection : [],
  };
}

/** As booking.ts has spelled it. */
function selectionOf(order: OrderRow): Wanted[] {
  const spelled = JSON.parse(order.selection) as [string, string | null, number][];
  return spelled.map(([object_id, ticket_type, quantity]) => ({
    object_id,
    quantity,
    ...(ticket_type === null ? {} : { ticket_type }),
  }));
}

async function canBeHad(ctx: Ctx, order: OrderRow, selection: readonly Wanted[]): Promise<boolean> {
  if (order.state !== 'deleted' || selection.length === 0) return false;
  const event = await findEvent(ctx.db, order.event_id);
  if (event === undefined || salesStateOf(event, ctx.now()) !== 'open') return false;
  const labels = selection.map(({ object_id }) => object_id);
  // It is an offer, no promise: a seat map that does not answer offers nothing.
  const found = await ctx.seats
    .read(event.seatsio_event_key, labels)
    .catch(() => new Map<string, SeatObject>());
  return labels.every((label) => isFree(found.get(label)));
}

/** A standing area is free as long as one of its places is. */
function isFree(object: SeatObject | undefined): boolean {
  return object !== undefined && object.for_sale && object.status === 'free';
}
