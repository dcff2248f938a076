/** Tells of each write of this process right after it: a commit that changed something, or the answer to a call that changed something outside. */
import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import Database from 'better-sqlite3';
import { Client, type QueryResult } from 'pg';

type Tell = (name: string) => void;

/** To be called before the database is opened. A commit is named by the tables that it changed, a call by its method and path. */
export function watchWrites(tell: Tell): void {
  watchSqlite(tell);
  watchPostgres(tell);
  // Before the caller has the answer: a death now is a lost answer.
  subscribe('http.client.response.finish', (message) => {
    const { method, path } = (message as { request: ClientRequest }).request;
    // Keys and numbers are others each time.
    if (method !== 'GET') tell(`${method} ${path.replace(/[\w-]{16,}/g, '*')}`);
  });
}

const change = /\b(?:insert into|(?<!do |for |key )update|delete from)\s+["`]?(\w+)/gi;

/** What the house notes beside its work, at times that nobody can foretell: tests/crash/broken-off.test.ts kills it there. */
const beside = /^(?:settings|sessions|users|figure_changes|kept_figures|books|book_rows)$/;

function tablesOf(sql: string): string[] {
  return [...sql.matchAll(change)].map((match) => match[1]!).filter((name) => !beside.test(name));
}

/** Everything that is written comes through prepared statements, and is committed by one of them (db/engine/group-commit.ts). */
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

/** Knex gives each statement a callback, which comes when the connection is ready for the next. */
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
