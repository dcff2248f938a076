/** The phone's state as React state: its connection, its memory, and how many scans it has still to send. */
import { Dexie } from 'dexie';
import { useSyncExternalStore } from 'react';
import type { LineStatus } from '#apps/scanner/sync/line-status.ts';
import { db, status, subscribe } from '#apps/scanner/scan/phone.ts';
import { useLive } from './use-live.ts';

export function useStatus(): LineStatus {
  return useSyncExternalStore(status.subscribe, status.read);
}

/** Runs a synchronous read again whenever the phone's memory has changed; while nothing did, it must return the same value. */
export function useMemory<T>(read: () => T): T {
  return useSyncExternalStore(subscribe, read);
}

/** The number of scans that the server has not received; `undefined` until it is known. */
export function useQueueLength(): number | undefined {
  return useLive(() =>
    db.queue
      .where('[fate+seq]')
      .between(['queued', Dexie.minKey], ['queued', Dexie.maxKey])
      .count(),
  );
}
