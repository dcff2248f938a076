/** Tickets are exchanged for another date, at the till and by their buyer. */
import { findOrder } from '#db/order/orders.ts';
import { ticketsOfOrder } from '#db/order/tickets.ts';
import type { OrderRow } from '#db/rows.ts';
import { splitCredit } from '#server/domain/order/exchange-sums.ts';
import type { Ctx } from '#server/services/context.ts';
import type { SaleAsk } from '#server/services/counter/sell.ts';
import { quoteExchange, quoteOwnExchange } from '#server/services/refund/exchange-quote.ts';
import { one, type Act } from './act.ts';
import { book, cartOf, wishSeen } from './cart.ts';
import {
  countDrawer,
  ensureShift,
  onlyRefused,
  sellAs,
  sellers,
  tillCart,
  totalOf,
} from './counter-deeds.ts';
import type { Deed } from './history.ts';
import { comeOrGo, confirmedOf } from './move-deeds.ts';
import { otherEventId } from './store.ts';
import { eventId, type World } from './world.ts';

export const exchangeDeeds: Partial<Record<Deed, Act>> = {
  async 'till exchanges'(world, ctx, { which, how }) {
    const seller = sellers[how % 5 === 0 ? 1 : 0]!;
    const old = await oldOrder(world, ctx, which);
    if (!old) return;
    // An exchange that costs nothing needs no drawer.
    if (how !== 7) await ensureShift(ctx, seller);
    const ticket_ids = await someOf(ctx, old, how);
    const quote = await quoteExchange(ctx, seller, { order_id: old.id, ticket_ids });
    const event_id = otherOf(old);
    const cart = tillCart(world, { wish: wishSeen(world, event_id, how + which), event_id });
    const { number, ...ask } = cart;
    const listed = await totalOf(ctx, ask);
    const expected_cents = listed === 0 ? 0 : listed + quote.fee_cents;
    const { credit_cents } = splitCredit(quote.worth_cents, expected_cents);
    const sale: SaleAsk = {
      ...ask,
      expected_cents,
      ...(seller.role === 'office' ? { group_reason: 'cambio' } : {}),
      payments: paidBy(expected_cents - credit_cents, how),
      exchange: {
        order_id: old.id,
        ticket_ids: quote.tickets.flatMap(({ chosen, ticket_id }) => (chosen ? ticket_id : [])),
        expected_worth_cents: quote.worth_cents,
      },
    };
    world.sales[number - 1] = { seller, ask: sale };
    world.count(
      `exchange at the till: ${credit_cents === expected_cents ? 'not dearer' : 'dearer'}`,
    );
    // The drawer is counted during the sale, which chance alone would rarely arrange.
    const counting = how === 11 ? countDrawer(ctx, seller).catch(onlyRefused) : null;
    const ends = await Promise.allSettled([sellAs(world, ctx, { seller, ask: sale }), counting]);
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  },
  async 'buyer exchanges'(world, ctx, { which, how }) {
    const old = await oldOrder(world, ctx, which);
    if (!old) return;
    const quote = await quoteOwnExchange(ctx, old.id, {
      ticket_ids: await someOf(ctx, old, how),
    });
    const exchange = {
      order_id: quote.order_id,
      ticket_ids: quote.tickets.flatMap(({ chosen, ticket_id }) => (chosen ? ticket_id : [])),
      expected_worth_cents: quote.worth_cents,
    };
    if (exchange.ticket_ids.length === 0) return;
    const evening = otherOf(old) === eventId ? 0 : 1;
    await book(world, ctx, cartOf(world, which, { nth: how + which, evening, exchange }));
    world.count('exchange by a buyer');
  },
  /** The guest of a ticket that may be exchanged at this moment. */
  async 'guest comes'(world, ctx, { which, how }) {
    const order = await oldOrder(world, ctx, which);
    if (!order) return;
    const tickets = await ticketsOfOrder(ctx.db, order.id);
    await comeOrGo(world, ctx, one(tickets, how)?.id);
  },
};

async function oldOrder(world: World, ctx: Ctx, which: number): Promise<OrderRow | undefined> {
  const order_id = one(await confirmedOf(ctx, world.orders), which);
  return order_id === undefined ? undefined : findOrder(ctx.db, order_id);
}

function otherOf({ event_id }: OrderRow): string {
  return event_id === eventId ? otherEventId : eventId;
}

/** One ticket of the order; undefined: all that may be exchanged. */
async function someOf(ctx: Ctx, { id }: OrderRow, how: number): Promise<string[] | undefined> {
  if (how % 3 > 0) return undefined;
  const ticket = one(await ticketsOfOrder(ctx.db, id), how >> 1);
  return ticket && [ticket.id];
}

function paidBy(due: number, how: number): SaleAsk['payments'] {
  if (due === 0) return [];
  if (how % 4 === 1) return [{ method: 'pos', amount_cents: due }];
  if (how % 4 === 2 && due > 1)
    return [
      { method: 'cash', amount_cents: Math.floor(due / 2) },
      { method: 'pos', amount_cents: Math.ceil(due / 2) },
    ];
  return [{ method: 'cash', amount_cents: due, given_cents: due + 500 }];
}
