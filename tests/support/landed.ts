/** Runs every migration in an empty database and tells what each did, for `landed.json`. */
import { hash } from 'node:crypto';
import { connect } from '#db/engine/connect.ts';
import { migrations } from '#db/migrations/index.ts';
import type { Landed } from '#db/migrations/landed.ts';
import { migrationSource } from '#db/migrations/migrate.ts';
import { readSchema, readSqliteSchema, type Schema } from '#db/migrations/schema.ts';
import { inPostgres } from '#server/standins/kit/postgres-dialect.ts';
import { openPostgresStore } from '#server/standins/kit/postgres-store.ts';
import { openStore } from '#server/standins/kit/store.ts';
import type { Step } from '#server/standins/kit/steps.ts';
import { seatsioSteps } from '#server/standins/seatsio/statements/schema.ts';
import { stripeSteps } from '#server/standins/stripe/statements/schema.ts';

type Told = Record<string, Landed>;

/** `address`: an empty PostgreSQL database; null: SQLite. */
export async function tellMigrations(address: string | null): Promise<Told> {
  return { ...(await tellHouse(address)), ...(await tellSteps(address)) };
}

async function tellHouse(address: string | null): Promise<Told> {
  const db = connect(address ?? ':memory:');
  const told: Told = {};
  const run: string[] = [];
  db.on('query', ({ sql }: { sql: string }) => run.push(sql));
  try {
    let before: Schema = {};
    for (const name of Object.keys(migrations)) {
      run.length = 0;
      await db.migrate.up({ migrationSource, disableMigrationsListValidation: true });
      const sql = run.filter((text) => !/knex_migrations|^(?:begin|commit)/i.test(text));
      const after = await readSchema(db);
      told[name] = { hash: hashOf(sql), schema: changes(before, after) };
      before = after;
    }
    return told;
  } finally {
    await db.destroy();
  }
}

/** In PostgreSQL the stand-ins have only the seat map. */
async function tellSteps(address: string | null): Promise<Told> {
  const steps = address === null ? [...seatsioSteps, ...stripeSteps] : seatsioSteps;
  const told: Told = {};
  let before: Schema = {};
  for (const [at, { name, sql }] of steps.entries()) {
    const after = await schemaOfSteps(address, steps.slice(0, at + 1));
    const text = address === null ? sql : inPostgres(sql).text;
    told[name] = { hash: hashOf([text]), schema: changes(before, after) };
    before = after;
  }
  return told;
}

async function schemaOfSteps(address: string | null, steps: readonly Step[]): Promise<Schema> {
  if (address === null) {
    const store = openStore(':memory:', steps);
    return readSqliteSchema((sql) => store.all(sql)).finally(() => store.close());
  }
  const schema = `steps_${steps.length}`;
  const store = await openPostgresStore({ url: address, steps, schema, namedStatements: false });
  await store.close();
  const db = connect(address);
  return readSchema(db, schema).finally(() => db.destroy());
}

/** White space does not count. */
function hashOf(sql: readonly string[]): string {
  return hash('sha256', sql.map((text) => text.replaceAll(/\s+/g, ' ').trim()).join(';\n'), 'hex');
}

/** Tables come first, so that a missing table is named before its columns. */
function changes(before: Schema, after: Schema): Landed['schema'] {
  const gone = Object.keys(before).filter((thing) => after[thing] === undefined);
  const made = Object.entries(after).filter(([thing, text]) => before[thing] !== text);
  const named = Map.groupBy(made.toSorted(), ([thing]) => thing.startsWith('table '));
  return Object.fromEntries([
    ...(named.get(true) ?? []),
    ...(named.get(false) ?? []),
    ...gone.map((thing) => [thing, null] as const),
  ]);
}

/**
 * What a migration does beyond adding things that the program of the release before can ignore.
 * `before`: the schema that it found.
 */
export function notAdded(before: Schema, { schema }: Pick<Landed, 'schema'>): string[] {
  const isNewTable = (table: string) => before[`table ${table}`] === undefined;
  return Object.entries(schema).flatMap(([thing, text]) => {
    const isNew = before[thing] === undefined && text !== null;
    const isAdded = isNew && isOptional(text, thing, isNewTable);
    return isAdded && (isNewTable(tableOf(thing)) || !isNameTaken(before, thing)) ? [] : [thing];
  });
}

const tableOf = (thing: string) => /^column (\w+)/.exec(thing)?.[1] ?? '';

/** A join in the release before may use this column name alone, which would be ambiguous now. */
function isNameTaken(before: Schema, thing: string): boolean {
  const name = /^column \w+(\.\w+)$/.exec(thing)?.[1];
  return name !== undefined && Object.keys(before).some((one) => one.endsWith(name));
}

/** True if rows that the release before writes satisfy it. */
function isOptional(text: string, thing: string, isNewTable: (table: string) => boolean): boolean {
  const [, kind, name = ''] = /^(\w+) (\w+)/.exec(thing) ?? [];
  const [, of = name] =
    kind === 'index' || kind === 'trigger' ? (/ ON (\w+)/i.exec(text) ?? []) : [];
  if (isNewTable(of)) return true;
  return kind === 'column'
    ? !/NOT NULL(?!.* DEFAULT )/.test(text)
    : kind === 'index' && !/^CREATE UNIQUE/i.test(text);
}
