/** The switch of the site's service worker, and names shared by page and worker. */

/** False removes the worker, stored pages and saved orders at a visitor's next visit. */
export const keepsOrders: boolean = true;

/** Use a new number if the stored files change their form; the old cache is deleted. */
export const cacheName = 'botteghino-orders-1';

/** The worker serves these pages and the list of tickets, and never the office or the door. */
export const workerScope = '/orders/';

/** Without a connection the worker answers in Italian on these pages, too. */
export function isPublicPage(path: string): boolean {
  return path === '/' || path.startsWith('/event/');
}

/** All order pages share this stored page. */
export const frameKey = '/orders/frame';

/** The list of tickets in this browser, with a worker scope of its own. */
export const ticketsPage = '/i-miei-biglietti';

export function isHashed(address: string): boolean {
  return address.includes('/assets/');
}
