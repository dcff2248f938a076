/**
 * Two tickets of one event change seats in one act (RULES M9). The book goes first: both seats are
 * sold, so that no visitor can come between, and the seat map is told from the stored moves.
 */
import { requireEventRow } from '#db/event/events.ts';
import { lastMoveTo } from '#db/order/moves.ts';
import { requireOrderRow } from '#db/order/orders.ts';
import { findTicket, validTicketsOn } from '#db/order/tickets.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { seatName } from '#server/domain/seat/seat-name.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Ctx } from '#server/services/context.ts';
import { orderAndEvent } from '#server/services/order/find-order.ts';
import { withLeaseOrRefuse, type LeasedCtx } from '#server/services/payment/order-lease.ts';
import { endOpenMoves } from './settle.ts';
import { commitSwap } from './swap-commit.ts';
import { planSwap, type SwapAsk, type SwapPlan } from './swap-plan.ts';
import { tellSwap } from './swap-settle.ts';

/**
 * What swapping the ticket with those on these places would be; stores nothing.
 * @throws Refusal order_not_found, ticket_not_found, object_without_price
 */
export async function quoteSwaps(
  ctx: Ctx,
  order_id: string,
  { ticket_id, places }: { ticket_id: string; places: readonly string[] },
) {
  const { order, event } = await orderAndEvent(ctx, order_id);
  const ticket = await findTicket(ctx.db, ticket_id);
  if (ticket?.order_id !== order_id) throw new Refusal('ticket_not_found');
  const found = await validTicketsOn(ctx.db, event.id, places);
  const others = found.filter(({ id }) => id !== ticket_id).slice(0, mostShown);
  const seats = [];
  for (const other of others) {
    const theirs = await requireOrderRow(ctx.db, other.order_id);
    const { sides, obstacle, isUneven } = await planSwap(ctx, event, [
      { order, ticket_id },
      { order: theirs, ticket_id: other.id },
    ]);
    const [mine, their] = sides;
    seats.push({
      ticket_id: other.id,
      object: their.step.line.object_label,
      own_object: mine.step.line.object_label,
      seat: seatName(other),
      type_label: other.type_label,
      order_id: theirs.id,
      order_number: theirs.number,
      buyer_name: theirs.buyer_name,
      obstacle,
      uneven: isUneven,
    });
  }
  return { seat: seatName(ticket), seats };
}

const mostShown = 10;

/**
 * Swaps the two, or says that they have been swapped already.
 * @throws Refusal order_not_found, ticket_not_found, bad_request, move_refused, move_changed,
 * move_unsettled, object_without_price, try_again
 */
export async function swapTickets(
  ctx: Ctx,
  order_id: string,
  ask: SwapAsk,
  by: { user_id: string },
) {
  const { event } = await orderAndEvent(ctx, order_id);
  const other = await findTicket(ctx.db, ask.with_ticket_id);
  if (other?.event_id !== event.id) throw new Refusal('ticket_not_found');
  if (other.id === ask.ticket_id) throw new Refusal('bad_request', { fields: ['with_ticket_id'] });
  return underBoth(ctx, [order_id, other.order_id], async (leased) => {
    const plan = await planSwap(ctx, await requireEventRow(ctx.db, event.id), [
      { order: await requireOrderRow(ctx.db, order_id), ticket_id: ask.ticket_id },
      { order: await requireOrderRow(ctx.db, other.order_id), ticket_id: other.id },
    ]);
    const replayed = await isSwapped(ctx, plan, ask);
    if (!replayed) await carryOut(leased, plan, { ask, by });
    return {
      order_id,
      with_order_id: other.order_id,
      replayed,
      seat: await nameOf(ctx, ask.ticket_id),
      with_seat: await nameOf(ctx, other.id),
    };
  });
}

/** Runs under the leases of one order or of two, which are taken in the order of their ids. */
async function underBoth<T>(
  ctx: Ctx,
  ids: readonly [string, string],
  run: (leased: LeasedCtx) => Promise<T>,
): Promise<T> {
  const [first, second] = ids.toSorted() as [string, string];
  return withLeaseOrRefuse(ctx, first, async (leased) => {
    // An open swap of these two needs the other order's lease, so it ends before that is taken.
    await endOpenMoves(leased, first);
    if (second === first) return run(leased);
    return withLeaseOrRefuse(leased, second, async (both) => {
      await endOpenMoves(both, second);
      return run(both);
    });
  });
}

/** After a swap the two sit where the other sat, and one move brought each there. */
async function isSwapped(
  { db }: Ctx,
  { sides: [mine, theirs] }: SwapPlan,
  { ticket_id, object, with_ticket_id, with_object }: SwapAsk,
): Promise<boolean> {
  const here = mine.step.line.object_label;
  const there = theirs.step.line.object_label;
  if (here === object && there === with_object) return false;
  if (here !== with_object || there !== object) throw new Refusal('move_changed');
  const own = await lastMoveTo(db, ticket_id, with_object);
  const other = await lastMoveTo(db, with_ticket_id, object);
  if (own?.partner_id == null || other?.partner_id !== own.id) throw new Refusal('move_changed');
  return true;
}

async function carryOut(
  ctx: LeasedCtx,
  plan: SwapPlan,
  { ask, by }: { ask: SwapAsk; by: { user_id: string } },
): Promise<void> {
  const { sides, obstacle, isUneven } = plan;
  if (obstacle !== null) throw new Refusal('move_refused', { reason: obstacle });
  if (isUneven && ask.reason === undefined) throw new Refusal('move_unsettled');
  const move_id = await commitSwap(ctx, { sides, isUneven, ask, by });
  ctx.fault('tickets_swapped');
  // The tickets have changed seats. If the seat map fails now, the task tells it.
  await tellSwap(ctx, move_id).catch((error: unknown) =>
    ctx.log.warn({ err: error, move_id }, 'swapped seats not told to the seat map yet'),
  );
}

async function nameOf({ db }: Ctx, ticket_id: string): Promise<string> {
  return seatName(requireValue(await findTicket(db, ticket_id), 'ticket'));
}
