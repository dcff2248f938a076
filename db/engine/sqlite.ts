/**
 * SQLite behind Knex. Knex builds the SQL and a prepared statement runs it immediately; writes go
 * through the group commit.
 */
import { requireValue } from '#server/domain/require-value.ts';
import { chmodSync } from 'node:fs';
import Database from 'better-sqlite3';
import knexOf, { type Knex } from 'knex';
import { GroupCommit } from './group-commit.ts';

/** The most prepared statements: texts with a list (`whereIn`) come in any number. */
const mostStatements = 500;

type Statement = Database.Statement<unknown[]>;

/** The output of Knex's compiler. */
interface Compiled {
  sql: string;
  bindings: unknown[];
  method?: string;
  output?: unknown;
  statementsProducer?: unknown;
  response?: unknown;
  context?: unknown;
}
interface Builder {
  toSQL: () => Compiled | Compiled[];
}
interface Runner {
  run: () => Promise<unknown>;
  stream: (...options: unknown[]) => unknown;
  pipe: (...options: unknown[]) => unknown;
}

/** The parts of Knex's dialect that this file uses. */
declare class Dialect extends knexOf.Client {
  runner(builder: Builder): Runner;
  processResponse(compiled: Compiled, runner: unknown): unknown;
}
const dialect = { client: 'better-sqlite3', useNullAsDefault: true } as const;
/** Knex's class for this driver; a client without a connection opens no file. */
const Base = (knexOf(dialect).client as object).constructor as typeof Dialect;

/** All connections to one file. */
interface Store {
  writer: Database.Database;
  group: GroupCommit;
  /**
   * Runs a statement outside a transaction. A read sees committed data and never waits; a write
   * joins the next group.
   */
  run: (compiled: Compiled, bindings: unknown[]) => Promise<void> | undefined;
  /** Runs a statement inside the current work. */
  runInside: (compiled: Compiled, bindings: unknown[]) => void;
  acquire: () => Promise<Database.Database>;
  release: () => void;
  /**
   * The number of commits since the file was opened; null while a caller that commits alone holds
   * the connection.
   */
  countWrites: () => number | null;
  close: () => Promise<void>;
}

/**
 * Knex makes the clients of its own transactions from the prototype; these have no store and run
 * as in Knex itself.
 */
class SqliteClient extends Base {
  declare store: Store | undefined;

  get open(): Store {
    return requireValue(this.store, 'open database');
  }

  override runner(builder: Builder): Runner {
    // Knex itself runs schema changes, which need many statements on one connection, and streams.
    if (!this.store || '_sequence' in builder) return super.runner(builder);
    return {
      run: () => this.answer(builder),
      stream: (...options) => super.runner(builder).stream(...options),
      pipe: (...options) => super.runner(builder).pipe(...options),
    };
  }

  /** Returns a promise without an extra turn of the event loop. */
  answer(builder: Builder): Promise<unknown> {
    try {
      const compiled = builder.toSQL() as Compiled;
      if (compiled.sql === '') return Promise.resolve([]);
      const waiting = this.run(compiled, compiled.bindings.map(bindingOf));
      return waiting
        ? waiting.then(() => this.processResponse(compiled, undefined))
        : Promise.resolve(this.processResponse(compiled, undefined));
    } catch (error) {
      return Promise.reject(error as Error);
    }
  }

  run(compiled: Compiled, bindings: unknown[]): Promise<void> | undefined {
    return this.open.run(compiled, bindings);
  }

  override async acquireConnection(): Promise<Database.Database> {
    return this.open.acquire();
  }

  override async releaseConnection(): Promise<void> {
    this.open.release();
  }

  override async destroy(): Promise<void> {
    await this.store?.close();
  }
}

/** The client that serves all transactions of the group commit. */
class InsideClient extends SqliteClient {
  declare transacting: boolean;

  override run(compiled: Compiled, bindings: unknown[]): undefined {
    this.open.runInside(compiled, bindings);
  }

  override async acquireConnection(): Promise<Database.Database> {
    throw new Error('no schema change and no stream inside a transaction of transact()');
  }

  override transaction(): never {
    throw new Error('no transaction inside a transaction');
  }
}

const groups = new WeakMap<object, { group: GroupCommit; trx: Knex.Transaction }>();

/**
 * The group commit of a SQLite pool and the transaction object for its works; undefined on
 * PostgreSQL.
 */
export function groupOf(db: Knex): { group: GroupCommit; trx: Knex.Transaction } | undefined {
  return groups.get(db.client as object);
}

/** Runs the same statement for each of these values in the current work. */
export function runEach(trx: Knex, sql: string, each: readonly unknown[][]): void {
  const { open } = trx.client as SqliteClient;
  for (const bindings of each) open.runInside({ sql, bindings }, bindings);
}

/** The rows that an SQL text finds or returns, without Knex. */
export async function runText(
  db: Knex,
  sql: string,
  bindings: readonly unknown[],
): Promise<unknown[]> {
  const compiled: Compiled = { sql, bindings: bindings.map(bindingOf) };
  await (db.client as SqliteClient).run(compiled, compiled.bindings);
  return Array.isArray(compiled.response) ? compiled.response : [];
}

/**
 * A number that grows with every commit, also of another process. Null if it is unknown now, or
 * on PostgreSQL.
 */
export function countWrites(db: Knex): number | null {
  return (db.client as Partial<SqliteClient>).store?.countWrites() ?? null;
}

/** Opens a file, or a database in memory (':memory:'). */
export function openSqlite(filename: string): Knex {
  const store = openStore(filename);
  const config = { connection: { filename }, pool: { min: 0, max: 0 }, useNullAsDefault: true };
  const db = knexOf({ client: SqliteClient, ...config });
  const trx = knexOf({ client: InsideClient, ...config }) as Knex.Transaction;
  Object.assign(db.client, { store });
  Object.assign(trx.client, { store, transacting: true });
  Object.assign(trx, { isTransaction: true });
  groups.set(db.client as object, { group: store.group, trx });
  return db;
}

/**
 * `synchronous` is set because the driver's NORMAL for WAL may lose the last commits at a power
 * cut. The busy timeout is short because it blocks the whole process; the group commit tries
 * again instead.
 */
const pragmas = [
  // The page size counts for a new file only. It is small, because a changed page is logged whole
  // and a booking changes a little of some twenty pages.
  'page_size = 2048',
  'journal_mode = WAL',
  'synchronous = FULL',
  'foreign_keys = ON',
  'temp_store = MEMORY',
  'busy_timeout = 10',
  'cache_size = -65536',
];

function openStore(filename: string): Store {
  const writer = new Database(filename);
  // Only the owner may open the file, also in a folder that is open to others; its log and index
  // get the same mode.
  if (filename !== ':memory:') chmodSync(filename, 0o600);
  for (const pragma of pragmas) writer.pragma(pragma);
  const group = new GroupCommit(writer);
  const statements = keepStatements(writer);
  let reader: { connection: Database.Database; statements: Kept } | null = null;
  const read = (sql: string) => {
    if (!reader) {
      const connection = new Database(filename, { readonly: true, timeout: 10 });
      reader = { connection, statements: keepStatements(connection) };
    }
    return reader.statements.prepare(sql);
  };
  const countOthers = othersWrites(writer);
  let schema = writer.pragma('schema_version', { simple: true });
  return {
    writer,
    group,
    run(compiled, bindings) {
      const statement = statements.prepare(compiled.sql);
      // Statements between two groups use the writer, which then has only committed data and a
      // warm cache.
      if (!statement.readonly || (writer.inTransaction && filename === ':memory:'))
        return group.write(() => execute(compiled, statement, bindings));
      execute(compiled, writer.inTransaction ? read(compiled.sql) : statement, bindings);
      return undefined;
    },
    runInside(compiled, bindings) {
      group.requireTurn();
      execute(compiled, statements.prepare(compiled.sql), bindings);
    },
    countWrites: () => (group.isCounting ? group.commits + countOthers() : null),
    async acquire() {
      await group.acquire();
      return writer;
    },
    release() {
      const now = writer.pragma('schema_version', { simple: true });
      if (now !== schema) {
        // The caller that had the connection may have changed tables that our prepared statements
        // use.
        schema = now;
        statements.forget();
        reader?.statements.forget();
      }
      group.release();
    },
    async close() {
      await group.close();
      reader?.connection.close();
      writer.close();
    },
  };
}

/** A step that is larger than the number of our own commits can ever become. */
const perOther = 2 ** 40;

/**
 * How long a write of another process (a command on the command line) may stay unnoticed; such a
 * process takes longer to end.
 */
const othersFreshMs = 5;

/**
 * A number that grows by a large step when another process has written. Reading it locks the file
 * for a moment, which costs a third of an answer from memory.
 */
function othersWrites(writer: Database.Database): () => number {
  const version = writer.prepare('PRAGMA data_version').pluck();
  let seen = version.get();
  let steps = 0;
  let askAgain = 0;
  return () => {
    const at = performance.now();
    if (at < askAgain) return steps * perOther;
    askAgain = at + othersFreshMs;
    const now = version.get();
    if (now !== seen) steps += 1;
    seen = now;
    return steps * perOther;
  };
}

/** The driver accepts neither booleans nor dates. */
function bindingOf(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value);
  return value instanceof Date ? value.getTime() : value;
}

interface Kept {
  prepare: (sql: string) => Statement;
  forget: () => void;
}

function keepStatements(connection: Database.Database): Kept {
  const kept = new Map<string, Statement>();
  return {
    prepare(sql) {
      const known = kept.get(sql);
      if (known) return known;
      const statement = connection.prepare<unknown[]>(sql);
      const [oldest] = kept.keys();
      if (oldest !== undefined && kept.size >= mostStatements) kept.delete(oldest);
      kept.set(sql, statement);
      return statement;
    },
    forget: () => kept.clear(),
  };
}

/**
 * Puts the result where Knex expects it. An error contains the SQL but never the values, which
 * are personal data.
 */
function execute(compiled: Compiled, statement: Statement, bindings: unknown[]): void {
  try {
    if (statement.reader) {
      compiled.response = statement.all(bindings);
      return;
    }
    const result = statement.run(bindings);
    compiled.response = result;
    compiled.context = { lastID: result.lastInsertRowid, changes: result.changes };
  } catch (error) {
    if (error instanceof Error) error.message = `${compiled.sql} - ${error.message}`;
    throw error;
  }
}
