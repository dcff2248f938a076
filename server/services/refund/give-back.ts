/** "Non vengo più": a buyer gives free tickets back, and their places return to the sale. */
import { noFees } from '#server/domain/price/fees.ts';
import { lockOrder } from '#db/order/orders.ts';
import { transact } from '#db/engine/transact.ts';
import { isBackable } from '#server/domain/payment/give-back.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { orderAndEvent } from '#server/services/order/find-order.ts';
import { lineIdsOf, lockedFacts } from '#server/services/order/refund-facts.ts';
import { requestRefund } from '#server/services/payment/refunds.ts';
import { startRefund } from './views.ts';
import { refuseTaken } from './requests.ts';

/**
 * All of the tickets or none.
 * @throws Refusal order_not_found, ticket_not_found, give_back_refused
 */
export async function giveBackFree(
  ctx: Ctx,
  order_id: string,
  ticket_ids: readonly string[],
): Promise<void> {
  const { event } = await orderAndEvent(ctx, order_id);
  const id = await transact(ctx.db, async (trx) => {
    const order = await lockOrder(trx, order_id);
    const { lines, facts } = await lockedFacts(trx, { event, order, now: ctx.now() });
    const line_ids = lineIdsOf(lines, ticket_ids);
    if (!isBackable(order, facts, line_ids)) throw new Refusal('give_back_refused');
    const refund = await requestRefund(ctx, trx, {
      order,
      origin: 'buyer',
      actor: 'visitor',
      payment_intent: null,
      amount_cents: 0,
      lines: facts.lines
        .filter(({ line_id }) => line_ids === 'all' || line_ids.includes(line_id))
        .map(({ line_id }) => ({ line_id, price_cents: 0, ...noFees })),
      voids_tickets: true,
      frees_seats: true,
    });
    return refund.id;
  }).catch(refuseTaken);
  await startRefund(ctx, id);
}
