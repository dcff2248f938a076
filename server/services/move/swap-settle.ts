/** Tells the seat map that two seats have changed orders: step by step, from what the book says. */
import { transact } from '#db/engine/transact.ts';
import { requireEventRow } from '#db/event/events.ts';
import { findMove, movedTicketsOf, turnMove } from '#db/order/moves.ts';
import { liveLineOn } from '#db/reconcile/breaks.ts';
import type { SeatRequest } from '#server/adapters/seatsio.ts';
import type { MovedTicketRow, MoveRow } from '#db/rows.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { blockedStatus } from '#server/domain/seat/block.ts';
import { bookedType } from '#server/domain/seat/whole.ts';
import { withLease, type LeasedCtx } from '#server/services/payment/order-lease.ts';

/** How long the first of the two moves waits for the other order; the other does not wait. */
const waitMs = 2_000;

/** Ends both moves of a swap. @throws Refusal try_again while another call has the other order */
export async function endSwap(ctx: LeasedCtx, move: MoveRow): Promise<void> {
  const partner = requireValue(await findMove(ctx.db, move.partner_id ?? ''), 'move');
  const done = await withLease(ctx, partner.order_id, {
    waitMs: move.id < partner.id ? waitMs : 0,
    run: (leased) => tellSwap(leased, move.id),
  });
  if (done === null) throw new Refusal('try_again');
}

/** Needs the leases of both orders; may be repeated. */
export async function tellSwap(ctx: LeasedCtx, move_id: string): Promise<void> {
  const move = requireValue(await findMove(ctx.db, move_id), 'move');
  const partner = requireValue(await findMove(ctx.db, move.partner_id ?? ''), 'move');
  const moves = [move, partner];
  const { event_id } = move;
  const { seatsio_event_key: key } = await requireEventRow(ctx.db, event_id);
  const rows: MovedTicketRow[] = [];
  for (const { id } of moves) rows.push(...(await movedTicketsOf(ctx.db, id)));
  const labels = rows.map(({ to_object }) => to_object);
  const orders = new Set(moves.map(({ order_id }) => order_id));
  const owners = await ownersOf(ctx, event_id, labels);
  const found = await ctx.seats.read(key, labels);
  const wrong = labels.filter((label) => {
    const seat = found.get(label);
    const isTheirs = seat?.status === 'booked' && orders.has(seat.order_id ?? '');
    return isTheirs && seat.order_id !== owners.get(label)?.order_id;
  });
  // A seat is blocked between its two orders, so that it is never free.
  if (wrong.length > 0) await ctx.seats.keepBack(key, wrong);
  ctx.fault('swap_kept_back');
  const kept = labels.filter((label) => found.get(label)?.status === blockedStatus);
  for (const label of [...wrong, ...kept]) {
    const owner = owners.get(label);
    if (owner === undefined) await ctx.seats.unblock(key, [label]);
    else await ctx.seats.rebook(key, seatOf(owner), owner.order_id);
    ctx.fault('swap_seat_told');
  }
  await transact(ctx.db, async (trx) => {
    for (const { id } of moves) await turnMove(trx, id, 'moved', { state: 'done' });
  });
}

type Owner = NonNullable<Awaited<ReturnType<typeof liveLineOn>>>;

/** Whose the seats are by the book: one may have been given back meanwhile. */
async function ownersOf(
  { db }: LeasedCtx,
  event_id: string,
  labels: readonly string[],
): Promise<Map<string, Owner>> {
  const owners = new Map<string, Owner>();
  for (const label of labels) {
    const line = await liveLineOn(db, event_id, label);
    if (line) owners.set(label, line);
  }
  return owners;
}

function seatOf(owner: Owner): SeatRequest {
  return { label: owner.object_label, quantity: null, ticket_type: bookedType(owner) };
}
