/**
 * Writes that wait at the same moment share one commit, because waiting for the disk costs most.
 */
import { setImmediate as nextRound } from 'node:timers/promises';
import type { Writer } from './sqlite.ts';

/** Another process held the database for too long; nothing was done. */
export class StoreBusyError extends Error {}

export interface Waiting {
  since: number;
  /** Gives back how to answer, once everything is on the disk. */
  run: (writer: Writer) => Promise<() => void>;
  reject: (error: unknown) => void;
}

interface Database {
  /** One transaction for all of them, in the order of arrival; gives back how to answer each. */
  writeTogether: (batch: Waiting[]) => Promise<(() => void)[]>;
  /** Another process was faster; nothing was done, and it may be tried again. */
  isBusy: (error: unknown) => boolean;
  /** Runs the work alone, after all that was asked for before. */
  inTurn: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Another writer is done sooner, and the vendors' clients wait longer than this for an answer. */
const PATIENCE_MS = 5_000;
/** Between two tries, so that reads have their turn. */
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
      // What was remembered from a failed transaction is forgotten before the next read.
      await nextRound();
    }
  };
  const waitOn = (batch: Waiting[]) => {
    const isPatient = ({ since }: Waiting) => performance.now() - since < PATIENCE_MS;
    for (const one of batch)
      if (!isPatient(one)) one.reject(new StoreBusyError('Another process holds the database'));
    // New writes may have come while the batch was being tried; the order of arrival stays.
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

/** Runs one work after the other, in the order of the calls. */
export function openTurns(): Database['inTurn'] {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
}
