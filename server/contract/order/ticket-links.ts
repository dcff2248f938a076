/**
 * A ticket's own link on the wire (RULES O22): its page, its calendar entry and its passes. Its
 * key (128 bits under the event's secret) is enough to get them.
 */
import * as v from 'valibot';
import { endpoint } from '#server/contract/endpoint.ts';
import { downloadCalendar } from './documents.ts';
import { getOrder } from './orders.ts';
import { ticket } from './tickets.ts';
import { downloadPass, saveToGoogle } from './wallets.ts';

/** The ticket without prices, and nothing of its buyer or the other tickets. */
export const readLinkedTicket = endpoint('GET', '/api/orders/:ticketKey/ticket', {
  who: 'public',
  refusals: ['ticket_link_ended'],
  summary: 'One ticket, by its own link',
  reply: v.object({
    ticket: v.omit(ticket, [
      'price_cents',
      'fee_cents',
      'service_cents',
      'holder_step',
      'holder_obstacle',
      'fiscal',
    ]),
    event: v.omit(getOrder.reply.entries.event, ['holder_change_until', 'names_rule']),
    wallets: getOrder.reply.entries.wallets,
  }),
});

export const downloadLinkedCalendar = endpoint(
  'GET',
  '/api/orders/:ticketKey/ticket/calendar.ics',
  {
    who: 'public',
    limit: 'document',
    refusals: ['ticket_link_ended'],
    summary: 'The evening of one ticket as a calendar entry',
    file: downloadCalendar.file,
  },
);

const passRefusals = [
  'ticket_link_ended',
  'holder_missing',
  'event_cancelled',
  'wallet_not_offered',
] as const;

export const downloadLinkedPass = endpoint('GET', '/api/orders/:ticketKey/ticket/wallet/apple', {
  who: 'public',
  limit: 'document',
  refusals: passRefusals,
  summary: 'One ticket for Apple Wallet, by its own link',
  file: downloadPass.file,
});

export const saveLinkedToGoogle = endpoint('GET', '/api/orders/:ticketKey/ticket/wallet/google', {
  who: 'public',
  limit: 'document',
  refusals: passRefusals,
  summary: 'The address that saves one ticket in Google Wallet, by its own link',
  reply: saveToGoogle.reply,
});

/** Notes that the buyer has given this ticket's link to a guest; it may be repeated. */
export const handOnTicket = endpoint('POST', '/api/orders/:orderId/tickets/:ticketId/handed_on', {
  who: 'public',
  refusals: ['order_not_found', 'ticket_not_found'],
  summary: 'Note that a ticket’s own link was handed on',
});
