/**
 * SQLite behind Knex: Knex makes the SQL, a prepared statement runs it at once; writes go through
 * the group commit.
 */
import { requireValue } from '#server/domain/require-value.ts';
import { chmodSync } from 'node:fs';
import Database from 'better-sqlite3';
import knexOf, { type Knex } from 'knex';
import { GroupCommit } from './group-commit.ts';

/** SQL texts that vary (a `whereIn` of changing length): only so many are kept. */
const mostStatements = 500;

type Statement = Database.Statement<unknown[]>;

/** What Knex compiles a builder to. */
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

/** Of Knex's dialect, what this file builds on. */
declare class Dialect extends knexOf.Client {
  runner(builder: Builder): Runner;
  processResponse(compiled: Compiled, runner: unknown): unknown;
}
const dialect = { client: 'better-sqlite3', useNullAsDefault: true } as const;
/** Knex's class for this driver; an instance without a connection opens nothing. */
const Base = (knexOf(dialect).client as object).constructor as typeof Dialect;

/** The connections of one file. */
interface Store {
  writer: Database.Database;
  group: GroupCommit;
  /**
   * Outside a transaction: reads see what is committed and never wait; a write is committed with
   * all others that wait.
   */
  run: (compiled: Compiled, bindings: unknown[]) => Promise<void> | undefined;
  /** In the work that runs now. */
  runInside: (compiled: Compiled, bindings: unknown[]) => void;
  acquire: () => Promise<Database.Database>;
  release: () => void;
  /**
   * Commits since the file was opened; null while another caller commits alone, who may do so at
   * any time.
   */
  countWrites: () => number | null;
  close: () => Promise<void>;
}

/**
 * Knex makes clients for its own transactions from the prototype: those have no store, and run as
 * Knex runs them.
 */
class SqliteClient extends Base {
  declare store: Store | undefined;

  get open(): Store {
    return requireValue(this.store, 'open database');
  }

  override runner(builder: Builder): Runner {
    // Schemas are many statements on one connection: Knex knows how. A stream, too.
    if (!this.store || '_sequence' in builder) return super.runner(builder);
    return {
      run: () => this.answer(builder),
      stream: (...options) => super.runner(builder).stream(...options),
      pipe: (...options) => super.runner(builder).pipe(...options),
    };
  }

  /** A promise without an extra turn of the event loop: what runs at once is answered at once. */
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

/** The client of all transactions of the group commit. */
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
 * The group commit of a SQLite pool, with the transaction object that its works are given;
 * undefined on PostgreSQL.
 */
export function groupOf(db: Knex): { group: GroupCommit; trx: Knex.Transaction } | undefined {
  return groups.get(db.client as object);
}

/** The same statement for each of these, in the work that runs now. */
export function runEach(trx: Knex, sql: string, each: readonly unknown[][]): void {
  const { open } = trx.client as SqliteClient;
  for (const bindings of each) open.runInside({ sql, bindings }, bindings);
}

/** The rows that a text finds or returns, without Knex. */
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
 * Grows with every commit, also of a command of the command line in another process. Null:
 * unknown now, or PostgreSQL.
 */
export function countWrites(db: Knex): number | null {
  return (db.client as Partial<SqliteClient>).store?.countWrites() ?? null;
}

/** The path of a file, or ':memory:'. */
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
 * `synchronous` is set explicitly: the driver is compiled with NORMAL for WAL, which may lose the
 * last commits at a power cut. The busy timeout is short, because the driver blocks the whole
 * process while it waits; the group commit tries again instead.
 */
const pragmas = [
  // For a new file only. A changed page is logged as a whole, and a booking changes some twenty
  // of them a little.
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
  // Also for an existing folder that is open to others; its log and its index get the same mode.
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
      // Between two groups the writer sees what is committed, and its cache is warm.
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
        // The caller that had the connection has changed the tables under the kept statements.
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

/** Our own changes never reach this number. */
const perOther = 2 ** 40;

/**
 * A write of a command of the command line is seen after so many milliseconds: its process takes
 * longer to end.
 */
const othersFreshMs = 5;

/**
 * Grows by a large step when another process has written to the file. Asking the file locks it
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
 * Puts the answer where Knex looks for it. An error names the SQL, never the values, which are
 * personal data.
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
