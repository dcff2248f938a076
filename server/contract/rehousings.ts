/** Moving a sold event to another hall, on the wire. */
import * as v from 'valibot';
import {
  categoryEnds,
  placeWarnings,
  rehousingStates,
  unplacedReasons,
} from '#server/domain/seat/rehousing.ts';
import { placedFirst } from '#server/domain/seat/rehousing-priority.ts';
import { placeKinds } from '#server/domain/seat/place-kinds.ts';
import { postponementAnswers } from '#server/domain/event/postponement.ts';
import { longestWhy } from '#server/domain/seat/rehousing-place.ts';
import { endpoint, text, timeIn, timeOut, wholeNumber, yesNo } from './endpoint.ts';
import { formIn, formOut } from './event-desk.ts';

const mostVersions = 1_000_000_000;
const version = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(mostVersions));
const most = 5_000;

const venueFields = ['venue_title', 'venue_address', 'venue_href', 'doors_at'] as const;

/** What the buyers are told and asked (RULES H1, E3), with the times of one direction. */
function newsWith<T extends typeof timeIn | typeof timeOut, Venue extends v.ObjectEntries>(
  time: T,
  venue: Venue,
) {
  return {
    /** The office's sentence; the mail has it as the reason. */
    reason: v.nullable(v.pipe(text(longestWhy), v.trim())),
    /** Null: the evening stays in its building. */
    place: v.nullable(
      v.object({
        ...venue,
        /** Until when each buyer keeps the ticket or asks for everything back. */ answer_by: time,
        if_silent: v.picklist(postponementAnswers),
      }),
    ),
  };
}

const newsIn = v.object(newsWith(timeIn, v.pick(formIn, venueFields).entries));
const venueOut = v.pick(formOut, venueFields).entries;

const line = v.object({
  line_id: v.string(),
  /** The same on all lines of an object that was sold whole: they move together. */
  party: v.string(),
  from: v.string(),
  from_category: v.string(),
  to: v.nullable(v.string()),
  to_object: v.nullable(v.string()),
  to_category: v.nullable(v.string()),
  /** Why there is no place for the ticket. */ reason: v.nullable(v.picklist(unplacedReasons)),
  locked: v.boolean(),
  /** There is no place, and the run refunds the ticket. */ marked: v.boolean(),
  /** wheelchair: it gets an ordinary seat; seated: the guest stood before. */
  warnings: v.array(v.picklist(placeWarnings)),
  /** The very same place: the ticket stays as it is. */ stays: v.boolean(),
  /** Cents, never above zero: the possible refund. */ difference_cents: v.number(),
  /**
   * What happens to the category that was bought if differences are refunded; null: there is no
   * place.
   */
  end: v.nullable(v.picklist(categoryEnds)),
  /** How much farther from the stage. */ farther_metres: v.number(),
});

/**
 * `fault`: why the last run failed, or a note that seats had been kept back. `commit_at`: until
 * then the run can be cancelled.
 */
const rehousing = v.object({
  rehousing_id: v.string(),
  state: v.picklist(rehousingStates),
  version: v.number(),
  title: v.string(),
  chart_key: v.string(),
  refunds: v.boolean(),
  /** What the buyers are told beside their seats; null: nothing. */
  news: v.nullable(v.object(newsWith(timeOut, venueOut))),
  /** The evening goes to another place, so that each buyer is asked (RULES E3). */
  asks: v.boolean(),
  sale_paused: v.boolean(),
  fault: v.nullable(v.string()),
  started_at: v.nullable(timeOut),
  commit_at: v.nullable(timeOut),
  categories: v.array(
    v.object({ key: v.string(), label: v.string(), sold_as: v.nullable(v.string()) }),
  ),
  sold_categories: v.array(v.string()),
  /** Who gets a place first where there are too few. */ placed_first: v.picklist(placedFirst),
  cost: v.object({
    split: v.number(),
    lower: v.number(),
    alone: v.number(),
    metres: v.number(),
    /** Metres out of the order among buyers. */ order: v.number(),
    total: v.number(),
  }),
  counts: v.object({
    tickets: v.number(),
    moves: v.number(),
    stays: v.number(),
    unplaced: v.number(),
    taken: v.number(),
    mails: v.number(),
    blocked: v.number(),
    refund_cents: v.number(),
    /**
     * Tickets that get a lower category for the price of the higher, with refunds and without.
     */
    lost_with_refunds: v.number(),
    lost_without: v.number(),
    /** Tickets without a place that are marked for a refund; of these unpaid ones end. */
    refunded: v.number(),
    refunded_unpaid: v.number(),
    /** What goes back for them, fees too, and how much of it by hand. */
    refunded_cents: v.number(),
    by_hand_cents: v.number(),
  }),
  /** Pairs of buyers of one category and side, and those whose nearer one is still nearer. */
  order_kept: v.object({ pairs: v.number(), kept: v.number() }),
  groups: v.array(
    v.object({
      order_id: v.string(),
      number: v.string(),
      buyer_name: v.nullable(v.string()),
      /** What goes back for the tickets without a place if they are refunded. */
      back_cents: v.number(),
      /** How many runs of neighbours the group has; one when all guests sit together. */ parts:
        v.number(),
      lines: v.array(line),
    }),
  ),
});

/**
 * The newest rehousing that was carried out. `kept_seats`: the old hall had blocks or
 * contingents, so the sale waits for a person.
 */
const done = v.object({
  rehousing_id: v.string(),
  chart_key: v.string(),
  done_at: timeOut,
  sale_paused: v.boolean(),
  kept_seats: v.boolean(),
  /** The evening went to another place, so that each buyer is asked (RULES E3). */
  asks: v.boolean(),
  mails: v.number(),
  mails_sent: v.number(),
  /** Orders refunded for want of a place; sums in cents. */
  refunded: v.array(
    v.object({
      order_id: v.string(),
      number: v.string(),
      buyer_name: v.nullable(v.string()),
      tickets: v.number(),
      amount_cents: v.number(),
      by_hand_cents: v.number(),
    }),
  ),
  orders: v.array(
    v.object({
      order_id: v.string(),
      number: v.string(),
      buyer_name: v.nullable(v.string()),
      difference_cents: v.number(),
      tickets: v.array(v.object({ from: v.string(), to: v.string() })),
    }),
  ),
});

const path = '/api/admin/events/:eventId/rehousing';

export const readRehousing = endpoint('GET', path, {
  who: 'edit_events',
  refusals: ['event_not_found', 'chart_not_found', 'provider_silent'],
  summary: 'The change of hall that is being prepared, or runs',
  /** `last` is null while a rehousing is open. */
  reply: v.object({ rehousing: v.nullable(rehousing), last: v.nullable(done) }),
});

/**
 * `categories`: for the key of each category of the new hall, the old category as which it is
 * sold; if it is missing, categories with the same names are matched, else those in the same
 * order. `news`: what the buyers are told beside their seats; missing: what the open plan tells.
 * Another place needs another name or address and a reason, else 400 bad_request with
 * `detail.fields`; 422 event_times_wrong if its doors or the time to answer are wrong.
 */
export const proposeRehousing = endpoint('POST', path, {
  who: 'edit_events',
  refusals: [
    'event_not_found',
    'chart_not_found',
    'rehousing_refused',
    'rehousing_running',
    'rehousing_changed',
    'event_times_wrong',
    'provider_silent',
  ],
  summary: 'Propose who sits where in another hall',
  body: v.object({
    chart_key: text(100, 1),
    categories: v.optional(v.record(text(100, 1), text(100, 1))),
    news: v.optional(newsIn),
    first: v.optional(v.picklist(placedFirst)),
  }),
  reply: rehousing,
});

/** Changes nothing. The same body as for a proposal; all sums in cents. */
export const quoteCategories = endpoint('POST', `${path}/categories`, {
  who: 'edit_events',
  refusals: ['event_not_found', 'chart_not_found', 'rehousing_refused', 'provider_silent'],
  summary: 'What a proposal with these categories would cost',
  body: v.object({
    chart_key: text(100, 1),
    categories: v.optional(v.record(text(100, 1), text(100, 1))),
    first: v.optional(v.picklist(placedFirst)),
  }),
  reply: v.object({
    /** Tickets that get a lower category, and those that get a better one. */
    lower: v.number(),
    better: v.number(),
    unplaced: v.number(),
    /** Differences that go back if the office wishes so. */ refund_cents: v.number(),
    /** The same for the seats of each category of the new hall. */
    categories: v.array(
      v.object({ key: v.string(), tickets: v.number(), refund_cents: v.number() }),
    ),
  }),
});

const planned = [
  'event_not_found',
  'chart_not_found',
  'rehousing_not_found',
  'rehousing_running',
  'rehousing_changed',
  'provider_silent',
] as const;

/** `news` as in proposeRehousing; all seats of the plan stay. */
export const changeRehousingNews = endpoint('POST', `${path}/news`, {
  who: 'edit_events',
  refusals: [...planned, 'event_times_wrong'],
  summary: 'Change what a change of hall tells the buyers, and where the evening goes',
  body: v.object({ version, news: newsIn }),
  reply: rehousing,
});

/**
 * `is_other`: whether the newest other event on this chart, from which this comes, is in another
 * place than this event; null: there is none, and this is the event's own place.
 */
export const suggestRehousingPlace = endpoint('GET', `${path}/place`, {
  who: 'edit_events',
  refusals: ['event_not_found'],
  summary: 'The place where a hall is, as its newest event says',
  query: v.object({ chart_key: text(100, 1) }),
  reply: v.object({ ...venueOut, is_other: v.nullable(v.boolean()) }),
});

export const solveRehousing = endpoint('POST', `${path}/solve`, {
  who: 'edit_events',
  refusals: planned,
  summary: 'Propose all places anew but those that were chosen by hand',
  /** `first`: who gets a place first from now on; left out: as before. */
  body: v.object({ version, first: v.optional(v.picklist(placedFirst)) }),
  reply: rehousing,
});

/**
 * `locked` of a line overrides that of all lines. `object` null: no place for now. A ticket that
 * the proposal had put on the chosen place has no place until the next proposal; if a person had
 * put it there, 409 seats_not_free.
 */
export const seatByHand = endpoint('POST', `${path}/seats`, {
  who: 'edit_events',
  refusals: [...planned, 'ticket_not_found', 'object_unknown', 'seats_not_free'],
  summary: 'Choose places of the new hall by hand',
  body: v.object({
    version,
    locked: v.boolean(),
    lines: v.pipe(
      v.array(
        v.object({
          line_id: text(40, 1),
          object: v.nullable(text(200, 1)),
          locked: v.optional(v.boolean()),
        }),
      ),
      v.minLength(1),
      v.maxLength(most),
    ),
  }),
  reply: rehousing,
});

/** 400 for a line that has a place; 409 seats_not_free if its order has its old place's name. */
export const markForRefund = endpoint('POST', `${path}/refunds`, {
  who: 'edit_events',
  refusals: [...planned, 'ticket_not_found', 'seats_not_free'],
  summary: 'Refund tickets for which the new hall has no place',
  body: v.object({
    version,
    /** False takes the mark away. */ marked: v.boolean(),
    line_ids: v.pipe(v.array(text(40, 1)), v.minLength(1), v.maxLength(most)),
  }),
  reply: rehousing,
});

export const dropRehousing = endpoint('DELETE', path, {
  who: 'edit_events',
  refusals: planned,
  summary: 'Forget the change of hall that is being prepared',
  query: v.object({ version: wholeNumber(1, mostVersions) }),
});

/**
 * `mails`: the number in the preview; 409 rehousing_changed if it is another now. The sale is
 * paused from now on.
 */
export const startRehousing = endpoint('POST', `${path}/start`, {
  who: 'edit_events',
  refusals: [
    ...planned,
    'rehousing_unplaced',
    'rehousing_losses',
    'rehousing_refunds',
    'older_process_runs',
    'rehousing_refused',
    'rehousing_sale_paused',
    'event_times_wrong',
    'seat_event_taken',
  ],
  summary: 'Move everybody to the other hall',
  body: v.object({
    version,
    refunds: v.boolean(),
    mails: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000)),
    /** How many tickets get less than what they paid for, as the proposal counts them. */
    lost: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000)),
    /** How many tickets are refunded for want of a place, and their cents, as the proposal says. */
    refunded: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000)), 0),
    refunded_cents: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1e12)), 0),
  }),
  reply: rehousing,
});

export const callOffRehousing = endpoint('POST', `${path}/call-off`, {
  who: 'edit_events',
  refusals: [
    'event_not_found',
    'rehousing_not_found',
    'rehousing_running',
    'chart_not_found',
    'provider_silent',
  ],
  summary: 'Call the change of hall off while no mail has left',
  reply: rehousing,
});

export const resumeSale = endpoint('POST', `${path}/resume-sale`, {
  who: 'edit_events',
  refusals: ['event_not_found', 'rehousing_running'],
  summary: 'Sell again after a change of hall',
});

export const rehousingHall = endpoint('GET', `${path}/hall`, {
  who: 'edit_events',
  refusals: ['event_not_found', 'rehousing_not_found', 'chart_not_found', 'provider_silent'],
  summary: 'The places of the new hall, to be drawn',
  reply: v.object({
    /**
     * Floors are drawn one at a time; `stage`: the middle of the stage, in metres like the
     * places.
     */
    floors: v.array(
      v.object({ name: v.string(), stage: v.object({ x: v.number(), y: v.number() }) }),
    ),
    places: v.array(
      v.object({
        object: v.string(),
        floor: v.string(),
        name: v.string(),
        section: v.nullable(v.string()),
        row: v.nullable(v.string()),
        seat: v.string(),
        category: v.string(),
        kind: v.picklist(placeKinds),
        x: v.number(),
        y: v.number(),
        places: v.number(),
        accessible: v.boolean(),
        sold: v.boolean(),
      }),
    ),
  }),
});

/**
 * The mail for that order; missing: for the first order that gets one. `refunds`: whether the
 * difference to a cheaper place goes back, as for startRehousing.
 */
export const previewRehousingMail = endpoint('GET', `${path}/mail`, {
  who: 'edit_events',
  refusals: [
    'event_not_found',
    'rehousing_not_found',
    'order_not_found',
    'chart_not_found',
    'provider_silent',
  ],
  summary: 'The mail that a buyer gets after a change of hall',
  query: v.object({ order_id: v.optional(text(40, 1)), refunds: yesNo }),
  reply: v.object({
    order_id: v.string(),
    to_address: v.string(),
    subject: v.string(),
    text: v.string(),
  }),
});
