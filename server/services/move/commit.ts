/**
 * Stores a move of tickets when the new seats are booked: places, revisions, money, the door's
 * changes, the audit and the mail, in one transaction.
 */
import type { Trx } from '#db/engine/dialect.ts';
import { requireEventRow } from '#db/event/events.ts';
import { noteArrival, placeLine, placeTicket, turnMove } from '#db/order/moves.ts';
import { linesOf, lockOrder, releaseTheseLines } from '#db/order/orders.ts';
import type { EventRow, MoveRow, OrderRow, TicketRow } from '#db/rows.ts';
import { hasOtherOrder } from '#db/seat/object-places.ts';
import { freePlacesOfArea, issueRevision } from '#db/seat/seats.ts';
import { transact } from '#db/engine/transact.ts';
import { moveObstacle } from '#server/domain/seat/move.ts';
import { cheaperSeatWords } from '#server/domain/seat/move-words.ts';
import { entryKindMoved } from '#server/domain/papers/summary.ts';
import { pricingOf } from '#server/domain/price/pricing.ts';
import { codeEndOf } from '#server/services/order/tickets.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { seatName } from '#server/domain/seat/seat-name.ts';
import type { Ctx } from '#server/services/context.ts';
import { codeMails } from '#server/services/kit/mail-queue.ts';
import { queueInReserve } from '#server/services/kit/queue-task.ts';
import type { Giver } from '#server/services/payment/drawer.ts';
import { passToGuests } from '#server/services/payment/guest-places.ts';
import { endLetGo } from '#server/services/payment/let-go.ts';
import { movedWords } from '#server/domain/door/carried.ts';
import { standingOfTicket } from '#server/services/door/standing.ts';
import { happened, oweMail, takeDoorTurn } from '#server/services/kit/happened.ts';
import { settleDifference } from './difference.ts';
import { carryOver, type Passage } from './passages.ts';
import { targetName, type PlannedStep } from './plan.ts';
import { endedPlaces, moveFactsOf, stepsOf, type MoveAsk, type Step } from './steps.ts';

interface Committing {
  move: MoveRow;
  steps: readonly PlannedStep[];
  ask: MoveAsk;
  by: Giver;
}

/**
 * @throws Refusal move_changed, move_refused, seats_not_free, shift_not_open, refund_changed; a
 * unique violation if a new place is taken
 */
export async function commitMove(ctx: Ctx, committing: Committing): Promise<void> {
  const { move, steps, ask, by } = committing;
  await transact(ctx.db, async (trx) => {
    const order = await lockOrder(trx, move.order_id);
    // Locks the event's row before any place, as all calls do that issue tickets.
    const { event_id } = move;
    const { feed_seq } = await takeDoorTurn(trx, { act: 'tickets_moved', event_id });
    await requireUnchanged(ctx, trx, order, steps);
    const event = await requireEventRow(trx, move.event_id);
    const isWaived = ask.difference?.way === 'waived';
    const inside: Passage[] = [];
    const moved: Moved['moved'][number][] = [];
    for (const step of steps) {
      const { last } = await standingOfTicket(trx, step.ticket);
      const to = await moveOne(ctx, trx, {
        event,
        order,
        move,
        feed_seq,
        step: isWaived ? atOldPrice(step) : step,
      });
      const { id: ticket_id, place, revision } = step.ticket;
      moved.push({ ...step.ticket, revision: to.revision });
      if (last?.direction === 'in') inside.push({ ticket_id, from: { place, revision }, to, last });
    }
    await closeLeftovers(trx, order, { steps, now: ctx.now() });
    await carryOver(ctx, trx, {
      event_id: event.id,
      user_id: by.user_id,
      why: movedWords,
      passages: inside,
    });
    await passToGuests(ctx, trx, { event_id, order_id: order.id });
    const { difference_cents } = move;
    const { difference } = ask;
    const owed = { move_id: move.id, difference_cents, difference, reason: cheaperSeatWords, by };
    const refund_id = await settleDifference(ctx, trx, order, owed);
    await turnMove(trx, move.id, 'taking', { state: 'moved', moved_at: ctx.now(), refund_id });
    await noteMove(ctx, trx, order, committing);
    await queueInReserve(ctx, trx, { task: 'settle_move', subject: move.id });
    await tellMoved(ctx, trx, order, { move, moved, tell_buyer: ask.tell_buyer });
  });
}

interface Moved extends Pick<MoveAsk, 'tell_buyer'> {
  move: MoveRow;
  moved: readonly Pick<TicketRow, 'id' | 'order_id' | 'revision' | 'holder_email'>[];
}

/** The buyer hears of the new seats if the office wishes; each other holder gets the new code. */
async function tellMoved(
  ctx: Ctx,
  trx: Trx,
  { id: order_id, buyer_email }: OrderRow,
  { move, moved, tell_buyer }: Moved,
): Promise<void> {
  const act = 'tickets_moved';
  if (tell_buyer && buyer_email !== null)
    await oweMail(ctx, trx, { act, order_id, kind: 'seats_changed', key: move.id });
  for (const mail of codeMails(moved.map((ticket) => ({ ...ticket, buyer_email }))))
    await oweMail(ctx, trx, { act, ...mail });
}

/** Refuses if the order has changed since the plan, for example by a refund or a new name. */
export async function requireUnchanged(
  ctx: Ctx,
  trx: Trx,
  order: OrderRow,
  planned: readonly Step[],
): Promise<void> {
  const event = await requireEventRow(trx, order.event_id);
  const wishes = planned.map(({ ticket, to }) => ({ ticket_id: ticket.id, object: to }));
  const steps = await stepsOf(trx, order, wishes);
  const obstacle = moveObstacle(await moveFactsOf(trx, { order, event, steps, now: ctx.now() }));
  if (obstacle !== null) throw new Refusal('move_refused', { reason: obstacle });
  if (!steps.every((step, at) => isSame(step, planned[at]))) throw new Refusal('move_changed');
}

function isSame(now: Step, then: Step | undefined): boolean {
  return (
    now.ticket.place === then?.ticket.place &&
    // After a reissue the replaced code must not become an earlier code of the new place.
    now.ticket.revision === then.ticket.revision &&
    now.line.id === then?.line.id &&
    now.line.price_cents === then?.line.price_cents
  );
}

/** The step when the house waives the difference: the ticket keeps its price. */
function atOldPrice(step: PlannedStep): PlannedStep {
  const list_cents = step.line.list_cents ?? step.line.price_cents;
  return { ...step, price_id: step.line.price_id, list_cents, difference_cents: 0 };
}

interface OneMove {
  event: EventRow;
  order: OrderRow;
  move: MoveRow;
  feed_seq: number;
  step: PlannedStep;
}

/**
 * Moves one ticket. The old place gets a next revision without a ticket, so that the door answers
 * to the old code that there is a newer one.
 */
async function moveOne(
  ctx: Ctx,
  trx: Trx,
  { event, order, move, feed_seq, step }: OneMove,
): Promise<{ place: string; revision: number }> {
  const { ticket, line, target, whole_size } = step;
  const { event_id } = move;
  const isSeat = !step.standing && whole_size === 0;
  const place = isSeat ? target.label : await freePlace(trx, order, target.label);
  const price_cents = line.price_cents + step.difference_cents;
  await placeLine(trx, line, {
    place,
    object_label: target.label,
    whole_size,
    category: target.category,
    price_id: step.price_id,
    price_cents,
    // Where rules made the price, refunds reckon with the new list price (RULES R7).
    list_cents: line.list_cents === null ? null : step.list_cents,
    entry_kind: entryKindMoved(
      line,
      { ...target, price_cents, list_cents: step.list_cents },
      pricingOf(event),
    ),
    type_label: line.type_label,
  });
  await endLetGo(ctx, trx, { event, feed_seq }, [place]);
  const issuing = { feed_seq, now: ctx.now() };
  await issueRevision(trx, event_id, ticket.place, { ...issuing, why: 'moved' });
  const revision = await issueRevision(trx, event_id, place, { ...issuing, why: 'resold' });
  const code_end = codeEndOf(event, { place, revision, earlier_codes: 0 });
  await placeTicket(trx, ticket.id, { place, revision, price_cents, code_end });
  await noteArrival(
    trx,
    { move_id: move.id, ticket_id: ticket.id },
    { to_place: place, to_revision: revision },
  );
  return { place, revision };
}

/**
 * The first free place of a standing area or of an object sold whole; leaves out places where this
 * order has an ended ticket.
 * @throws Refusal seats_not_free
 */
async function freePlace(trx: Trx, order: OrderRow, object: string): Promise<string> {
  const ended = await endedPlaces(trx, order);
  const free = await freePlacesOfArea(trx, order.event_id, object, { count: ended.size + 1 });
  const place = free.find((one) => !ended.has(one.place));
  const isOthers = place?.in_whole === 1 && (await hasOtherOrder(trx, order, object));
  if (!place || isOthers) throw new Refusal('seats_not_free', { objects: [object] });
  return place.place;
}

/**
 * Lines on places of an object sold whole that no valid ticket has stay behind when it moves; the
 * order would have two objects, so they are given back (RULES S8).
 */
async function closeLeftovers(
  trx: Trx,
  order: OrderRow,
  { steps, now }: { steps: readonly PlannedStep[]; now: number },
): Promise<void> {
  const left = new Set(steps.flatMap(({ line, from }) => (line.whole_size > 0 ? [from] : [])));
  const arrived = new Set(steps.map(({ to }) => to));
  const going = new Set(steps.map(({ line }) => line.id));
  const behind = (await linesOf(trx, order.id)).filter(
    ({ id, object_label }) =>
      left.has(object_label) && !arrived.has(object_label) && !going.has(id),
  );
  const line_ids = behind.map(({ id }) => id);
  await releaseTheseLines(trx, { order_id: order.id, line_ids }, now);
}

async function noteMove(
  ctx: Ctx,
  trx: Trx,
  order: OrderRow,
  { move, steps, ask, by }: Committing,
): Promise<void> {
  const about = { actor: `user:${by.user_id}` as const, subject: order.id };
  const { difference } = ask;
  await happened(ctx, trx, {
    ...about,
    action: 'tickets_moved',
    detail: {
      move_id: move.id,
      from: steps.map(({ ticket }) => seatName(ticket)),
      to: steps.map(targetName),
      difference_cents: move.difference_cents,
      difference_end: move.difference_end,
      kept_back: move.keep_reason,
      ...(difference && 'reason' in difference ? { reason: difference.reason } : {}),
    },
  });
  if (ask.rules_reason !== undefined)
    await happened(ctx, trx, {
      ...about,
      action: 'seat_rules_overridden',
      detail: { reason: ask.rules_reason },
    });
}
