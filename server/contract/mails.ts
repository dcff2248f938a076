/**
 * Mail to buyers on the wire: what was sent, what waits, what could not be sent and why, and
 * sending it again.
 */
import * as v from 'valibot';
import { mailKinds, mailStates, mailTroubles } from '#server/domain/mail/kinds.ts';
import { endpoint, pageAsk, text, timeOut } from './endpoint.ts';
import { mailAddress } from './mail-address.ts';

/**
 * `to_address` and `subject` are null until the mail is written. `trouble.said`: the mail
 * server's own words.
 */
const mailRow = v.object({
  mail_id: v.string(),
  kind: v.picklist(mailKinds),
  state: v.picklist(mailStates),
  order_id: v.nullable(v.string()),
  order_number: v.nullable(v.string()),
  event_title: v.nullable(v.string()),
  event_starts_at: v.nullable(timeOut),
  to_address: v.nullable(v.string()),
  subject: v.nullable(v.string()),
  created_at: timeOut,
  sent_at: v.nullable(timeOut),
  attempts: v.number(),
  /** When its address and text were deleted. */
  forgotten_at: v.nullable(timeOut),
  trouble: v.nullable(
    v.object({ trouble: v.picklist(mailTroubles), said: v.nullable(v.string()) }),
  ),
});

/** `leaves` false: no mail server is set up, so mails only stay in this list. */
export const listMails = endpoint('GET', '/api/admin/mails/', {
  who: 'see_mail',
  summary: 'Mails, newest first; q looks in the address, and in number, name and mail of the order',
  query: v.object({
    ...pageAsk,
    q: v.optional(text(100)),
    state: v.optional(v.picklist(mailStates)),
    kind: v.optional(v.picklist(mailKinds)),
    order_id: v.optional(text(100)),
  }),
  reply: v.object({
    items: v.array(mailRow),
    next_cursor: v.nullable(v.string()),
    leaves: v.boolean(),
  }),
});

/**
 * The mail as last written. An attachment is the order's document as it is now: `path` opens it.
 * `resend_to`: the address to which it would be sent again.
 */
export const readMail = endpoint('GET', '/api/admin/mails/:mailId', {
  who: 'see_mail',
  refusals: ['mail_not_found'],
  summary: 'One mail: its words, its attachments, what became of it',
  reply: v.object({
    ...mailRow.entries,
    message_id: v.string(),
    text: v.nullable(v.string()),
    html: v.nullable(v.string()),
    next_try_at: v.nullable(timeOut),
    resend_to: v.nullable(v.string()),
    leaves: v.boolean(),
    attachments: v.array(
      v.object({
        name: v.string(),
        type: v.string(),
        bytes: v.number(),
        path: v.nullable(v.string()),
      }),
    ),
  }),
});

/** A new mail of the same kind, written again, to the order's present address. */
export const resendMail = endpoint('POST', '/api/admin/mails/:mailId/resend', {
  who: 'send_mail',
  refusals: ['mail_not_found', 'mail_address_missing', 'buyer_forgotten'],
  summary: 'Send a mail once more',
  reply: v.object({ mail_id: v.string() }),
});

/**
 * A mail server's whole notice as it came into the sender's mailbox (.eml). `repeated`: the
 * notice was received before, or the mail had already failed.
 */
export const sendBounce = endpoint('POST', '/api/admin/mails/bounces', {
  who: 'send_mail',
  refusals: ['bounce_unreadable', 'bounce_not_final', 'bounce_unknown'],
  summary: 'Hand in a notice that a mail was not delivered',
  form: v.object({}),
  reply: v.object({
    mail_id: v.string(),
    kind: v.picklist(mailKinds),
    order_number: v.nullable(v.string()),
    to_address: v.nullable(v.string()),
    said: v.nullable(v.string()),
    repeated: v.boolean(),
  }),
});

/** The tickets mail again; an `email` becomes the order's address, with a line in its history. */
export const resendTickets = endpoint('POST', '/api/admin/orders/:orderId/resend', {
  who: 'send_mail',
  refusals: [
    'order_not_found',
    'order_not_confirmed',
    'no_valid_tickets',
    'mail_address_missing',
    'buyer_forgotten',
  ],
  summary: 'Send the tickets once more, to a corrected address if need be',
  body: v.object({ email: v.optional(mailAddress) }),
  reply: v.object({ mail_id: v.string(), to_address: v.string() }),
});
