/** Stores a swap: both places, revisions, moves, the registry and the mails, in one transaction. */
import { dropParking, parkTickets, placeTickets, type Arrived } from '#db/seat/rehousings.ts';
import { insertTicketMove } from '#db/order/moves.ts';
import { lockOrder } from '#db/order/orders.ts';
import { issueRevisions } from '#db/seat/seats.ts';
import { requireEventRow } from '#db/event/events.ts';
import { transact } from '#db/engine/transact.ts';
import type { Trx } from '#db/engine/dialect.ts';
import type { EventRow, MoveRow } from '#db/rows.ts';
import { movedWords } from '#server/domain/door/carried.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { seatName } from '#server/domain/seat/seat-name.ts';
import type { Ctx } from '#server/services/context.ts';
import { guestsInside } from '#server/services/door/standing.ts';
import { happened, oweMail, takeDoorTurn } from '#server/services/kit/happened.ts';
import { codeMails } from '#server/services/kit/mail-queue.ts';
import { raiseFloor } from '#server/services/kit/processes.ts';
import { queueInReserve } from '#server/services/kit/queue-task.ts';
import { codeEndOf } from '#server/services/order/tickets.ts';
import { passToGuests } from '#server/services/payment/guest-places.ts';
import { carryOver, type Passage } from './passages.ts';
import { stepsOf } from './steps.ts';
import { swapObstacle, type SwapAsk, type SwapSide } from './swap-plan.ts';

interface Swapping {
  sides: readonly [SwapSide, SwapSide];
  isUneven: boolean;
  ask: SwapAsk;
  by: { user_id: string };
}

/** Returns the id of the first ticket's move. @throws Refusal move_changed, move_refused */
export async function commitSwap(ctx: Ctx, swapping: Swapping): Promise<string> {
  const { sides, by } = swapping;
  const ids = [ctx.newId(), ctx.newId()] as const;
  await transact(ctx.db, async (trx) => {
    const order_ids = [...new Set(sides.map(({ order }) => order.id))].toSorted();
    for (const id of order_ids) await lockOrder(trx, id);
    const { event_id } = sides[0].order;
    // Locks the event's row before any place, as all calls do that issue tickets.
    const { feed_seq } = await takeDoorTurn(trx, { act: 'tickets_swapped', event_id });
    const event = await requireEventRow(trx, event_id);
    await requireSame(ctx, trx, event, sides);
    await raiseFloor(ctx, trx, '1.7.0');
    const inside = await guestsInside(
      trx,
      event_id,
      sides.map(({ step }) => step.ticket),
    );
    const revisions = await changePlaces(ctx, trx, { event, feed_seq, sides });
    const passages = sides.flatMap(({ step: { ticket } }, at): Passage[] => {
      const last = inside.get(ticket.id);
      const from = { place: ticket.place, revision: ticket.revision };
      const place = otherOf(sides, at).step.ticket.place;
      const to = { place, revision: requireValue(revisions.get(place), 'revision') };
      return last ? [{ ticket_id: ticket.id, from, to, last }] : [];
    });
    await carryOver(ctx, trx, { event_id, user_id: by.user_id, why: movedWords, passages });
    for (const order_id of order_ids) await passToGuests(ctx, trx, { event_id, order_id });
    const isOne = order_ids.length === 1;
    for (const at of [0, 1] as const)
      await noteSide(ctx, trx, { ...swapping, at, ids, revisions, isOne });
  });
  return ids[0];
}

function otherOf(sides: Swapping['sides'], at: number): SwapSide {
  return at === 0 ? sides[1] : sides[0];
}

/** Refuses if one of the orders has changed since the plan, for example by a refund. */
async function requireSame(
  ctx: Ctx,
  trx: Trx,
  event: EventRow,
  sides: Swapping['sides'],
): Promise<void> {
  for (const { order, step } of sides) {
    const [now] = await stepsOf(trx, order, [{ ticket_id: step.ticket.id, object: step.to }]);
    const { ticket, line } = requireValue(now, 'step');
    const isSame =
      ticket.place === step.ticket.place &&
      ticket.revision === step.ticket.revision &&
      line.id === step.line.id &&
      line.price_cents === step.line.price_cents &&
      ticket.state === 'valid';
    if (!isSame) throw new Refusal('move_changed');
  }
  const obstacle = await swapObstacle({ db: trx, now: ctx.now }, event, sides);
  if (obstacle !== null) throw new Refusal('move_refused', { reason: obstacle });
}

interface Changing {
  event: EventRow;
  feed_seq: number;
  sides: Swapping['sides'];
}

/**
 * Puts each ticket on the other's place. As with a move, each place has a revision between that
 * belongs to no ticket. Returns the new revisions by place.
 */
async function changePlaces(
  ctx: Ctx,
  trx: Trx,
  { event, feed_seq, sides }: Changing,
): Promise<Map<string, number>> {
  const places = sides.map(({ step }) => step.ticket.place);
  const issuing = { places, feed_seq, now: ctx.now() };
  await issueRevisions(trx, event.id, { ...issuing, why: 'moved' });
  await parkTickets(
    trx,
    event.id,
    sides.map(({ step: { line, ticket } }) => ({
      id: line.id,
      order_id: line.order_id,
      ticket_id: ticket.id,
    })),
  );
  const revisions = await issueRevisions(trx, event.id, { ...issuing, why: 'resold' });
  await placeTickets(
    trx,
    sides.map(({ step }, at): Arrived => {
      const there = otherOf(sides, at).step;
      const { place, category } = there.ticket;
      const revision = requireValue(revisions.get(place), 'revision');
      const { id, order_id, whole_size, price_id, price_cents, list_cents, type_label } = step.line;
      const priced = { price_id, price_cents, list_cents, type_label };
      const { object_label } = there.line;
      return {
        line: { id, order_id, place, object_label, whole_size, category, ...priced },
        ticket: {
          id: step.ticket.id,
          place,
          revision,
          price_cents,
          code_end: codeEndOf(event, { place, revision, earlier_codes: 0 }),
        },
      };
    }),
  );
  await dropParking(trx, event.id);
  return revisions;
}

interface Noting extends Swapping {
  at: 0 | 1;
  ids: readonly [string, string];
  revisions: ReadonlyMap<string, number>;
  /** Both tickets are of one order, for which the seat map has both seats. */ isOne: boolean;
}

async function noteSide(
  ctx: Ctx,
  trx: Trx,
  { sides, at, ids, revisions, isOne, isUneven, ask, by }: Noting,
): Promise<void> {
  const { order, step, difference_cents } = requireValue(sides[at], 'side');
  const there = otherOf(sides, at);
  const actor = `user:${by.user_id}` as const;
  const id = requireValue(ids[at], 'id');
  const { place } = there.step.ticket;
  const revision = requireValue(revisions.get(place), 'revision');
  const move: MoveRow = {
    id,
    order_id: order.id,
    event_id: order.event_id,
    actor,
    keep_reason: null,
    state: isOne ? 'done' : 'moved',
    difference_cents: isUneven ? difference_cents : 0,
    difference_end: isUneven && difference_cents !== 0 ? 'waived' : 'none',
    refund_id: null,
    partner_id: requireValue(ids[1 - at], 'id'),
    of_rehousing: null,
    created_at: ctx.now(),
    moved_at: ctx.now(),
  };
  await insertTicketMove(trx, move, [
    {
      move_id: id,
      ticket_id: step.ticket.id,
      event_id: order.event_id,
      position: 0,
      from_place: step.ticket.place,
      from_object: step.line.object_label,
      from_revision: step.ticket.revision,
      to_object: step.to,
      to_place: place,
      to_revision: revision,
    },
  ]);
  if (!isOne) await queueInReserve(ctx, trx, { task: 'settle_move', subject: id });
  await happened(ctx, trx, {
    actor,
    action: 'tickets_swapped',
    subject: order.id,
    detail: {
      move_id: id,
      with: there.order.number,
      from: [seatName(step.ticket)],
      to: [seatName(there.step.ticket)],
      ...(isUneven && { reason: ask.reason }),
    },
  });
  const { buyer_email } = order;
  const act = 'tickets_swapped';
  if (ask.tell_buyer && buyer_email !== null)
    await oweMail(ctx, trx, { act, order_id: order.id, kind: 'seats_changed', key: id });
  for (const mail of codeMails([{ ...step.ticket, revision, buyer_email }]))
    await oweMail(ctx, trx, { act, ...mail });
}
