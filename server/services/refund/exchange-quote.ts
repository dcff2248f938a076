/** What tickets would give towards another date, for the till and for the buyer (RULES M6). */
import type { EventRow, OrderRow } from '#db/rows.ts';
import type { BackWay } from '#server/domain/order/exchange.ts';
import { exchangeUntil } from '#server/domain/order/exchange-terms.ts';
import type { Role } from '#server/domain/user/user.ts';
import { transact } from '#db/engine/transact.ts';
import type { Ctx } from '#server/services/context.ts';
import { otherDates } from '#server/services/event/events.ts';
import { exchangeInWords, exchangeQuote } from '#server/services/order/exchange-facts.ts';
import { orderAndEvent } from '#server/services/order/find-order.ts';
import { requireSeenOrder } from '#server/services/order/order-scope.ts';
import { handOf, handOverNow, waysBack, type WaysBack } from '#server/services/payment/way-back.ts';

/** The person at the till. */
interface Asker {
  id: string;
  role: Role;
}

interface Asked {
  ticket_ids?: readonly string[] | undefined;
  /** The sum whose way back is told; missing: all that the tickets give. */
  back_cents?: number | undefined;
}

/** @throws Refusal order_not_found, also for an order that the person may not see (RULES K7) */
export async function quoteExchange(
  ctx: Ctx,
  asker: Asker,
  { order_id, ticket_ids, back_cents }: Asked & { order_id: string },
) {
  await requireSeenOrder(ctx, asker, order_id);
  const { order, event } = await orderAndEvent(ctx, order_id);
  const wish = { order, event, now: ctx.now(), by: 'office', ticket_ids } as const;
  const words = exchangeInWords(wish, await exchangeQuote(ctx.db, wish));
  const ways = await waysBack(ctx.db, order, back_cents ?? words.worth_cents);
  return { ...words, back: await backOf(ctx, asker, { order, ways }) };
}

/** How money would go back beyond what the new tickets cost. */
async function backOf(
  ctx: Ctx,
  { id: user_id, role }: Asker,
  { order, ways }: { order: OrderRow; ways: WaysBack },
): Promise<BackWay> {
  const way = laterWay(ways);
  if (way !== 'office') return way;
  const giver = { user_id, role };
  const handed = await transact(ctx.db, (trx) => handOverNow(trx, order, { ways, giver }));
  return handed === null ? 'office' : 'drawer';
}

/** The way in which the house gives it back, without a drawer. */
function laterWay(ways: WaysBack): Exclude<BackWay, 'drawer'> {
  if (handOf(ways) === undefined) return 'stripe';
  return ways.length > 1 ? 'mixed' : 'office';
}

export async function quoteOwnExchange(
  ctx: Ctx,
  order_id: string,
  { ticket_ids, back_cents }: Asked,
) {
  const { order, event } = await orderAndEvent(ctx, order_id);
  const wish = { order, event, now: ctx.now(), by: 'buyer', ticket_ids } as const;
  const quoted = await exchangeQuote(ctx.db, wish);
  const words = exchangeInWords(wish, quoted);
  return {
    ...words,
    order_id: order.link_key,
    back: laterWay(await waysBack(ctx.db, order, back_cents ?? words.worth_cents)),
    until: quoted.question?.until ?? exchangeUntil(event),
    dates: await datesToChoose(ctx, event),
  };
}

async function datesToChoose(ctx: Ctx, event: EventRow) {
  return (await otherDates(ctx, event))
    .filter(({ sales, starts_at }) => sales.state === 'open' && starts_at > ctx.now())
    .map(({ id: event_id, starts_at, from_price: from_cents, availability }) => ({
      event_id,
      starts_at,
      from_cents,
      availability,
    }));
}
