/** A Dexie query as React state: it runs again whenever a row that it read has changed, in this tab or another. */
import { liveQuery } from 'dexie';
import { useEffect, useRef, useState } from 'react';
import { db } from '#apps/scanner/scan/phone.ts';

/** The phone's database does not answer. */
export class StorageError extends Error {
  constructor(cause: unknown) {
    super('The phone’s storage failed', { cause });
    this.name = 'StorageError';
  }
}

/**
 * `undefined` until the first answer. A database that fails is thrown while rendering, as a StorageError. Only the first `query` is run:
 * it must not depend on props or state.
 */
export function useLive<T>(query: () => Promise<T>): T | undefined {
  const [value, setValue] = useState<T>();
  const [failure, setFailure] = useState<StorageError | null>(null);
  const firstQuery = useRef(query);
  useEffect(() => {
    const fail = (error: unknown) => setFailure(new StorageError(error));
    const subscription = liveQuery(firstQuery.current).subscribe({ next: setValue, error: fail });
    // Dexie keeps silent towards live queries about a database that does not open.
    void db.open().catch(fail);
    return () => subscription.unsubscribe();
  }, []);
  if (failure) throw failure;
  return value;
}
