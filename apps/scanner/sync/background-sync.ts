/**
 * Background Sync, where the browser has it: the system wakes our service worker when the
 * connection is back, even if the app is closed.
 */
import type { StatusKeeper } from '#apps/scanner/kit/line-status.ts';

/** The tag of the sync for which the system wakes the worker. */
export const handInTag = 'hand-in';

/** Not in the DOM's types: Chromium alone has it. */
type WithSync = ServiceWorkerRegistration & { sync?: { register(tag: string): Promise<void> } };

/** Repeated calls do no harm. */
function askForHandIn(): void {
  void navigator.serviceWorker?.ready
    .then((registration: WithSync) => registration.sync?.register(handInTag))
    .catch(() => {});
}

/**
 * Asks the system for a wake-up whenever scans are left unsent: at each offline scan (by the
 * returned function), and when the connection breaks, because the last scan may be lost with it.
 * Without Background Sync the page itself must send them.
 */
export function handInLater({ read, subscribe }: StatusKeeper): () => void {
  let wasOnline = true;
  subscribe(() => {
    const { online, no_network } = read();
    // While a person simulates a lost signal, no scans are sent in the background.
    if (wasOnline && !online && !no_network) askForHandIn();
    wasOnline = online;
  });
  return () => {
    const { online, no_network } = read();
    if (!online && !no_network) askForHandIn();
  };
}
