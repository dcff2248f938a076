/** Wakes the worker of this process when a transaction that gave it work is committed. */
import type { Db, Pool } from './dialect.ts';
import { isInWork, oweWake } from './group-commit.ts';

const wakers = new WeakMap<object, () => void>();

/**
 * Until the answer is called, `wake` runs after each commit of this process that gave the worker
 * something to do.
 */
export function onWorkGiven(db: Pool, wake: () => void): () => void {
  wakers.set(db.client as object, wake);
  return () => wakers.delete(db.client as object);
}

/**
 * Inside a transaction its commit wakes the worker, and its rollback does not; outside of one it
 * is woken at once.
 */
export function wakeWorker(db: Db): void {
  if (isInWork()) oweWake();
  else wakers.get(db.client as object)?.();
}
