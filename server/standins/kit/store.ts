/** The asynchronous database of a stand-in: reads that see one moment, and writes that share a commit. Here in a SQLite file; postgres-store.ts is the other one. */
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

/** One database of a stand-in. Inside of `read` and `write` only the given reader or writer may be used: the store itself would wait for their end. */
export interface Store extends Reader {
  /** Other processes write to it, too. */
  isShared: boolean;
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

/** `schema` is run first: statements that change nothing where everything is there already. ':memory:' forgets everything at the end. */
export function openStore(file: string, schema: string): Store {
  const database = openDatabase(file, schema);
  // There is one connection: nobody may see what another one has not committed yet.
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
    // After a full disk SQLite ends the transaction by itself; the lock of another process is nobody's refusal.
    if (isBusy(error) || !database.inTransaction) throw error;
    database.exec('ROLLBACK TO one');
    database.exec('RELEASE one');
    return () => reject(error);
  } finally {
    end();
  }
}
