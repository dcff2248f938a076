/**
 * Shifts at the tills on the wire: the drawer of one person, from the opening float to the count.
 * Money in cents, times ISO.
 */
import * as v from 'valibot';
import { ticketStates } from '#server/domain/door/admission.ts';
import { handing, handingRefusals } from './hand-back.ts';
import { endpoint, pageAsk, pageOf, text, timeOut, trimmed } from './endpoint.ts';

const cents = v.pipe(v.number(), v.integer(), v.minValue(-10_000_000), v.maxValue(10_000_000));
const reason = trimmed(500, 3);
export const pieces = v.record(
  v.pipe(v.string(), v.regex(/^\d{1,5}$/)),
  v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10_000)),
);

const head = {
  shift_id: v.string(),
  user_name: v.string(),
  till_id: v.string(),
  till_name: v.string(),
  float_cents: v.number(),
  opened_at: timeOut,
  closed_at: v.nullable(timeOut),
  /** All counted fields are null until the shift is closed. */
  counted_cents: v.nullable(v.number()),
  expected_cents: v.nullable(v.number()),
  difference_reason: v.nullable(v.string()),
};
const byMethod = v.array(
  v.object({ method: v.string(), count: v.number(), amount_cents: v.number() }),
);

/** `report` is the X reading of an open shift, or the last reading of a closed one. */
export const shift = v.object({
  ...head,
  pieces: v.nullable(pieces),
  report: v.object({
    /** Null, as all sums of cash, for a cashier before the count (RULES K3). */
    cash_sales_cents: v.nullable(v.number()),
    cash_refunds_cents: v.nullable(v.number()),
    moved_in_cents: v.number(),
    moved_out_cents: v.number(),
    /** The cash that should be in the drawer. */
    expected_cents: v.nullable(v.number()),
    payments: byMethod,
    refunds: byMethod,
    moves: v.array(v.object({ amount_cents: v.number(), reason: v.string(), at: timeOut })),
    sold: v.array(
      v.object({
        event_id: v.string(),
        event_title: v.string(),
        starts_at: timeOut,
        type_label: v.string(),
        gift: v.boolean(),
        tickets: v.number(),
        amount_cents: v.nullable(v.number()),
      }),
    ),
    gifts: v.array(
      v.object({
        order_id: v.string(),
        number: v.string(),
        event_title: v.string(),
        gift_reason: v.string(),
        tickets: v.number(),
      }),
    ),
  }),
});

/** A person and a till each have at most one open shift. */
export const openShift = endpoint('POST', '/api/admin/counter/shifts', {
  who: 'shift',
  refusals: ['till_unknown', 'shift_open', 'till_busy'],
  summary: 'Open a drawer with its float',
  body: v.object({
    till_id: text(40, 1),
    float_cents: v.pipe(cents, v.minValue(0)),
  }),
  reply: shift,
});

/** Newest first; the office sees everybody's. */
export const listShifts = endpoint('GET', '/api/admin/counter/shifts', {
  who: 'shift',
  summary: 'Shifts at the tills',
  query: v.object(pageAsk),
  reply: v.object(pageOf(v.object(head))),
});

export const readShift = endpoint('GET', '/api/admin/counter/shifts/:shiftId', {
  who: 'shift',
  refusals: ['shift_not_found'],
  summary: 'A shift with its reading',
  reply: shift,
});

/**
 * The sales of the caller's open shift and what they gave today without one, newest first; 300 at
 * most.
 */
export const listOwnSales = endpoint('GET', '/api/admin/counter/sales', {
  who: 'sell',
  summary: 'The own sales of the open shift, and of today without one',
  reply: v.object({
    items: v.array(
      v.object({
        order_id: v.string(),
        number: v.string(),
        event_id: v.string(),
        event_title: v.string(),
        starts_at: timeOut,
        total_cents: v.number(),
        refunded_cents: v.number(),
        buyer_name: v.nullable(v.string()),
        gift_reason: v.nullable(v.string()),
        confirmed_at: timeOut,
        methods: v.array(v.string()),
        tickets: v.array(
          v.object({
            ticket_id: v.string(),
            seat: v.string(),
            type_label: v.string(),
            state: v.picklist(ticketStates),
            /** Including the fee. */
            paid_cents: v.number(),
          }),
        ),
      }),
    ),
  }),
});

/**
 * Refunds tickets of a sale out of the caller's own drawer, with fees; their seats are sold
 * again. `expected_cents`: what the caller hands over; 409 refund_changed if the sum is another
 * now. The office may refund any sale; a cashier only a sale that was made and paid in the own
 * open shift.
 */
export const giveBack = endpoint('POST', '/api/admin/counter/orders/:orderId/give-back', {
  who: 'sell',
  refusals: [
    'confirm_again',
    'order_not_found',
    'refund_changed',
    'refund_refused',
    ...handingRefusals,
  ],
  summary: 'Give money of a sale back out of the own drawer',
  body: v.object({
    ticket_ids: v.pipe(v.array(text(40, 1)), v.minLength(1), v.maxLength(100)),
    expected_cents: v.pipe(cents, v.minValue(0)),
    reason,
    ...handing,
  }),
  reply: v.object({ refund_id: v.string(), amount_cents: v.number() }),
});

/**
 * Records cash put into the caller's drawer (above zero) or taken out of it (below). `below_zero`:
 * the office takes out more than should lie there.
 */
export const moveCash = endpoint('POST', '/api/admin/counter/shifts/moves', {
  who: 'shift',
  refusals: ['shift_not_open', 'drawer_too_low'],
  summary: 'Put money into the drawer or take it out',
  body: v.object({
    amount_cents: v.pipe(cents, v.notValue(0)),
    reason,
    below_zero: v.optional(v.boolean()),
  }),
  reply: shift,
});

/**
 * Closes a shift, which does not change afterwards. `pieces`: how many of each coin and note, by
 * its cents. Without `shift_id` it is the caller's own open shift; the office may close another
 * person's. `expected_cents`: the sum that the caller was told; left out: none yet. A count that
 * differs is refused without a reason, with `expected_cents` and `counted_cents` in `detail`.
 */
export const closeShift = endpoint('POST', '/api/admin/counter/shifts/close', {
  who: 'shift',
  refusals: ['shift_not_found', 'shift_not_open', 'shift_changed', 'difference_unexplained'],
  summary: 'Count the drawer and close the shift',
  body: v.object({
    shift_id: v.optional(text(40, 1)),
    pieces,
    expected_cents: v.optional(cents),
    difference_reason: v.optional(text(500)),
  }),
  reply: shift,
});

export const downloadShift = endpoint('GET', '/api/admin/counter/shifts/:shiftId/turno.pdf', {
  who: 'shift',
  limit: 'document',
  refusals: ['shift_not_found'],
  summary: 'A shift on paper',
  file: 'application/pdf',
});
