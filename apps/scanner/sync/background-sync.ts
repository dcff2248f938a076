/**
 * Background Sync, where the browser has it: the system wakes our service worker when the line is
 * back, even if the app was closed.
 */
import type { StatusKeeper } from '#apps/scanner/kit/line-status.ts';

/** What the worker is woken for. */
export const handInTag = 'hand-in';

/** Not in the DOM's types: Chromium alone has it. */
type WithSync = ServiceWorkerRegistration & { sync?: { register(tag: string): Promise<void> } };

/** More than once does no harm. */
function askForHandIn(): void {
  void navigator.serviceWorker?.ready
    .then((registration: WithSync) => registration.sync?.register(handInTag))
    .catch(() => {});
}

/**
 * Asks the system for it whenever scans are left behind: at each scan without a line (by the
 * returned function), and when the line breaks, because it may take the last one with it. Where
 * there is no Background Sync the page itself must hand in.
 */
export function handInLater({ read, subscribe }: StatusKeeper): () => void {
  let wasOnline = true;
  subscribe(() => {
    const { online, no_network } = read();
    // While the person plays that there is no signal, no scans are sent behind the screen.
    if (wasOnline && !online && !no_network) askForHandIn();
    wasOnline = online;
  });
  return () => {
    const { online, no_network } = read();
    if (!online && !no_network) askForHandIn();
  };
}
