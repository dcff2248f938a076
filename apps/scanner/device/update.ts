/** Updates of the app: offered, never forced, because a reload must not interrupt a scan. */
import { useSyncExternalStore } from 'react';
import { registerSW } from 'virtual:pwa-register';
import { observable } from '#apps/scanner/kit/observable.ts';

const checkEveryMs = 3_600_000;

const isReady = observable(false);
const isOffline = observable(false);
let isAskedHere = false;
let registration: ServiceWorkerRegistration | undefined;

const update = registerSW({
  onNeedRefresh: () => {
    // The plugin does not reload a page that installed the app, because it takes every later
    // version there for the first.
    if (!isReady.read()) navigator.serviceWorker.addEventListener('controllerchange', changePage);
    isReady.write(true);
  },
  onNeedReload: () => {},
  onOfflineReady: () => isOffline.write(true),
  onRegisteredSW: (_, registered) => {
    registration = registered;
    if (registered) void coverSlashless();
    if (registered) setInterval(() => void checkForUpdateNow(), checkEveryMs);
  },
});

/** Makes `/scanner` open offline, too; where that fails, only the address with a slash does. */
async function coverSlashless(): Promise<void> {
  await navigator.serviceWorker
    .register('/scanner/sw.js', { scope: '/scanner' })
    .catch(() => undefined);
}

/** The new service worker controls all windows from now on; this one still runs the old app. */
function changePage(): void {
  if (isAskedHere || document.hidden) return location.reload();
  // Another window asked for the update; this one may be scanning, so it reloads when it is
  // hidden.
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) location.reload();
  });
  return undefined;
}

async function changeOver(): Promise<void> {
  isAskedHere = true;
  // If another window activated the new version, only this page still runs the old one.
  if (registration && !registration.waiting) location.reload();
  else await update();
}

/** A function that activates the new version and reloads, or null while there is none. */
export function useUpdate(): (() => Promise<void>) | null {
  return useSyncExternalStore(isReady.subscribe, isReady.read) ? changeOver : null;
}

/**
 * `coming`: `useUpdate` offers the version once it is downloaded. `no_line`: the server did not
 * answer, or something else answered in its place. `not_installed`: a plain reload loads the
 * newest version.
 */
export type UpdateCheck = 'coming' | 'none' | 'no_line' | 'not_installed';

/** Asks the server for a new version now, for instance after an `update_required`. */
export async function checkForUpdateNow(): Promise<UpdateCheck> {
  if (!registration) return 'not_installed';
  try {
    // The DOM's types say void, but browsers return the registration.
    const found =
      ((await registration.update()) as ServiceWorkerRegistration | undefined) ?? registration;
    return (found.installing ?? found.waiting) ? 'coming' : 'none';
  } catch {
    return 'no_line';
  }
}

/** Whether the whole app is stored on the phone, now or since an earlier visit. */
export function useOfflineReady(): boolean {
  return useSyncExternalStore(
    isOffline.subscribe,
    () => isOffline.read() || navigator.serviceWorker?.controller != null,
  );
}
