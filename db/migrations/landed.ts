/**
 * Compares the tables of a house or of its seat map with those that its migrations made, which
 * `landed.json` tells.
 */
import Database from 'better-sqlite3';
import { chartSchema } from '#db/engine/chart-tables.ts';
import { isPostgres, type Db } from '#db/engine/dialect.ts';
import { migrationsOf } from '#db/engine/table-rows.ts';
import type { SchemaFault } from '#server/domain/backup.ts';
import { migrations, trialMigration } from './index.ts';
import landed from './landed.json' with { type: 'json' };
import { isSameText, readSchema, readSqliteSchema, type Dialect, type Schema } from './schema.ts';

/** What one migration did. `hash`: of its SQL; `schema`: what is new or changed, null: gone. */
export interface Landed {
  hash: string;
  schema: Record<string, string | null>;
}

const told: Record<Dialect, Record<string, Landed>> = landed;

/** The schema after these migrations; a name that this program does not know adds nothing. */
function schemaAfter(dialect: Dialect, names: readonly string[]): [thing: string, text: string][] {
  const schema = Object.assign(
    {},
    ...names.map((name) => told[dialect][name]?.schema),
  ) as Landed['schema'];
  return Object.entries(schema).filter((entry): entry is [string, string] => entry[1] !== null);
}

/** The tables of a house that does not tell what it has been through. */
const unlisted: SchemaFault = { kind: 'missing', thing: 'table knex_migrations' };

/** More than the migrations made is no fault: a newer program or the owner has added it. */
function faultOf(
  dialect: Dialect,
  { names, found }: { names: readonly string[]; found: Schema },
): SchemaFault | null {
  if (names.includes(trialMigration)) return { kind: 'trial' };
  if (names.length === 0 && found['table orders'] !== undefined) return unlisted;
  for (const [thing, text] of schemaAfter(dialect, names)) {
    if (found[thing] === undefined) return { kind: 'missing', thing };
    if (!isSameText(found[thing], text)) return { kind: 'different', thing };
  }
  return null;
}

/**
 * Compares the tables and columns of a copy of PostgreSQL with those that these migrations made.
 * `more`: names of what only the copy has.
 */
export function compareColumns(
  names: readonly string[],
  columns: Readonly<Record<string, readonly string[]>>,
): { fault: SchemaFault | null; more: string[] } {
  const there = new Set(
    Object.entries(columns).flatMap(([table, all]) => [
      `table ${table}`,
      ...all.map((column) => `column ${table}.${column}`),
    ]),
  );
  const things = schemaAfter('postgres', names).map(([thing]) => thing);
  const made = new Set(things.filter((thing) => /^(?:table|column) /.test(thing)));
  const gone = [...made].find((thing) => !there.has(thing));
  const fault: SchemaFault | null = gone === undefined ? null : { kind: 'missing', thing: gone };
  return {
    fault: names.length === 0 ? unlisted : fault,
    more: [...there].filter((thing) => !made.has(thing)).map((thing) => thing.replace(/^\w+ /, '')),
  };
}

/** An empty database has no fault. */
export async function faultOfDatabase(db: Db): Promise<SchemaFault | null> {
  const names = await migrationsOf(db);
  const found = await readSchema(db);
  const fault = faultOf(isPostgres(db) ? 'postgres' : 'sqlite', { names, found });
  // Between the two another process may have run its migrations.
  const isSettled = fault === null || (await migrationsOf(db)).length === names.length;
  return isSettled ? fault : faultOfDatabase(db);
}

/** The seat map of ours in PostgreSQL. */
export async function faultOfChart(db: Db): Promise<SchemaFault | null> {
  const found = await readSchema(db, chartSchema);
  return faultOfSteps('postgres', { names: await stepsOfChart(db), found });
}

async function stepsOfChart(db: Db): Promise<string[]> {
  const isThere = await db.schema.withSchema(chartSchema).hasTable('migrations');
  return isThere ? db.withSchema(chartSchema).from('migrations').pluck('name') : [];
}

/**
 * True if this program knows steps that a store has not been through: the stand-ins' file, or the
 * seat map in PostgreSQL.
 */
export async function areStepsDue(store: { file: string } | { db: Db }): Promise<boolean> {
  const [dialect, done] =
    'file' in store
      ? (['sqlite', stepsOfFile(store.file)] as const)
      : (['postgres', await stepsOfChart(store.db)] as const);
  const steps = Object.keys(told[dialect]).filter((name) => !(name in migrations));
  return done.length > 0 && steps.some((name) => !done.includes(name));
}

/** A file of the house, or the file of the stand-ins with the seat map; unchanged afterwards. */
export async function faultOfFile(
  path: string,
  store: 'house' | 'standins',
): Promise<SchemaFault | null> {
  const file = new Database(path, { readonly: true, fileMustExist: true });
  try {
    const found = await readSqliteSchema(<R>(sql: string) => file.prepare(sql).all() as R[]);
    return store === 'standins'
      ? faultOfSteps('sqlite', { names: namesIn(file, 'migrations'), found })
      : faultOf('sqlite', { names: namesIn(file, 'knex_migrations'), found });
  } finally {
    file.close();
  }
}

/** The trial versions did not record the steps of the stand-ins' store. */
function faultOfSteps(
  dialect: Dialect,
  { names, found }: { names: readonly string[]; found: Schema },
): SchemaFault | null {
  const isUnlisted = names.length === 0 && found['table seatsio_companies'] !== undefined;
  return isUnlisted ? { kind: 'trial' } : faultOf(dialect, { names, found });
}

/** The steps that a file of the stand-ins has been through. */
export function stepsOfFile(path: string): string[] {
  const file = new Database(path, { readonly: true, fileMustExist: true });
  try {
    return namesIn(file, 'migrations');
  } finally {
    file.close();
  }
}

function namesIn(file: Database.Database, table: string): string[] {
  const isThere = file.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(table);
  if (isThere === undefined) return [];
  return file.prepare(`SELECT name FROM ${table} ORDER BY name`).pluck().all() as string[];
}
