/** Money that goes back by hand, on the wire: its parts, and the open tills that can pay them. */
import * as v from 'valibot';
import { counterMethods } from '#server/domain/counter/counter.ts';
import { endpoint, text, trimmed, wholeNumber } from './endpoint.ts';

/**
 * `shift_id`: the open shift whose till pays; left out: the caller's own; null: none, which is the
 * office's to say, and is so for every transfer.
 */
const handPart = {
  method: v.picklist(counterMethods),
  amount_cents: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000_000)),
  shift_id: v.optional(v.nullable(text(40, 1))),
};

/**
 * `ways`: the parts in which money is handed over, together its sum; left out: as it was paid.
 * `drawer_reason`: why the office takes it from another person's till, or from a drawer in which
 * there is less.
 */
export const handing = {
  ways: v.optional(v.pipe(v.array(v.object(handPart)), v.minLength(1), v.maxLength(20))),
  drawer_reason: v.optional(trimmed(500, 3)),
};

export const handParts = v.array(v.object(handPart));

/** What `handing` may be refused with, beside what the endpoint itself says. */
export const handingRefusals = [
  'shift_not_open',
  'not_own_shift',
  'transfer_not_allowed',
  'ways_wrong',
  'drawer_too_low',
] as const;

const tills = v.array(
  v.object({
    shift_id: v.string(),
    till_name: v.string(),
    user_name: v.string(),
    own: v.boolean(),
    /** Null: a cashier counts blind (RULES K3). */
    in_drawer_cents: v.nullable(v.number()),
  }),
);

/**
 * How a sum of this order is handed back unless a person says otherwise, and the open tills: for a
 * cashier the own one.
 */
export const quoteHandBack = endpoint('GET', '/api/admin/orders/:orderId/hand_back', {
  who: 'sell',
  refusals: ['order_not_found'],
  summary: 'How money of an order goes back by hand',
  query: v.object({ amount_cents: wholeNumber(0, 100_000_000) }),
  reply: v.object({
    ways: handParts,
    tills,
  }),
});

/** `ways`: how the money goes back unless a person says otherwise. */
export const listHandBacks = endpoint('GET', '/api/admin/events/:eventId/hand_backs', {
  who: 'refund',
  refusals: ['event_not_found'],
  summary: 'Refunds of an event that a person has to hand over, by name',
  reply: v.object({
    items: v.array(
      v.object({
        refund_id: v.string(),
        order_id: v.string(),
        number: v.string(),
        buyer_name: v.nullable(v.string()),
        amount_cents: v.number(),
        ways: handParts,
      }),
    ),
    tills,
  }),
});

/**
 * Hands several refunds of an event back, each in its own transaction. `method`: the one way of a
 * refund; left out: as it was paid. `expected_cents`: their sum as the person saw it. `refused`:
 * why one was not handed back; null: it was.
 */
export const handBackTogether = endpoint('POST', '/api/admin/events/:eventId/hand_backs', {
  who: 'refund',
  refusals: ['confirm_again', 'event_not_found', 'refund_changed'],
  summary: 'Say that several refunds of an event were handed over',
  body: v.object({
    items: v.pipe(
      v.array(
        v.object({
          refund_id: text(40, 1),
          method: v.optional(v.picklist(counterMethods)),
        }),
      ),
      v.minLength(1),
      v.maxLength(500),
      v.checkItems(
        ({ refund_id }, nth, all) => all.findIndex((one) => one.refund_id === refund_id) === nth,
      ),
    ),
    shift_id: handPart.shift_id,
    expected_cents: v.pipe(v.number(), v.integer(), v.minValue(0)),
    drawer_reason: v.optional(trimmed(500, 3)),
  }),
  reply: v.object({
    items: v.array(
      v.object({
        refund_id: v.string(),
        number: v.string(),
        amount_cents: v.number(),
        refused: v.nullable(v.object({ code: v.string(), message: v.string() })),
      }),
    ),
    done: v.array(
      v.object({ method: v.picklist(counterMethods), refunds: v.number(), cents: v.number() }),
    ),
  }),
});
