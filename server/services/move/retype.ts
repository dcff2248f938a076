/** Tickets get another type on their own places, Intero to Ridotto or back (RULES M8). */
import { requireEventRow } from '#db/event/events.ts';
import { requireOrderRow } from '#db/order/orders.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { seatName } from '#server/domain/seat/seat-name.ts';
import type { Ctx } from '#server/services/context.ts';
import { orderAndEvent, requireOrder } from '#server/services/order/find-order.ts';
import type { Giver } from '#server/services/payment/drawer.ts';
import { withLeaseOrRefuse } from '#server/services/payment/order-lease.ts';
import { handCents, requireSettled } from './difference.ts';
import { commitTypes } from './retype-commit.ts';
import { planTypes, type TypeAsk } from './retype-plan.ts';
import { endOpenMoves } from './settle.ts';

/**
 * Which other types these tickets may have, and what each would cost; stores nothing.
 * @throws Refusal order_not_found, ticket_not_found, bad_request
 */
export async function quoteTypes(ctx: Ctx, order_id: string, ticket_ids: readonly string[]) {
  const { order, event } = await orderAndEvent(ctx, order_id);
  const { steps, obstacle, choices } = await planTypes(ctx, { order, event, ticket_ids });
  return {
    obstacle,
    tickets: steps.map(({ ticket, line }) => ({
      ticket_id: ticket.id,
      seat: seatName(ticket),
      type_label: line.type_label,
      price_cents: line.price_cents,
    })),
    choices: await Promise.all(
      choices
        .filter(({ ticket_type }) => !steps.every(({ line }) => line.ticket_type === ticket_type))
        .map(async ({ ticket_type, difference_cents, steps: [first] }) => ({
          ticket_type,
          label: first?.type_label ?? ticket_type,
          difference_cents,
          hand_cents: await handCents(ctx.db, order, -difference_cents),
        })),
    ),
  };
}

/**
 * Changes the type of tickets, or says that all of them have it already.
 * @throws Refusal order_not_found, ticket_not_found, bad_request, move_refused,
 * object_without_price, and those of requireSettled()
 */
export async function changeTypes(ctx: Ctx, order_id: string, ask: TypeAsk, by: Giver) {
  await requireOrder(ctx, order_id);
  return withLeaseOrRefuse(ctx, order_id, async (leased) => {
    await endOpenMoves(leased, order_id);
    const order = await requireOrderRow(ctx.db, order_id);
    const event = await requireEventRow(ctx.db, order.event_id);
    const { ticket_ids, ticket_type, expected_cents, difference } = ask;
    const { steps, obstacle, choices } = await planTypes(ctx, { order, event, ticket_ids });
    if (steps.every(({ line }) => line.ticket_type === ticket_type))
      return { order_id, refund_id: null, replayed: true };
    if (obstacle !== null) throw new Refusal('move_refused', { reason: obstacle });
    const choice = choices.find((one) => one.ticket_type === ticket_type);
    if (choice === undefined) throw new Refusal('object_without_price', { objects: [ticket_type] });
    const { difference_cents } = choice;
    await requireSettled(ctx, { difference_cents, expected_cents, difference, by });
    const going = choice.steps.filter(({ line }) => line.ticket_type !== ticket_type);
    const refund_id = await commitTypes(ctx, { order, steps: going, difference_cents, ask, by });
    return { order_id, refund_id, replayed: false };
  });
}
