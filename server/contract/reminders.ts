/**
 * "Avvisami" on the wire: a visitor waits for a sale to open and gets one mail when it does. The
 * link of the confirmation mail confirms or withdraws the reminder.
 */
import * as v from 'valibot';
import { endpoint, text, timeOut } from './endpoint.ts';
import { mailAddress } from './mail-address.ts';

/** The token in the link of the mail: 128 random bits. */
const token = v.pipe(text(22, 22), v.regex(/^[\w-]+$/));

/**
 * The answer is always 202, whether the address is known or not; only the mail to the address
 * says what happens next. 409 sale_not_waiting if the sale has opened, or never will.
 */
export const askReminder = endpoint('POST', '/api/event/:eventId/reminder', {
  who: 'public',
  limit: 'find',
  accepted: true,
  refusals: ['event_not_found', 'sale_not_waiting'],
  summary: 'Ask for one mail when the sale of an event opens',
  body: v.object({ email: mailAddress }),
});

const shown = v.object({
  event: v.object({ id: v.string(), title: v.string(), starts_at: timeOut }),
  opens_at: v.nullable(timeOut),
  confirmed: v.boolean(),
});

/** 410 reminder_gone: not confirmed in time, withdrawn, sent already, or unknown. */
export const readReminder = endpoint('POST', '/api/reminders/read', {
  who: 'public',
  refusals: ['reminder_gone'],
  summary: 'What the link of a confirmation mail is about',
  body: v.object({ token }),
  reply: shown,
});

export const confirmReminder = endpoint('POST', '/api/reminders/confirm', {
  who: 'public',
  refusals: ['reminder_gone'],
  summary: 'Say yes to the mail that was asked for',
  body: v.object({ token }),
  reply: shown,
});

/** 204 whether it existed or not. */
export const dropReminder = endpoint('POST', '/api/reminders/drop', {
  who: 'public',
  summary: 'Take an address off the list',
  body: v.object({ token }),
});
