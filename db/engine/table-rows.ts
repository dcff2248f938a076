/**
 * Copies whole tables from one database to another, for backups of PostgreSQL and for a move to
 * another database.
 */
import Database from 'better-sqlite3';
import { isPostgres, type Db, type Pool, type Trx } from './dialect.ts';
import { insertFromJson, selectRows } from './statements.ts';

export interface Table {
  name: string;
  columns: string[];
}

/**
 * Rows as lists in the order of the table's columns: numbers, texts, nulls, and bytes as a
 * Buffer.
 */
export type Row = readonly unknown[];

/** The tables of a database as they are at one moment. */
export interface TableSource {
  tables: readonly Table[];
  rows: (table: Table) => AsyncIterable<Row>;
}

/** Whether a table belongs to the schema tool or to the database itself. */
const notOurs = /^(?:knex_|sqlite_|order_words)/;
const rowsAtOnce = 500;

async function tablesOf(db: Db): Promise<Table[]> {
  const columns = await selectRows<{ name: string; column: string }>(
    db,
    isPostgres(db)
      ? `SELECT c.table_name AS name, c.column_name AS "column" FROM information_schema.columns c
         JOIN information_schema.tables t USING (table_schema, table_name)
         WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE' ORDER BY 1, c.ordinal_position`
      : `SELECT m.name, c.name AS "column" FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table' ORDER BY 1, c.cid`,
    [],
  );
  const named = Map.groupBy(
    columns.filter(({ name }) => !notOurs.test(name)),
    ({ name }) => name,
  );
  return [...named].map(([name, rows]) => ({ name, columns: rows.map((row) => row.column) }));
}

/** The names of the schema changes that a database has, in their order; none if it is empty. */
export async function migrationsOf(db: Db): Promise<string[]> {
  if (!(await db.schema.hasTable('knex_migrations'))) return [];
  return db('knex_migrations').orderBy('id').pluck('name');
}

/**
 * Reads one snapshot of all tables of a PostgreSQL schema (by default the connection's own), in
 * which later writes do not appear.
 */
export async function withPostgresTables<T>(
  db: Pool,
  use: (source: TableSource, trx: Trx) => Promise<T>,
  schema?: string,
): Promise<T> {
  return db.transaction(
    async (trx) => {
      await lookInto(trx, schema);
      const tables = await tablesOf(trx);
      return use({ tables, rows: (table) => streamRows(trx, table) }, trx);
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  );
}

async function* streamRows(trx: Trx, { name, columns }: Table): AsyncGenerator<Row> {
  const rows = trx(name).select(columns).stream({ batchSize: rowsAtOnce });
  for await (const row of rows as AsyncIterable<Record<string, unknown>>)
    yield columns.map((column) => row[column]);
}

/** Reads the tables of a SQLite file that has no writer. */
export async function withSqliteTables<T>(
  path: string,
  use: (source: TableSource) => Promise<T>,
): Promise<T> {
  const file = new Database(path, { readonly: true, fileMustExist: true });
  try {
    file.exec('BEGIN');
    const tables = tablesOfFile(file);
    return await use({
      tables,
      async *rows({ name, columns }) {
        yield* file
          .prepare(`SELECT ${quoted(columns)} FROM "${name}"`)
          .raw()
          .iterate() as Iterable<Row>;
      },
    });
  } finally {
    file.close();
  }
}

function tablesOfFile(file: Database.Database): Table[] {
  const names = file
    .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`)
    .pluck()
    .all() as string[];
  return names
    .filter((name) => !notOurs.test(name))
    .map((name) => ({
      name,
      columns: (file.pragma(`table_info("${name}")`) as { name: string }[]).map((row) => row.name),
    }));
}

/** Counts the rows of each table. */
export function countSqliteFile(path: string): Record<string, number> {
  const file = new Database(path, { readonly: true, fileMustExist: true });
  try {
    return Object.fromEntries(
      tablesOfFile(file).map(({ name }) => [
        name,
        file.prepare(`SELECT count(*) FROM "${name}"`).pluck().get() as number,
      ]),
    );
  } finally {
    file.close();
  }
}

export async function countTables(db: Db): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { name } of await tablesOf(db)) {
    const [row] = await selectRows<{ n: number }>(db, `SELECT count(*) AS n FROM "${name}"`, []);
    counts[name] = row?.n ?? 0;
  }
  return counts;
}

/**
 * Fills empty tables, all or none, and returns how many rows each got. `knownOnly`: tables and
 * columns that are not there are left out.
 */
export async function fillPostgres(
  db: Pool,
  whole: TableSource,
  { schema, knownOnly = false }: { schema?: string; knownOnly?: boolean } = {},
): Promise<Record<string, number>> {
  return db.transaction(async (trx) => {
    await lookInto(trx, schema);
    const tables = new Map((await tablesOf(trx)).map((table) => [table.name, table]));
    const source = knownOnly ? knownPart(whole, tables) : whole;
    // Tables refer to each other in circles, so references are checked only at the end.
    const links = await selectRows<{ name: string; table: string; text: string }>(
      trx,
      `SELECT conname AS name, conrelid::regclass::text AS "table", pg_get_constraintdef(oid) AS text
       FROM pg_constraint WHERE contype = 'f' AND connamespace = to_regnamespace(quote_ident(current_schema()))`,
      [],
    );
    for (const { name, table } of links)
      await trx.raw(`ALTER TABLE ${table} DROP CONSTRAINT "${name}"`);
    const counts: Record<string, number> = {};
    for (const table of source.tables) {
      requireColumns(table, tables.get(table.name));
      counts[table.name] = await fillTable(trx, table, source.rows(table));
    }
    for (const { name, table, text } of links)
      await trx.raw(`ALTER TABLE ${table} ADD CONSTRAINT "${name}" ${text}`);
    await renumber(trx);
    return counts;
  });
}

/**
 * The setting ends with the transaction, because a pooler gives the next one another connection.
 */
async function lookInto(trx: Trx, schema: string | undefined): Promise<void> {
  if (schema !== undefined) await trx.raw('SET LOCAL search_path TO ??', [schema]);
}

/** Lets generated numbers continue after the highest one. */
async function renumber(trx: Trx): Promise<void> {
  const counted = await selectRows<{ name: string; column: string }>(
    trx,
    `SELECT table_name AS name, column_name AS "column" FROM information_schema.columns WHERE table_schema = current_schema() AND is_identity = 'YES'`,
    [],
  );
  for (const { name, column } of counted)
    await trx.raw(
      'SELECT setval(pg_get_serial_sequence(?, ?), (SELECT COALESCE(MAX(??), 0) + 1 FROM ??), false)',
      [name, column, column, name],
    );
}

async function fillTable(trx: Trx, table: Table, rows: AsyncIterable<Row>): Promise<number> {
  let count = 0;
  for await (const some of inLots(rows)) {
    const objects = some.map((row) =>
      Object.fromEntries(table.columns.map((column, at) => [column, row[at]])),
    );
    if (some.some((row) => row.some((value) => Buffer.isBuffer(value))))
      for (const object of objects) await trx(table.name).insert(object);
    else {
      const { sql, bindings } = insertFromJson({ table: table.name, rows: objects });
      await selectRows(trx, sql, bindings);
    }
    count += some.length;
  }
  return count;
}

async function* inLots(rows: AsyncIterable<Row>): AsyncGenerator<Row[]> {
  let lot: Row[] = [];
  for await (const row of rows) {
    lot.push(row);
    if (lot.length < rowsAtOnce) continue;
    yield lot;
    lot = [];
  }
  if (lot.length > 0) yield lot;
}

/**
 * Fills a SQLite file that no other process uses; tables and columns that it lacks are left out,
 * because a newer program made them. A row with the same key is replaced, and the tables that
 * `empties` names lose their rows first.
 */
export async function fillSqliteFile(
  path: string,
  whole: TableSource,
  { empties = () => false }: { empties?: (table: string) => boolean } = {},
): Promise<Record<string, number>> {
  const file = new Database(path, { fileMustExist: true });
  try {
    file.pragma('foreign_keys = OFF');
    const tables = new Map(tablesOfFile(file).map((table) => [table.name, table]));
    const source = knownPart(whole, tables);
    file.exec('BEGIN');
    const counts: Record<string, number> = {};
    for (const table of source.tables) {
      const marks = table.columns.map(() => '?').join(', ');
      const insert = file.prepare(
        `INSERT OR REPLACE INTO "${table.name}" (${quoted(table.columns)}) VALUES (${marks})`,
      );
      let count = 0;
      if (empties(table.name)) file.exec(`DELETE FROM "${table.name}"`);
      for await (const row of source.rows(table)) {
        insert.run(...row);
        count += 1;
      }
      counts[table.name] = count;
    }
    file.exec('COMMIT');
    return counts;
  } finally {
    file.close();
  }
}

/** The same source with some of its tables. */
export function onlyTables(source: TableSource, isWanted: (name: string) => boolean): TableSource {
  return { ...source, tables: source.tables.filter(({ name }) => isWanted(name)) };
}

/** Without the tables and columns that do not exist here. */
function knownPart(source: TableSource, here: ReadonlyMap<string, Table>): TableSource {
  const has = (name: string, column: string) => here.get(name)?.columns.includes(column) === true;
  const tables = source.tables
    .map(({ name, columns }) => ({ name, columns: columns.filter((one) => has(name, one)) }))
    .filter(({ columns }) => columns.length > 0);
  return {
    tables,
    async *rows({ name }) {
      const table = source.tables.find((one) => one.name === name);
      if (table === undefined) return;
      const kept = table.columns.map((column) => has(name, column));
      for await (const row of source.rows(table)) yield row.filter((_, at) => kept[at]);
    },
  };
}

/**
 * Refuses a table or column that does not exist here, because its data would be lost silently.
 */
function requireColumns(table: Table, here: Table | undefined): void {
  const missing = table.columns.filter((column) => !here?.columns.includes(column));
  if (missing.length > 0)
    throw new Error(`the table ${table.name} has no column ${missing.join(', ')} here`);
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
