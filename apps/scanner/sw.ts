/**
 * The service worker: the whole app is on the phone after the first visit; a new version waits
 * until a person accepts it; the queue is sent even when no page is open.
 */
import { clientsClaim } from 'workbox-core';
import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  precacheAndRoute,
  type PrecacheEntry,
} from 'workbox-precaching';
import { NavigationRoute, registerRoute, setCatchHandler } from 'workbox-routing';
import { handInTag } from './sync/background-sync.ts';
import { handInAlone } from './sync/background.ts';

/** The DOM types lack the service worker's scope: these are the few members used here. */
interface SyncEvent extends Event {
  tag: string;
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent extends Event {
  request: Request;
  respondWith(answer: Response): void;
}
declare global {
  interface Window {
    __WB_MANIFEST: (PrecacheEntry | string)[];
    registration: ServiceWorkerRegistration;
    skipWaiting(): Promise<void>;
  }
  interface WindowEventMap {
    sync: SyncEvent;
    fetch: FetchEvent;
  }
}

self.addEventListener('message', (event) => {
  if ((event.data as { type?: string } | null)?.type === 'SKIP_WAITING') void self.skipWaiting();
});

self.addEventListener('sync', (event) => {
  if (event.tag === handInTag) event.waitUntil(handInAlone());
});

/**
 * The address without its slash lies outside of the app's scope. This same script is registered
 * for it once more (device/update.ts), and there does nothing but add the slash.
 */
function addSlash(event: FetchEvent): void {
  const { pathname, search } = new URL(event.request.url);
  if (event.request.mode === 'navigate' && pathname === '/scanner')
    event.respondWith(Response.redirect(`/scanner/${search}`));
}

if (new URL(self.registration.scope).pathname === '/scanner') {
  self.addEventListener('fetch', addSlash);
} else {
  cleanupOutdatedCaches();
  // oxlint-disable-next-line no-underscore-dangle -- the build looks for this very name
  precacheAndRoute(self.__WB_MANIFEST);
  registerRoute(
    new NavigationRoute(createHandlerBoundToURL('/scanner/index.html'), {
      allowlist: [/^\/scanner\//],
      denylist: [/^\/api\//],
    }),
  );
  // If the browser has lost its storage, the file comes from the network.
  setCatchHandler(({ request }) => fetch(request));
  clientsClaim();
}
