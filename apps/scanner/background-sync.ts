/** Background Sync, where the browser has it: the system wakes our service worker when the line is back, even if the app was closed. */

/** What the worker is woken for. */
export const handInTag = 'hand-in';

/** Not in the DOM's types: Chromium alone has it. */
type WithSync = ServiceWorkerRegistration & { sync?: { register(tag: string): Promise<void> } };

/** Call it after a scan that could not go up at once; more than once does no harm. Elsewhere the page itself must hand in. */
export function askForHandIn(): void {
  void navigator.serviceWorker?.ready.then((registration: WithSync) => registration.sync?.register(handInTag)).catch(() => {});
}
