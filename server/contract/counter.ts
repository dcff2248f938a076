/**
 * The counter on the wire: sales, reservations, tills and printers; money in cents, times ISO.
 */
import { surchargeKinds } from '#server/domain/price/price-bounds.ts';
import * as v from 'valibot';
import { blockColors } from '#server/domain/seat/block.ts';
import { depositEnds } from '#server/domain/order/payment.ts';
import { counterMethods } from '#server/domain/counter/counter.ts';
import { placeKinds } from '#server/domain/seat/place-kinds.ts';
import { orderStates } from '#server/domain/order/order.ts';
import {
  printerStates,
  printStates,
  printTroubles,
  ticketLayouts,
} from '#server/domain/counter/printing.ts';
import { exchangeAsk, saleExchange } from '#server/contract/order/exchanges.ts';
import { chosenConventions, selectedObjects, typedCodes } from '#server/contract/order/orders.ts';
import { endpoint, text, timeIn, timeOut, trimmed } from './endpoint.ts';
import { typedCode } from './typed-code.ts';
import { mailAddress } from './mail-address.ts';
import { shift } from './shifts.ts';
import { wholeObjects } from './events.ts';
import { openedRule, saleConventions, saleRules } from './sale-rules.ts';

/** A reason that a person types, long enough to be understood later. */
const typedReason = trimmed(500, 3);
const cents = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10_000_000));
const id = text(40, 1);

const payments = v.pipe(
  v.array(
    v.object({
      method: v.picklist(counterMethods),
      amount_cents: cents,
      /** The cash that the customer put on the table. */
      given_cents: v.optional(cents),
      /** The card reader's own number. */
      receipt: v.optional(trimmed(40, 1)),
    }),
  ),
  v.maxLength(5),
);

const sale = v.object({
  order_id: v.string(),
  number: v.string(),
  event_id: v.string(),
  state: v.picklist(orderStates),
  total_cents: v.number(),
  /** A reservation's parts that are paid; else the total. */ paid_cents: v.number(),
  change_cents: v.number(),
  /** Until when a reservation waits for its payment. */
  pay_by: v.nullable(timeOut),
  /** True: an earlier call with the same key has made this sale. */
  replayed: v.boolean(),
  /** Null: it replaces no tickets. */ exchange: v.nullable(saleExchange),
  lines: v.array(
    v.object({
      seat: v.string(),
      type_label: v.string(),
      price_cents: v.number(),
      fee_cents: v.number(),
    }),
  ),
});

const till = v.object({
  id: v.pipe(text(40, 1), v.regex(/^[a-z0-9-]+$/)),
  name: trimmed(100, 1),
  layout: v.picklist(ticketLayouts),
  /** An IPv4 number of the local network, for raw ESC/POS; null: the browser prints. */
  printer: v.nullable(
    v.object({
      host: text(45, 1),
      port: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535)),
    }),
  ),
});
const settings = v.object({
  version: v.pipe(v.number(), v.integer(), v.minValue(0)),
  /** How many tickets one person may give away for one event. */
  gifts_per_event: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10_000)),
  /** What becomes of the part payment of a reservation that nobody pays in full. */
  deposit_end: v.optional(v.picklist(depositEnds), 'returned'),
  tills: v.pipe(v.array(till), v.minLength(1), v.maxLength(50)),
});

const printJob = v.object({
  print_id: v.string(),
  order_id: v.nullable(v.string()),
  number: v.nullable(v.string()),
  till_id: v.string(),
  state: v.picklist(printStates),
  trouble: v.nullable(v.picklist(printTroubles)),
  attempts: v.number(),
  created_at: timeOut,
  /** Null: the job still waits or prints. */ ended_at: v.nullable(timeOut),
});

/**
 * The counter's first screen: the caller's open shift, the tills, and the events that can be sold
 * now, the soonest first.
 */
export const readCounter = endpoint('GET', '/api/admin/counter', {
  who: 'sell',
  summary: 'What can be sold at the counter now, and by which shift',
  reply: v.object({
    shift: v.nullable(shift),
    settings,
    may_price_by_hand: v.boolean(),
    may_sell_groups: v.boolean(),
    events: v.array(
      v.object({
        id: v.string(),
        title: v.string(),
        starts_at: timeOut,
        places: v.number(),
        places_left: v.number(),
      }),
    ),
  }),
});

/**
 * All that the till needs for one event: the prices in cents with the fee apart, the seat map's
 * address, and the names of all seats.
 */
export const readTill = endpoint('GET', '/api/admin/counter/events/:eventId', {
  who: 'sell',
  refusals: ['event_not_found'],
  summary: 'An evening as the counter sells it',
  reply: v.object({
    event: v.object({
      id: v.string(),
      title: v.string(),
      starts_at: timeOut,
      /** The most seats of a sale without a reason. */ max_seats: v.number(),
      /** Nothing can be sold while the event moves to another hall. */ sale_paused: v.boolean(),
      /** Why the sale has ended. */ ended: v.nullable(v.picklist(['cancelled', 'over'])),
      seatsio_event_key: v.string(),
      seatsio_workspace_key: v.string(),
    }),
    chart: v.object({ script_url: v.string(), region: v.string() }),
    pricing: v.array(
      v.object({
        category: v.string(),
        ticketTypes: v.array(
          v.object({
            price_id: v.string(),
            ticketType: v.string(),
            label: v.string(),
            unit_amount: v.number(),
            fee_cents: v.number(),
            service_cents: v.number(),
            /** The surcharges in `fee_cents`: amounts, or parts of a list price. */
            bears: v.array(
              v.object({
                kind: v.picklist(surchargeKinds),
                cents: v.nullable(v.number()),
                percent: v.nullable(v.number()),
              }),
            ),
          }),
        ),
      }),
    ),
    /** What an order bears once where something of it is paid. */
    per_order: v.object({ fee_cents: v.number(), service_cents: v.number() }),
    /** The rules that lower prices of a sale at the till now. */
    price_rules: saleRules(),
    /** Agreements from which the seller may choose one by name. */
    conventions: saleConventions(),
    seats: v.array(
      v.object({
        object: v.string(),
        kind: v.picklist(placeKinds),
        section: v.nullable(v.string()),
        row: v.nullable(v.string()),
        seat: v.string(),
      }),
    ),
    whole_objects: wholeObjects,
    /**
     * All contingents, because the counter sells the seats of each; `channel` opens them on its
     * chart.
     */
    contingents: v.array(
      v.object({
        name: v.string(),
        color: v.picklist(blockColors),
        channel: v.string(),
        objects: v.array(v.string()),
      }),
    ),
  }),
});

/** Wrong codes are counted by seller. */
export const openTillCode = endpoint('POST', '/api/admin/counter/events/:eventId/code', {
  who: 'sell',
  refusals: ['event_not_found', 'code_unknown', 'code_used_up'],
  summary: 'The price rule that a code opens at the till',
  body: v.object({ code: typedCode }),
  reply: v.object({
    rule: openedRule(),
    /** A sale with the code needs the buyer's mail address. */
    needs_address: v.boolean(),
  }),
});

/**
 * Lets the till hold as many seats as a group needs. A vendor's seat map has a fixed limit, so it
 * is not called.
 */
export const widenHold = endpoint('POST', '/api/admin/counter/holds/widen', {
  who: 'sell_groups',
  refusals: ['hold_expired'],
  summary: 'Let a hold of the till have as many places as a group',
  body: v.object({ hold_token: text(200, 1) }),
});

/** Lets the counter's hold token hold seats of an event that has a waiting room. */
export const admitHold = endpoint('POST', '/api/admin/counter/holds/admit', {
  who: 'sell',
  refusals: ['hold_expired', 'provider_silent'],
  summary: 'Let a hold of the till hold seats of an event with a waiting room',
  body: v.object({ event_id: text(100, 1), hold_token: text(200, 1) }),
});

/**
 * Exactly one of `payments` (they add up to the total), `gift` and `reservation`.
 * `expected_cents`: the total as the seller saw it. `by_hand` sets a lower total; `rules_reason`
 * overrides the seat rules, `group_reason` the most places of a sale. A repeated `sale_key` makes
 * no second sale.
 */
export const makeSale = endpoint('POST', '/api/admin/counter/sales', {
  who: 'sell',
  limit: 'sell',
  refusals: [
    'shift_not_open',
    'sale_differs',
    'order_not_found',
    'order_not_extendable',
    'buyer_forgotten',
    'event_not_found',
    'event_cancelled',
    'sale_closed',
    'nothing_selected',
    'seats_taken',
    'hold_expired',
    'object_without_price',
    'object_unknown',
    'orphan_seats',
    'seats_not_consecutive',
    'too_many_seats',
    'party_too_large',
    'total_changed',
    'code_unknown',
    'code_used_up',
    'code_needs_address',
    'convention_unknown',
    'payment_wrong',
    'deposit_wrong',
    'price_by_hand_wrong',
    'price_by_hand_not_allowed',
    'group_not_allowed',
    'transfer_not_allowed',
    'customer_unknown',
    'gifts_used_up',
    'reservation_time_wrong',
    'exchange_refused',
    'exchange_changed',
  ],
  summary: 'Sell, give away or reserve seats at the counter',
  body: v.object({
    sale_key: text(64, 16),
    /**
     * Adds the seats to this confirmed order of the same event: they become an order of their own
     * with the same buyer.
     */
    part_of: v.optional(id),
    event_id: text(100, 1),
    hold_token: text(200, 1),
    selected_objects: selectedObjects,
    /** Of price rules: the till sells all contingents without a code. */
    codes: typedCodes,
    conventions: chosenConventions,
    expected_cents: cents,
    payments: v.optional(payments),
    gift: v.optional(v.object({ reason: typedReason })),
    /** `deposit`: a part that is paid at once, less than the total. */
    reservation: v.optional(v.object({ pay_by: timeIn, deposit: v.optional(payments) })),
    by_hand: v.optional(v.object({ total_cents: cents, reason: typedReason })),
    rules_reason: v.optional(typedReason),
    group_reason: v.optional(typedReason),
    /** Tickets of another date that the new ones replace; then `payments` is the one way. */
    exchange: v.optional(exchangeAsk),
    buyer: v.optional(
      v.object({
        name: v.optional(trimmed(200, 1)),
        email: v.optional(mailAddress),
        phone: v.optional(trimmed(40, 1)),
        /**
         * An earlier buyer from findCustomers, whose mail and telephone are used where none is
         * typed.
         */
        customer: v.optional(text(400, 1)),
      }),
    ),
  }),
  reply: sale,
});

/**
 * Searches by three letters of name or mail, or by the last digits of a telephone; eight results
 * at most. A caller who may not change orders gets mail and telephone masked, and nothing while
 * more people match (`too_many`). A `customer_id` is for the caller alone, for half an hour.
 */
export const findCustomers = endpoint('GET', '/api/admin/counter/customers', {
  who: 'sell',
  summary: 'Earlier buyers for a sale at the counter',
  query: v.object({ q: v.optional(text(100), '') }),
  reply: v.object({
    items: v.array(
      v.object({
        customer_id: v.string(),
        name: v.nullable(v.string()),
        email: v.nullable(v.string()),
        phone: v.nullable(v.string()),
      }),
    ),
    too_many: v.boolean(),
  }),
});

/**
 * The reservations that end first come first; 200 at most. `q`: words of number, name, telephone
 * and event, or a seat.
 */
export const listReservations = endpoint('GET', '/api/admin/counter/reservations', {
  who: 'sell',
  summary: 'Seats that wait for their money at the counter',
  query: v.object({ event_id: v.optional(text(100, 1)), q: v.optional(text(100), '') }),
  reply: v.object({
    items: v.array(
      v.object({
        order_id: v.string(),
        number: v.string(),
        event_id: v.string(),
        event_title: v.string(),
        starts_at: timeOut,
        buyer_name: v.nullable(v.string()),
        buyer_phone: v.nullable(v.string()),
        total_cents: v.number(),
        /** The parts that are paid already. */ paid_cents: v.number(),
        /** What becomes of them if the rest is not paid; null: there are none. */
        deposit_end: v.nullable(v.picklist(depositEnds)),
        pay_by: timeOut,
        places: v.number(),
        /** The names of the places; an object sold whole is one. */
        seats: v.array(v.string()),
      }),
    ),
  }),
});

/**
 * Puts a part of the money into the caller's open shift; the seats stay reserved. A repeated
 * `deposit_key` takes nothing more.
 */
export const takeDeposit = endpoint('POST', '/api/admin/counter/reservations/:orderId/deposit', {
  who: 'sell',
  limit: 'sell',
  refusals: [
    'order_not_found',
    'order_not_reserved',
    'sale_differs',
    'event_cancelled',
    'shift_not_open',
    'transfer_not_allowed',
    'payment_wrong',
    'deposit_wrong',
  ],
  summary: 'Take a part payment for reserved seats',
  body: v.object({ deposit_key: text(40, 16), payments }),
  reply: sale,
});

/**
 * Puts what is left to pay into the caller's open shift; a repeated call changes nothing.
 */
export const collectReservation = endpoint('POST', '/api/admin/counter/reservations/:orderId/pay', {
  who: 'sell',
  limit: 'sell',
  refusals: [
    'order_not_found',
    'order_not_reserved',
    'event_cancelled',
    'shift_not_open',
    'transfer_not_allowed',
    'payment_wrong',
  ],
  summary: 'Take the money for reserved seats',
  body: v.object({ payments }),
  reply: sale,
});

/** Not in the past and not after the start. */
export const changeReservation = endpoint('PUT', '/api/admin/counter/reservations/:orderId', {
  who: 'sell',
  limit: 'sell',
  refusals: ['order_not_found', 'order_not_reserved', 'reservation_time_wrong'],
  summary: 'Keep reserved seats until another time',
  body: v.object({ pay_by: timeIn }),
  reply: v.object({ order_id: v.string(), pay_by: timeOut }),
});

export const dropReservation = endpoint('DELETE', '/api/admin/counter/reservations/:orderId', {
  who: 'sell',
  limit: 'sell',
  refusals: ['order_not_found', 'order_not_reserved'],
  summary: 'Give reserved seats back before their time',
});

/** `version` is the one that was read, so that no other change is lost. */
export const changeTills = endpoint('PUT', '/api/admin/counter/settings', {
  who: 'change_site',
  refusals: ['site_changed', 'printer_address_wrong'],
  summary: 'Set tills, printers and the number of free tickets',
  body: settings,
  reply: settings,
});

/**
 * The text on the paper of each valid ticket, for printing by the browser; the call does not
 * count as a print.
 */
export const readPaper = endpoint('GET', '/api/admin/counter/orders/:orderId/paper', {
  who: 'sell',
  refusals: ['order_not_found', 'order_not_confirmed'],
  summary: 'The tickets of an order as they are printed',
  reply: v.object({
    order_id: v.string(),
    number: v.string(),
    tickets: v.array(
      v.object({
        ticket_id: v.string(),
        revision: v.number(),
        /** Its guest is inside. */ inside: v.boolean(),
        /** This revision has been printed. */ printed: v.boolean(),
        organiser: v.string(),
        title: v.string(),
        date: v.string(),
        doors: v.nullable(v.string()),
        venue: v.string(),
        trial: v.nullable(v.string()),
        seat: v.string(),
        gate: v.nullable(v.string()),
        price: v.string(),
        holder: v.nullable(v.string()),
        /** The fiscal seal, in words. */ fiscal: v.nullable(v.string()),
        order: v.string(),
        /** The sentence that the law requires on a paper that is not fiscal. */
        no_seal: v.string(),
        code: v.string(),
        code_for_people: v.string(),
        /** The house's own words, and its logo's address. */ house: v.object({
          logo: v.nullable(v.string()),
          rules: v.array(v.string()),
          foot: v.array(v.string()),
        }),
      }),
    ),
  }),
});

/**
 * Queues the tickets at the printer of the caller's till; the codes stay as they are.
 * `opens_drawer` opens the drawer with the tickets.
 */
export const printOrder = endpoint('POST', '/api/admin/counter/orders/:orderId/print', {
  who: 'sell',
  limit: 'sell',
  refusals: ['order_not_found', 'order_not_confirmed', 'till_unknown', 'printer_missing'],
  summary: 'Print the valid tickets of an order at a till',
  body: v.object({
    till_id: id,
    opens_drawer: v.optional(v.boolean()),
    /** Only the tickets whose present code has not been printed. */
    only_new: v.optional(v.boolean()),
  }),
  reply: printJob,
});

/**
 * Gives valid tickets their next revision, of the whole order or only of those named; the old codes
 * are no longer valid. A guest who is inside stays inside.
 */
export const reissueTickets = endpoint('POST', '/api/admin/counter/orders/:orderId/reissue', {
  who: 'sell',
  refusals: ['order_not_found', 'order_not_confirmed', 'ticket_not_found', 'no_valid_tickets'],
  summary: 'Replace the codes of tickets whose paper was lost',
  body: v.object({
    reason: typedReason,
    /** Left out: all valid tickets of the order. */
    ticket_ids: v.optional(v.pipe(v.array(id), v.minLength(1), v.maxLength(200))),
  }),
  reply: v.object({ tickets: v.number() }),
});

export const printTest = endpoint('POST', '/api/admin/counter/tills/:tillId/test', {
  who: 'sell',
  refusals: ['till_unknown', 'printer_missing'],
  summary: 'Print a test page',
  reply: printJob,
});

/** The printer's present state; it has a second to answer. */
export const readPrinter = endpoint('GET', '/api/admin/counter/tills/:tillId/printer', {
  who: 'sell',
  limit: 'change',
  refusals: ['till_unknown'],
  summary: 'How a till’s printer is, and what waits for it',
  reply: v.object({
    state: v.picklist(printerStates),
    waiting: v.array(printJob),
    /** The last job that ended; null: none yet. */ last: v.nullable(printJob),
  }),
});

/** The present state of one job. */
export const readPrint = endpoint('GET', '/api/admin/counter/prints/:printId', {
  who: 'sell',
  refusals: ['print_not_found'],
  summary: 'What became of a print job',
  reply: printJob,
});

/** Cancels a job; one that is printed stays printed. */
export const dropPrint = endpoint('DELETE', '/api/admin/counter/prints/:printId', {
  who: 'sell',
  refusals: ['print_not_found'],
  summary: 'Take a job out of the printer’s queue',
});
