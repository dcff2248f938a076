/** SQLite's one writer: works that wait at the same moment run one after the other and are committed together, with one flush to the disk for all of them. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database, Statement as Prepared } from 'better-sqlite3';

/** A disk that flushes slowly gathers many; beyond this the first would wait too long for the last. */
const mostWorks = 256;
/** So long at most do the works of one group keep the process from everything else. */
const longestGroupMs = 20;
/** All statements are synchronous: a work that is not done after this waits for something that is not the database. */
const deadlineMs = 2_000;
/** Another process has the file: looked at again after `lookAgainMs`, given up after `patienceMs`. */
const lookAgainMs = 20;
const patienceMs = 3_000;

/** A transaction's own mark: statements and nested calls know by it where they stand. */
interface Work {
  over: boolean;
}
const standing = new AsyncLocalStorage<Work>();

/** True inside a transaction that is not over, on either database. */
export function isInWork(): boolean {
  return standing.getStore()?.over === false;
}

/** Runs `work` so that isInWork() is true in it, and only until it is over. */
export async function asWork<T>(work: () => Promise<T>, mark: Work = { over: false }): Promise<T> {
  try {
    return await standing.run(mark, work);
  } finally {
    mark.over = true;
  }
}

interface Job {
  run: () => unknown;
  /** Null: a single statement, which SQLite undoes by itself if it fails. */
  mark: Work | null;
  since: number;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

export interface GroupCommit {
  /** Resolves when the group is on the disk. A work that fails undoes itself only; one that waits for anything but its statements is ended after a deadline. */
  transact: <T>(work: () => Promise<T>) => Promise<T>;
  /** A single writing statement. */
  write: <T>(statement: () => T) => Promise<T>;
  /** Throws unless it is called by the work that runs now. */
  requireTurn: () => void;
  /** The connection for somebody who commits by himself (a migration); nothing else runs until `release`. */
  acquire: () => Promise<void>;
  release: () => void;
  /** Waits for what is under way, and takes nothing more. */
  close: () => Promise<void>;
}

export function commitInGroups(connection: Database): GroupCommit {
  const [begin, commit, rollback] = ['BEGIN IMMEDIATE', 'COMMIT', 'ROLLBACK'].map((sql) =>
    connection.prepare<[]>(sql),
  ) as [Statement, Statement, Statement];
  const [savepoint, release, rollbackTo] = [
    'SAVEPOINT work',
    'RELEASE work',
    'ROLLBACK TO work',
  ].map((sql) => connection.prepare<[]>(sql)) as [Statement, Statement, Statement];
  let queue: Job[] = [];
  let current: Work | null = null;
  let state: 'idle' | 'armed' | 'busy' = 'idle';
  let closed = false;
  const waiting: (() => void)[] = [];

  const add = <T>(run: () => unknown, mark: Work | null): Promise<T> => {
    if (isInWork())
      return Promise.reject(
        new Error('a write outside the transaction that is open here: it would wait for itself'),
      );
    if (closed) return Promise.reject(new Error('the database is closed'));
    return new Promise<T>((resolve, reject) => {
      queue.push({
        run,
        mark,
        since: performance.now(),
        resolve: resolve as (value: unknown) => void,
        reject,
      });
      arm();
    });
  };
  /** What arrives in the same turn of the event loop comes along. */
  const arm = () => {
    if (state !== 'idle') return;
    state = 'armed';
    setImmediate(() => {
      void flush().then(rest);
    });
  };
  const rest = () => {
    state = 'idle';
    const next = waiting.shift();
    if (next) {
      state = 'busy';
      next();
    } else if (queue.length > 0) arm();
  };

  const flush = async () => {
    state = 'busy';
    const jobs = queue.splice(0, mostWorks);
    if (jobs.length === 0) return;
    try {
      begin.run();
    } catch (error) {
      const [late, others] = [
        jobs.filter((job) => job.since < performance.now() - patienceMs),
        jobs.filter((job) => job.since >= performance.now() - patienceMs),
      ];
      for (const job of late) job.reject(error);
      queue = [...others, ...queue];
      if (others.length > 0) await pause(lookAgainMs);
      return;
    }
    const answers = await runGroup(jobs);
    try {
      if (connection.inTransaction) commit.run();
    } catch (error) {
      if (connection.inTransaction) rollback.run();
      for (const answer of answers) answer.failed ||= { error };
    }
    for (const { job, value, failed } of answers) {
      if (failed) job.reject(failed.error);
      else job.resolve(value);
    }
  };

  const runGroup = async (jobs: Job[]): Promise<Answer[]> => {
    const answers: Answer[] = [];
    const began = performance.now();
    while (
      answers.length < jobs.length &&
      (answers.length === 0 || performance.now() - began < longestGroupMs)
    ) {
      const job = jobs[answers.length]!;
      const answer = await runJob(job, jobs.length === 1);
      answers.push(answer);
      if (!connection.inTransaction && answer.failed && jobs.length > 1) {
        // A full disk or a broken one: SQLite has undone the whole group, not only this work.
        for (const other of answers) other.failed ||= answer.failed;
        break;
      }
    }
    queue = jobs.slice(answers.length).concat(queue);
    return answers;
  };

  /** A work that is alone needs no savepoint: its rollback is the group's. */
  const runJob = async (job: Job, alone: boolean): Promise<Answer> => {
    const marked = job.mark !== null && !alone;
    try {
      if (marked) savepoint.run();
      const value = job.mark === null ? job.run() : await runWork(job.run, job.mark);
      if (marked) release.run();
      return { job, value, failed: null };
    } catch (error) {
      if (connection.inTransaction && marked) {
        rollbackTo.run();
        release.run();
      } else if (connection.inTransaction && alone) rollback.run();
      return { job, value: undefined, failed: { error } };
    }
  };

  const runWork = async (run: () => unknown, mark: Work): Promise<unknown> => {
    current = mark;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () =>
          reject(
            new Error(
              'a transaction waited for something that is not one of its statements, and was undone',
            ),
          ),
        deadlineMs,
      );
    });
    try {
      return await Promise.race([standing.run(mark, run), late]);
    } finally {
      clearTimeout(timer);
      mark.over = true;
      current = null;
    }
  };

  const isIdle = () => state === 'idle' && queue.length === 0;
  const acquire = async () => {
    if (state === 'idle') state = 'busy';
    else
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
      });
  };
  return {
    transact: (work) => add(work, { over: false }),
    write: (statement) => add(statement, null),
    requireTurn() {
      if (current === null || standing.getStore() !== current)
        throw new Error('this transaction is over');
    },
    acquire,
    release: rest,
    async close() {
      while (!isIdle()) await pause(1);
      closed = true;
    },
  };
}

type Statement = Prepared<[]>;
interface Answer {
  job: Job;
  value: unknown;
  failed: { error: unknown } | null;
}
