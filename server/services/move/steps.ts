/** Reads the facts of a move: each ticket with its line and place, and what forbids the move. */
import type { Db } from '#db/engine/dialect.ts';
import { linesOf } from '#db/order/orders.ts';
import { refundableLines } from '#db/payment/refunds.ts';
import type { EventRow, OrderLineRow, OrderRow } from '#db/rows.ts';
import { placesOfObjects } from '#db/seat/object-places.ts';
import { openRehousing } from '#db/seat/rehousings.ts';
import { ticketsOfOrder, type TicketWithPlace } from '#db/order/tickets.ts';
import { isCounterOpen, type CounterMethod } from '#server/domain/counter/counter.ts';
import type { HandPart } from '#server/domain/counter/hand-back.ts';
import { underTerms } from '#server/domain/order/terms.ts';
import type { MoveFacts } from '#server/domain/seat/move.ts';
import { isStanding } from '#server/domain/seat/whole.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { standingOfTicket } from '#server/services/door/standing.ts';

export interface MoveWish {
  ticket_id: string;
  /** The label of a seat or a standing area. */ object: string;
}

/**
 * How the difference is paid; left out if there is none. Cash and card reader belong to the
 * caller's open shift.
 */
export type DifferenceAsk =
  | {
      way: 'paid';
      method: CounterMethod;
      given_cents?: number;
      receipt?: string;
      reason?: string;
    }
  | {
      way: 'refunded';
      handed_back?: boolean;
      ways?: readonly HandPart[];
      drawer_reason?: string;
    }
  | { way: 'waived'; reason: string };

export interface QuoteAsk {
  tickets: MoveWish[];
  keep_back?: boolean;
}

/** `expected_cents`: the difference that the office saw. */
export interface MoveAsk {
  tickets: MoveWish[];
  expected_cents: number;
  difference?: DifferenceAsk;
  rules_reason?: string;
  keep_reason?: string;
  tell_buyer: boolean;
}

/**
 * `from`: the object that the ticket leaves, or its place in a standing area. `to`: a label of the
 * seat map; the place in a standing area or in an object sold whole is chosen when the move is
 * stored.
 */
export interface Step {
  ticket: TicketWithPlace;
  line: OrderLineRow;
  from: string;
  to: string;
}

/**
 * The steps that were asked for; an object sold whole moves with all its valid tickets. A ticket
 * without a new object stays on its own.
 * @throws Refusal ticket_not_found, bad_request for a ticket that is named twice
 */
export async function stepsOf(
  db: Db,
  order: OrderRow,
  wishes: readonly (Pick<MoveWish, 'ticket_id'> & Partial<MoveWish>)[],
): Promise<Step[]> {
  const tickets = await ticketsOfOrder(db, order.id);
  const lines = await linesOf(db, order.id);
  const stepOf = ({ ticket_id, object }: (typeof wishes)[number]): Step => {
    const ticket = tickets.find(({ id }) => id === ticket_id);
    // A place that was refunded and bought again has two lines; the live one counts.
    const own = lines.filter(({ place }) => place === ticket?.place);
    const line = own.find(({ released_at }) => released_at === null) ?? own[0];
    if (!ticket || !line) throw new Refusal('ticket_not_found');
    const from = isStanding(line) ? line.place : line.object_label;
    return { ticket, line, from, to: object ?? line.object_label };
  };
  const steps = wishes.map(stepOf);
  if (new Set(wishes.map(({ ticket_id }) => ticket_id)).size < wishes.length)
    throw new Refusal('bad_request', { fields: ['tickets'] });
  const isSplit = steps.some(({ line, from, to }) =>
    steps.some((other) => line.whole_size > 0 && other.from === from && other.to !== to),
  );
  if (isSplit) throw new Refusal('bad_request', { fields: ['tickets'] });
  const valid = tickets.filter(({ state }) => state === 'valid');
  const party = ({ line, to }: Step): Step[] =>
    lines
      .filter(
        ({ object_label, whole_size }) => object_label === line.object_label && whole_size > 0,
      )
      .flatMap(({ place }) => valid.filter((ticket) => ticket.place === place))
      .map(({ id }) => stepOf({ ticket_id: id, object: to }));
  const all = steps.flatMap((step) => [...party(step), step]);
  return [...new Map(all.map((step) => [step.ticket.id, step])).values()];
}

/** The facts for the rule (RULES M1); read again in the transaction that moves. */
export async function moveFactsOf(
  db: Db,
  { order, event, steps, now }: { order: OrderRow; event: EventRow; steps: Step[]; now: number },
): Promise<MoveFacts> {
  const usedUp = new Set<string>();
  const { reentry } = underTerms(event, order);
  for (const { ticket } of reentry === 1 ? [] : steps)
    if ((await standingOfTicket(db, ticket)).last?.direction === 'out') usedUp.add(ticket.id);
  const refunded = new Set(
    (await refundableLines(db, [order.id]))
      .filter(({ refund_id }) => refund_id !== null)
      .map(({ id }) => id),
  );
  const ended = await endedPlaces(db, order);
  const rooms = await roomsOf(db, order, { steps, ended });
  const hasRoom = ({ to }: Step): boolean => {
    const together = steps.filter((other) => other.to === to);
    const isOne = together.every(({ from }) => from === together[0]?.from);
    return !rooms.has(to) || (isOne && together.length <= (rooms.get(to) ?? 0));
  };
  return {
    confirmed: order.state === 'confirmed',
    event_cancelled: event.status === 'cancelled',
    event_over: !isCounterOpen(event, now),
    rehearsal: event.rehearsal === 1,
    hall_changing: ((await openRehousing(db, event.id))?.state ?? 'planned') !== 'planned',
    tickets: steps.map((step) => ({
      valid: step.ticket.state === 'valid' && step.ticket.let_go_at === null,
      refund_open: refunded.has(step.line.id),
      used_up: usedUp.has(step.ticket.id),
      place_of_before: ended.has(step.to),
      same_kind: step.line.whole_size > 0 === rooms.has(step.to),
      has_room: hasRoom(step),
    })),
  };
}

/**
 * How many tickets of the order each new object takes that is sold whole: its places, without
 * those on which the order has an ended ticket.
 */
async function roomsOf(
  db: Db,
  { event_id }: OrderRow,
  { steps, ended }: { steps: readonly Step[]; ended: ReadonlySet<string> },
): Promise<Map<string, number>> {
  const labels = [...new Set(steps.map(({ to }) => to))];
  const whole = (await placesOfObjects(db, event_id, labels)).filter((one) => one.in_whole === 1);
  return new Map(
    [...Map.groupBy(whole, ({ object_label }) => object_label)].map(([label, places]) => [
      label,
      places.filter(({ place }) => !ended.has(place)).length,
    ]),
  );
}

/** The places where the order has an ended ticket, whose row still names the place. */
export async function endedPlaces(db: Db, order: OrderRow): Promise<Set<string>> {
  const tickets = await ticketsOfOrder(db, order.id);
  return new Set(tickets.filter(({ state }) => state !== 'valid').map(({ place }) => place));
}
