/**
 * Guests enter and leave, and the office moves tickets to other seats and settles the price
 * differences.
 */
import { findOrder } from '#db/order/orders.ts';
import { ticketsOfOrder } from '#db/order/tickets.ts';
import type { Ctx } from '#server/services/context.ts';
import { findTicketByIdOrCode } from '#server/services/order/tickets.ts';
import { admitTicket } from '#server/services/door/admissions.ts';
import { standingOfTicket } from '#server/services/door/standing.ts';
import { moveTickets, quoteMove } from '#server/services/move/move.ts';
import type { DifferenceAsk } from '#server/services/move/steps.ts';
import { one, type Act } from './act.ts';
import type { Deed } from './history.ts';
import { hall, placesFor, type World } from './world.ts';

export const moveDeeds: Partial<Record<Deed, Act>> = {
  async 'office moves'(world, ctx, { which, how }) {
    const order = one(await confirmedOf(ctx, world.orders), which);
    if (order === undefined) return;
    const all = await ticketsOfOrder(ctx.db, order);
    const chosen = how % 3 === 0 ? all : all.slice(0, 1);
    if (how % 5 === 1) await comeOrGo(world, ctx, chosen[0]?.id);
    // No guest asks for their present seat.
    const places = placesFor(world);
    const others = places.filter(
      ({ label }) => !chosen.some(({ place }) => place.startsWith(label)),
    );
    const tickets = chosen.map(({ id, place }, at) => ({
      ticket_id: id,
      object: tableFor(place) ?? (others[(which + how + at) % others.length] ?? standing).label,
    }));
    if (tickets.length === 0) return;
    const keeps = how % 8 === 5;
    const { difference_cents } = await quoteMove(ctx, order, { tickets, keep_back: keeps });
    const moved = await moveTickets(
      ctx,
      order,
      {
        tickets,
        expected_cents: difference_cents,
        difference: endOf(difference_cents, how),
        rules_reason: 'richiesta',
        tell_buyer: how % 2 === 0,
        ...(keeps ? { keep_reason: 'Tecnici' } : {}),
      },
      { user_id: how % 4 < 2 ? 'ada' : 'bea', role: 'office' },
    );
    world.count(`moved: ${moved.replayed ? 'again' : 'now'}`);
  },
};

const standing = hall.find(({ capacity }) => capacity !== null)!;

/** A table goes to the other one. */
function tableFor(place: string): string | null {
  if (!place.startsWith('T')) return null;
  return place.startsWith('T1') ? 'T2' : 'T1';
}

/** The guest of a ticket enters or leaves. */
export async function comeOrGo(
  world: World,
  ctx: Ctx,
  ticket_id: string | undefined,
): Promise<void> {
  if (ticket_id === undefined) return;
  const { ticket } = (await findTicketByIdOrCode(ctx.db, ticket_id))!;
  const { last } = await standingOfTicket(ctx.db, ticket);
  const direction = last?.direction === 'in' ? 'out' : 'in';
  const ask = { user_id: 'ada', direction, override: null } as const;
  const { verdict } = await admitTicket(ctx, ticket_id, ask);
  world.count(`at the desk: ${verdict}`);
}

export async function confirmedOf(ctx: Ctx, orders: readonly string[]): Promise<string[]> {
  const rows = await Promise.all(orders.map((order) => findOrder(ctx.db, order)));
  return orders.filter((_, at) => rows[at]?.state === 'confirmed');
}

/** How the office settles a difference. */
export function endOf(cents: number, how: number): DifferenceAsk | undefined {
  if (cents === 0) return undefined;
  if (how % 5 === 4) return { way: 'waived', reason: 'cortesia' };
  if (cents < 0) return { way: 'refunded', handed_back: how % 2 === 0 };
  return how % 2 === 0
    ? { way: 'paid', method: 'cash' }
    : { way: 'paid', method: 'transfer', reason: 'bonifico visto' };
}
