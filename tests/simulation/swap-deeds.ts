/** Two tickets change seats in one act, and tickets get another type on their own seats. */
import { ticketsOfOrder, type TicketWithPlace } from '#db/order/tickets.ts';
import type { Ctx } from '#server/services/context.ts';
import { changeTypes, quoteTypes } from '#server/services/move/retype.ts';
import { swapTickets } from '#server/services/move/swap.ts';
import { one, type Act } from './act.ts';
import type { Deed } from './history.ts';
import { comeOrGo, confirmedOf, endOf } from './move-deeds.ts';
import type { World } from './world.ts';

export const swapDeeds: Partial<Record<Deed, Act>> = {
  async 'office swaps'(world, ctx, { which, how }) {
    const seated = await seatedTickets(world, ctx);
    const mine = one(seated, which);
    const others = seated.filter(
      ({ id, event_id }) => id !== mine?.id && event_id === mine?.event_id,
    );
    // Two orders are of more interest than one, of which the seat map hears nothing.
    const strangers = others.filter(({ order_id }) => order_id !== mine?.order_id);
    const theirs = one(strangers.length > 0 && how % 4 > 0 ? strangers : others, how);
    if (!mine || !theirs) return;
    if (how % 5 === 1) await comeOrGo(world, ctx, mine.id);
    const ask = {
      ticket_id: mine.id,
      object: mine.place,
      with_ticket_id: theirs.id,
      with_object: theirs.place,
      reason: 'richiesta',
      tell_buyer: how % 2 === 0,
    };
    const { replayed } = await swapTickets(ctx, mine.order_id, ask, { user_id: 'ada' });
    const kind = mine.order_id === theirs.order_id ? 'one order' : 'two orders';
    world.count(`swapped in ${kind}: ${replayed ? 'again' : 'now'}`);
  },
  async 'office retypes'(world, ctx, { which, how }) {
    const order = one(await confirmedOf(ctx, world.orders), which);
    if (order === undefined) return;
    const all = await ticketsOfOrder(ctx.db, order);
    const tickets = all.filter(({ state }) => state === 'valid').slice(0, 1 + (how % 2));
    if (tickets.length === 0) return;
    const ticket_ids = tickets.map(({ id }) => id);
    const choice = one((await quoteTypes(ctx, order, ticket_ids)).choices, how >> 1);
    if (!choice) return;
    const { ticket_type, difference_cents } = choice;
    const difference = endOf(difference_cents, how);
    const { replayed } = await changeTypes(
      ctx,
      order,
      {
        ticket_ids,
        ticket_type,
        expected_cents: difference_cents,
        ...(difference && { difference }),
        tell_buyer: how % 2 === 0,
      },
      { user_id: how % 4 < 2 ? 'ada' : 'bea', role: 'office' },
    );
    world.count(`retyped: ${replayed ? 'again' : 'now'}`);
  },
};

/** The good tickets on seats; a seat's place is its label. */
async function seatedTickets(world: World, ctx: Ctx): Promise<TicketWithPlace[]> {
  const orders = await confirmedOf(ctx, world.orders);
  const tickets = await Promise.all(orders.map((order) => ticketsOfOrder(ctx.db, order)));
  return tickets.flat().filter(({ state, place }) => state === 'valid' && place.startsWith('A'));
}
