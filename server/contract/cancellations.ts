/** What the buyers of a cancelled event prefer, where the office asks first (RULES E5). */
import * as v from 'valibot';
import { cancellationAnswers, clickedAnswers } from '#server/domain/event/cancellation.ts';
import { answerers } from '#server/domain/event/postponement.ts';
import { endpoint, timeOut } from './endpoint.ts';

const cents = v.pipe(v.number(), v.integer(), v.minValue(0));

/**
 * The question as the order page shows it. `answer` null: none yet; `may_answer`: there is still
 * time; `may_exchange`: and another date of the show is on sale; `may_leave`: and the money may be
 * left to the house. `refund_cents`: what a refund would pay back now. `left`: the money that was
 * left to the house, and when.
 */
export const orderCancellation = v.object({
  answer_by: timeOut,
  answer: v.nullable(v.picklist(cancellationAnswers)),
  answered_by: v.nullable(v.picklist(answerers)),
  may_answer: v.boolean(),
  may_exchange: v.boolean(),
  may_leave: v.boolean(),
  refund_cents: v.number(),
  left: v.nullable(v.object({ amount_cents: v.number(), left_at: timeOut })),
});

/**
 * For the whole order: `refund` starts at once and cannot be taken back; `gift` leaves the money to
 * the house at the deadline, and can be changed until then. Another date is answered by booking it.
 * `expected_cents`: the refund on the page, else 409 refund_changed.
 */
const answerBody = v.object({ answer: v.picklist(clickedAnswers), expected_cents: cents });
const refusals = [
  'order_not_found',
  'cancellation_over',
  'refund_changed',
  'refund_refused',
] as const;

export const answerCancellation = endpoint('POST', '/api/orders/:orderId/cancellation', {
  who: 'public',
  refusals: [...refusals],
  summary: 'Answer to a cancelled event',
  body: answerBody,
  reply: orderCancellation,
});
