/** One table for every object: its public JSON, a private part that never leaves, and lists over them, newest first. */
import * as v from 'valibot';
import { prepared, type Store } from '#server/standins/store.ts';
import { missingObject, refuse } from './transport/errors.ts';
import { group, integer, text, type Rule } from './transport/rules.ts';

export interface StoredObject {
  id: string;
  object: string;
  created: number;
}

export type Condition =
  | { path: string; is: string | number | boolean | undefined }
  | { path: string; in: readonly string[] }
  | { path: string; startsWith: string }
  | { path: string; isNull: true }
  | { path: string; atMost: number }
  /** Events only: those that some endpoint has (true) or none has (false) still to take. */
  | { undelivered: boolean };

/** `{object:'list', url, has_more, data}` as in every Stripe list. */
export interface List<T> {
  object: 'list';
  url: string;
  has_more: boolean;
  data: T[];
}

/** A range of unix seconds, or one exact second. */
export type CreatedRange = Partial<Record<'gt' | 'gte' | 'lt' | 'lte', number>>;

const INDEXED = ['payment_intent', 'product', 'charge', 'status', 'source'];

export function prepareObjects(store: Store): void {
  store.exec(`
    CREATE TABLE IF NOT EXISTS stripe_objects (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      kind TEXT NOT NULL,
      created INTEGER NOT NULL,
      body TEXT NOT NULL,
      private TEXT NOT NULL DEFAULT '{}'
    );
    CREATE INDEX IF NOT EXISTS stripe_objects_by_kind ON stripe_objects (kind, seq);
    ${INDEXED.map((path) => `CREATE INDEX IF NOT EXISTS stripe_objects_by_${path} ON stripe_objects (kind, body ->> '$.${path}', seq);`).join('\n')}
    CREATE INDEX IF NOT EXISTS stripe_objects_to_expire ON stripe_objects (kind, body ->> '$.status', body ->> '$.expires_at');
    CREATE INDEX IF NOT EXISTS stripe_objects_to_settle ON stripe_objects (kind, body ->> '$.balance_transaction', body ->> '$.status');
    CREATE INDEX IF NOT EXISTS stripe_objects_keyless ON stripe_objects (created)
      WHERE kind = 'payment_method' AND private ->> '$.keyless' = 1 AND private ->> '$.used' = 0;
  `);
}

export function insertObject(store: Store, body: StoredObject, hidden: object = {}): void {
  prepared(
    store,
    'INSERT INTO stripe_objects (id, kind, created, body, private) VALUES (?, ?, ?, ?, ?)',
  ).run(body.id, body.object, body.created, JSON.stringify(body), JSON.stringify(hidden));
}

export function findObject<T extends StoredObject>(
  store: Store,
  kind: T['object'],
  id: string,
): T | undefined {
  const row = prepared<[string, string], { body: string }>(
    store,
    'SELECT body FROM stripe_objects WHERE id = ? AND kind = ?',
  ).get(id, kind);
  return row && (JSON.parse(row.body) as T);
}

/** The object behind an address, or a 404. */
export function getObject<T extends StoredObject>(store: Store, kind: T['object'], id: string): T {
  const body = findObject<T>(store, kind, id);
  if (!body) throw missingObject(kind, id);
  return body;
}

export function readPrivate<P>(store: Store, id: string): P {
  const row = prepared<[string], { private: string }>(
    store,
    'SELECT private FROM stripe_objects WHERE id = ?',
  ).get(id);
  return JSON.parse(row?.private ?? '{}') as P;
}

export function saveObject(store: Store, body: StoredObject): void {
  prepared(store, 'UPDATE stripe_objects SET body = ? WHERE id = ?').run(
    JSON.stringify(body),
    body.id,
  );
}

export function savePrivate(store: Store, id: string, hidden: object): void {
  prepared(store, 'UPDATE stripe_objects SET private = ? WHERE id = ?').run(
    JSON.stringify(hidden),
    id,
  );
}

export function deleteObject(store: Store, id: string): void {
  prepared(store, 'DELETE FROM stripe_objects WHERE id = ?').run(id);
}

/** Every object of a kind that meets the conditions, oldest first; for the stand-in's own use. */
export function allObjects<T extends StoredObject>(
  store: Store,
  kind: T['object'],
  conditions: Condition[] = [],
): T[] {
  const { sql, values } = whereOf(conditions);
  const rows = prepared<(string | number)[], { body: string }>(
    store,
    `SELECT body FROM stripe_objects WHERE kind = ?${sql} ORDER BY seq`,
  ).all(kind, ...values);
  return rows.map((row) => JSON.parse(row.body) as T);
}

/** The parameters that every list takes. */
export const paging = {
  limit: integer({ min: 1, max: 100 }),
  starting_after: text(),
  ending_before: text(),
};
export interface Paging {
  limit?: number;
  starting_after?: string;
  ending_before?: string;
}

/** Answers a list call: `created` and the conditions filter, the cursors page. Throws 400 resource_missing on an unknown cursor. */
export function listObjects<T extends StoredObject>(
  store: Store,
  kind: T['object'],
  ask: {
    url: string;
    page: Paging;
    created?: CreatedRange;
    where?: Condition[];
  },
): List<T> {
  const { limit = 10, starting_after, ending_before } = ask.page;
  if (starting_after !== undefined && ending_before !== undefined)
    throw refuse('Only one of starting_after and ending_before may be given.', {
      param: 'ending_before',
    });
  const { sql, values } = whereOf(ask.where ?? []);
  const parts = [sql];
  const bound: (string | number)[] = [kind, ...values];
  for (const [sign, bound_] of Object.entries(ask.created ?? {})) {
    parts.push(
      ` AND created ${{ gt: '>', gte: '>=', lt: '<', lte: '<=' }[sign as keyof CreatedRange]} ?`,
    );
    bound.push(bound_);
  }
  const cursor = starting_after ?? ending_before;
  if (cursor !== undefined) {
    const param = starting_after === undefined ? 'ending_before' : 'starting_after';
    const row = prepared<[string, string], { seq: number }>(
      store,
      'SELECT seq FROM stripe_objects WHERE id = ? AND kind = ?',
    ).get(cursor, kind);
    if (!row) throw missingObject(kind, cursor, { param, status: 400 });
    parts.push(` AND seq ${starting_after === undefined ? '>' : '<'} ?`);
    bound.push(row.seq);
  }
  const direction = ending_before === undefined ? 'DESC' : 'ASC';
  const rows = prepared<(string | number)[], { body: string }>(
    store,
    `SELECT body FROM stripe_objects WHERE kind = ?${parts.join('')} ORDER BY seq ${direction} LIMIT ${limit + 1}`,
  ).all(...bound);
  const data = rows.slice(0, limit).map((row) => JSON.parse(row.body) as T);
  return {
    object: 'list',
    url: ask.url,
    has_more: rows.length > limit,
    data: ending_before === undefined ? data : data.reverse(),
  };
}

/** Pages a list that is part of one object, in its own order. */
export function listParts<T extends { id: string }>(
  all: T[],
  ask: { url: string; page: Paging; kind: string },
): List<T> {
  const { limit = 10, starting_after, ending_before } = ask.page;
  if (starting_after !== undefined && ending_before !== undefined)
    throw refuse('Only one of starting_after and ending_before may be given.', {
      param: 'ending_before',
    });
  const cursor = starting_after ?? ending_before;
  const at = cursor === undefined ? -1 : all.findIndex((part) => part.id === cursor);
  if (cursor !== undefined && at < 0) {
    throw missingObject(ask.kind, cursor, {
      param: starting_after === undefined ? 'ending_before' : 'starting_after',
      status: 400,
    });
  }
  const rest = ending_before === undefined ? all.slice(at + 1) : all.slice(0, at);
  const data = ending_before === undefined ? rest.slice(0, limit) : rest.slice(-limit);
  return { object: 'list', url: ask.url, has_more: rest.length > limit, data };
}

/** `created=1` or `created[gte]=1&created[lt]=2`. */
export function createdRange(): Rule<CreatedRange> {
  const second = integer();
  const exactly = v.pipe(
    second,
    v.transform((at) => ({ gte: at, lte: at })),
  );
  const range = group({ gt: second, gte: second, lt: second, lte: second });
  return v.lazy((given) => (typeof given === 'string' ? exactly : range));
}

/** Paths come from our own code only, values are bound; SQLite's `->>` gives 1 and 0 for JSON's true and false. */
function whereOf(conditions: Condition[]): { sql: string; values: (string | number)[] } {
  const values: (string | number)[] = [];
  const sql = conditions
    .map((condition) => {
      if ('undelivered' in condition) {
        return ` AND ${condition.undelivered ? '' : 'NOT '}EXISTS (SELECT 1 FROM stripe_deliveries WHERE event = stripe_objects.id AND state <> 'delivered')`;
      }
      const field = `body ->> '$.${condition.path}'`;
      if ('in' in condition) {
        values.push(...condition.in);
        return ` AND ${field} IN (${condition.in.map(() => '?').join(', ')})`;
      }
      if ('isNull' in condition) return ` AND ${field} IS NULL`;
      if ('atMost' in condition) {
        values.push(condition.atMost);
        return ` AND ${field} <= ?`;
      }
      if ('startsWith' in condition) {
        values.push(condition.startsWith, condition.startsWith);
        return ` AND substr(${field}, 1, length(?)) = ?`;
      }
      if (condition.is === undefined) return '';
      values.push(typeof condition.is === 'boolean' ? Number(condition.is) : condition.is);
      return ` AND ${field} = ?`;
    })
    .join('');
  return { sql, values };
}
