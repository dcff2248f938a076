/**
 * Messages to many buyers on the wire: the recipients, the text as they read it, sending,
 * cancelling, and the state of each mail.
 */
import * as v from 'valibot';
import { mailTroubles } from '#server/domain/mail/kinds.ts';
import {
  leftOutReasons,
  longestBody,
  longestSubject,
  messageActs,
  mostChosen,
  recipientStates,
  sentActs,
} from '#server/domain/mail/message.ts';
import { endpoint, pageAsk, text, timeOut, trimmed } from './endpoint.ts';
import { orderFilters } from '#server/contract/order/orders.ts';

/** Orders chosen one by one, or everything that the list's filters find. */
const selection = {
  order_ids: v.optional(v.pipe(v.array(text(100, 1)), v.minLength(1), v.maxLength(mostChosen))),
  filter: v.optional(v.object(orderFilters)),
};
const words = {
  subject: trimmed(longestSubject, 1),
  body: trimmed(longestBody, 1),
};

/**
 * `merged`: orders that share a mail with another one of the same address. `leaves` false: no
 * mail server is set up. `recent`: the last message about one of these events, if it is less than
 * an hour old.
 */
export const previewMessage = endpoint('POST', '/api/admin/messages/preview', {
  who: 'send_messages',
  limit: 'read',
  refusals: ['message_too_wide'],
  summary: 'Whom a message to these orders would reach, and who is left out and why',
  body: v.object({ act: v.picklist(messageActs), ...selection }),
  reply: v.object({
    orders: v.number(),
    recipients: v.number(),
    merged: v.number(),
    examples: v.array(
      v.object({
        order_id: v.string(),
        number: v.string(),
        buyer_name: v.nullable(v.string()),
        to_address: v.string(),
        orders: v.number(),
      }),
    ),
    left_out: v.array(
      v.object({
        reason: v.picklist(leftOutReasons),
        count: v.number(),
        examples: v.array(v.string()),
      }),
    ),
    leaves: v.boolean(),
    recent: v.nullable(v.object({ subject: v.string(), created_at: timeOut })),
  }),
});

/**
 * The message as the buyer of that order reads it. Refuses text_placeholder_unknown with the
 * `names`.
 */
export const previewLetter = endpoint('POST', '/api/admin/messages/letter', {
  who: 'send_messages',
  limit: 'read',
  refusals: ['order_not_found', 'text_placeholder_unknown'],
  summary: 'A message as it would read for one order',
  body: v.object({ ...words, order_id: text(100, 1) }),
  reply: v.object({
    to_address: v.nullable(v.string()),
    subject: v.string(),
    text: v.string(),
    html: v.string(),
  }),
});

export const testMessage = endpoint('POST', '/api/admin/messages/test', {
  who: 'send_messages',
  refusals: ['order_not_found', 'text_placeholder_unknown'],
  summary: 'Send the letter of one order to oneself',
  body: v.object({ ...words, order_id: text(100, 1) }),
  reply: v.object({ to_address: v.string(), mail_id: v.string() }),
});

/**
 * A repeated `ask_key` makes no second message. `recipients`: the number in the preview. `again`:
 * send it although a message about the same event is less than an hour old. Subject and body are
 * for `message` only.
 */
export const sendMessage = endpoint('POST', '/api/admin/messages/', {
  who: 'send_messages',
  refusals: [
    'message_too_wide',
    'message_too_soon',
    'recipients_changed',
    'nobody_to_write_to',
    'text_placeholder_unknown',
  ],
  summary: 'Write to the buyers of these orders, in the background, from a minute from now on',
  body: v.object({
    ask_key: v.pipe(v.string(), v.uuid()),
    act: v.picklist(messageActs),
    ...selection,
    subject: v.optional(words.subject),
    body: v.optional(words.body),
    recipients: v.pipe(v.number(), v.integer(), v.minValue(0)),
    again: v.optional(v.boolean()),
  }),
  reply: v.object({ message_id: v.string() }),
});

/** `counts`: addresses by state. Until `begins_at` the message can be cancelled. */
const message = v.object({
  message_id: v.string(),
  act: v.picklist(sentActs),
  event_id: v.nullable(v.string()),
  event_title: v.nullable(v.string()),
  event_starts_at: v.nullable(timeOut),
  subject: v.nullable(v.string()),
  orders: v.number(),
  left_out: v.number(),
  actor: v.string(),
  created_at: timeOut,
  begins_at: timeOut,
  begun_at: v.nullable(timeOut),
  withdrawn_at: v.nullable(timeOut),
  stopped_at: v.nullable(timeOut),
  finished_at: v.nullable(timeOut),
  recipients: v.number(),
  counts: v.record(v.picklist(recipientStates), v.number()),
});

export const listMessages = endpoint('GET', '/api/admin/messages/', {
  who: 'send_messages',
  summary: 'Messages to many buyers, newest first',
  query: v.object({ ...pageAsk, event_id: v.optional(text(100)) }),
  reply: v.object({
    items: v.array(message),
    next_cursor: v.nullable(v.string()),
    leaves: v.boolean(),
  }),
});

export const readMessage = endpoint('GET', '/api/admin/messages/:messageId', {
  who: 'send_messages',
  refusals: ['message_not_found'],
  summary: 'One message with its words and figures',
  reply: v.object({
    ...message.entries,
    body: v.nullable(v.string()),
    leaves: v.boolean(),
  }),
});

/** In the order of sending. `said`: the mail server's own words. */
export const listMessageMails = endpoint('GET', '/api/admin/messages/:messageId/mails', {
  who: 'send_messages',
  refusals: ['message_not_found'],
  summary: 'What became of a message at each address',
  query: v.object({ ...pageAsk, state: v.optional(v.picklist(recipientStates)) }),
  reply: v.object({
    items: v.array(
      v.object({
        order_id: v.string(),
        order_number: v.string(),
        buyer_name: v.nullable(v.string()),
        to_address: v.nullable(v.string()),
        state: v.picklist(recipientStates),
        mail_id: v.nullable(v.string()),
        sent_at: v.nullable(timeOut),
        trouble: v.nullable(
          v.object({ trouble: v.picklist(mailTroubles), said: v.nullable(v.string()) }),
        ),
      }),
    ),
    next_cursor: v.nullable(v.string()),
  }),
});

export const withdrawMessage = endpoint('POST', '/api/admin/messages/:messageId/withdraw', {
  who: 'send_messages',
  refusals: ['message_not_found', 'message_begun'],
  summary: 'Call a message off before its first mail has left',
});

/**
 * Stops a message that has begun: unsent mails wait until it is resumed; its list of mails shows
 * who has got it.
 */
export const stopMessage = endpoint('POST', '/api/admin/messages/:messageId/stop', {
  who: 'send_messages',
  refusals: ['message_not_found', 'message_not_running'],
  summary: 'Stop a message that is being sent',
});

/** Sends the message to the recipients who have not got it. */
export const resumeMessage = endpoint('POST', '/api/admin/messages/:messageId/resume', {
  who: 'send_messages',
  refusals: ['message_not_found', 'message_not_stopped'],
  summary: 'Go on with a message that was stopped',
});
