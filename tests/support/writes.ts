/**
 * Reports each write of this process right after it: a commit that changed something, or the
 * answer to an outside call that changed something.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import Database from 'better-sqlite3';
import { Client, type QueryResult } from 'pg';

type Tell = (name: string) => void;

/**
 * Call this before the database is opened. A commit is named by its changed tables, a call by its
 * method and path.
 */
export function watchWrites(tell: Tell): void {
  watchSqlite(tell);
  watchPostgres(tell);
  // The caller has no answer yet, so a death now loses the answer.
  subscribe('http.client.response.finish', (message) => {
    const { method, path } = (message as { request: ClientRequest }).request;
    // Ids differ in each run, so they are masked.
    if (method !== 'GET') tell(`${method} ${path.replace(/[\w-]{16,}/g, '*')}`);
  });
}

const change = /\b(?:insert into|(?<!do |for |key )update|delete from)\s+["`]?(\w+)/gi;

/**
 * Tables that background jobs write at any time; tests/crash/broken-off.test.ts covers figures
 * and books.
 */
const beside =
  /^(?:settings|sessions|users|figure_changes|kept_figures|books|book_rows|audit_seals)$/;

function tablesOf(sql: string): string[] {
  return [...sql.matchAll(change)].map((match) => match[1]!).filter((name) => !beside.test(name));
}

/** All writes use prepared statements, one of which commits them (db/engine/group-commit.ts). */
function watchSqlite(tell: Tell): void {
  const probe = new Database(':memory:');
  const prototype = Object.getPrototypeOf(probe.prepare('SELECT 1')) as Database.Statement;
  probe.close();
  const changed = new Set<string>();
  const changesOf = (database: Database.Database) =>
    database.prepare('SELECT total_changes()').pluck().get();
  for (const method of ['run', 'all'] as const) {
    const original = prototype[method] as (...values: unknown[]) => unknown;
    const watched = function (this: Database.Statement, ...values: unknown[]): unknown {
      if (this.source === 'ROLLBACK') changed.clear();
      if (this.readonly && this.source !== 'COMMIT') return original.apply(this, values);
      const before = changesOf(this.database);
      const answer = original.apply(this, values);
      if (changesOf(this.database) !== before)
        for (const table of tablesOf(this.source)) changed.add(table);
      if (!this.database.inTransaction) tellAll(changed, tell);
      return answer;
    };
    Object.assign(prototype, { [method]: watched });
  }
}

type Done = (error: Error | null, result: QueryResult) => void;

/** Knex calls back for each statement once the connection is ready for the next. */
function watchPostgres(tell: Tell): void {
  const { query } = Client.prototype;
  const changed = new WeakMap<Client, Set<string>>();
  Client.prototype.query = function (this: Client, ...asked: unknown[]): unknown {
    const done = asked.at(-1);
    const sql = typeof asked[0] === 'string' ? asked[0] : (asked[0] as { text: string }).text;
    if (typeof done !== 'function') return Reflect.apply(query, this, asked);
    const tables = changed.get(this) ?? new Set();
    changed.set(this, tables);
    const watched: Done = (error, result) => {
      if (!error && (result?.rowCount ?? 0) > 0)
        for (const table of tablesOf(sql)) tables.add(table);
      const isUndone = /^rollback\b/i.test(sql);
      if (isUndone) tables.clear();
      else if (this.getTransactionStatus() === 'I') tellAll(tables, tell);
      (done as Done)(error, result);
    };
    return Reflect.apply(query, this, [...asked.slice(0, -1), watched]);
  } as typeof query;
}

function tellAll(changed: Set<string>, tell: Tell): void {
  if (changed.size === 0) return;
  const name = [...changed].toSorted().join(' ');
  changed.clear();
  tell(name);
}
