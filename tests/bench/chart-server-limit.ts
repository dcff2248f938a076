/** The limit of the seat map's server: the same rows of the same tables, written by nobody but a loop, one transaction for each call; same durability, same disk. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Client } from 'pg';
import { makeDatabase } from '#tests/support/postgres.ts';
import { seatLabel } from './drawn-hall.ts';

const tables = `CREATE TABLE events (id BIGINT PRIMARY KEY, sequence BIGINT NOT NULL);
  CREATE TABLE objects (event_id BIGINT, label TEXT, status TEXT, order_id TEXT, PRIMARY KEY (event_id, label));
  CREATE TABLE changes (id BIGINT PRIMARY KEY, event_id BIGINT, label TEXT, status TEXT, order_id TEXT, origin TEXT, at BIGINT);
  CREATE INDEX changes_event ON changes (event_id, id); CREATE INDEX changes_object ON changes (event_id, label, id);
  CREATE TABLE stream (event_id BIGINT, sequence BIGINT, labels TEXT, PRIMARY KEY (event_id, sequence));
  INSERT INTO events VALUES (1, 0)`;
const read = 'SELECT status FROM objects WHERE event_id = 1 AND label = $1';
const take = `INSERT INTO objects VALUES (1, $1, 'booked', $2)`;
const log = `INSERT INTO changes VALUES ($1, 1, $2, 'booked', $3, '127.0.0.1', $4)`;
const step = 'UPDATE events SET sequence = sequence + 1 WHERE id = 1 RETURNING sequence';
const tell = 'INSERT INTO stream VALUES (1, $1, $2)';
const forget = 'DELETE FROM stream WHERE event_id = 1 AND sequence <= $1';

type Run = (sql: string, values?: (string | number)[]) => Promise<Record<string, unknown>[]>;

async function callsPerSecond(calls: number, run: Run): Promise<number> {
  const began = performance.now();
  for (let index = 0; index < calls; index += 1) {
    const [label, order] = [seatLabel(index), `order-${index}`];
    await run('BEGIN');
    if ((await run(read, [label])).length > 0) throw new Error('taken');
    await run(take, [label, order]);
    await run(log, [index, label, order, Date.now()]);
    const sequence = Number((await run(step))[0]!['sequence']);
    await run(tell, [sequence, JSON.stringify([label])]);
    await run(forget, [sequence - 500]);
    await run('COMMIT');
  }
  return calls / ((performance.now() - began) / 1000);
}

/** SQLite's tables without row numbers and its locks at the beginning, as the server has them. */
export async function bareSqlite(folder: string, calls: number): Promise<number> {
  const store = new Database(join(folder, `bare-${Math.random()}.sqlite`));
  store.pragma('journal_mode = WAL');
  store.pragma('synchronous = FULL');
  store.exec(tables.replaceAll(/(PRIMARY KEY \(event_id, \w+\)\))/g, '$1 WITHOUT ROWID'));
  const known = new Map<string, Database.Statement>();
  const rate = await callsPerSecond(calls, async (sql, values = []) => {
    const text = sql.replace(/^BEGIN$/, 'BEGIN IMMEDIATE').replaceAll(/\$\d/g, '?');
    const statement = known.get(sql) ?? store.prepare(text);
    known.set(sql, statement);
    if (statement.reader) return statement.all(...values) as Record<string, unknown>[];
    statement.run(...values);
    return [];
  });
  store.close();
  return rate;
}

/** One connection with prepared statements. */
export async function barePostgres(cluster: string, calls: number): Promise<number> {
  const database = await makeDatabase(cluster);
  const client = new Client({ connectionString: database.address });
  await client.connect();
  await client.query(tables);
  const names = [read, take, log, step, tell, forget];
  const rate = await callsPerSecond(calls, async (text, values) => {
    const at = names.indexOf(text);
    return (await client.query(at < 0 ? { text } : { name: `s${at}`, text, values })).rows;
  });
  await client.end();
  await database.drop();
  return rate;
}
