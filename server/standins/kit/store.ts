/** The asynchronous database of a stand-in, today a SQLite file: reads that see one moment, and writes that share a commit. */
import { setImmediate as nextRound } from 'node:timers/promises';
import {
  isBusy,
  openDatabase,
  readerOf,
  writerOf,
  type Reader,
  type SqliteDatabase,
  type Writer,
} from './sqlite.ts';

export type { Reader, Value, Writer } from './sqlite.ts';

/** One database of a stand-in. Inside of `read` and `write` only the given reader or writer may be used: the store itself would wait for their end. */
export interface Store extends Reader {
  /** Everything that the work reads is of one moment. It must not wait for anything but its reader, because others wait for it. */
  read: <T>(work: (reader: Reader) => Promise<T>) => Promise<T>;
  /**
   * Runs alone among writes, in a transaction: all or nothing. What waits at the same moment shares one commit, a savepoint each, in the
   * order of arrival. Answers after the flush. The work may be run again when another process held the file.
   * @throws what the work throws; StoreBusyError
   */
  write: <T>(work: (writer: Writer) => Promise<T>) => Promise<T>;
  /** After what has begun. */
  close: () => Promise<void>;
}

/** Another process held the file for too long; nothing was done. */
export class StoreBusyError extends Error {}

interface Waiting {
  since: number;
  run: (writer: Writer) => Promise<() => void>;
  reject: (error: unknown) => void;
}

/** Another process that writes to the file is done sooner; this is less than the vendors' clients wait for an answer. */
const PATIENCE_MS = 5_000;
/** Between two tries, for those who only read. */
const PAUSE_MS = 20;

/** `schema` is run first: statements that change nothing where everything is there already. ':memory:' forgets everything at the end. */
export function openStore(file: string, schema: string): Store {
  const database = openDatabase(file, schema);
  const inTurn = openTurns();
  const reader = readerOf(database);
  const write = openWrites(database, inTurn);
  return {
    all: (sql, ...params) => inTurn(() => reader.all(sql, ...params)),
    get: (sql, ...params) => inTurn(() => reader.get(sql, ...params)),
    read: (work) => inTurn(() => readTogether(database, work)),
    write,
    async close() {
      await write(async () => undefined).catch(() => undefined);
      await inTurn(async () => database.close());
    },
  };
}

type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** There is one connection: nobody may see what another one has not committed yet. */
function openTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
}

async function readTogether<T>(
  database: SqliteDatabase,
  work: (reader: Reader) => Promise<T>,
): Promise<T> {
  database.exec('BEGIN');
  try {
    return await work(readerOf(database));
  } finally {
    database.exec('COMMIT');
  }
}

/** Waiting for the disk is the dearest part of a write: those that arrive in the same moment wait together. */
function openWrites(database: SqliteDatabase, inTurn: InTurn): Store['write'] {
  let waiting: Waiting[] = [];
  const flush = async () => {
    const batch = waiting;
    waiting = [];
    try {
      for (const answer of await writeTogether(database, batch)) answer();
    } catch (error) {
      if (isBusy(error)) return waitOn(batch);
      for (const { reject } of batch) reject(error);
      // Who remembers what was read in a transaction that failed, forgets it before anybody reads on.
      await nextRound();
    }
  };
  const waitOn = (batch: Waiting[]) => {
    const isPatient = ({ since }: Waiting) => performance.now() - since < PATIENCE_MS;
    for (const one of batch)
      if (!isPatient(one)) one.reject(new StoreBusyError('Another process holds the file'));
    // Somebody may have come while the batch was being tried; the order of arrival stays.
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

/** Gives back how to answer each, once everything is on the disk. */
async function writeTogether(database: SqliteDatabase, batch: Waiting[]): Promise<(() => void)[]> {
  database.exec('BEGIN IMMEDIATE');
  try {
    const answers: (() => void)[] = [];
    for (const one of batch) answers.push(await writeOne(database, one));
    database.exec('COMMIT');
    return answers;
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

async function writeOne(database: SqliteDatabase, { run, reject }: Waiting): Promise<() => void> {
  const { writer, end } = writerOf(database);
  database.exec('SAVEPOINT one');
  try {
    const answer = await run(writer);
    database.exec('RELEASE one');
    return answer;
  } catch (error) {
    // After a full disk SQLite ends the transaction by itself; the lock of another process is nobody's refusal.
    if (isBusy(error) || !database.inTransaction) throw error;
    database.exec('ROLLBACK TO one');
    database.exec('RELEASE one');
    return () => reject(error);
  } finally {
    end();
  }
}
