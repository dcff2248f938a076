/** How the line to the server stands, for the screens: one small observable, no storage. */
import { useSyncExternalStore } from 'react';

export interface LineStatus {
  /** The last contact went well and is not long ago. */
  online: boolean;
  syncing: boolean;
  /** What the last failed contact said, fit to be shown; null after a good one. */
  trouble: string | null;
}

let status: LineStatus = { online: navigator.onLine, syncing: false, trouble: null };
const listeners = new Set<() => void>();

export function readStatus(): LineStatus {
  return status;
}

export function changeStatus(change: Partial<LineStatus>): void {
  status = { ...status, ...change };
  for (const listener of listeners) listener();
}

export function useStatus(): LineStatus {
  return useSyncExternalStore(subscribe, readStatus);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
