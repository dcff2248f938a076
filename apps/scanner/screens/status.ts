/** The phone's state as React state: database, connection, memory, number of unsent scans. */
import { liveQuery } from 'dexie';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { queuedIds } from '#apps/scanner/kit/store.ts';
import { storeFault, type StoreFault } from '#apps/scanner/kit/store-fault.ts';
import { phone } from '#apps/scanner/scan/phone.ts';
import type { LineStatus } from '#apps/scanner/kit/line-status.ts';

/** Thrown when the phone's database does not answer. */
export class StorageError extends Error {
  readonly fault: StoreFault | null;

  constructor(cause: unknown) {
    super('The phone’s storage failed', { cause });
    this.name = 'StorageError';
    this.fault = storeFault(cause);
  }
}

/** A database that is lost again this soon after it was opened again is broken. */
const soonMs = 2_000;

/**
 * A Dexie query that runs again whenever a row that it read has changed, in this tab or another;
 * `undefined` until the first answer. A database that cannot be opened again throws a
 * StorageError while rendering.
 * Only the `query` of the first render is used, so it must not depend on props or state.
 */
export function useLive<T>(query: () => Promise<T>): T | undefined {
  const [value, setValue] = useState<T>();
  const [failure, setFailure] = useState<StorageError | null>(null);
  const firstQuery = useRef(query);
  const opened = useSyncExternalStore(phone.reopened.subscribe, phone.reopened.read);
  const recoveredAt = useRef(-Infinity);
  useEffect(() => {
    let isWanted = true;
    const fail = async (error: unknown) => {
      const isSoon = performance.now() - recoveredAt.current < soonMs;
      recoveredAt.current = performance.now();
      if (!isWanted || (!isSoon && (await phone.recover(error, opened)))) return;
      if (isWanted) setFailure(new StorageError(error));
    };
    const subscription = liveQuery(firstQuery.current).subscribe({ next: setValue, error: fail });
    // Live queries do not learn from Dexie that a database fails to open.
    void phone.db.open().catch(fail);
    return () => {
      isWanted = false;
      subscription.unsubscribe();
    };
  }, [opened]);
  if (failure) throw failure;
  return value;
}

export function useStatus(): LineStatus {
  return useSyncExternalStore(phone.status.subscribe, phone.status.read);
}

/**
 * Runs a synchronous read again whenever the phone's memory has changed; without a change it must
 * return the same value.
 */
export function useMemory<T>(read: () => T): T {
  return useSyncExternalStore(phone.subscribe, read);
}

/** How many scans the server lacks; `undefined` until it is known. */
export function useQueueLength(): number | undefined {
  return useLive(() => queuedIds(phone.db))?.length;
}

/** The scans that the server lacks, and how many of them let a guest in. */
export function useUnsent(): { readings: number; entries: number } | undefined {
  const ids = useLive(() => queuedIds(phone.db));
  // The memory has a scan only after the disk has it.
  useMemory(phone.version);
  return ids && { readings: ids.length, entries: phone.entriesAmong(new Set(ids)) };
}
