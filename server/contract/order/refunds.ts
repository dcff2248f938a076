/**
 * Refunds on the wire: what may be refunded and the amount, the buyer's request, the office's
 * decisions, and the refunds of a cancelled event.
 */
import * as v from 'valibot';
import {
  obstacles,
  paymentKinds,
  refundOrigins,
  refundRequests,
  refundStates,
} from '#server/domain/payment/refund.ts';
import { handing, handingRefusals, handParts } from '#server/contract/hand-back.ts';
import {
  endpoint,
  listAsk,
  pageOf,
  text,
  timeIn,
  timeOut,
  wholeNumber,
  yesNo,
} from '#server/contract/endpoint.ts';

const cents = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100_000_000));
const ticketIds = v.pipe(v.array(text(40, 1)), v.maxLength(100));
/** Ticket ids separated by commas; missing: all that may be refunded now. */
const ticketList = v.optional(
  v.pipe(
    text(4_100),
    v.transform((list) => list.split(',').filter((id) => id !== '')),
  ),
);
const picklistOf = <const T extends readonly string[]>(words: T) => v.optional(v.picklist(words));

/**
 * Every line of the order, with its price and the part that would be refunded, in cents.
 * `obstacle` of a line: why this line cannot be refunded now; of the quote: why nothing can.
 * amount_cents = tickets_cents + fee_cents <= left_cents. These two share what the order paid
 * (RULES R5), and so may differ from the sums of the lines.
 */
const quote = v.object({
  lines: v.array(
    v.object({
      line_id: v.string(),
      ticket_id: v.nullable(v.string()),
      seat: v.string(),
      type_label: v.string(),
      price_cents: v.number(),
      fee_cents: v.number(),
      service_cents: v.number(),
      refund_cents: v.number(),
      refund_fee_cents: v.number(),
      chosen: v.boolean(),
      obstacle: v.nullable(v.picklist(obstacles)),
    }),
  ),
  tickets_cents: v.number(),
  fee_cents: v.number(),
  service_cents: v.number(),
  amount_cents: v.number(),
  kept_fee_cents: v.number(),
  left_cents: v.number(),
  /** Why the rules of the order give back less, in Italian; null: they do not. */
  because: v.nullable(v.string()),
  obstacle: v.nullable(v.picklist(obstacles)),
});

/**
 * `settled_at`: the end, for the buyer or by the office; a failed refund has none until the
 * office has decided about it.
 */
const refund = v.object({
  refund_id: v.string(),
  state: v.picklist(refundStates),
  origin: v.picklist(refundOrigins),
  kind: v.picklist(paymentKinds),
  amount_cents: v.number(),
  fee_cents: v.number(),
  service_cents: v.number(),
  ticket_ids: v.array(v.string()),
  seats: v.array(v.string()),
  created_at: timeOut,
  decided_at: v.nullable(timeOut),
  settled_at: v.nullable(timeOut),
});

const officeRefund = v.object({
  ...refund.entries,
  order_id: v.string(),
  number: v.string(),
  event_id: v.string(),
  event_title: v.string(),
  event_starts_at: timeOut,
  buyer_name: v.nullable(v.string()),
  needs_attention: v.nullable(v.string()),
  voids_tickets: v.boolean(),
  frees_seats: v.boolean(),
  reason: v.nullable(v.string()),
  actor: v.string(),
  failure: v.nullable(v.string()),
  stripe_refund_id: v.nullable(v.string()),
  receipt_number: v.nullable(v.string()),
  run_id: v.nullable(v.string()),
});

/**
 * What the buyer may ask for, until when (null: nothing to ask), and the state of earlier
 * requests, computed at each call.
 */
export const orderRefunds = endpoint('GET', '/api/orders/:orderId/refund_quote', {
  who: 'public',
  refusals: ['order_not_found'],
  summary: 'What may be refunded on an order, as its buyer sees it',
  query: v.object({ ticket_ids: ticketList }),
  reply: v.object({
    ...quote.entries,
    /** What may be asked for now and until when, in Italian; null: nothing is to be said. */
    words: v.nullable(v.string()),
    request: v.picklist(refundRequests),
    until: v.nullable(timeOut),
    event_cancelled: v.boolean(),
    refunds: v.array(refund),
  }),
});

/**
 * `expected_cents` is the quote's amount_cents; 409 refund_changed if the amount is another one
 * now. A repeated call for the same tickets gets the first answer.
 */
export const askRefund = endpoint('POST', '/api/orders/:orderId/refunds', {
  who: 'public',
  refusals: ['order_not_found', 'answer_first', 'refund_changed', 'refund_refused'],
  summary:
    'The buyer asks for a refund: carried out at once or left to the office, as the event says',
  body: v.object({
    ticket_ids: v.pipe(ticketIds, v.minLength(1)),
    expected_cents: cents,
    reason: v.optional(text(500)),
  }),
  reply: refund,
});

/** 204; may be repeated. Only a request that still waits for the office can be taken back. */
export const withdrawRefund = endpoint('DELETE', '/api/orders/:orderId/refunds/:refundId', {
  who: 'public',
  refusals: ['order_not_found', 'refund_not_found', 'refund_not_open'],
  summary: 'The buyer takes his wish back',
});

export const quoteRefund = endpoint('GET', '/api/admin/orders/:orderId/refund_quote', {
  who: 'refund',
  refusals: ['order_not_found'],
  summary: 'What a refund by the office would come to',
  query: v.object({
    ticket_ids: ticketList,
    with_fees: yesNo,
    with_money: yesNo,
    amount_cents: v.optional(wholeNumber(0, 999_999_999)),
  }),
  /**
   * `inside`: the chosen tickets whose guest has come in. `codes`: those whose use may be given
   * back, because all tickets of the order would end.
   */
  reply: v.object({
    ...quote.entries,
    inside: v.array(v.string()),
    codes: v.array(v.string()),
    kind: v.picklist(paymentKinds),
    with_fees: v.boolean(),
    until: v.nullable(timeOut),
    /** What of the amount goes back by hand, and how unless a person says otherwise. */
    hand_cents: v.number(),
    ways: handParts,
  }),
});

export const listOrderRefunds = endpoint('GET', '/api/admin/orders/:orderId/refunds', {
  who: 'refund',
  refusals: ['order_not_found'],
  summary: 'The refunds of an order, newest first',
  reply: v.object({ items: v.array(officeRefund) }),
});

/**
 * Refunds tickets (`ticket_ids`), or a free amount without tickets (`amount_cents`). By default
 * the policy decides about fees, the tickets end, and the seats are freed once Stripe has paid.
 * `with_money: false`: tickets end, nothing is refunded. `handed_back: true`: the buyer already has
 * what goes back by hand, in these `ways` (not what Stripe can take back). `expected_cents` and
 * `expected_left_cents` are the quote's amount_cents and left_cents: if either is another one now,
 * 409 refund_changed; so a double click pays once.
 */
export const makeRefund = endpoint('POST', '/api/admin/orders/:orderId/refunds', {
  who: 'refund',
  refusals: [
    'confirm_again',
    'order_not_found',
    'refund_changed',
    'refund_refused',
    ...handingRefusals,
  ],
  summary: 'The office refunds tickets, a whole order, or an amount',
  body: v.object({
    ticket_ids: v.optional(ticketIds),
    amount_cents: v.optional(cents),
    with_fees: v.optional(v.boolean()),
    with_money: v.optional(v.boolean()),
    voids_tickets: v.optional(v.boolean()),
    frees_seats: v.optional(v.boolean()),
    handed_back: v.optional(v.boolean()),
    ...handing,
    /** Only where all tickets of the order end. */
    gives_codes_back: v.optional(v.boolean()),
    expected_cents: cents,
    expected_left_cents: cents,
    reason: text(500, 1),
  }),
  reply: officeRefund,
});

/**
 * `open: true`: refunds that wait for a person: buyers' requests, failed ones, cash to hand back,
 * refunds made at Stripe with undecided tickets, those pending for too long.
 */
export const listRefunds = endpoint('GET', '/api/admin/refunds/', {
  who: 'refund',
  summary: 'Refunds, newest first',
  /** `q`: order number, buyer, event, receipt. */
  query: v.object({
    ...listAsk,
    state: picklistOf(refundStates),
    origin: picklistOf(refundOrigins),
    run_id: v.optional(text(40)),
    event_id: v.optional(text(100)),
    open: yesNo,
  }),
  reply: v.object(pageOf(officeRefund)),
});

/**
 * Decides a buyer's request: 'approve' refunds the requested sum, if that much is still left;
 * 'refuse' tells the buyer why (`note`).
 */
export const decideRefund = endpoint('POST', '/api/admin/refunds/:refundId/decide', {
  who: 'refund',
  refusals: ['confirm_again', 'refund_not_found', 'refund_not_open', 'refund_changed'],
  summary: 'The office decides about a buyer’s wish',
  body: v.object({ decision: v.picklist(['approve', 'refuse']), note: v.optional(text(500)) }),
  reply: officeRefund,
});

/**
 * Tries a failed refund again at Stripe, as a new refund of the same lines. Repeated calls make
 * only one.
 */
export const retryRefund = endpoint('POST', '/api/admin/refunds/:refundId/retry', {
  who: 'refund',
  refusals: ['confirm_again', 'refund_not_found', 'refund_not_open', 'refund_changed'],
  summary: 'Try a failed refund again',
  reply: officeRefund,
});

const settlements = ['handed_back', 'restore', 'void', 'keep'] as const;
/**
 * 'handed_back': the buyer has the money (cash, transfer), for a failed refund or one of a manual
 * payment. 'restore': a failed refund's tickets are valid again, if their places still belong to
 * the order; else seats_sold_again, whose detail has the numbers of the `orders` with these
 * places. 'void' and 'keep': whether the tickets end after a refund made at Stripe; 'keep' also
 * leaves a failed refund as it is.
 */
export const settleRefund = endpoint('POST', '/api/admin/refunds/:refundId/settle', {
  who: 'refund',
  refusals: [
    'confirm_again',
    'refund_not_found',
    'refund_not_open',
    'refund_changed',
    'seats_sold_again',
    ...handingRefusals,
  ],
  summary: 'The office settles what Stripe could not, or what was done at Stripe without us',
  body: v.object({
    decision: v.picklist(settlements),
    note: v.optional(text(500)),
    ...handing,
  }),
  reply: officeRefund,
});

const cancellationSums = {
  orders: v.number(),
  tickets: v.number(),
  sum_cents: v.number(),
  fee_cents: v.number(),
  kept_fee_cents: v.number(),
  open_orders: v.number(),
  manual_orders: v.number(),
  manual_cents: v.number(),
  disputed_orders: v.number(),
};

/**
 * The effect of cancelling the event. sum_cents includes fee_cents and manual_cents (to be handed
 * back by a person). open_orders: unpaid orders, which end.
 */
export const previewCancellation = endpoint('GET', '/api/admin/events/:eventId/cancellation', {
  who: 'refund',
  refusals: ['event_not_found'],
  summary: 'Preview of cancelling an event',
  query: v.object({ with_fees: yesNo }),
  reply: v.object({
    event_id: v.string(),
    title: v.string(),
    starts_at: timeOut,
    cancelled: v.boolean(),
    run_id: v.nullable(v.string()),
    with_fees: v.boolean(),
    ...cancellationSums,
  }),
});

const refundRun = v.object({
  run_id: v.string(),
  event_id: v.string(),
  event_title: v.string(),
  event_starts_at: timeOut,
  actor: v.string(),
  reason: v.nullable(v.string()),
  created_at: timeOut,
  finished_at: v.nullable(timeOut),
  /** A person has stopped it then: `unsent` refunds, and orders without one, wait. */
  halted_at: v.nullable(timeOut),
  orders: v.number(),
  sum_cents: v.number(),
  refunds: v.number(),
  refunds_cents: v.number(),
  done: v.number(),
  done_cents: v.number(),
  pending: v.number(),
  pending_cents: v.number(),
  /** Of `pending`, those that Stripe was not asked for yet. */
  unsent: v.number(),
  to_hand_back: v.number(),
  to_hand_back_cents: v.number(),
  failed: v.number(),
  failed_cents: v.number(),
  /** Left to the house by their buyers. */ left: v.number(),
  left_cents: v.number(),
  /** Until then it can be taken back, and nothing begins; null: that time is over. */
  begins_at: v.nullable(timeOut),
  /** Until when the buyers may answer; null: they are not asked. */
  asks_until: v.nullable(timeOut),
  /** There is still time to answer. */ asking: v.boolean(),
  /** Orders by their answer. */
  answers: v.nullable(
    v.object({
      refund: v.number(),
      exchange: v.number(),
      gift: v.number(),
      silent: v.number(),
    }),
  ),
  open_orders: v.number(),
});

/**
 * The sale closes immediately, the doors say ANNULLATO, and every order is refunded in the
 * background. A repeated call returns the same run. expected_* are the preview's sum_cents and
 * orders; 409 cancellation_changed if they are others now. With `ask_until` the buyers are asked
 * first: another date, the money, or the money left to the house; silence then is a refund.
 */
export const cancelEvent = endpoint('POST', '/api/admin/events/:eventId/cancellation', {
  who: 'cancel_events',
  sensitive: true,
  refusals: ['event_not_found', 'cancellation_changed', 'event_times_wrong', 'older_process_runs'],
  summary: 'Cancel an event and refund all its orders',
  body: v.object({
    expected_cents: cents,
    expected_orders: v.pipe(v.number(), v.integer(), v.minValue(0)),
    reason: text(500, 1),
    with_fees: v.optional(v.boolean()),
    ask_until: v.optional(timeIn),
  }),
  reply: refundRun,
});

/**
 * `orders` and `sum_cents` are those of the preview; the other figures are present ones.
 * finished_at: every order was handled by then; money may still be on its way (`pending`).
 */
export const readRefundRun = endpoint('GET', '/api/admin/refund_runs/:runId', {
  who: 'refund',
  refusals: ['refund_run_not_found'],
  summary: 'How far the refunds of a cancelled event have come',
  reply: refundRun,
});

/**
 * What Stripe was asked for stays on its way, and a ticket that has ended stays ended; every other
 * order waits until the refunds are resumed.
 */
export const stopRefunds = endpoint('POST', '/api/admin/refund_runs/:runId/stop', {
  who: 'cancel_events',
  refusals: ['refund_run_not_found', 'work_not_running', 'older_process_runs'],
  summary: 'Stop the refunds of a cancelled event',
  reply: refundRun,
});

export const resumeRefunds = endpoint('POST', '/api/admin/refund_runs/:runId/resume', {
  who: 'cancel_events',
  refusals: ['refund_run_not_found', 'work_not_stopped', 'older_process_runs'],
  summary: 'Go on with the refunds of a cancelled event',
  reply: refundRun,
});
