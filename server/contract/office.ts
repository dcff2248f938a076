/**
 * The office’s actions on orders, on the wire: find by receipt, confirm without Stripe, cancel,
 * decide; and the list of all that needs attention.
 */
import * as v from 'valibot';
import { mailKinds, mailTroubles } from '#server/domain/mail/kinds.ts';
import { attentionDecisions, manualMethods, orderStates } from '#server/domain/order/order.ts';
import { paymentKinds, refundOrigins, refundStates } from '#server/domain/payment/refund.ts';
import { endpoint, listAsk, pageOf, text, timeOut, trimmed } from './endpoint.ts';
import { findings } from '#server/contract/health.ts';
import { officeOrder } from '#server/contract/order/orders.ts';

/** A reason that a person types, long enough to be understood later. */
const reason = trimmed(500, 5);

/**
 * Finds a receipt number whatever its spaces, dashes and small letters; a refund's receipt leads
 * to its order, too. If we do not have the number, Stripe's charges are searched: `detail.stripe`
 * of receipt_not_found says whether Stripe answered ('asked') or not ('silent').
 */
export const findByReceipt = endpoint('GET', '/api/admin/orders/find_by_receipt_number', {
  who: 'see_orders',
  refusals: ['receipt_not_found'],
  summary: 'The order of a payment or refund receipt number',
  query: v.object({ receipt_number: trimmed(40, 1) }),
  reply: officeOrder,
});

/**
 * Gives tickets for money that did not pass through Stripe. `expected_cents` is the order's total
 * as the person saw it; a guest pays nothing. A repeated call on a confirmed order changes
 * nothing; decision_not_possible while the order has money from Stripe that was not refunded.
 */
export const confirmOrder = endpoint('POST', '/api/admin/orders/:orderId/confirm', {
  who: 'change_orders',
  refusals: [
    'order_not_found',
    'event_cancelled',
    'total_changed',
    'buyer_wrong',
    'buyer_forgotten',
    'payment_under_way',
    'decision_not_possible',
    'code_used_up',
    'seats_taken',
    'provider_silent',
    'try_again',
  ],
  summary: 'Confirm an order paid in cash, by transfer or not at all',
  body: v.object({
    reason,
    method: v.picklist(manualMethods),
    expected_cents: v.pipe(v.number(), v.integer(), v.minValue(0)),
    /**
     * Who gets the tickets; missing fields stay as they are. `detail.faults` of buyer_wrong: a
     * sentence per field.
     */
    buyer: v.optional(
      v.object({
        name: v.optional(v.pipe(text(1_000), v.trim())),
        email: v.optional(v.pipe(text(1_000), v.trim())),
      }),
    ),
  }),
  reply: officeOrder,
});

/**
 * Ends an unpaid order: first its checkout is closed at Stripe, then its seats are released. An
 * order that was paid meanwhile is confirmed instead, and the reply says so.
 */
export const cancelOrder = endpoint('POST', '/api/admin/orders/:orderId/cancel', {
  who: 'change_orders',
  refusals: ['order_not_found', 'decision_not_possible', 'provider_silent', 'try_again'],
  summary: 'End an order that is not paid',
  body: v.object({ reason: v.optional(v.pipe(text(500), v.trim())) }),
  reply: officeOrder,
});

/** decisionsFor() in domain/order/order.ts lists the decisions for each reason. */
export const decideOrder = endpoint('POST', '/api/admin/orders/:orderId/settle', {
  who: 'change_orders',
  refusals: [
    'order_not_found',
    'decision_not_possible',
    'code_used_up',
    'seats_taken',
    'provider_silent',
    'try_again',
  ],
  summary: 'Decide what becomes of an order that waits for a person',
  body: v.object({ decision: v.picklist(attentionDecisions), note: reason }),
  reply: officeOrder,
});

const ofOrder = {
  order_id: v.nullable(v.string()),
  number: v.nullable(v.string()),
  event_title: v.nullable(v.string()),
  event_starts_at: v.nullable(timeOut),
  buyer_name: v.nullable(v.string()),
};

const waitingOrder = v.object({
  about: v.literal('order'),
  ...ofOrder,
  state: v.picklist(orderStates),
  total_cents: v.number(),
  paid_cents: v.number(),
  created_at: timeOut,
  needs_attention: v.string(),
  decisions: v.array(v.picklist(attentionDecisions)),
  seats: v.array(v.string()),
  /** Other orders of the same address for the same event, if the decision is about them. */
  others: v.array(v.object({ order_id: v.string(), number: v.string(), tickets: v.number() })),
});
const waitingRefund = v.object({
  about: v.picklist(['refund_request', 'refund']),
  ...ofOrder,
  refund_id: v.string(),
  state: v.picklist(refundStates),
  origin: v.picklist(refundOrigins),
  kind: v.picklist(paymentKinds),
  amount_cents: v.number(),
  reason: v.nullable(v.string()),
  failure: v.nullable(v.string()),
  created_at: timeOut,
  long_pending: v.boolean(),
  seats: v.array(v.string()),
});
const waitingDispute = v.object({
  about: v.literal('dispute'),
  ...ofOrder,
  dispute_id: v.string(),
  amount_cents: v.number(),
  reason: v.string(),
  status: v.string(),
  due_by: v.nullable(timeOut),
  created_at: timeOut,
  decisions: v.array(v.picklist(attentionDecisions)),
  seats: v.array(v.string()),
});
const unsentMail = v.object({
  about: v.literal('mail'),
  ...ofOrder,
  mail_id: v.string(),
  kind: v.picklist(mailKinds),
  to_address: v.nullable(v.string()),
  trouble: v.nullable(v.picklist(mailTroubles)),
  created_at: timeOut,
});
const openBreak = v.object({
  about: v.literal('break'),
  ...ofOrder,
  break_id: v.string(),
  kind: v.string(),
  subject: v.string(),
  found_at: timeOut,
});

/**
 * An event beside a recognised ticketing system that begins within two days while some of its
 * tickets have no seal.
 */
const withoutSeals = v.object({ about: v.literal('seals'), ...ofOrder, event_id: v.string() });

/**
 * Orders come first, then requested refunds, other refunds, disputes, unsent mails, differences,
 * events without seals; within each, the oldest first. `counts` are those of all rows, on this
 * page or not; `count` is their sum and that of the findings. `long_pending` refunds have waited
 * for their bank for more than ten days; the subject of a break is as in listBreaks. `q`: order
 * number, buyer, event, address, seat map's name.
 */
export const readAttention = endpoint('GET', '/api/admin/attention', {
  who: 'see_attention',
  summary:
    'All that waits for a person: orders, refunds asked for, failed or late refunds, disputes, mails not sent, differences found at night',
  query: v.object(listAsk),
  reply: v.object({
    count: v.number(),
    findings,
    counts: v.object({
      order: v.number(),
      refund_request: v.number(),
      refund: v.number(),
      dispute: v.number(),
      mail: v.number(),
      break: v.number(),
      seals: v.number(),
    }),
    ...pageOf(
      v.variant('about', [
        waitingOrder,
        waitingRefund,
        waitingDispute,
        unsentMail,
        openBreak,
        withoutSeals,
      ]),
    ),
  }),
});

/**
 * The numbers in the navigation. `started`: work that persons have started and that runs now, as
 * far as the caller may see it.
 */
export const countAttention = endpoint('GET', '/api/admin/attention/count', {
  who: 'see_attention',
  summary: 'How many things wait for a person, and how many that persons started run',
  reply: v.object({ count: v.number(), started: v.number() }),
});
