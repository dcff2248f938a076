/**
 * A stand-in's database in a SQLite file: reads that see one moment, writes that share a commit.
 */
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

export { StoreBusyError } from './batches.ts';
export type { Reader, Value, Writer } from './sqlite.ts';

/**
 * Inside of `read` and `write` only the given reader or writer may be used: the store would wait.
 */
export interface Store extends Reader {
  /** Other processes write to it, too. */
  isShared: boolean;
  /**
   * All that the work reads is of one moment. It must wait for nothing else, as others wait for
   * it.
   */
  read: <T>(work: (reader: Reader) => Promise<T>) => Promise<T>;
  /**
   * Runs alone among writes, in a transaction: all or nothing. What waits at the same moment
   * shares one commit, a savepoint each, in the order of arrival. Answers after the flush. The
   * work may be run again when another process held the file.
   * @throws what the work throws; StoreBusyError
   */
  write: <T>(work: (writer: Writer) => Promise<T>) => Promise<T>;
  /** After what has begun. */
  close: () => Promise<void>;
}

/** `schema` runs first and changes nothing where its tables exist. ':memory:' keeps nothing. */
export function openStore(file: string, schema: string): Store {
  const database = openDatabase(file, schema);
  // There is one connection, and a read must not see what is not committed yet.
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
    // A full disk ends the transaction by itself, and a locked file is tried again with the
    // batch.
    if (isBusy(error) || !database.inTransaction) throw error;
    database.exec('ROLLBACK TO one');
    database.exec('RELEASE one');
    return () => reject(error);
  } finally {
    end();
  }
}
