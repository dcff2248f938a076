/** Statements of the busiest paths: Knex spells each once per database, and later only the values change. */
import type { Knex } from 'knex';
import { isPostgres, type Db } from './dialect.ts';
import { runText } from './sqlite.ts';

/** With `?` where the bindings go. */
export interface Statement {
  sql: string;
  bindings: unknown[];
}

type Values = Record<string, unknown>;
interface Spelling {
  sql: string;
  /** A value's name, or a value that is always the same. */ bindings: (
    | { name: string }
    | { value: unknown }
  )[];
}

const spellings = new Map<string, Spelling>();
/** Texts vary with the names of their values (a `whereIn`, a row less): so many are kept. */
const mostSpellings = 500;
const mark = '\u0001';

/** `name` is the statement's own; `build` gets stand-ins for the values and runs only once. */
export function spelled<V extends Values>(
  db: Db,
  name: string,
  {
    values,
    build,
  }: { values: V; build: (db: Db, value: { [K in keyof V]: string }) => Knex.QueryBuilder },
): Statement {
  const names = Object.keys(values);
  const key = `${isPostgres(db) ? 'pg' : 'sqlite'} ${name} ${names.join()}`;
  let spelling = spellings.get(key);
  if (!spelling) {
    const { sql, bindings } = build(
      db,
      Object.fromEntries(names.map((value) => [value, `${mark}${value}`])) as {
        [K in keyof V]: string;
      },
    ).toSQL();
    spelling = {
      sql,
      bindings: bindings.map((value) =>
        typeof value === 'string' && value.startsWith(mark) ? { name: value.slice(1) } : { value },
      ),
    };
    if (spellings.size >= mostSpellings) spellings.delete(spellings.keys().next().value!);
    spellings.set(key, spelling);
  }
  return {
    sql: spelling.sql,
    bindings: spelling.bindings.map((binding) =>
      'name' in binding ? values[binding.name] : binding.value,
    ),
  };
}

/** Rows of one shape in one statement; at most a few hundred. */
export function insertOf(db: Db, table: string, rows: readonly object[]): Statement {
  const values = Object.fromEntries(
    rows.flatMap((row, at) =>
      Object.entries(row).map(([column, value]) => [`${at}.${column}`, value]),
    ),
  );
  return spelled(db, `insert ${table}`, {
    values,
    build: (some) =>
      some(table).insert(
        rows.map((row, at) =>
          Object.fromEntries(Object.keys(row).map((column) => [column, `${mark}${at}.${column}`])),
        ),
      ),
  });
}

export async function rowsOf<R>(db: Db, statement: Statement): Promise<R[]> {
  return (await run(db, statement)).rows as R[];
}

/** How many rows it changed. */
export async function change(db: Db, statement: Statement): Promise<number> {
  return (await run(db, statement)).changes;
}

async function run(
  db: Db,
  { sql, bindings }: Statement,
): Promise<{ rows: unknown[]; changes: number }> {
  if (!isPostgres(db)) return runText(db, sql, bindings);
  const { rows, rowCount } = await db
    .raw<{ rows: unknown[]; rowCount: number | null }>(sql, bindings as Knex.RawBinding[])
    .options({ isSpelled: true });
  return { rows, changes: rowCount ?? 0 };
}
