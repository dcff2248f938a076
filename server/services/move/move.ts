/**
 * Moves tickets of an order to other seats. The new seats are booked before the old ones are
 * freed, so that no seat is lost or sold twice (RULES M3).
 */
import { isUniqueViolation } from '#db/engine/dialect.ts';
import { requireEventRow } from '#db/event/events.ts';
import { findMove, insertTicketMove } from '#db/order/moves.ts';
import { requireOrderRow } from '#db/order/orders.ts';
import type { EventRow, MoveRow, OrderRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import { ProviderRefused, ProviderUnavailable } from '#server/adapters/provider.ts';
import type { SeatRequest } from '#server/adapters/seatsio.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { seatName } from '#server/domain/seat/seat-name.ts';
import { bookedType } from '#server/domain/seat/whole.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { orderAndEvent, requireOrder } from '#server/services/order/find-order.ts';
import { withLeaseOrRefuse, type LeasedCtx } from '#server/services/payment/order-lease.ts';
import type { Giver } from '#server/services/payment/drawer.ts';
import type { Ctx } from '#server/services/context.ts';
import { queueTask } from '#server/services/kit/queue-task.ts';
import { commitMove } from './commit.ts';
import { handCents, requireSettled } from './difference.ts';
import { planMove, targetName, type MovePlan, type PlannedStep } from './plan.ts';
import { endMove, endOpenMoves, giveUp } from './settle.ts';
import { stepsOf, type MoveAsk, type MoveWish, type QuoteAsk } from './steps.ts';
import { lastMoveOf, moveInWords } from './words.ts';

/** After this time the seat map has answered every request or the request has failed. */
const settleAfterMs = 60_000;

/**
 * Returns what the move would change; stores nothing.
 * @throws Refusal order_not_found, and the refusals of planMove()
 */
export async function quoteMove(ctx: Ctx, order_id: string, ask: QuoteAsk) {
  const { order, event } = await orderAndEvent(ctx, order_id);
  const plan = await planMove(ctx, {
    order,
    event,
    wishes: ask.tickets,
    keeps_back: ask.keep_back === true,
  });
  return {
    difference_cents: plan.difference_cents,
    hand_cents: await handCents(ctx.db, order, -plan.difference_cents),
    obstacle: plan.obstacle,
    orphans: plan.orphans,
    tickets: plan.steps.map((step) => ({
      ticket_id: step.ticket.id,
      object: step.to,
      type_label: step.ticket.type_label,
      from: seatName(step.ticket),
      to: targetName(step),
      price_cents: step.line.price_cents,
      difference_cents: step.difference_cents,
    })),
  };
}

/**
 * Moves tickets; if they are on their new seats already, returns the first answer again.
 * @throws Refusal order_not_found, those of planMove(), move_refused, move_changed,
 * move_unsettled, orphan_seats, shift_not_open, payment_wrong, refund_changed, provider_silent,
 * try_again
 */
export async function moveTickets(ctx: Ctx, order_id: string, ask: MoveAsk, by: Giver) {
  await requireOrder(ctx, order_id);
  return withLeaseOrRefuse(ctx, order_id, async (leased) => {
    await endOpenMoves(leased, order_id);
    const order = await requireOrderRow(ctx.db, order_id);
    const before = await sameMove(ctx, order, ask.tickets);
    if (before) return moveInWords(ctx, before, { replayed: true });
    const event = await requireEventRow(ctx.db, order.event_id);
    const plan = await planMove(leased, {
      order,
      event,
      wishes: ask.tickets,
      keeps_back: ask.keep_reason !== undefined,
    });
    await requireAgreed(ctx, plan, { ask, by });
    const move = await storeMove(ctx, order, { plan, ask, by });
    ctx.fault('move_stored');
    await carryOut(leased, { order, event, move, plan, ask, by });
    return moveInWords(ctx, requireValue(await findMove(ctx.db, move.id), 'move'), {
      replayed: false,
    });
  });
}

/** The earlier move that brought the tickets to these seats, if they are there already. */
async function sameMove(
  ctx: Ctx,
  order: OrderRow,
  wishes: readonly MoveWish[],
): Promise<MoveRow | null> {
  const steps = await stepsOf(ctx.db, order, wishes);
  const isThere = steps.every(({ line, to }) => line.object_label === to);
  return isThere ? lastMoveOf(ctx.db, wishes) : null;
}

async function requireAgreed(
  ctx: Ctx,
  { difference_cents, obstacle, orphans }: MovePlan,
  { ask, by }: { ask: MoveAsk; by: Giver },
): Promise<void> {
  if (obstacle !== null) throw new Refusal('move_refused', { reason: obstacle });
  const { expected_cents, difference } = ask;
  await requireSettled(ctx, { difference_cents, expected_cents, difference, by });
  if (orphans.length > 0 && ask.rules_reason === undefined)
    throw new Refusal('orphan_seats', { objects: orphans });
}

interface Draft {
  plan: MovePlan;
  ask: MoveAsk;
  by: Giver;
}

/** Stores the move before any call to the seat map, with the task that completes or undoes it. */
async function storeMove(ctx: Ctx, order: OrderRow, { plan, ask, by }: Draft): Promise<MoveRow> {
  const now = ctx.now();
  const move: MoveRow = {
    id: ctx.newId(),
    order_id: order.id,
    event_id: order.event_id,
    state: 'taking',
    actor: `user:${by.user_id}`,
    keep_reason: ask.keep_reason ?? null,
    difference_cents: plan.difference_cents,
    difference_end: ask.difference?.way ?? 'none',
    refund_id: null,
    partner_id: null,
    of_rehousing: null,
    created_at: now,
    moved_at: null,
  };
  const tickets = plan.steps.map(({ ticket, line, to }, position) => ({
    move_id: move.id,
    ticket_id: ticket.id,
    event_id: order.event_id,
    position,
    from_place: ticket.place,
    from_object: line.object_label,
    from_revision: ticket.revision,
    to_object: to,
    to_place: null,
    to_revision: null,
  }));
  await transact(ctx.db, async (trx) => {
    await insertTicketMove(trx, move, tickets);
    await queueTask(ctx, trx, {
      task: 'settle_move',
      subject: move.id,
      run_at: now + settleAfterMs,
    });
  });
  return move;
}

interface Carried extends Draft {
  order: OrderRow;
  event: EventRow;
  move: MoveRow;
}

async function carryOut(ctx: LeasedCtx, carried: Carried): Promise<void> {
  const { order, event, move, plan, ask, by } = carried;
  const requests = newSeats(plan.steps);
  try {
    if (requests.length > 0) await ctx.seats.take(event.seatsio_event_key, requests, order.id);
    ctx.fault('move_seats_taken');
    await commitMove(ctx, { move, steps: plan.steps, ask, by });
  } catch (error) {
    const isRefused = error instanceof Refusal && !(error instanceof ProviderUnavailable);
    // The outcome at the seat map is unknown; the task reads it and frees what was booked.
    if (!isRefused && !isUniqueViolation(error)) throw error;
    await giveUp(ctx, move);
    if (isRefused && !(error instanceof ProviderRefused)) throw error;
    throw new Refusal('seats_not_free', { objects: requests.map(({ label }) => label) }, error);
  }
  ctx.fault('tickets_moved');
  // The tickets are on their new seats. If the seat map fails now, the task frees the old seats.
  await endMove(ctx, move.id).catch((error: unknown) =>
    ctx.log.warn({ err: error, move_id: move.id }, 'old seats of a move not given back yet'),
  );
}

/** The seats to book; a seat that another of these tickets leaves is booked already. */
function newSeats(steps: readonly PlannedStep[]): SeatRequest[] {
  const ours = new Set(steps.map(({ from }) => from));
  const requests = new Map<string, SeatRequest>();
  for (const { standing, to, line } of steps) {
    if (ours.has(to)) continue;
    const ticket_type = bookedType(line);
    const key = standing ? `${to}\n${ticket_type}` : to;
    const { quantity } = requests.get(key) ?? { quantity: 0 };
    requests.set(key, {
      label: to,
      quantity: standing ? (quantity ?? 0) + 1 : null,
      ticket_type,
    });
  }
  return [...requests.values()];
}
