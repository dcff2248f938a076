/** Writes that arrive in the same moment reach the disk in one go, because waiting for the disk is the dearest part of a booking. */

/** Resolves once the work is on the disk, and rejects with what it threw; each is all or nothing by itself. */
export type WriteQueue = <T>(work: () => T) => Promise<T>;

interface Waiting {
  since: number;
  work: () => void;
  settle: () => void;
  fail: (error: unknown) => void;
}

/** Another process that writes to the file is done sooner; this is less than the vendors' clients wait for an answer. */
const PATIENCE_MS = 5_000;
/** Between two tries, for those who only read. */
const PAUSE_MS = 20;

export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
}

/**
 * In the order of arrival; nobody is answered before everything is safe.
 * @param store.transact runs all works in one transaction, each in its own savepoint
 * @param store.locked what to throw when somebody else keeps the file locked; nothing was done then
 */
export function openWriteQueue(store: {
  transact: (works: (() => void)[]) => void;
  locked: () => Error;
}): WriteQueue {
  let waiting: Waiting[] = [];
  const waitOn = (batch: Waiting[]) => {
    const [young, old] = [true, false].map((isYoung) =>
      batch.filter(({ since }) => performance.now() - since < PATIENCE_MS === isYoung),
    );
    for (const { fail } of old!) fail(store.locked());
    // Somebody may have come while the batch was being tried; the order of arrival stays.
    waiting = [...young!, ...waiting];
    if (waiting.length > 0) setTimeout(flush, PAUSE_MS);
  };
  const flush = () => {
    const batch = waiting;
    waiting = [];
    try {
      store.transact(batch.map(({ work }) => work));
    } catch (error) {
      if (isBusy(error)) waitOn(batch);
      else for (const { fail } of batch) fail(error);
      return;
    }
    for (const { settle } of batch) settle();
  };
  return <T>(work: () => T) =>
    new Promise<T>((resolve, reject) => {
      let settle = () => {};
      waiting.push({
        work() {
          try {
            const value = work();
            settle = () => resolve(value);
          } catch (error) {
            // The lock of another process is nobody's refusal: the whole batch is tried again.
            if (isBusy(error)) throw error;
            settle = () => reject(error as Error);
          }
        },
        since: performance.now(),
        settle: () => settle(),
        fail: reject,
      });
      if (waiting.length === 1) setImmediate(flush);
    });
}
