/** Whether the app would load again: from the phone itself or over the network. */
export function canReload(): boolean {
  return navigator.onLine || navigator.serviceWorker?.controller != null;
}
