/**
 * Tickets for a phone's wallet, offered where the owner has set keys. The order id (128 random
 * bits) is enough to get them, as on the order page.
 */
import * as v from 'valibot';
import { endpoint } from '#server/contract/endpoint.ts';

const refusals = [
  'order_not_found',
  'order_not_confirmed',
  'ticket_not_found',
  'no_valid_tickets',
  'holder_missing',
  'event_cancelled',
  'wallet_not_offered',
] as const;

/** A signed pass; a phone that supports it opens it directly. */
export const downloadPass = endpoint('GET', '/api/orders/:orderId/tickets/:ticketId/wallet/apple', {
  who: 'public',
  limit: 'document',
  refusals,
  summary: 'A ticket for Apple Wallet',
  file: 'application/vnd.apple.pkpass',
});

/** A signed address of Google's that puts the ticket into the visitor's wallet. */
export const saveToGoogle = endpoint(
  'GET',
  '/api/orders/:orderId/tickets/:ticketId/wallet/google',
  {
    who: 'public',
    limit: 'document',
    refusals,
    summary: 'The address that saves a ticket in Google Wallet',
    reply: v.object({ save_url: v.string() }),
  },
);
