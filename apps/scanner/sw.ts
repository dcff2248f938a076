/** The service worker: the whole app is on the phone after the first visit; a new version waits until somebody asks for it. */
import { clientsClaim } from 'workbox-core';
import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute, type PrecacheEntry } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';

/** The DOM program knows no service worker scope: these are the two things of it that are used here. */
declare global {
  interface Window { __WB_MANIFEST: (PrecacheEntry | string)[]; skipWaiting(): Promise<void> }
}

self.addEventListener('message', (event) => {
  if ((event.data as { type?: string } | null)?.type === 'SKIP_WAITING') void self.skipWaiting();
});

cleanupOutdatedCaches();
// oxlint-disable-next-line no-underscore-dangle -- the build looks for this very name
precacheAndRoute(self.__WB_MANIFEST);
registerRoute(new NavigationRoute(createHandlerBoundToURL('/scanner/index.html'), { allowlist: [/^\/scanner\//], denylist: [/^\/api\//] }));
clientsClaim();
