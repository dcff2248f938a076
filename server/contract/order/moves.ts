/** Moving tickets of an order to other seats, on the wire. */
import * as v from 'valibot';
import { longestReason } from '#server/domain/seat/block.ts';
import { counterMethods } from '#server/domain/counter/counter.ts';
import { differenceEnds, mostMoved, moveObstacles } from '#server/domain/seat/move.ts';
import { endpoint, text, trimmed } from '#server/contract/endpoint.ts';
import { handing, handingRefusals } from '#server/contract/hand-back.ts';

const reasonOf = (longest: number) => trimmed(longest, 1);
const cents = v.pipe(v.number(), v.integer(), v.minValue(-10_000_000), v.maxValue(10_000_000));

/** `object`: the new seat's label at the seat map, or a standing area's. */
const tickets = v.pipe(
  v.array(v.object({ ticket_id: text(40, 1), object: text(200, 1) })),
  v.minLength(1),
  v.maxLength(mostMoved),
  v.check(
    (all) => new Set(all.map(({ ticket_id }) => ticket_id)).size === all.length,
    'each ticket once',
  ),
);

const ticketIds = v.pipe(
  v.array(text(40, 1)),
  v.minLength(1),
  v.maxLength(mostMoved),
  v.check((all) => new Set(all).size === all.length, 'each ticket once'),
);

const known = ['order_not_found', 'ticket_not_found', 'object_without_price'] as const;
const seatless = ['object_unknown', 'seats_not_free', 'provider_silent'] as const;
const refused = [...known, 'move_refused', 'move_changed', 'move_unsettled'] as const;
const settled = ['payment_wrong', 'refund_changed', ...handingRefusals] as const;

/**
 * Cents; `difference_cents` above zero: the buyer owes it; below zero: it goes back, `hand_cents`
 * of it by hand. `orphans`: seats that would be left
 * alone.
 */
export const quoteMove = endpoint('POST', '/api/admin/orders/:orderId/moves/quote', {
  who: 'move_tickets',
  limit: 'read',
  refusals: [...known, ...seatless],
  summary: 'What moving tickets to other seats would mean',
  body: v.object({ tickets, keep_back: v.optional(v.boolean()) }),
  reply: v.object({
    difference_cents: v.number(),
    hand_cents: v.number(),
    obstacle: v.nullable(v.picklist(moveObstacles)),
    orphans: v.array(v.string()),
    tickets: v.array(
      v.object({
        ticket_id: v.string(),
        object: v.string(),
        type_label: v.string(),
        from: v.string(),
        to: v.string(),
        price_cents: v.number(),
        difference_cents: v.number(),
      }),
    ),
  }),
});

/** Proposes new seats only; empty: there is no place for all tickets. */
export const proposeMove = endpoint('POST', '/api/admin/orders/:orderId/moves/propose', {
  who: 'move_tickets',
  limit: 'read',
  refusals: ['order_not_found', 'ticket_not_found', 'provider_silent'],
  summary: 'Seats for tickets of an order that keep them together',
  body: v.object({
    ticket_ids: ticketIds,
  }),
  reply: v.object({
    tickets: v.array(v.object({ ticket_id: v.string(), object: v.string() })),
  }),
});

/**
 * Cash and card payments are booked in the caller's open shift; a transfer is recorded with a
 * reason. `handed_back`: the buyer has the money now, in these `ways`.
 */
const differenceAsk = () =>
  v.variant('way', [
    v.object({
      way: v.literal('paid'),
      method: v.picklist(counterMethods),
      given_cents: v.optional(v.pipe(cents, v.minValue(0))),
      receipt: v.optional(trimmed(40, 1)),
      reason: v.optional(reasonOf(500)),
    }),
    v.object({ way: v.literal('refunded'), handed_back: v.optional(v.boolean()), ...handing }),
    v.object({ way: v.literal('waived'), reason: reasonOf(500) }),
  ]);

/**
 * All of them or none. `expected_cents`: the difference of the quote, or 409 move_changed.
 * `rules_reason` allows a seat to be left alone. `keep_reason`: the old seats are not sold again.
 * 422 move_refused says in `detail.reason` what prevents the move. A repeated call after the move
 * changes nothing.
 */
export const moveTickets = endpoint('POST', '/api/admin/orders/:orderId/moves', {
  who: 'move_tickets',
  refusals: [...refused, ...seatless, 'orphan_seats', ...settled],
  summary: 'Move tickets of an order to other seats',
  body: v.object({
    tickets,
    expected_cents: cents,
    difference: v.optional(differenceAsk()),
    rules_reason: v.optional(reasonOf(500)),
    keep_reason: v.optional(reasonOf(longestReason)),
    tell_buyer: v.boolean(),
  }),
  reply: v.object({
    move_id: v.string(),
    order_id: v.string(),
    difference_cents: v.number(),
    difference_end: v.picklist(differenceEnds),
    refund_id: v.nullable(v.string()),
    may_undo: v.boolean(),
    replayed: v.boolean(),
    tickets: v.array(
      v.object({
        ticket_id: v.string(),
        from: v.string(),
        to: v.string(),
        from_object: v.string(),
        to_object: v.string(),
      }),
    ),
  }),
});

/**
 * Cents; `difference_cents` above zero: the buyer owes it; below zero: it goes back, `hand_cents`
 * of it by hand. All tickets may have each choice.
 */
export const quoteTypes = endpoint('POST', '/api/admin/orders/:orderId/types/quote', {
  who: 'move_tickets',
  limit: 'read',
  refusals: known,
  summary: 'The other ticket types that tickets of an order may have, with their differences',
  body: v.object({ ticket_ids: ticketIds }),
  reply: v.object({
    obstacle: v.nullable(v.picklist(moveObstacles)),
    tickets: v.array(
      v.object({
        ticket_id: v.string(),
        seat: v.string(),
        type_label: v.string(),
        price_cents: v.number(),
      }),
    ),
    choices: v.array(
      v.object({
        ticket_type: v.string(),
        label: v.string(),
        difference_cents: v.number(),
        hand_cents: v.number(),
      }),
    ),
  }),
});

/**
 * All of them or none, on their own places; the codes are replaced. `expected_cents`: the
 * difference of the quote, or 409 move_changed. Where all have the type already, nothing changes.
 */
export const changeTypes = endpoint('POST', '/api/admin/orders/:orderId/types', {
  who: 'move_tickets',
  refusals: [...refused, ...settled],
  summary: 'Give tickets of an order another ticket type on their own places',
  body: v.object({
    ticket_ids: ticketIds,
    ticket_type: text(100, 1),
    expected_cents: cents,
    difference: v.optional(differenceAsk()),
    tell_buyer: v.boolean(),
  }),
  reply: v.object({
    order_id: v.string(),
    refund_id: v.nullable(v.string()),
    replayed: v.boolean(),
  }),
});

/** Sold seats of the same evening that the words name; `uneven`: the swap needs a reason. */
export const quoteSwap = endpoint('POST', '/api/admin/orders/:orderId/swaps/quote', {
  who: 'move_tickets',
  limit: 'read',
  refusals: known,
  summary: 'The sold seats with which a ticket may change seats',
  body: v.object({ ticket_id: text(40, 1), q: trimmed(200, 1) }),
  reply: v.object({
    seat: v.string(),
    seats: v.array(
      v.object({
        ticket_id: v.string(),
        object: v.string(),
        own_object: v.string(),
        seat: v.string(),
        type_label: v.string(),
        order_id: v.string(),
        order_number: v.string(),
        buyer_name: v.nullable(v.string()),
        obstacle: v.nullable(v.picklist(moveObstacles)),
        uneven: v.boolean(),
      }),
    ),
  }),
});

/**
 * Both or none; each ticket keeps its price. `object`, `with_object`: where the two sit now, so
 * that a repeated call changes nothing. `reason`: why nobody settles the difference in price.
 */
export const swapTickets = endpoint('POST', '/api/admin/orders/:orderId/swaps', {
  who: 'move_tickets',
  refusals: refused,
  summary: 'Let two tickets of one evening change seats',
  body: v.object({
    ticket_id: text(40, 1),
    object: text(200, 1),
    with_ticket_id: text(40, 1),
    with_object: text(200, 1),
    reason: v.optional(reasonOf(500)),
    tell_buyer: v.boolean(),
  }),
  reply: v.object({
    order_id: v.string(),
    with_order_id: v.string(),
    seat: v.string(),
    with_seat: v.string(),
    replayed: v.boolean(),
  }),
});
