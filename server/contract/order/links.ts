/** The buyer's link on the wire: a new one, and the order page as the office may see it. */
import { endpoint } from '#server/contract/endpoint.ts';
import { getOrder } from './orders.ts';

const refusals = [
  'order_not_found',
  'order_not_confirmed',
  'buyer_forgotten',
  'no_valid_tickets',
  'mail_address_missing',
] as const;

/**
 * The old link ends immediately, in all orders that belong together. The new one goes only to the
 * buyer's address, because the caller may be the person to whom the old one was forwarded.
 */
export const replaceMyLink = endpoint('POST', '/api/orders/:orderId/link', {
  who: 'public',
  limit: 'find',
  refusals,
  summary: 'End the link of an order and mail a new one to its buyer',
});

/** The same for the office, which does not see the new link either. */
export const replaceLink = endpoint('POST', '/api/admin/orders/:orderId/link', {
  who: 'change_orders',
  refusals,
  summary: 'End the link of an order and mail a new one to its buyer',
});

/** Without the link and all that needs it: downloads, passes, the checkout, and other orders. */
export const viewAsBuyer = endpoint('GET', '/api/admin/orders/:orderId/as_buyer', {
  who: 'see_orders',
  refusals: ['order_not_found'],
  summary: 'The order page as its buyer sees it, to look at only',
  reply: getOrder.reply,
});
