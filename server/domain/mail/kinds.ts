/** The kinds of mails and their states. */
import type { RefundOrigin } from '#server/domain/payment/refund.ts';

export const orderMailKinds = [
  'tickets',
  'awaiting',
  'cancelled',
  'refunded',
  'gift_receipt',
  'refund_asked',
  'refund_refused',
  'late_refunded',
  'tickets_ended',
  'event_changed',
  'event_postponed',
  'event_cancelled',
  'cancellation_asked',
  'holder_changed',
  'seats_changed',
  'names_asked',
  'confirm_click',
  'day_before',
] as const;
export type OrderMailKind = (typeof orderMailKinds)[number];
/** The mails about an order of which each holder with an address gets one about their tickets. */
export const holderMailKinds = [
  'tickets_ended',
  'event_changed',
  'event_postponed',
  'event_cancelled',
] as const satisfies readonly OrderMailKind[];
export type HolderMailKind = (typeof holderMailKinds)[number];
/**
 * Mails to an address that waits for a sale or in a waiting room (reminder-mail.ts); they are
 * deleted once they were sent.
 */
export const reminderMailKinds = ['reminder', 'sale_open', 'queue_near'] as const;
/**
 * `message` is the office's own text to a buyer, `message_test` the same text to its author
 * (message-mail.ts). `order_links` is about all orders of an address (links-mail.ts).
 * `login_alarm` is for a member of the office (alarm-mail.ts), `health_alert` for the person who
 * runs the house (alert-mail.ts), `invitation` and `password_reset` for a user (people-mail.ts).
 */
export const mailKinds = [
  ...orderMailKinds,
  ...reminderMailKinds,
  'message',
  'message_test',
  'order_links',
  'login_alarm',
  'health_alert',
  'invitation',
  'password_reset',
] as const;
export type MailKind = (typeof mailKinds)[number];

export function isReminderMail(kind: MailKind): kind is (typeof reminderMailKinds)[number] {
  return reminderMailKinds.some((known) => known === kind);
}

/**
 * The kind of mail that says that a refund of this origin ended tickets; late payments,
 * deposits and refunds in Stripe's dashboard end none.
 */
export const endingLetters = {
  office: 'tickets_ended',
  buyer: 'tickets_ended',
  event_cancelled: 'event_cancelled',
  postponed: 'tickets_ended',
  late_payment: 'tickets_ended',
  stripe: 'tickets_ended',
  exchange: 'tickets_ended',
  deposit: 'tickets_ended',
  rehoused: 'tickets_ended',
} as const satisfies Record<RefundOrigin, 'tickets_ended' | 'event_cancelled'>;

export function isHolderMail(kind: MailKind): kind is HolderMailKind {
  return holderMailKinds.some((known) => known === kind);
}

/** The key of a holder's own mail, from the buyer's key and one of the holder's tickets. */
export function keyForHolder(key: string, ticket_id: string): string {
  return `${key}.${ticket_id}`;
}

/** The key of a `tickets` mail that says that earlier codes are not valid any more. */
export const newCodes = 'new_codes';
/** The key of a `tickets` mail that says that the earlier link opens nothing any more. */
export const newLink = 'new_link';

/** `dropped`: the mail no longer had anything to say when its turn came. */
export const mailStates = ['waiting', 'sent', 'failed', 'dropped'] as const;
export type MailState = (typeof mailStates)[number];

/**
 * Why a mail was not sent, is late, or came back. `anonymous`: the tickets were sold to a person
 * who left neither name nor address. `rejected`: the mail server refused it
 * immediately; `bounced`: it accepted the mail and later reported that it could not be delivered.
 * `no_answer`: it was silent, asked us to wait, or refused our login, sender or quota.
 * `not_set_up`: there is no mail server, so the office reads the mail itself.
 */
export const mailTroubles = [
  'no_address',
  'anonymous',
  'bad_address',
  'rejected',
  'bounced',
  'no_answer',
  'gave_up',
  'obsolete',
  'not_set_up',
  'abandoned',
] as const;
export type MailTrouble = (typeof mailTroubles)[number];

/** Joins the trouble and the mail server's words into one text for the row. */
export function spellTrouble(trouble: MailTrouble, said = ''): string {
  return said === '' ? trouble : `${trouble}: ${said}`.slice(0, 500);
}

export function readTrouble(
  text: string | null,
): { trouble: MailTrouble; said: string | null } | null {
  const trouble = mailTroubles.find((known) => text === known || text?.startsWith(`${known}: `));
  return trouble === undefined ? null : { trouble, said: text?.slice(trouble.length + 2) || null };
}
