/**
 * Cleans up at the seat map after a move: if the tickets have moved, frees the old seats,
 * otherwise the new ones (RULES M3).
 */
import { insertBlock, blockedAmong } from '#db/seat/blocks.ts';
import type { Trx } from '#db/engine/dialect.ts';
import { requireEventRow } from '#db/event/events.ts';
import { findMove, movedTicketsOf, openMovesOf, turnMove } from '#db/order/moves.ts';
import { linesOf, requireOrderRow } from '#db/order/orders.ts';
import type { MovedTicketRow, MoveRow, OrderRow } from '#db/rows.ts';
import { placesOfObjects } from '#db/seat/object-places.ts';
import { ticketsOfOrder } from '#db/order/tickets.ts';
import { transact } from '#db/engine/transact.ts';
import { ProviderRefused, ProviderUnavailable } from '#server/adapters/provider.ts';
import { blockedStatus } from '#server/domain/seat/block.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { bookedType, isOneStatus } from '#server/domain/seat/whole.ts';
import { backoffMs } from '#server/domain/time/backoff.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { withLease, type LeasedCtx } from '#server/services/payment/order-lease.ts';
import { releaseSeatsOf, type GivenLine } from '#server/services/payment/seats.ts';
import { happened } from '#server/services/kit/happened.ts';
import { endSwap } from './swap-settle.ts';

const backoff = { leastMs: 5_000, mostMs: 3_600_000 };

/** The task of a move, idempotent by its id. Returns when to run again; null: it is done. */
export async function settleMove(ctx: Ctx, move_id: string): Promise<number | null> {
  const move = await findMove(ctx.db, move_id);
  if (!move) return null;
  const again = ctx.now() + backoffMs(ctx.now() - (move.moved_at ?? move.created_at), backoff);
  try {
    const done = await withLease(ctx, move.order_id, {
      waitMs: 0,
      run: (leased) => endMove(leased, move_id),
    });
    return done ? null : again;
  } catch (error) {
    const isBusy = error instanceof Refusal && error.code === 'try_again';
    if (!isBusy && !(error instanceof ProviderUnavailable) && !(error instanceof ProviderRefused))
      throw error;
    ctx.log.warn({ err: error, move_id }, 'seats of a move not settled yet');
    return again;
  }
}

/** Completes or undoes earlier moves of the order; call it before the next move begins. */
export async function endOpenMoves(ctx: LeasedCtx, order_id: string): Promise<void> {
  for (const { id } of await openMovesOf(ctx.db, order_id)) await endMove(ctx, id);
}

/** Frees the old seats; if the tickets are still on them, undoes the move instead. */
export async function endMove(ctx: LeasedCtx, move_id: string): Promise<void> {
  const move = requireValue(await findMove(ctx.db, move_id), 'move');
  if (move.state === 'taking') await giveUp(ctx, move);
  if (move.state !== 'moved') return;
  if (move.partner_id === null) await leaveOldSeats(ctx, move);
  else await endSwap(ctx, move);
}

/** Undoes a move: the tickets are still on their old seats, so it frees the new ones. */
export async function giveUp(ctx: LeasedCtx, move: MoveRow): Promise<void> {
  const order = await requireOrderRow(ctx.db, move.order_id);
  const moved = await movedTicketsOf(ctx.db, move.id);
  await releaseSeatsOf(ctx, order, await beyondTheBook(ctx, order, { moved, side: 'to' }));
  ctx.fault('move_taken_back');
  await transact(ctx.db, async (trx) => {
    if (!(await turnMove(trx, move.id, 'taking', { state: 'given_up' }))) return;
    await happened(ctx, trx, {
      actor: 'system',
      action: 'move_given_up',
      subject: move.order_id,
      detail: { move_id: move.id },
    });
  });
}

/** Puts the old seats on sale again, or blocks them if the office wanted that. */
async function leaveOldSeats(ctx: LeasedCtx, move: MoveRow): Promise<void> {
  const order = await requireOrderRow(ctx.db, move.order_id);
  const moved = await movedTicketsOf(ctx.db, move.id);
  const left = await beyondTheBook(ctx, order, { moved, side: 'from' });
  const kept = move.keep_reason === null ? [] : await keepSeats(ctx, order, left);
  await releaseSeatsOf(
    ctx,
    order,
    left.filter(({ object_label }) => !kept.includes(object_label)),
  );
  ctx.fault('move_seats_left');
  await transact(ctx.db, async (trx) => {
    if (!(await turnMove(trx, move.id, 'moved', { state: 'done' }))) return;
    await noteKept(ctx, trx, { move, objects: kept });
  });
}

interface Side {
  moved: readonly MovedTicketRow[];
  side: 'from' | 'to';
}

/**
 * The move's places for which the order has no live line, in the form of lines, because
 * releaseSeatsOf() takes lines.
 */
async function beyondTheBook(
  ctx: Ctx,
  order: OrderRow,
  { moved, side }: Side,
): Promise<GivenLine[]> {
  const tickets = new Map((await ticketsOfOrder(ctx.db, order.id)).map((row) => [row.id, row]));
  const lines = (await linesOf(ctx.db, order.id)).filter(({ released_at }) => released_at === null);
  const kept = new Set(lines.map(({ object_label }) => object_label));
  const labels = moved.map((one) => (side === 'to' ? one.to_object : one.from_object));
  const known = new Map(
    (await placesOfObjects(ctx.db, order.event_id, labels)).map((one) => [one.object_label, one]),
  );
  return moved.flatMap((one, at): GivenLine[] => {
    const object_label = requireValue(labels[at], 'seat');
    const seat = known.get(object_label);
    // The seat map frees an object that is sold whole once, however many tickets have left it.
    const isDone = kept.has(object_label) || labels.indexOf(object_label) < at;
    if (seat && isDone) return [];
    const ticket = requireValue(tickets.get(one.ticket_id), 'ticket');
    const own = lines.find((line) => line.place === ticket.place);
    const ticket_type = own ? bookedType(own) : ticket.ticket_type;
    const place = seat?.place ?? `${object_label}#`;
    const whole_size = seat?.in_whole ?? 0;
    // No stored line has this id, so releaseSeatsOf() keeps all lines of the order.
    const named = { id: one.ticket_id, place, object_label, whole_size };
    return [{ ...named, ticket_type, booked_type: null, left_hall: 0 }];
  });
}

/**
 * Blocks the seats at the seat map and returns those that it blocked; places of a standing area
 * have no names and cannot be blocked.
 */
async function keepSeats(
  ctx: LeasedCtx,
  order: OrderRow,
  left: readonly GivenLine[],
): Promise<string[]> {
  const { seatsio_event_key } = await requireEventRow(ctx.db, order.event_id);
  const seats = left.filter(isOneStatus).map(({ object_label }) => object_label);
  if (seats.length === 0) return [];
  const found = await ctx.seats.read(seatsio_event_key, seats);
  const ours = seats.filter(
    (label) => found.get(label)?.status === 'booked' && found.get(label)?.order_id === order.id,
  );
  // Some are blocked already: an earlier call may have done it without getting an answer.
  const before = seats.filter((label) => found.get(label)?.status === blockedStatus);
  const known = new Set(await blockedAmong(ctx.db, order.event_id, before));
  if (ours.length > 0) await ctx.seats.keepBack(seatsio_event_key, ours);
  return [...ours, ...before.filter((label) => !known.has(label))];
}

async function noteKept(
  ctx: Ctx,
  trx: Trx,
  { move, objects }: { move: MoveRow; objects: readonly string[] },
): Promise<void> {
  if (objects.length === 0) return;
  const block = {
    id: ctx.newId(),
    event_id: move.event_id,
    reason: requireValue(move.keep_reason, 'reason'),
    color: 'grey' as const,
    release_at: null,
    actor: move.actor,
    created_at: ctx.now(),
  };
  const places = await placesOfObjects(trx, move.event_id, objects);
  await insertBlock(trx, block, { places, state: 'live' });
  const { id: block_id, reason, color, release_at } = block;
  await happened(ctx, trx, {
    actor: move.actor as Actor,
    action: 'seats_blocked',
    subject: move.event_id,
    detail: { block_id, reason, color, release_at, places: objects },
  });
}
