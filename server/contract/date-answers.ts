/** What the buyers of a moved or cancelled event have answered, for the office (RULES E6). */
import * as v from 'valibot';
import { postponementAnswers, answerers } from '#server/domain/event/postponement.ts';
import {
  answerFilters,
  dateAnswers,
  enteredAnswers,
  questionKinds,
} from '#server/domain/event/date-answers.ts';
import { endpoint, listAsk, pageOf, text, timeOut } from './endpoint.ts';

const filter = { answer: v.optional(v.picklist(answerFilters)) };
const cents = v.pipe(v.number(), v.integer(), v.minValue(0));

/**
 * `open`: answers still count. `if_silent`: what silence means after `answer_by`. `silent_orders`:
 * how many of the silent have an address and would be written to. `asked_again_at`: when they were
 * last written to, if that is less than an hour ago.
 */
const question = v.object({
  kind: v.picklist(questionKinds),
  answer_by: timeOut,
  open: v.boolean(),
  if_silent: v.picklist(postponementAnswers),
  counts: v.object({
    refund: v.number(),
    exchange: v.number(),
    gift: v.number(),
    keep: v.number(),
    silent: v.number(),
  }),
  silent_orders: v.number(),
  asked_again_at: v.nullable(timeOut),
});

/**
 * The newest order first. `question` null: the buyers of this event were not asked. `answer` null:
 * none yet. `answered_name`: the person of the office who entered it. `total_cents`: of the order.
 */
export const listDateAnswers = endpoint('GET', '/api/admin/events/:eventId/answers', {
  who: 'refund',
  refusals: ['event_not_found'],
  summary: 'The answers to a moved or cancelled event, order by order',
  query: v.object({ ...listAsk, ...filter }),
  reply: v.object({
    ...pageOf(
      v.object({
        order_id: v.string(),
        number: v.string(),
        buyer_name: v.nullable(v.string()),
        buyer_phone: v.nullable(v.string()),
        buyer_email: v.nullable(v.string()),
        tickets: v.number(),
        total_cents: v.number(),
        answer: v.nullable(v.picklist(dateAnswers)),
        answered_by: v.nullable(v.picklist(answerers)),
        answered_name: v.nullable(v.string()),
        answered_at: v.nullable(timeOut),
      }),
    ),
    question: v.nullable(question),
  }),
});

/**
 * `excel`: as Italian Excel opens it; `plain`: comma, decimal point. No cell can start a formula.
 */
export const exportDateAnswers = endpoint('GET', '/api/admin/events/:eventId/answers.csv', {
  who: 'export_orders',
  work: 'answers_file',
  sensitive: true,
  limit: 'document',
  refusals: ['event_not_found'],
  file: 'text/csv',
  summary: 'The answers to a moved or cancelled event, as a file',
  query: v.object({
    format: v.optional(v.picklist(['excel', 'plain'])),
    q: listAsk.q,
    ...filter,
  }),
});

/**
 * The question of one order. `choices`: what may be entered now; `may_exchange`: another date of
 * the show is on sale, and the answer is booking it. `refund_cents`: what a refund would pay back.
 */
const orderQuestion = v.object({
  kind: v.picklist(questionKinds),
  answer_by: timeOut,
  answer: v.nullable(v.picklist(dateAnswers)),
  answered_by: v.nullable(v.picklist(answerers)),
  choices: v.array(v.picklist(enteredAnswers)),
  may_exchange: v.boolean(),
  refund_cents: v.number(),
});

/** `question` null: the buyer was not asked. */
export const readDateAnswer = endpoint('GET', '/api/admin/orders/:orderId/answer', {
  who: 'refund',
  refusals: ['order_not_found'],
  summary: 'The question to the buyer of a moved or cancelled event, and its answer',
  reply: v.object({ question: v.nullable(orderQuestion) }),
});

/**
 * For a buyer who telephones: by the same rules as their own answer. The same answer again changes
 * nothing. `expected_cents`: the refund as read, else 409 refund_changed.
 */
export const enterDateAnswer = endpoint('POST', '/api/admin/orders/:orderId/answer', {
  who: 'refund',
  refusals: [
    'confirm_again',
    'order_not_found',
    'cancellation_over',
    'postponement_over',
    'refund_changed',
    'refund_refused',
  ],
  summary: 'Enter the answer of a buyer to a moved or cancelled event',
  body: v.object({ answer: v.picklist(enteredAnswers), expected_cents: cents }),
  reply: v.object({ question: v.nullable(orderQuestion) }),
});

/**
 * A repeated `ask_key` writes nothing more. `recipients`: `silent_orders` as read, else 409
 * recipients_changed. 409 asked_too_soon within an hour.
 */
export const askSilentAgain = endpoint('POST', '/api/admin/events/:eventId/answers/ask', {
  who: 'send_messages',
  refusals: [
    'event_not_found',
    'cancellation_over',
    'postponement_over',
    'asked_too_soon',
    'recipients_changed',
    'nobody_to_write_to',
    'message_too_wide',
  ],
  summary: 'Write again to the buyers of an event who have not answered',
  body: v.object({
    ask_key: v.pipe(text(36), v.uuid()),
    recipients: cents,
  }),
  reply: v.object({ message_id: v.string() }),
});
