/** Reads the facts of a move: each ticket with its line and place, and what forbids the move. */
import type { Db } from '#db/engine/dialect.ts';
import { linesOf } from '#db/order/orders.ts';
import { refundableLines } from '#db/payment/refunds.ts';
import type { EventRow, OrderLineRow, OrderRow } from '#db/rows.ts';
import { openRehousing } from '#db/seat/rehousings.ts';
import { ticketsOfOrder, type TicketWithPlace } from '#db/order/tickets.ts';
import { isCounterOpen, type CounterMethod } from '#server/domain/counter/counter.ts';
import type { MoveFacts } from '#server/domain/seat/move.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { lastPassage } from './passages.ts';

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
  | { way: 'refunded'; handed_back?: boolean }
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
 * `from`: a place. `to`: a label of the seat map; if it is a standing area, the place is chosen
 * when the move is stored.
 */
export interface Step {
  ticket: TicketWithPlace;
  line: OrderLineRow;
  from: string;
  to: string;
}

/** @throws Refusal ticket_not_found, bad_request for a ticket that is named twice */
export async function stepsOf(
  db: Db,
  order: OrderRow,
  wishes: readonly MoveWish[],
): Promise<Step[]> {
  const tickets = await ticketsOfOrder(db, order.id);
  const lines = await linesOf(db, order.id);
  const steps = wishes.map(({ ticket_id, object }) => {
    const ticket = tickets.find(({ id }) => id === ticket_id);
    // A place that was refunded and bought again has two lines; the live one counts.
    const own = lines.filter(({ place }) => place === ticket?.place);
    const line = own.find(({ released_at }) => released_at === null) ?? own[0];
    if (!ticket || !line) throw new Refusal('ticket_not_found');
    return { ticket, line, from: ticket.place, to: object };
  });
  if (new Set(wishes.map(({ ticket_id }) => ticket_id)).size < wishes.length)
    throw new Refusal('bad_request', { fields: ['tickets'] });
  return steps;
}

/** The facts for the rule (RULES M1); read again in the transaction that moves. */
export async function moveFactsOf(
  db: Db,
  { order, event, steps, now }: { order: OrderRow; event: EventRow; steps: Step[]; now: number },
): Promise<MoveFacts> {
  const usedUp = new Set<string>();
  for (const { ticket } of event.reentry === 1 ? [] : steps)
    if ((await lastPassage(db, event.id, ticket))?.direction === 'out') usedUp.add(ticket.id);
  const refunded = new Set(
    (await refundableLines(db, [order.id]))
      .filter(({ refund_id }) => refund_id !== null)
      .map(({ id }) => id),
  );
  const ended = await endedPlaces(db, order);
  return {
    confirmed: order.state === 'confirmed',
    event_cancelled: event.status === 'cancelled',
    event_over: !isCounterOpen(event, now),
    rehearsal: event.rehearsal === 1,
    hall_changing: ((await openRehousing(db, event.id))?.state ?? 'planned') !== 'planned',
    tickets: steps.map(({ ticket, line, to }) => ({
      valid: ticket.state === 'valid',
      refund_open: refunded.has(line.id),
      used_up: usedUp.has(ticket.id),
      place_of_before: ended.has(to),
    })),
  };
}

/** The places where the order has an ended ticket, whose row still names the place. */
export async function endedPlaces(db: Db, order: OrderRow): Promise<Set<string>> {
  const tickets = await ticketsOfOrder(db, order.id);
  return new Set(tickets.filter(({ state }) => state !== 'valid').map(({ place }) => place));
}
