/** A new version of the app: offered, never forced, because a reload in mid-scan would lose the guest in front of the door. */
import { useSyncExternalStore } from 'react';
import { registerSW } from 'virtual:pwa-register';

const checkEveryMs = 3_600_000;

let isReady = false;
let isOffline = false;
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

const update = registerSW({
  onNeedRefresh: () => {
    isReady = true;
    tell();
  },
  onOfflineReady: () => {
    isOffline = true;
    tell();
  },
  onRegisteredSW: (_, registration) => {
    if (registration) setInterval(() => void registration.update().catch(() => {}), checkEveryMs);
  },
});

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A function that changes to the new version and reloads, or null while there is none. */
export function useUpdate(): (() => Promise<void>) | null {
  const ready = useSyncExternalStore(subscribe, () => isReady);
  return ready ? () => update(true) : null;
}

/** The whole app lies on the phone: now, or since an earlier visit. */
export function useOfflineReady(): boolean {
  return useSyncExternalStore(subscribe, () => isOffline || navigator.serviceWorker?.controller != null);
}
