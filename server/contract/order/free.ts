/** Bookings that cost nothing on the wire: the click that confirms one, and giving places back. */
import * as v from 'valibot';
import { endpoint, text } from '#server/contract/endpoint.ts';

/** 204, also for an order that is confirmed already. Only the mail to the buyer has the key. */
export const confirmFreeOrder = endpoint('POST', '/api/orders/:orderId/confirmation', {
  who: 'public',
  refusals: ['order_not_found', 'confirmation_gone'],
  summary: 'Confirm a free booking by the key of its mail',
  body: v.object({ key: v.pipe(text(22, 22), v.regex(/^[\w-]+$/)) }),
});

/** 202; the mail goes to the address of the booking, with the same link. */
export const mailConfirmation = endpoint('POST', '/api/orders/:orderId/confirmation_mail', {
  who: 'public',
  limit: 'find',
  accepted: true,
  refusals: ['order_not_found', 'confirmation_gone'],
  summary: 'Send the mail once more that confirms a free booking',
});

/**
 * Ends free tickets at once, until the event begins; their places return to the sale. `detail` of
 * 409: which tickets have ended or were used.
 */
export const giveBackFree = endpoint('POST', '/api/orders/:orderId/give_back', {
  who: 'public',
  refusals: ['order_not_found', 'ticket_not_found', 'give_back_refused'],
  summary: 'Give free tickets back',
  body: v.object({
    ticket_ids: v.pipe(v.array(text(40, 1)), v.minLength(1), v.maxLength(100)),
  }),
});
