/** Waiting writes share one commit, because the flush to the disk is the most expensive part. */
import { setImmediate as nextRound } from 'node:timers/promises';
import type { Writer } from './sqlite.ts';

/** Another process held the database for too long; nothing was written. */
export class StoreBusyError extends Error {}

export interface Waiting {
  since: number;
  /** A write returns a function that answers its caller; it is called after the commit. */
  run: (writer: Writer) => Promise<() => void>;
  reject: (error: unknown) => void;
}

interface Database {
  /** Runs all in one transaction, in order of arrival, and returns the functions that answer. */
  writeTogether: (batch: Waiting[]) => Promise<(() => void)[]>;
  /** Another process holds the database; nothing was written, and a new try may succeed. */
  isBusy: (error: unknown) => boolean;
  /** Runs the work alone, after all earlier work. */
  inTurn: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Longer than another writer takes, and shorter than the vendors' clients wait. */
const PATIENCE_MS = 5_000;
/** The pause between two tries, in which reads can run. */
const PAUSE_MS = 20;

export function openBatches({ writeTogether, isBusy, inTurn }: Database) {
  let waiting: Waiting[] = [];
  const flush = async () => {
    const batch = waiting;
    waiting = [];
    try {
      for (const answer of await writeTogether(batch)) answer();
    } catch (error) {
      if (isBusy(error)) return waitOn(batch);
      for (const { reject } of batch) reject(error);
      // Callers drop values of the failed transaction before the next read.
      await nextRound();
    }
  };
  const waitOn = (batch: Waiting[]) => {
    const isPatient = ({ since }: Waiting) => performance.now() - since < PATIENCE_MS;
    for (const one of batch)
      if (!isPatient(one)) one.reject(new StoreBusyError('Another process holds the database'));
    // Writes that arrived during the try come after the batch, in the order of arrival.
    waiting = [...batch.filter(isPatient), ...waiting];
    if (waiting.length > 0) setTimeout(() => inTurn(flush), PAUSE_MS);
  };
  return <T>(work: (writer: Writer) => Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      const run = async (writer: Writer) => {
        const value = await work(writer);
        return () => resolve(value);
      };
      waiting.push({ since: performance.now(), run, reject });
      if (waiting.length === 1) setImmediate(() => inTurn(flush));
    });
}

/** Runs work one after the other, in the order of the calls. */
export function openTurns(): Database['inTurn'] {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
}
