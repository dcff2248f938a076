/**
 * SQLite's single writer. Units of work that wait at the same moment run one after the other and
 * are committed together, with one flush to the disk.
 */
import { requireValue } from '#server/domain/require-value.ts';
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database, Statement as Prepared } from 'better-sqlite3';

/** The most units of work in one group, so that the first need not wait too long for the last. */
const mostWorks = 256;
/** The longest time for which one group may block the process. */
const longestGroupMs = 20;
/**
 * Statements are synchronous, so a unit of work that takes longer waits for something other than
 * the database.
 */
const deadlineMs = 2_000;
/**
 * While another process holds the file, the group tries again after `lookAgainMs` and gives up
 * after `givenUpMs`.
 */
const lookAgainMs = 20;
const givenUpMs = 3_000;

/** Marks a transaction, so that statements and nested calls know that they are inside it. */
interface Work {
  over: boolean;
  /** Whether its commit wakes the worker. */
  owesWake?: true;
}
const standing = new AsyncLocalStorage<Work>();

/** True inside a transaction that has not ended, on either database. */
export function isInWork(): boolean {
  return standing.getStore()?.over === false;
}

/** Makes the commit of the current transaction wake the worker. */
export function oweWake(): void {
  requireValue(standing.getStore(), 'transaction that is open').owesWake = true;
}

/** True in a transaction for which oweWake() was called. */
export function owesWake(): boolean {
  return standing.getStore()?.owesWake === true;
}

/** Runs `work`, during which isInWork() is true. */
export async function asWork<T>(work: () => Promise<T>, mark: Work = { over: false }): Promise<T> {
  try {
    return await standing.run(mark, work);
  } finally {
    mark.over = true;
  }
}

interface Job {
  run: () => unknown;
  /** Null for a single statement, which SQLite undoes by itself if it fails. */
  mark: Work | null;
  since: number;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/**
 * Runs units of work one after the other between BEGIN and COMMIT, each in a savepoint, so that a
 * failed one undoes only itself.
 */
export class GroupCommit {
  readonly #connection: Database;
  readonly #sql: Record<
    'begin' | 'commit' | 'rollback' | 'savepoint' | 'release' | 'back',
    Statement
  >;
  #queue: Job[] = [];
  #current: Work | null = null;
  #state: 'idle' | 'armed' | 'busy' = 'idle';
  #closed = false;
  #commits = 0;
  #isLent = false;
  readonly #waiting: (() => void)[] = [];

  constructor(connection: Database) {
    const prepare = (sql: string) => connection.prepare<[]>(sql);
    this.#connection = connection;
    this.#sql = {
      begin: prepare('BEGIN IMMEDIATE'),
      commit: prepare('COMMIT'),
      rollback: prepare('ROLLBACK'),
      savepoint: prepare('SAVEPOINT work'),
      release: prepare('RELEASE work'),
      back: prepare('ROLLBACK TO work'),
    };
  }

  /** The number of commits so far; it grows before a caller learns that its rows were written. */
  get commits(): number {
    return this.#commits;
  }

  /** False while a caller commits alone, and after close(). */
  get isCounting(): boolean {
    return !this.#isLent && !this.#closed;
  }

  /**
   * Resolves when the group is on the disk. A failed unit of work undoes only itself; one that
   * waits for anything but its statements is ended after a deadline.
   */
  transact<T>(work: () => Promise<T>): Promise<T> {
    return this.#add(work, { over: false });
  }

  write<T>(statement: () => T): Promise<T> {
    return this.#add(statement, null);
  }

  /** Throws unless the current work calls it. */
  requireTurn(): void {
    if (this.#current === null || standing.getStore() !== this.#current)
      throw new Error('this transaction is over');
  }

  /**
   * Lends the connection to a caller that commits alone (a migration); nothing else runs until
   * `release`.
   */
  async acquire(): Promise<void> {
    if (this.#state === 'idle') this.#state = 'busy';
    else
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    this.#isLent = true;
  }

  release(): void {
    this.#isLent = false;
    this.#commits += 1;
    this.#next();
  }

  #next(): void {
    this.#state = 'idle';
    const next = this.#waiting.shift();
    if (next) {
      this.#state = 'busy';
      next();
    } else if (this.#queue.length > 0) this.#arm();
  }

  /** Waits for running work and refuses new work. */
  async close(): Promise<void> {
    while (this.#state !== 'idle' || this.#queue.length > 0) await pause(1);
    this.#closed = true;
  }

  #add<T>(run: () => unknown, mark: Work | null): Promise<T> {
    if (isInWork())
      return Promise.reject(
        new Error('a write outside the transaction that is open here: it would wait for itself'),
      );
    if (this.#closed) return Promise.reject(new Error('the database is closed'));
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({
        run,
        mark,
        since: performance.now(),
        resolve: resolve as (value: unknown) => void,
        reject,
      });
      this.#arm();
    });
  }

  /** Starts a group; work that arrives in the same turn of the event loop joins it. */
  #arm(): void {
    if (this.#state !== 'idle') return;
    this.#state = 'armed';
    setImmediate(() => {
      void this.#flush().then(() => this.#next());
    });
  }

  async #flush(): Promise<void> {
    this.#state = 'busy';
    const jobs = this.#queue.splice(0, mostWorks);
    if (jobs.length === 0) return;
    try {
      this.#sql.begin.run();
    } catch (error) {
      const since = performance.now() - givenUpMs;
      const others = jobs.filter((job) => job.since >= since);
      for (const job of jobs) if (job.since < since) job.reject(error);
      this.#queue = [...others, ...this.#queue];
      if (others.length > 0) await pause(lookAgainMs);
      return;
    }
    const answers = await this.#runGroup(jobs);
    try {
      if (this.#connection.inTransaction) this.#sql.commit.run();
    } catch (error) {
      if (this.#connection.inTransaction) this.#sql.rollback.run();
      for (const answer of answers) answer.failed ||= { error };
    }
    this.#commits += 1;
    for (const { job, value, failed } of answers) {
      if (failed) job.reject(failed.error);
      else job.resolve(value);
    }
  }

  async #runGroup(jobs: Job[]): Promise<Answer[]> {
    const answers: Answer[] = [];
    const began = performance.now();
    for (const job of jobs) {
      if (answers.length > 0 && performance.now() - began >= longestGroupMs) break;
      const answer = await this.#runJob(job, jobs.length === 1);
      answers.push(answer);
      if (!this.#connection.inTransaction && answer.failed && jobs.length > 1) {
        // On a full or broken disk SQLite has undone the whole group.
        for (const other of answers) other.failed ||= answer.failed;
        break;
      }
    }
    this.#queue = jobs.slice(answers.length).concat(this.#queue);
    return answers;
  }

  /** A single unit of work needs no savepoint, because it is undone with the group. */
  async #runJob(job: Job, alone: boolean): Promise<Answer> {
    const marked = job.mark !== null && !alone;
    try {
      if (marked) this.#sql.savepoint.run();
      const value = job.mark === null ? job.run() : await this.#runWork(job.run, job.mark);
      if (marked) this.#sql.release.run();
      return { job, value, failed: null };
    } catch (error) {
      if (this.#connection.inTransaction && marked) {
        this.#sql.back.run();
        this.#sql.release.run();
      } else if (this.#connection.inTransaction && alone) this.#sql.rollback.run();
      return { job, value: undefined, failed: { error } };
    }
  }

  async #runWork(run: () => unknown, mark: Work): Promise<unknown> {
    this.#current = mark;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(tooLate)), deadlineMs);
    });
    try {
      return await Promise.race([standing.run(mark, run), late]);
    } finally {
      clearTimeout(timer);
      mark.over = true;
      this.#current = null;
    }
  }
}

const tooLate =
  'a transaction waited for something that is not one of its statements, and was undone';

type Statement = Prepared<[]>;
interface Answer {
  job: Job;
  value: unknown;
  failed: { error: unknown } | null;
}
