/**
 * What other programs read with a token: events, orders, tickets, admissions and figures. Nothing
 * here opens a door or an order's page.
 */
import * as v from 'valibot';
import { directions } from '#server/domain/door/admission.ts';
import { eventKinds } from '#server/domain/event/event-kind.ts';
import { eventStatuses, salesStates } from '#server/domain/event/event.ts';
import { channels } from '#server/domain/counter/counter.ts';
import { orderStates } from '#server/domain/order/order.ts';
import {
  countUpTo,
  endpoint,
  pageOf,
  text,
  timeIn,
  timeOut,
  wholeNumber,
} from '#server/contract/endpoint.ts';

/** 50 rows by default. */
const page = { limit: countUpTo(200), cursor: v.optional(text(120)) };
/** Only rows that changed after the one with this `seq`. */
const after_seq = v.optional(wholeNumber(0, 999_999_999_999_999));

const event = v.object({
  id: v.string(),
  show_id: v.nullable(v.string()),
  title: v.string(),
  kind: v.picklist(eventKinds),
  status: v.picklist(eventStatuses),
  starts_at: timeOut,
  doors_at: v.nullable(timeOut),
  ends_at: v.nullable(timeOut),
  /** The start before the last postponement. */
  postponed_from: v.nullable(timeOut),
  venue_title: v.string(),
  venue_address: v.nullable(v.string()),
  url: v.string(),
  sales: v.object({
    state: v.picklist(salesStates),
    opens_at: v.nullable(timeOut),
    closes_at: timeOut,
  }),
  updated_at: timeOut,
});

const events = { who: 'program:events', limit: 'program' } as const;

export const listEventsV1 = endpoint('GET', '/api/v1/events', {
  ...events,
  summary: 'Events that are or were on sale, by their start; `changed_since` leaves out the rest',
  query: v.object({ ...page, changed_since: v.optional(timeIn) }),
  reply: v.object(pageOf(event)),
});

export const readEventV1 = endpoint('GET', '/api/v1/events/:eventId', {
  ...events,
  summary: 'One event',
  refusals: ['event_not_found'],
  reply: event,
});

/** `left`: the places that are not sold, not blocked and in no contingent. */
export const readAvailabilityV1 = endpoint('GET', '/api/v1/events/:eventId/availability', {
  ...events,
  summary: 'Places and free places by category',
  refusals: ['event_not_found'],
  reply: v.object({
    event_id: v.string(),
    counted_at: timeOut,
    categories: v.array(
      v.object({
        category: v.string(),
        category_key: v.string(),
        places: v.number(),
        left: v.number(),
      }),
    ),
  }),
});

/**
 * `number` identifies the order in all of these lists. `buyer` null: unknown, or hidden from this
 * token.
 */
const order = v.object({
  number: v.string(),
  event_id: v.string(),
  state: v.picklist(orderStates),
  channel: v.picklist(channels),
  total_cents: v.number(),
  fee_cents: v.number(),
  service_cents: v.number(),
  paid_cents: v.number(),
  refunded_cents: v.number(),
  created_at: timeOut,
  confirmed_at: v.nullable(timeOut),
  deleted_at: v.nullable(timeOut),
  buyer: v.nullable(v.object({ name: v.nullable(v.string()), email: v.nullable(v.string()) })),
  /**
   * `released` true: the place is free again. `seat` is the name for people, `place` the seat
   * map's label.
   */
  lines: v.array(
    v.object({
      place: v.string(),
      seat: v.string(),
      category: v.string(),
      ticket_type: v.string(),
      type_label: v.string(),
      price_cents: v.number(),
      fee_cents: v.number(),
      service_cents: v.number(),
      released: v.boolean(),
    }),
  ),
});

const orders = { who: 'program:orders', limit: 'program' } as const;

export const listOrdersV1 = endpoint('GET', '/api/v1/orders', {
  ...orders,
  summary:
    'Orders with their lines, the oldest first; `changed_since` leaves out those to which nothing has happened since then: ask from a minute before the last question, and follow the cursor to the end',
  refusals: ['event_not_found'],
  query: v.object({
    ...page,
    event_id: v.optional(text(100, 1)),
    state: v.optional(v.picklist(orderStates)),
    created_since: v.optional(timeIn),
    changed_since: v.optional(timeIn),
  }),
  reply: v.object(pageOf(order)),
});

export const readOrderV1 = endpoint('GET', '/api/v1/orders/:number', {
  ...orders,
  summary: 'One order by its number',
  refusals: ['order_not_found'],
  reply: order,
});

/**
 * Tickets without anything that opens the door. `revision`: how many tickets were issued on the
 * place so far, including this one.
 */
export const listTicketsV1 = endpoint('GET', '/api/v1/events/:eventId/tickets', {
  who: 'program:tickets',
  limit: 'program',
  summary: 'Tickets of an event by `seq`; one that changes comes again with a higher one',
  refusals: ['event_not_found'],
  query: v.object({ ...page, after_seq }),
  reply: v.object(
    pageOf(
      v.object({
        id: v.string(),
        seq: v.number(),
        order_number: v.string(),
        place: v.string(),
        seat: v.string(),
        category: v.string(),
        ticket_type: v.string(),
        type_label: v.string(),
        price_cents: v.number(),
        state: v.string(),
        revision: v.number(),
        issued_at: timeOut,
        ended_at: v.nullable(timeOut),
      }),
    ),
  ),
});

/** `undone`: the scan was taken back. `conflict`: two phones let the same ticket in. */
export const listAdmissionsV1 = endpoint('GET', '/api/v1/events/:eventId/admissions', {
  who: 'program:admissions',
  limit: 'program',
  summary: 'Who was let in and out, by `seq`; one that is taken back comes again with a higher one',
  refusals: ['event_not_found'],
  query: v.object({ ...page, after_seq }),
  reply: v.object(
    pageOf(
      v.object({
        id: v.string(),
        seq: v.number(),
        ticket_id: v.nullable(v.string()),
        place: v.nullable(v.string()),
        revision: v.nullable(v.number()),
        direction: v.picklist(directions),
        gate: v.nullable(v.string()),
        offline: v.boolean(),
        at: timeOut,
        received_at: timeOut,
        undone: v.boolean(),
        conflict: v.boolean(),
      }),
    ),
  ),
});

export const readFiguresV1 = endpoint('GET', '/api/v1/events/:eventId/figures', {
  who: 'program:figures',
  limit: 'program',
  summary: 'Counts and sums of one event, in cents',
  refusals: ['event_not_found'],
  reply: v.object({
    event_id: v.string(),
    counted_at: timeOut,
    places: v.number(),
    tickets: v.number(),
    inside: v.number(),
    orders: v.number(),
    total_cents: v.number(),
    fee_cents: v.number(),
    service_cents: v.number(),
    paid_cents: v.number(),
    refunded_cents: v.number(),
    by_type: v.array(
      v.object({
        category: v.string(),
        ticket_type: v.string(),
        type_label: v.string(),
        tickets: v.number(),
        price_cents: v.number(),
      }),
    ),
  }),
});

/** Without codes. `kind` and `name` are of the rule, `sentence` says all of it in Italian. */
export const listPriceRulesV1 = endpoint('GET', '/api/v1/events/:eventId/price-rules', {
  who: 'program:figures',
  limit: 'program',
  summary: 'The price rules that count for an event, and what each lowered there, in cents',
  refusals: ['event_not_found'],
  reply: v.object({
    event_id: v.string(),
    counted_at: timeOut,
    rules: v.array(
      v.object({
        rule_id: v.string(),
        /** For the whole house, for all dates of a show, or for this event. */
        of: v.picklist(['house', 'show', 'event']),
        kind: v.picklist(['every', 'package', 'group', 'code', 'convention']),
        name: v.string(),
        sentence: v.string(),
        /** Tickets of confirmed orders that cost less by the rule. */
        tickets: v.number(),
        off_cents: v.number(),
        /** Of its codes, how many open it, and their uses that hold, at all events. */
        codes: v.object({ live: v.number(), orders: v.number(), tickets: v.number() }),
      }),
    ),
  }),
});
