/**
 * Every text in the database and in our own seat map, table by table from the schema, so that
 * future tables are included.
 */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { isPostgres, type Pool } from '#db/engine/dialect.ts';
import { placeOf } from './house.ts';
import type { TestServer } from './server.ts';

export async function everyText(server: TestServer): Promise<Map<string, string>> {
  const { db } = server.house.ctx;
  const texts = new Map<string, string>();
  for (const table of await everyTable(db)) texts.set(table, textOf(await db(table)));
  if (!isPostgres(db)) texts.set('words of order_words', wordsOfIndex(placeOf(server).database));
  const { DATA_DIR, CHART_DATABASE } = server.settings;
  const chart =
    isPostgres(db) && CHART_DATABASE === ''
      ? await chartInDatabase(db)
      : chartInFile(join(DATA_DIR!, 'standins.sqlite'));
  for (const [table, rows] of chart) texts.set(table, textOf(rows));
  return texts;
}

export async function everyTable(db: Pool): Promise<string[]> {
  if (isPostgres(db))
    return db('pg_tables').where({ schemaname: 'public' }).orderBy('tablename').pluck('tablename');
  return db('sqlite_master')
    .where({ type: 'table' })
    .whereNot('name', 'order_words')
    .orderBy('name')
    .pluck('name');
}

/** Of the stand-ins only the seat map is searched, because Stripe's data belongs to Stripe. */
const ofChart = 'seatsio\\_%';

async function chartInDatabase(db: Pool): Promise<[string, object[]][]> {
  const tables: string[] = await db('pg_tables')
    .where({ schemaname: 'seatsio' })
    .whereLike('tablename', ofChart)
    .pluck('tablename');
  return Promise.all(
    tables.map(async (table): Promise<[string, object[]]> => [
      table,
      await db.withSchema('seatsio').from(table),
    ]),
  );
}

function chartInFile(path: string): [string, object[]][] {
  const file = new Database(path, { readonly: true });
  const tables = file
    .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE ? ESCAPE '\\'`)
    .pluck()
    .all(ofChart) as string[];
  const rows = tables.map((table): [string, object[]] => [
    table,
    file.prepare(`SELECT * FROM ${table}`).all() as object[],
  ]);
  file.close();
  return rows;
}

function textOf(rows: readonly object[]): string {
  return rows
    .flatMap((row) => Object.values(row))
    .map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value)))
    .join('\n');
}

/** All words of the search index, including those of deleted rows that are not merged yet. */
function wordsOfIndex(path: string): string {
  const file = new Database(path);
  file.exec(`CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, 'order_words', 'row')`);
  const words = file.prepare('SELECT term FROM temp.vocabulary').pluck().all() as string[];
  file.close();
  return words.join('\n');
}

/** The tables that contain one of these texts, ignoring case. */
export function tablesWith(
  texts: ReadonlyMap<string, string>,
  secrets: readonly string[],
): string[] {
  return [...texts].flatMap(([table, text]) => {
    const found = secrets.filter((secret) => text.toLowerCase().includes(secret.toLowerCase()));
    return found.length === 0 ? [] : [`${table}: ${found.join(', ')}`];
  });
}
