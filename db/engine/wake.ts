/** Wakes this process's worker when a transaction that gave it work is committed. */
import type { Db, Pool } from './dialect.ts';
import { isInWork, oweWake } from './group-commit.ts';

const wakers = new WeakMap<object, () => void>();

/**
 * Runs `wake` after each commit of this process that gave the worker something to do, until the
 * returned function is called.
 */
export function onWorkGiven(db: Pool, wake: () => void): () => void {
  wakers.set(db.client as object, wake);
  return () => wakers.delete(db.client as object);
}

/** Wakes the worker: inside a transaction when it is committed, otherwise immediately. */
export function wakeWorker(db: Db): void {
  if (isInWork()) oweWake();
  else wakers.get(db.client as object)?.();
}
