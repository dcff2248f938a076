/** The switch of the site's service worker, and the names that the page and the worker share. */

/**
 * If set to false and built, it removes everything at the next visit: worker, kept pages, saved
 * orders.
 */
export const keepsOrders: boolean = true;

/** A new number when what is kept changes its form; the old cache is deleted. */
export const cacheName = 'botteghino-orders-1';

/**
 * The worker serves these pages and the list of tickets only: home, event, office and door never
 * pass through it.
 */
export const workerScope = '/orders/';

/** The frame of every order page is the same: it is kept once. */
export const frameKey = '/orders/frame';

/** The list of the tickets that this browser keeps: a page and a scope of its own. */
export const ticketsPage = '/i-miei-biglietti';

export function isHashed(address: string): boolean {
  return address.includes('/assets/');
}
