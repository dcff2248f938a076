/** The SQLite connection of the store: its pragmas, and statements that are prepared once. */
import { randomInt } from 'node:crypto';
import { chmodSync } from 'node:fs';
import Database from 'better-sqlite3';
import { STEPS_TABLE, sqlOfSteps, type Step } from './steps.ts';

export type Value = string | number | null;

/** Statements are SQL text with `?` parameters; rows are plain objects. */
export interface Reader {
  all: <T>(sql: string, ...params: Value[]) => Promise<T[]>;
  get: <T>(sql: string, ...params: Value[]) => Promise<T | undefined>;
}
export interface Writer extends Reader {
  run: (sql: string, ...params: Value[]) => Promise<{ changes: number }>;
}

type Statement = Database.Statement<Value[]>;
export interface SqliteDatabase {
  prepare: (sql: string) => Statement;
  /** Runs statements without parameters and rows. */
  exec: (sql: string) => void;
  readonly inTransaction: boolean;
  close: () => void;
}

/** A limit, because a statement with a list has one variant for each length. */
const MAX_STATEMENTS = 500;
/** How long to wait for another process's lock, at a start and later; this process is blocked. */
const STARTING_MS = 5_000;
const RUNNING_MS = 50;

export const SETTINGS =
  'CREATE TABLE IF NOT EXISTS settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID';

/** WAL with full sync, because a booking must survive a power cut, as at the real vendor. */
export function openDatabase(file: string, steps: readonly Step[]): SqliteDatabase {
  const database = new Database(file);
  if (file !== ':memory:') chmodSync(file, 0o600);
  database.pragma(`busy_timeout = ${STARTING_MS}`);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  // SQLite's own lower() changes only ASCII letters.
  database.function('fold', { deterministic: true }, (text) => String(text).toLowerCase());
  database.function('new_revision', () => randomInt(2 ** 48 - 1));
  bringUp(database, steps);
  database.pragma(`busy_timeout = ${RUNNING_MS}`);
  const statements = new Map<string, Statement>();
  const prepare = (sql: string) => {
    const statement = statements.get(sql) ?? database.prepare<Value[]>(sql);
    if (statements.size >= MAX_STATEMENTS) statements.clear();
    statements.set(sql, statement);
    return statement;
  };
  return {
    prepare,
    exec: (sql) => void prepare(sql).run(),
    get inTransaction() {
      return database.inTransaction;
    },
    close: () => void database.close(),
  };
}

/**
 * If another process migrates the same file, this waits for its lock; then nothing is left to do.
 */
function bringUp(database: Database.Database, steps: readonly Step[]): void {
  database
    .transaction(() => {
      database.exec(`${SETTINGS};${STEPS_TABLE}`);
      const done = database.prepare('SELECT name FROM migrations').pluck().all() as string[];
      const tables = database
        .prepare(
          "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name NOT IN ('settings', 'migrations', 'sqlite_sequence')",
        )
        .pluck()
        .get() as number;
      database.exec(sqlOfSteps(steps, { done, tables }));
    })
    .immediate();
}

/** Refuses statements that would write. */
export function readerOf(database: SqliteDatabase): Reader {
  const prepare = (sql: string) => {
    const statement = database.prepare(sql);
    if (!statement.readonly) throw new Error(`A reader cannot write: ${sql}`);
    return statement;
  };
  return {
    all: async <T>(sql: string, ...params: Value[]) => prepare(sql).all(...params) as T[],
    get: async <T>(sql: string, ...params: Value[]) => prepare(sql).get(...params) as T | undefined,
  };
}

/** Refuses every call after `end`, because the transaction is over then. */
export function writerOf(database: SqliteDatabase): { writer: Writer; end: () => void } {
  let isOpen = true;
  const prepare = (sql: string) => {
    if (!isOpen) throw new Error(`The transaction is over: ${sql}`);
    return database.prepare(sql);
  };
  const writer: Writer = {
    all: async <T>(sql: string, ...params: Value[]) => prepare(sql).all(...params) as T[],
    get: async <T>(sql: string, ...params: Value[]) => prepare(sql).get(...params) as T | undefined,
    run: async (sql, ...params) => ({ changes: prepare(sql).run(...params).changes }),
  };
  return {
    writer,
    end() {
      isOpen = false;
    },
  };
}

export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
}
