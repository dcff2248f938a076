/** The table of all objects: their public JSON, and a private part that the API never shows. */
import type { Reader, Value, Writer } from '#server/standins/kit/store.ts';
import { missingObject } from '#server/standins/stripe/transport/errors.ts';

export interface StoredObject {
  id: string;
  object: string;
  created: number;
}

export type Condition =
  | { path: string; is: string | number | boolean | undefined }
  | { path: string; in: readonly string[] }
  /** A field of the private part. */
  | { hidden: string; is: string | undefined }
  /** Events only: those that an endpoint has not accepted yet (true), or the others (false). */
  | { undelivered: boolean };

export async function insertObject(
  writer: Writer,
  body: StoredObject,
  hidden: object = {},
): Promise<void> {
  await writer.run(
    'INSERT INTO stripe_objects (id, kind, created, body, private) VALUES (?, ?, ?, ?, ?)',
    body.id,
    body.object,
    body.created,
    JSON.stringify(body),
    JSON.stringify(hidden),
  );
}

export async function findObject<T extends StoredObject>(
  reader: Reader,
  kind: T['object'],
  id: string,
): Promise<T | undefined> {
  const row = await reader.get<{ body: string }>(
    'SELECT body FROM stripe_objects WHERE id = ? AND kind = ?',
    id,
    kind,
  );
  return row && (JSON.parse(row.body) as T);
}

/**
 * The object of an address.
 * @throws StripeError 404
 */
export async function getObject<T extends StoredObject>(
  reader: Reader,
  kind: T['object'],
  id: string,
): Promise<T> {
  const body = await findObject<T>(reader, kind, id);
  if (!body) throw missingObject(kind, id);
  return body;
}

export async function readPrivate<P>(reader: Reader, id: string): Promise<P> {
  const row = await reader.get<{ private: string }>(
    'SELECT private FROM stripe_objects WHERE id = ?',
    id,
  );
  return JSON.parse(row?.private ?? '{}') as P;
}

export async function saveObject(writer: Writer, body: StoredObject): Promise<void> {
  await writer.run(
    'UPDATE stripe_objects SET body = ? WHERE id = ?',
    JSON.stringify(body),
    body.id,
  );
}

export async function savePrivate(writer: Writer, id: string, hidden: object): Promise<void> {
  await writer.run(
    'UPDATE stripe_objects SET private = ? WHERE id = ?',
    JSON.stringify(hidden),
    id,
  );
}

/** All objects of a kind that meet the conditions, oldest first. */
export async function allObjects<T extends StoredObject>(
  reader: Reader,
  kind: T['object'],
  conditions: Condition[] = [],
): Promise<T[]> {
  const { sql, values } = whereOf(conditions);
  const rows = await reader.all<{ body: string }>(
    `SELECT body FROM stripe_objects WHERE kind = ?${sql} ORDER BY seq`,
    kind,
    ...values,
  );
  return rows.map((row) => JSON.parse(row.body) as T);
}

export async function hasObjects(reader: Reader, kind: string): Promise<boolean> {
  const found = await reader.get('SELECT 1 FROM stripe_objects WHERE kind = ? LIMIT 1', kind);
  return found !== undefined;
}

/** The position of an object in the order of its kind. */
export async function placeOf(
  reader: Reader,
  kind: string,
  id: string,
): Promise<number | undefined> {
  const sql = 'SELECT seq FROM stripe_objects WHERE id = ? AND kind = ?';
  return (await reader.get<{ seq: number }>(sql, id, kind))?.seq;
}

/** A page of objects made since `since`, newest first, from the start or after `place`. */
export async function pageOfObjects<T extends StoredObject>(
  reader: Reader,
  kind: T['object'],
  ask: { limit: number; place?: number; since: number; conditions: Condition[] },
): Promise<T[]> {
  const { sql, values } = whereOf(ask.conditions);
  const rows = await reader.all<{ body: string }>(
    `SELECT body FROM stripe_objects WHERE kind = ?${sql} AND created >= ? AND seq < ? ORDER BY seq DESC LIMIT ?`,
    kind,
    ...values,
    ask.since,
    ask.place ?? Number.MAX_SAFE_INTEGER,
    ask.limit,
  );
  return rows.map((row) => JSON.parse(row.body) as T);
}

/** Paths come from our own code, values are bound; `->>` returns 1 and 0 for true and false. */
function whereOf(conditions: Condition[]): { sql: string; values: Value[] } {
  const parts = conditions.map(conditionOf);
  return {
    sql: parts.map(({ sql }) => sql).join(''),
    values: parts.flatMap(({ values }) => values),
  };
}

function conditionOf(condition: Condition): { sql: string; values: Value[] } {
  if ('undelivered' in condition) {
    const not = condition.undelivered ? '' : 'NOT ';
    return {
      sql: ` AND ${not}EXISTS (SELECT 1 FROM stripe_deliveries WHERE event = stripe_objects.id AND state <> 'delivered')`,
      values: [],
    };
  }
  if ('hidden' in condition) {
    const { hidden, is } = condition;
    return is === undefined
      ? { sql: '', values: [] }
      : { sql: ` AND private ->> '$.${hidden}' = ?`, values: [is] };
  }
  const field = `body ->> '$.${condition.path}'`;
  if ('in' in condition) {
    const marks = condition.in.map(() => '?').join(', ');
    return { sql: ` AND ${field} IN (${marks})`, values: [...condition.in] };
  }
  if (condition.is === undefined) return { sql: '', values: [] };
  const value = typeof condition.is === 'boolean' ? Number(condition.is) : condition.is;
  return { sql: ` AND ${field} = ?`, values: [value] };
}
