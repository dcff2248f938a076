/**
 * Stores the order page and the list of tickets for an evening without signal: pages, scripts,
 * styles, and the service worker that serves them.
 */
import {
  cacheName,
  frameKey,
  isHashed,
  keepsOrders,
  ticketsPage,
  workerScope,
} from '#apps/booking/shell/offline-switch.ts';
import { forgetAllOrders } from './saved-orders.ts';

/** The last one is for the programme, where it only says that there is no line. */
const scopes = [workerScope, ticketsPage, '/'];

/**
 * Called once a confirmed order's page has loaded. The caller ignores failures, because the open
 * page does not need this.
 */
export async function keepOrderPages(): Promise<void> {
  // In development nothing is stored, because Vite's modules change all the time.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator) || !('caches' in window)) return;
  if (!keepsOrders) {
    await dropOrderPages();
    return;
  }
  for (const scope of scopes) await navigator.serviceWorker.register('/sw.js', { scope });
  await keepFrames();
}

/**
 * Stores files before the pages that need them, so that a stored page lacks none; then removes
 * files that only older pages needed.
 */
async function keepFrames(): Promise<void> {
  // These addresses belong to no order, so the stored pages contain no personal data.
  const pages = await Promise.all(
    [ticketsPage, frameKey].map((page) => fetch(page, { headers: { accept: 'text/html' } })),
  );
  if (!pages.every((page) => page.ok)) return;
  const cache = await caches.open(cacheName);
  const texts = await Promise.all(pages.map((page) => page.clone().text()));
  const files = new Set([...texts.flatMap(filesIn), ...loadedFiles()]);
  for (const file of files)
    if (!isHashed(file) || !(await cache.match(file))) await cache.add(file);
  for (const page of pages) await cache.put(new URL(page.url).pathname, page);
  for (const { url } of await cache.keys()) {
    const { pathname } = new URL(url);
    if (![ticketsPage, frameKey].includes(pathname) && !files.has(pathname))
      await cache.delete(url);
  }
}

const kept = /^\/assets\/[^/]+\.(?:js|css|woff2)$|^\/images\/logo\.svg$|^\/favicon\.svg$/;

function filesIn(html: string): string[] {
  return [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)]
    .map(([, path = '']) => path)
    .filter((path) => kept.test(path));
}

/** Files that scripts have loaded; the page's HTML does not name them. */
function loadedFiles(): string[] {
  return performance
    .getEntriesByType('resource')
    .map((entry) => new URL(entry.name))
    .filter((url) => url.origin === location.origin && kept.test(url.pathname))
    .map((url) => url.pathname);
}

async function dropOrderPages(): Promise<void> {
  forgetAllOrders();
  const ours = (await navigator.serviceWorker.getRegistrations()).filter(({ scope }) =>
    scopes.includes(new URL(scope).pathname),
  );
  await Promise.all([
    caches.delete(cacheName),
    ...ours.map((registration) => registration.unregister()),
  ]);
}
