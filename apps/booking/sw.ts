/**
 * The site's service worker: opened order pages and the list of tickets work without signal, and
 * the programme says so in Italian. The network is tried first, and API calls are not handled.
 */
import { clientsClaim } from 'workbox-core';
import {
  cacheName,
  frameKey,
  isHashed,
  isPublicPage,
  keepsOrders,
  ticketsPage,
  workerScope,
} from './shell/offline-switch.ts';

/** TypeScript's DOM types lack the scope of a service worker; these are the used parts. */
interface Later extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Asked extends Later {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}
const scope = self as unknown as {
  registration: ServiceWorkerRegistration;
  skipWaiting(): Promise<void>;
  addEventListener(name: string, hear: (event: never) => void): void;
};

/** If the server takes longer, a stored page is shown. */
const timeoutMs = 4_000;

// The worker has no state, so a new version can take over immediately.
scope.addEventListener('install', (event: Later) => event.waitUntil(scope.skipWaiting()));
scope.addEventListener('activate', (event: Later) => event.waitUntil(tidy()));
if (keepsOrders) {
  clientsClaim();
  scope.addEventListener('fetch', answer);
}

async function tidy(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(
    names
      .filter(
        (name) => name.startsWith('botteghino-orders-') && (name !== cacheName || !keepsOrders),
      )
      .map((name) => caches.delete(name)),
  );
  if (!keepsOrders) await scope.registration.unregister();
}

function answer(event: Asked): void {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate') {
    if (pathname.startsWith(workerScope)) event.respondWith(freshPage(request, frameKey));
    else if (pathname === ticketsPage) event.respondWith(freshPage(request, ticketsPage));
    else if (isPublicPage(pathname)) event.respondWith(fetch(request).catch(noLine));
  } else if (/^\/(?:assets|images)\/|^\/favicon/.test(pathname))
    event.respondWith(keptFile(request));
}

const noLineHead = [
  '<meta charset="utf-8"><meta name="viewport" content="width=device-width"><style>',
  ':root{color-scheme:light dark}',
  'body{max-width:32rem;margin:20vh auto 0;padding:0 1rem;font:1.125rem/1.5 system-ui,sans-serif}',
  'a{display:block;margin-top:1rem;padding:.5rem 0}</style>',
].join('');

/** The browser's own page would be in its language, and would not lead to the stored tickets. */
function noLine(): Response {
  const main = `<main><h1>Sei senza connessione</h1><p>Questa pagina si apre solo in rete. I biglietti che hai già aperto qui funzionano anche senza.</p><a href="${ticketsPage}">I miei biglietti</a><a href="">Riprova</a></main>`;
  const html = `<!doctype html><html lang="it">${noLineHead}<title>Senza connessione</title>${main}</html>`;
  const headers = { 'content-type': 'text/html; charset=utf-8' };
  return new Response(html, { status: 503, headers });
}

/** Nothing is found where the browser has lost its storage: then the network alone answers. */
async function findKept(
  key: string | Request,
  options?: CacheQueryOptions,
): Promise<Response | undefined> {
  try {
    return await (await caches.open(cacheName)).match(key, options);
  } catch {
    return undefined;
  }
}

async function freshPage(request: Request, key: string): Promise<Response> {
  const kept = await findKept(key);
  const fresh = fetch(request);
  if (!kept) return fresh;
  const late = new Promise<Response>((resolve) => {
    setTimeout(resolve, timeoutMs, kept);
  });
  const first = await Promise.race([fresh, late]).catch(() => kept);
  return first.status < 500 ? first : kept;
}

/**
 * A file with a hash in its name never changes; the logo has none, so the network comes first.
 */
async function keptFile(request: Request): Promise<Response> {
  const kept = await findKept(request, { ignoreVary: true });
  if (!kept) return fetch(request);
  return isHashed(request.url) ? kept : fetch(request).catch(() => kept);
}
