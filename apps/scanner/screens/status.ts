/** What the phone knows, as React state: how the line stands, and whatever lies in its memory. */
import { useSyncExternalStore } from 'react';
import type { LineStatus } from '#apps/scanner/sync/line-status.ts';
import { status, subscribe } from '#apps/scanner/scan/phone.ts';

export function useStatus(): LineStatus {
  return useSyncExternalStore(status.subscribe, status.read);
}

/** A synchronous function of the core, asked again whenever the phone's memory has changed; it gives the same value while nothing did. */
export function useMemory<T>(read: () => T): T {
  return useSyncExternalStore(subscribe, read);
}
