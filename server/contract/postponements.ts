/** A sold event that moves to another day or place, and its buyers' answers (RULES E3). */
import * as v from 'valibot';
import { answerers, givenAnswers, postponementAnswers } from '#server/domain/event/postponement.ts';
import { endpoint, text, timeIn, timeOut } from './endpoint.ts';
import { version } from './event-desk.ts';

const answer = v.picklist(postponementAnswers);

const postponement = v.object({
  postponement_id: v.string(),
  from_starts_at: timeOut,
  to_starts_at: timeOut,
  /** A change of hall: name and address of the place before; null: the day has moved. */
  from_venue: v.nullable(v.string()),
  answer_by: timeOut,
  if_silent: answer,
  reason: v.nullable(v.string()),
  created_at: timeOut,
  /** When the rule for missing answers was applied, or when the event moved again. */
  closed_at: v.nullable(timeOut),
  /** The number of orders by answer, including answers that the deadline gave. */
  kept: v.number(),
  refunded: v.number(),
  /** All their tickets became some of another date. */ exchanged: v.number(),
  silent: v.number(),
});

/** The last postponement of this event; null: none. */
export const readPostponement = endpoint('GET', '/api/admin/events/:eventId/postponement', {
  who: 'see_events',
  refusals: ['event_not_found'],
  summary: 'How the buyers of a date that was moved have answered',
  reply: v.object({ postponement: v.nullable(postponement) }),
});

/**
 * Tickets stay valid; doors, admission, end and the close of the sale move along by the clock in
 * Rome. `version` as read, else 409 event_changed. `tell_buyers`: how many orders with valid
 * tickets there are, else 409 buyers_to_tell with `detail.buyers`; each gets a mail with both
 * answers. 422 event_times_wrong with `detail.fields`.
 */
export const postponeEvent = endpoint('POST', '/api/admin/events/:eventId/postpone', {
  who: 'edit_events',
  refusals: [
    'event_not_found',
    'event_changed',
    'event_cancelled',
    'event_has_orders',
    'postponement_not_possible',
    'event_times_wrong',
    'buyers_to_tell',
  ],
  summary: 'Move a date to another day',
  body: v.object({
    version,
    starts_at: timeIn,
    answer_by: timeIn,
    if_silent: answer,
    reason: v.optional(v.nullable(v.pipe(text(500), v.trim())), null),
    tell_buyers: v.pipe(v.number(), v.integer(), v.minValue(0)),
  }),
  reply: v.object({ postponement }),
});

/**
 * The postponement, or the move to another place, as the order page shows it. `answer` null: none
 * yet; `may_answer`: there is still time; `may_exchange`: and another date of the show is on sale.
 * `refund_cents`: what a refund would pay back now, with fees.
 */
export const orderPostponement = v.object({
  from_starts_at: timeOut,
  to_starts_at: timeOut,
  /** A change of hall: name and address of the place before; null: the day has moved. */
  from_venue: v.nullable(v.string()),
  /** Why, in the office's words. */ reason: v.nullable(v.string()),
  answer_by: timeOut,
  if_silent: answer,
  answer: v.nullable(v.picklist(givenAnswers)),
  answered_by: v.nullable(v.picklist(answerers)),
  may_answer: v.boolean(),
  may_exchange: v.boolean(),
  refund_cents: v.number(),
});

/**
 * "Tieni il biglietto" or "Chiedi il rimborso", for the whole order; a refund starts immediately
 * and cannot be taken back. The same answer again changes nothing. `expected_cents`: the refund
 * on the page, else 409 refund_changed.
 */
export const answerPostponement = endpoint('POST', '/api/orders/:orderId/postponement', {
  who: 'public',
  refusals: ['order_not_found', 'postponement_over', 'refund_changed', 'refund_refused'],
  summary: 'Answer to a date that was moved',
  body: v.object({
    answer,
    expected_cents: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  }),
  reply: orderPostponement,
});
