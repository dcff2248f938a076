/**
 * Ticket holders and lost orders, on the wire. The order id (128 random bits) is enough to act,
 * as on the order page.
 */
import * as v from 'valibot';
import { isPersonName } from '#server/domain/order/holder.ts';
import { endpoint, text } from '#server/contract/endpoint.ts';
import { mailAddress } from '#server/contract/mail-address.ts';
import { ticket } from './tickets.ts';

/** The name as in an identity document: letters, spaces, apostrophes, hyphens. */
const personName = v.pipe(
  text(60, 1),
  v.description('Letters, spaces, apostrophes and hyphens'),
  v.transform((name) => name.trim().replace(/\s+/g, ' ')),
  v.string(),
  v.check(isPersonName),
);

/**
 * Gives the ticket its first holder or another one, which ends the old code (SOSTITUITO at the
 * door); the buyer gets a mail. `email`: the address to which the new holder gets the ticket. The
 * same name again changes nothing, so a call without an answer may be repeated. 409 holder_fixed
 * with `detail.reason` where a change is not possible (any more).
 */
export const setHolder = endpoint('POST', '/api/orders/:orderId/tickets/:ticketId/holder', {
  who: 'public',
  refusals: ['order_not_found', 'ticket_not_found', 'holder_fixed'],
  summary: 'Put a name on a ticket, or another one',
  body: v.object({ first_name: personName, last_name: personName, email: v.optional(mailAddress) }),
  reply: v.object({ ticket }),
});

/**
 * The answer is always 202, whether the address is known or not; the links to the orders are only
 * in the mail to that address.
 */
export const findOrders = endpoint('POST', '/api/orders/find', {
  who: 'public',
  limit: 'find',
  accepted: true,
  summary: 'Send the links to one’s orders to one’s own address',
  body: v.object({ email: mailAddress }),
});
