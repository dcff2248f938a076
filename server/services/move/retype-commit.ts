/** Stores the new types of tickets: lines, revisions, money, the registry and mails at once. */
import { transact } from '#db/engine/transact.ts';
import type { Trx } from '#db/engine/dialect.ts';
import { requireEventRow } from '#db/event/events.ts';
import { insertTicketMove, placeTicket, retypeLine } from '#db/order/moves.ts';
import { lockOrder } from '#db/order/orders.ts';
import type { EventRow, MoveRow, OrderRow } from '#db/rows.ts';
import { issueRevision } from '#db/seat/seats.ts';
import { reissuedWords } from '#server/domain/door/carried.ts';
import { entryKindMoved } from '#server/domain/papers/summary.ts';
import { pricingOf } from '#server/domain/price/pricing.ts';
import { cheaperTypeWords } from '#server/domain/seat/move-words.ts';
import { seatName } from '#server/domain/seat/seat-name.ts';
import { bookedType } from '#server/domain/seat/whole.ts';
import type { Ctx } from '#server/services/context.ts';
import { guestsInside } from '#server/services/door/standing.ts';
import { happened, oweMail, takeDoorTurn } from '#server/services/kit/happened.ts';
import { codeMails, newCodesKey } from '#server/services/kit/mail-queue.ts';
import { raiseFloor } from '#server/services/kit/processes.ts';
import { codeEndOf } from '#server/services/order/tickets.ts';
import type { Giver } from '#server/services/payment/drawer.ts';
import { requireUnchanged } from './commit.ts';
import { settleDifference } from './difference.ts';
import { carryOver, type Passage } from './passages.ts';
import type { RetypedStep, TypeAsk } from './retype-plan.ts';

interface Retyping {
  order: OrderRow;
  steps: readonly RetypedStep[];
  difference_cents: number;
  ask: TypeAsk;
  by: Giver;
}

/**
 * Returns the refund's id if money goes back.
 * @throws Refusal move_changed, move_refused, shift_not_open, refund_changed
 */
export async function commitTypes(ctx: Ctx, retyping: Retyping): Promise<string | null> {
  const { steps, difference_cents, ask, by } = retyping;
  const act = 'tickets_retyped';
  return transact(ctx.db, async (trx) => {
    const order = await lockOrder(trx, retyping.order.id);
    const { event_id } = order;
    const { feed_seq } = await takeDoorTurn(trx, { act, event_id });
    await requireUnchanged(ctx, trx, order, steps);
    await raiseFloor(ctx, trx, '1.7.0');
    const event = await requireEventRow(trx, event_id);
    const tickets = steps.map(({ ticket }) => ticket);
    const inside = await guestsInside(trx, event_id, tickets);
    const isWaived = ask.difference?.way === 'waived';
    const passages: Passage[] = [];
    const retyped: {
      id: string;
      order_id: string;
      revision: number;
      holder_email: string | null;
    }[] = [];
    for (const step of steps) {
      const revision = await retypeOne(ctx, trx, { event, feed_seq, step, isWaived });
      const { id, place, revision: before } = step.ticket;
      retyped.push({ ...step.ticket, revision });
      const last = inside.get(id);
      const from = { place, revision: before };
      if (last) passages.push({ ticket_id: id, from, to: { place, revision }, last });
    }
    await carryOver(ctx, trx, { event_id, user_id: by.user_id, why: reissuedWords, passages });
    const move_id = ctx.newId();
    const { difference } = ask;
    const owed = { move_id, difference_cents, difference, reason: cheaperTypeWords, by };
    const refund_id = await settleDifference(ctx, trx, order, owed);
    await noteTypes(ctx, trx, order, { ...retyping, move_id, refund_id });
    const { buyer_email } = order;
    if (ask.tell_buyer && buyer_email !== null)
      await oweMail(ctx, trx, { act, order_id: order.id, kind: 'tickets', key: newCodesKey(ctx) });
    for (const mail of codeMails(retyped.map((ticket) => ({ ...ticket, buyer_email }))))
      await oweMail(ctx, trx, { act, ...mail });
    return refund_id;
  });
}

interface OneTicket {
  event: EventRow;
  feed_seq: number;
  step: RetypedStep;
  isWaived: boolean;
}

/** The next revision of the ticket's own place: the code of the old price is replaced. */
async function retypeOne(
  ctx: Ctx,
  trx: Trx,
  { event, feed_seq, step, isWaived }: OneTicket,
): Promise<number> {
  const { ticket, line, ticket_type, type_label } = step;
  const { place } = ticket;
  const price_cents = isWaived ? line.price_cents : line.price_cents + step.difference_cents;
  const price_id = isWaived ? line.price_id : step.price_id;
  const list_cents = isWaived ? (line.list_cents ?? price_cents) : step.list_cents;
  const booked = bookedType(line);
  const { category, category_key } = ticket;
  const sold = { category, category_key, ticket_type, price_cents, list_cents };
  await retypeLine(trx, line, {
    ticket_type,
    type_label,
    booked_type: booked === ticket_type ? null : booked,
    price_id,
    price_cents,
    // Where rules made the price, refunds reckon with the new list price (RULES R7).
    list_cents: line.list_cents === null ? null : list_cents,
    entry_kind: entryKindMoved(line, sold, pricingOf(event)),
  });
  const issuing = { feed_seq, why: 'reissued' as const, now: ctx.now() };
  const revision = await issueRevision(trx, event.id, place, issuing);
  const code_end = codeEndOf(event, { place, revision, earlier_codes: 0 });
  const changes = { place, revision, price_cents, code_end, ticket_type, type_label };
  await placeTicket(trx, ticket.id, changes);
  return revision;
}

/** The difference stands among the order's moves; no ticket of it has left its place. */
async function noteTypes(
  ctx: Ctx,
  trx: Trx,
  order: OrderRow,
  noted: Retyping & { move_id: string; refund_id: string | null },
): Promise<void> {
  const { move_id: id, refund_id, steps, difference_cents, ask, by } = noted;
  const actor = `user:${by.user_id}` as const;
  const difference_end: MoveRow['difference_end'] = ask.difference?.way ?? 'none';
  const move = {
    order_id: order.id,
    event_id: order.event_id,
    keep_reason: null,
    partner_id: null,
    of_rehousing: null,
  };
  const now = { created_at: ctx.now(), moved_at: ctx.now() };
  const money = { difference_cents, difference_end, refund_id };
  await insertTicketMove(trx, { id, state: 'done', actor, ...move, ...money, ...now }, []);
  const { difference } = ask;
  await happened(ctx, trx, {
    actor,
    action: 'tickets_retyped',
    subject: order.id,
    detail: {
      move_id: id,
      places: steps.map(({ ticket }) => seatName(ticket)),
      from: [...new Set(steps.map(({ line }) => line.type_label))],
      to: [...new Set(steps.map(({ type_label }) => type_label))],
      difference_cents,
      difference_end,
      ...(difference && 'reason' in difference ? { reason: difference.reason } : {}),
    },
  });
}
