/** A stand-in's database in a SQLite file: consistent reads, and writes that share commits. */
import { openBatches, openTurns, type Waiting } from './batches.ts';
import {
  isBusy,
  openDatabase,
  readerOf,
  writerOf,
  type Reader,
  type SqliteDatabase,
  type Writer,
} from './sqlite.ts';
import type { Step } from './steps.ts';

export { StoreBusyError } from './batches.ts';
export type { Reader, Value, Writer } from './sqlite.ts';

/** In `read` and `write` only the given reader or writer may be used, or the store would hang. */
export interface Store extends Reader {
  /** Whether other processes write to the database, too. */
  isShared: boolean;
  /** Reads one state of the database; other calls wait, so the work must await nothing else. */
  read: <T>(work: (reader: Reader) => Promise<T>) => Promise<T>;
  /**
   * Runs the work alone in a transaction: all or nothing. Waiting writes share one commit, each
   * with a savepoint, in order of arrival. Resolves after the flush. The work may run again if
   * another process held the file.
   * @throws what the work throws; StoreBusyError
   */
  write: <T>(work: (writer: Writer) => Promise<T>) => Promise<T>;
  /** Waits for running work, then closes. */
  close: () => Promise<void>;
}

/** `steps` run first where they have not run yet. ':memory:' stores nothing on disk. */
export function openStore(file: string, steps: readonly Step[]): Store {
  const database = openDatabase(file, steps);
  // There is only one connection, and a read must not see uncommitted writes.
  const inTurn = openTurns();
  const reader = readerOf(database);
  const write: Store['write'] = openBatches({
    writeTogether: (batch) => writeTogether(database, batch),
    isBusy,
    inTurn,
  });
  return {
    isShared: false,
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

/** Returns one function per write that answers its caller; all are called after the commit. */
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
    // If the file is locked, the whole batch runs again; if the disk is full, SQLite has already
    // rolled it back.
    if (isBusy(error) || !database.inTransaction) throw error;
    database.exec('ROLLBACK TO one');
    database.exec('RELEASE one');
    return () => reject(error);
  } finally {
    end();
  }
}
