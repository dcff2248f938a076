/**
 * Orders on the wire: booking, the overlay's status, the order page, and the office's list,
 * detail, tickets and session. The office's actions on an order are in office.ts.
 */
import * as v from 'valibot';
import { settledAnswers } from '#server/domain/door/against.ts';
import { buyerLanguages } from '#server/domain/order/buyer.ts';
import { mailKinds, mailStates, mailTroubles } from '#server/domain/mail/kinds.ts';
import { checkoutStatuses, endReasons, orderStates } from '#server/domain/order/order.ts';
import { depositEnds, moneyStates } from '#server/domain/order/payment.ts';
import {
  obstacles,
  paymentKinds,
  refundOrigins,
  refundRequests,
  refundStates,
} from '#server/domain/payment/refund.ts';
import { placeKinds } from '#server/domain/seat/place-kinds.ts';
import { walletNames } from '#server/domain/order/wallet.ts';
import { typedCode } from '#server/contract/typed-code.ts';
import { mostCodesAnOrder, mostConventionsAnOrder } from '#server/domain/price/code.ts';
import { mailAddress } from '#server/contract/mail-address.ts';
import {
  dayIn,
  endpoint,
  pageAsk,
  pageOf,
  text,
  timeOut,
  yesNo,
} from '#server/contract/endpoint.ts';
import { exchangeAsk, exchangeShown, ownExchange } from './exchanges.ts';
import { orderCancellation } from '#server/contract/cancellations.ts';
import { orderPostponement } from '#server/contract/postponements.ts';
import { ticket } from './tickets.ts';

/**
 * What the visitor chose on the seat map; `quantity`: places of a standing area, or how many guests
 * come to an object sold whole, of which by default all places are paid.
 */
export const selectedObjects = v.pipe(
  v.array(
    v.object({
      object_id: text(200, 1),
      ticket_type: v.optional(text(100, 1)),
      quantity: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(500))),
    }),
  ),
  v.maxLength(100),
);

/** Codes as typed; each opens a price rule or a contingent. */
export const typedCodes = v.optional(v.pipe(v.array(typedCode), v.maxLength(mostCodesAnOrder)));
/** Rule ids of agreements that the buyer has chosen by name. */
export const chosenConventions = v.optional(
  v.pipe(v.array(text(60, 1)), v.maxLength(mostConventionsAnOrder)),
);

/** Books seats (RULES W6). A repeated identical call gets the first answer. */
export const bookSeats = endpoint('POST', '/api/event/:eventId/book', {
  who: 'public',
  limit: 'book',
  summary: 'Book the selected seats and open the checkout',
  refusals: [
    'queue_no_pass',
    'queue_turn_over',
    'nothing_selected',
    'event_not_found',
    'seats_taken',
    'seats_reserved',
    'hold_expired',
    'sale_closed',
    'event_cancelled',
    'object_without_price',
    'object_unknown',
    'orphan_seats',
    'seats_not_consecutive',
    'too_many_seats',
    'party_too_large',
    'order_pending',
    'provider_silent',
    'checkout_refused',
    'price_withdrawn',
    'buyer_needed',
    'phone_needed',
    'too_many_for_address',
    'total_changed',
    'code_unknown',
    'code_used_up',
    'code_needs_address',
    'convention_unknown',
    'order_not_found',
    'exchange_refused',
    'exchange_changed',
  ],
  body: v.object({
    hold_token: text(200, 1),
    /** Opens the seats of a contingent beside the free ones; an unknown code is ignored. */
    contingent_code: v.optional(typedCode),
    codes: typedCodes,
    conventions: chosenConventions,
    /** The buyer's mail, needed for a code that may be used so often by each address. */
    address: v.optional(mailAddress),
    selected_objects: selectedObjects,
    /** The total in cents that the visitor saw: another one is refused; left out: today's price. */
    expected_cents: v.optional(
      v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10_000_000)),
    ),
    /** Of the event's answer: its price rules count, if they ended at most a hold's time ago. */
    offer: v.optional(text(100, 1)),
    /**
     * Needed where the total is zero; otherwise Stripe asks the buyer. `phone` is needed where the
     * event asks for it.
     */
    buyer: v.optional(
      v.object({
        name: v.pipe(text(121), v.trim(), v.minLength(1)),
        email: mailAddress,
        phone: v.optional(v.pipe(text(40), v.trim())),
      }),
    ),
    /** Tickets of the buyer for another date of the show, which the new ones replace. */
    exchange: v.optional(exchangeAsk),
  }),
  reply: v.object({ order_id: v.string(), checkout_url: v.string() }),
});

/** Exactly five fields (RULES W6): no personal data. */
export const orderStatus = endpoint('GET', '/api/orders/:orderId/status', {
  who: 'public',
  refusals: ['order_not_found'],
  summary: 'Where an order stands',
  reply: v.object({
    order_id: v.string(),
    order_confirmed_at: v.nullable(timeOut),
    order_deleted_at: v.nullable(timeOut),
    checkout_session_status: v.nullable(v.picklist(checkoutStatuses)),
    checkout_url: v.nullable(v.string()),
  }),
});

/** 204; may be repeated. A paid order does not change, and its status shows that. */
export const cancelCheckout = endpoint('DELETE', '/api/orders/:orderId/checkout_session', {
  who: 'public',
  refusals: ['order_not_found', 'provider_silent'],
  summary: 'Give the seats back before paying',
});

/**
 * What an order that ended without tickets had chosen, for a new booking; `selected_objects` is
 * empty while the order has not ended, or if not all of it is free.
 */
export const seatsAgain = endpoint('GET', '/api/orders/:orderId/seats_again', {
  who: 'public',
  refusals: ['order_not_found'],
  summary: 'The places of an ended order, as long as all of them are free again',
  reply: v.object({
    event_id: v.string(),
    selected_objects: v.array(
      v.object({
        object_id: v.string(),
        ticket_type: v.optional(v.string()),
        quantity: v.number(),
      }),
    ),
  }),
});

/** What the order page shows. The secret of the link (128 random bits) is enough to see it. */
export const getOrder = endpoint('GET', '/api/orders/:orderId', {
  who: 'public',
  refusals: ['order_not_found'],
  summary: 'The order page',
  reply: v.object({
    order_id: v.string(),
    number: v.string(),
    state: v.picklist(orderStates),
    order_confirmed_at: v.nullable(timeOut),
    order_deleted_at: v.nullable(timeOut),
    pay_by: timeOut,
    checkout_session_status: v.nullable(v.picklist(checkoutStatuses)),
    checkout_url: v.nullable(v.string()),
    /**
     * Why an order ended without tickets; then `paid_cents` are refunded. Amounts are in cents;
     * `fee_cents` is part of the total, and `service_cents` the commission in it.
     */
    end_reason: v.nullable(v.picklist(endReasons)),
    total_cents: v.number(),
    fee_cents: v.number(),
    service_cents: v.number(),
    paid_cents: v.number(),
    refunded_cents: v.number(),
    /** What becomes of the part payment if the rest is not paid; null: there was none. */
    deposit_end: v.nullable(v.picklist(depositEnds)),
    event: v.object({
      id: v.string(),
      title: v.string(),
      starts_at: timeOut,
      doors_at: v.nullable(timeOut),
      venue_title: v.string(),
      venue_href: v.nullable(v.string()),
      venue_address: v.nullable(v.string()),
      event_ball_image: v.nullable(v.string()),
      /** The event does not take place. */
      cancelled: v.boolean(),
      /**
       * Tickets have names; until when a ticket may get another holder, null where it may not.
       */
      nominative: v.boolean(),
      holder_change_until: v.nullable(timeOut),
      /** What may be done about names now, in Italian; null: nothing. */
      names_rule: v.nullable(v.string()),
      /** Whether a guest who leaves may come back in. */ reentry_rule: v.string(),
    }),
    /** Until when the date may or might be changed, and what it costs; null: not offered. */
    exchange_rule: v.nullable(v.string()),
    may_exchange: v.boolean(),
    /** Exchanges for another date, the newest first. */
    exchanges: v.array(ownExchange),
    /** Stripe's own receipt, once there is one. */
    receipt_url: v.nullable(v.string()),
    /** An object sold whole is one line, with the price of all its places. */
    lines: v.array(
      v.object({
        seat: v.string(),
        remarks: v.array(v.string()),
        category: v.string(),
        type_label: v.string(),
        /** Cents without `fee_cents`, which is added. */
        price_cents: v.number(),
        fee_cents: v.number(),
        service_cents: v.number(),
        /** Without price rules, in cents without the fee, and their names; null: none lowers it. */
        list_cents: v.nullable(v.number()),
        lowered_by: v.array(v.string()),
      }),
    ),
    /** `link`: the ticket's own (ticket-links.ts), for a guest; null: it opens no door now. */
    tickets: v.array(
      v.object({ ...ticket.entries, link: v.nullable(v.string()), handed_on: v.boolean() }),
    ),
    /**
     * Confirmed orders of the same buyer that belong to this one: seats that were added later, or
     * the order to which these were added.
     */
    together: v.array(v.object({ order_id: v.string(), number: v.string(), places: v.number() })),
    /**
     * `mailed`: the tickets are also sent to the buyer's address. `buyer_name` is given while a
     * ticket lacks its holder's name.
     */
    mailed: v.boolean(),
    buyer_name: v.nullable(v.string()),
    /** Addresses of this site; null: there is nothing to print or to put in a calendar (yet). */
    documents: v.object({ pdf: v.nullable(v.string()), calendar: v.nullable(v.string()) }),
    /**
     * The order's terms, in days after the purchase and before the event; until when the buyer
     * may ask (null: not at all), and the refund of all remaining tickets now, in cents
     * (`obstacle`: why there is none). Null until the order is confirmed.
     */
    refund: v.nullable(
      v.object({
        request: v.picklist(refundRequests),
        refund_days: v.number(),
        refund_stop_days: v.number(),
        keeps_fees: v.boolean(),
        until: v.nullable(timeOut),
        amount_cents: v.number(),
        obstacle: v.nullable(v.picklist(obstacles)),
      }),
    ),
    /**
     * The buyer's possible answers if the event moved to another day after this order; else null.
     */
    postponement: v.nullable(orderPostponement),
    /** What the buyer may answer to the cancelled event, if the office asks; else null. */
    cancellation: v.nullable(orderCancellation),
    /**
     * A booking that costs nothing: the address whose mail confirms it, while it waits; until
     * when tickets may be given back; until when the places are kept (null: for good).
     */
    free: v.nullable(
      v.object({
        confirm_mail: v.nullable(v.string()),
        give_back_until: v.nullable(timeOut),
        kept_until: v.nullable(timeOut),
      }),
    ),
    /** Phones’ wallets that take the tickets (server/contract/order/wallets.ts). */
    wallets: v.array(v.picklist(walletNames)),
  }),
});

/**
 * Amounts in cents. `total_cents` is the agreed price with fees; `paid_cents` came in;
 * `refunded_cents` went back or is on its way.
 */
const orderRow = v.object({
  order_id: v.string(),
  number: v.string(),
  state: v.picklist(orderStates),
  money: v.picklist(moneyStates),
  event_id: v.string(),
  event_title: v.string(),
  event_starts_at: timeOut,
  created_at: timeOut,
  order_confirmed_at: v.nullable(timeOut),
  order_deleted_at: v.nullable(timeOut),
  pay_by: timeOut,
  places: v.number(),
  total_cents: v.number(),
  fee_cents: v.number(),
  service_cents: v.number(),
  paid_cents: v.number(),
  /** What becomes of a reservation's part payment; null: there was none. */
  deposit_end: v.nullable(v.picklist(depositEnds)),
  refunded_cents: v.number(),
  /** Of them: what went into orders of other dates. */ exchanged_cents: v.number(),
  /** Of them: what was left to the house. */ left_cents: v.number(),
  /** Of the total: what tickets of another date gave; null: it replaces none. */
  exchange_credit_cents: v.nullable(v.number()),
  paid_by: v.nullable(v.picklist(paymentKinds)),
  method: v.nullable(v.string()),
  buyer_name: v.nullable(v.string()),
  buyer_email: v.nullable(v.string()),
  /** When the buyer's data were deleted, as the privacy policy promises. */
  buyer_forgotten_at: v.nullable(timeOut),
  receipt_number: v.nullable(v.string()),
  /**
   * Why the order needs attention; the next two fields say whether a refund request or a dispute
   * waits, too.
   */
  needs_attention: v.nullable(v.string()),
  refund_asked: v.boolean(),
  disputed: v.boolean(),
  /** The order's pinned note. */
  pinned_note: v.nullable(v.string()),
  /** The order to which these seats were added. */
  part_of: v.nullable(v.object({ order_id: v.string(), number: v.string() })),
  /** The phase of list prices whose prices it has; null: the last ones. */
  sold_in_phase: v.nullable(v.string()),
});

/** The filters of the list, the same for its file. */
export const orderFilters = {
  q: v.optional(text(100)),
  event_id: v.optional(text(100)),
  state: v.optional(v.picklist(orderStates)),
  money: v.optional(v.picklist(moneyStates)),
  attention: v.optional(
    v.pipe(
      v.picklist(['true', 'false']),
      v.transform((value) => value === 'true'),
      v.boolean(),
    ),
  ),
  /** True: money of the order is to be given back by hand. */ hand_back: yesNo,
  /** Created between the beginning and the end of these days in Rome. */
  from: v.optional(dayIn),
  to: v.optional(dayIn),
};

export const listOrders = endpoint('GET', '/api/admin/orders/', {
  who: 'see_orders',
  summary:
    'Orders, newest first; q looks in number, name, mail, receipt, payment id and the words of a seat',
  query: v.object({
    ...pageAsk,
    ...orderFilters,
  }),
  reply: v.object(pageOf(orderRow)),
});

/**
 * Sums in cents. It is a call of its own, so that the list need not wait while hundreds of
 * thousands of orders are added up.
 */
export const totalOrders = endpoint('GET', '/api/admin/orders/totals', {
  who: 'see_orders',
  summary: 'How many orders a filter finds, and their sums',
  query: v.object(orderFilters),
  reply: v.object({
    orders: v.number(),
    total_cents: v.number(),
    paid_cents: v.number(),
    refunded_cents: v.number(),
  }),
});

/** Ids of orders that were chosen one by one, separated by commas. */
const ids = v.optional(
  v.pipe(
    text(4_500, 1),
    v.transform((list) => list.split(',')),
    v.array(v.string()),
    v.maxLength(100),
  ),
);

/**
 * `excel`: as Italian Excel opens it (semicolon, decimal comma, BOM); `plain`: comma, decimal
 * point, ISO times. No cell can start a formula.
 */
export const exportOrders = endpoint('GET', '/api/admin/orders/export.csv', {
  who: 'export_orders',
  work: 'orders_file',
  sensitive: true,
  limit: 'document',
  file: 'text/csv',
  summary: 'The list of orders as a file',
  query: v.object({ format: v.optional(v.picklist(['excel', 'plain'])), ids, ...orderFilters }),
});

/** A person's name, or `visitor`, `stripe`, `system`. */
const actor = v.string();

export const officeOrder = v.object({
  ...orderRow.entries,
  buyer_phone: v.nullable(v.string()),
  /** A second person to contact. */
  buyer_contact: v.nullable(v.string()),
  /** The language in which the office speaks with the buyer; null: unknown. */
  buyer_language: v.nullable(v.picklist(buyerLanguages)),
  end_reason: v.nullable(v.picklist(endReasons)),
  /** The pinned note first, then the newest. */
  notes: v.array(
    v.object({
      note_id: v.string(),
      text: v.string(),
      author: v.string(),
      author_id: v.string(),
      created_at: timeOut,
      pinned: v.boolean(),
    }),
  ),
  /** The other orders that belong together with this one, the oldest first. */
  together: v.array(
    v.object({
      order_id: v.string(),
      number: v.string(),
      state: v.picklist(orderStates),
      places: v.number(),
      total_cents: v.number(),
      created_at: timeOut,
    }),
  ),
  payment_intent: v.nullable(v.string()),
  checkout_session_status: v.nullable(v.picklist(checkoutStatuses)),
  event: v.object({
    starts_at: timeOut,
    status: v.string(),
    venue_title: v.string(),
    /** Its tickets have names. */
    nominative: v.boolean(),
  }),
  /**
   * `ticket_id` is null before there is a ticket; `refund_id` names the refund that has the line,
   * if one does.
   */
  lines: v.array(
    v.object({
      line_id: v.string(),
      seat: v.string(),
      /** The object sold whole to which the place belongs, with its size; null: a place alone. */
      whole: v.nullable(
        v.object({ kind: v.picklist(placeKinds), name: v.string(), places: v.number() }),
      ),
      category: v.string(),
      type_label: v.string(),
      price_cents: v.number(),
      fee_cents: v.number(),
      service_cents: v.number(),
      /** Without price rules, in cents without the fee, and their names; null: none lowers it. */
      list_cents: v.nullable(v.number()),
      lowered_by: v.array(v.string()),
      ticket_id: v.nullable(v.string()),
      ticket_state: v.nullable(v.string()),
      ticket_ended_at: v.nullable(timeOut),
      holder: v.nullable(v.string()),
      /** What the office has written about its guest for the door. */
      door_note: v.nullable(v.string()),
      /** The event wants a name on this ticket, and it has none. */
      name_missing: v.boolean(),
      released_at: v.nullable(timeOut),
      /**
       * Somebody came in here although the ticket had ended, or it ended while they were inside.
       * `kept`: the place is not for sale; `sold_to`: the order that has it now; `settled_as`:
       * what a person said of it.
       */
      guest_against: v.nullable(
        v.object({
          kept: v.boolean(),
          sold_to: v.nullable(v.object({ order_id: v.string(), order_number: v.string() })),
          settled_as: v.nullable(v.picklist(settledAnswers)),
        }),
      ),
      refund_id: v.nullable(v.string()),
    }),
  ),
  /**
   * `method` is Stripe's word, or cash, transfer, guest, other; `stripe_fee_cents` is null until
   * Stripe has counted it.
   */
  payments: v.array(
    v.object({
      payment_id: v.string(),
      kind: v.picklist(paymentKinds),
      method: v.nullable(v.string()),
      payment_intent: v.nullable(v.string()),
      charge_id: v.nullable(v.string()),
      amount_cents: v.number(),
      stripe_fee_cents: v.nullable(v.number()),
      receipt_number: v.nullable(v.string()),
      receipt_url: v.nullable(v.string()),
      note: v.nullable(v.string()),
      actor,
      disputed: v.boolean(),
      paid_at: timeOut,
    }),
  ),
  refunds: v.array(
    v.object({
      refund_id: v.string(),
      state: v.picklist(refundStates),
      origin: v.picklist(refundOrigins),
      kind: v.picklist(paymentKinds),
      amount_cents: v.number(),
      fee_cents: v.number(),
      service_cents: v.number(),
      voids_tickets: v.boolean(),
      frees_seats: v.boolean(),
      reason: v.nullable(v.string()),
      actor,
      failure: v.nullable(v.string()),
      receipt_number: v.nullable(v.string()),
      stripe_refund_id: v.nullable(v.string()),
      run_id: v.nullable(v.string()),
      created_at: timeOut,
      decided_at: v.nullable(timeOut),
      settled_at: v.nullable(timeOut),
      seats: v.array(v.string()),
    }),
  ),
  /** Exchanges of its tickets, and the one by which it came; the newest first. */
  exchanges: v.array(exchangeShown),
  disputes: v.array(
    v.object({
      dispute_id: v.string(),
      charge_id: v.string(),
      amount_cents: v.number(),
      reason: v.string(),
      status: v.string(),
      due_by: v.nullable(timeOut),
      created_at: timeOut,
      closed_at: v.nullable(timeOut),
    }),
  ),
  sessions: v.array(
    v.object({
      session_id: v.string(),
      attempt: v.number(),
      status: v.picklist(checkoutStatuses),
      payment_status: v.string(),
      amount_total: v.number(),
      payment_intent: v.nullable(v.string()),
      created_at: timeOut,
      expires_at: timeOut,
      paid_at: v.nullable(timeOut),
    }),
  ),
  mails: v.array(
    v.object({
      mail_id: v.string(),
      kind: v.picklist(mailKinds),
      state: v.picklist(mailStates),
      to_address: v.nullable(v.string()),
      subject: v.nullable(v.string()),
      created_at: timeOut,
      sent_at: v.nullable(timeOut),
      trouble: v.nullable(v.picklist(mailTroubles)),
    }),
  ),
  breaks: v.array(
    v.object({
      break_id: v.string(),
      kind: v.string(),
      detail: v.unknown(),
      found_at: timeOut,
      settled_at: v.nullable(timeOut),
      settlement: v.nullable(v.string()),
      note: v.nullable(v.string()),
    }),
  ),
  /** The history, newest first; `action` is the kind of an entry, `detail` has its facts. */
  timeline: v.array(v.object({ at: timeOut, actor, action: v.string(), detail: v.unknown() })),
});

export const readOrder = endpoint('GET', '/api/admin/orders/:orderId', {
  who: 'see_orders',
  refusals: ['order_not_found'],
  summary:
    'Everything about one order: places, payments, refunds, disputes, sessions, mails, differences found, and what happened',
  reply: officeOrder,
});

export const listOrderTickets = endpoint('GET', '/api/admin/orders/:orderId/tickets', {
  who: 'see_orders',
  refusals: ['order_not_found'],
  summary: 'The tickets of an order',
  reply: v.object({ items: v.array(ticket) }),
});

/**
 * The current session as Stripe reports it now, without the address of its page, which leads back
 * to the buyer's link; `attempts` are all sessions as last read, the first one first.
 */
export const readCheckoutSession = endpoint('GET', '/api/admin/orders/:orderId/checkout_session', {
  who: 'see_orders',
  refusals: ['order_not_found', 'session_not_found', 'provider_silent'],
  summary: 'The checkout session of an order as Stripe tells it now, and all tries before it',
  reply: v.object({
    id: v.string(),
    status: v.picklist(checkoutStatuses),
    payment_status: v.string(),
    amount_total: v.number(),
    currency: v.string(),
    expires_at: timeOut,
    customer_name: v.nullable(v.string()),
    customer_email: v.nullable(v.string()),
    payment_intent: v.nullable(v.string()),
    attempts: officeOrder.entries.sessions,
  }),
});
