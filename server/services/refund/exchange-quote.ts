/** What tickets would give towards another date, for the till and for the buyer (RULES M6). */
import type { OrderRow } from '#db/rows.ts';
import type { BackWay } from '#server/domain/order/exchange.ts';
import { exchangeUntil } from '#server/domain/order/exchange-terms.ts';
import type { Role } from '#server/domain/user/user.ts';
import { transact } from '#db/engine/transact.ts';
import type { Ctx } from '#server/services/context.ts';
import { exchangeInWords, exchangeQuote } from '#server/services/order/exchange-facts.ts';
import { otherDates } from '#server/services/order/other-dates.ts';
import { orderAndEvent } from '#server/services/order/find-order.ts';
import { requireSeenOrder } from '#server/services/order/order-scope.ts';
import { handOf, handOverNow, waysBack } from '#server/services/payment/way-back.ts';

/** The person at the till. */
interface Asker {
  id: string;
  role: Role;
}

/** @throws Refusal order_not_found, also for an order that the person may not see (RULES K7) */
export async function quoteExchange(
  ctx: Ctx,
  asker: Asker,
  { order_id, ticket_ids }: { order_id: string; ticket_ids: readonly string[] | undefined },
) {
  await requireSeenOrder(ctx, asker, order_id);
  const { order, event } = await orderAndEvent(ctx, order_id);
  const wish = { order, event, now: ctx.now(), by: 'office', ticket_ids } as const;
  const words = exchangeInWords(wish, await exchangeQuote(ctx.db, wish));
  return { ...words, back: await backOf(ctx, asker, { order, worth_cents: words.worth_cents }) };
}

/** How money would go back beyond what the new tickets cost. */
async function backOf(
  ctx: Ctx,
  { id: user_id, role }: Asker,
  { order, worth_cents }: { order: OrderRow; worth_cents: number },
): Promise<BackWay> {
  const ways = await waysBack(ctx.db, order, worth_cents);
  if (handOf(ways) === undefined) return 'stripe';
  const giver = { user_id, role };
  const handed = await transact(ctx.db, (trx) => handOverNow(trx, order, { ways, giver }));
  return handed === null ? 'office' : 'drawer';
}

export async function quoteOwnExchange(
  ctx: Ctx,
  order_id: string,
  ticket_ids: readonly string[] | undefined,
) {
  const { order, event } = await orderAndEvent(ctx, order_id);
  const wish = { order, event, now: ctx.now(), by: 'buyer', ticket_ids } as const;
  const quoted = await exchangeQuote(ctx.db, wish);
  const words = exchangeInWords(wish, quoted);
  const ways = await waysBack(ctx.db, order, words.worth_cents);
  return {
    ...words,
    order_id: order.link_key,
    back: handOf(ways) === undefined ? ('stripe' as const) : ('office' as const),
    until: quoted.question?.until ?? exchangeUntil(event),
    dates: await otherDates(ctx.db, event, ctx.now()),
  };
}
