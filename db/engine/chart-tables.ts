/**
 * Where our own seat map lies in a PostgreSQL database, and how it is moved there from its
 * earlier file.
 */
import { oneAtATime, type Pool } from './dialect.ts';
import { retrying } from './retrying.ts';
import { fillPostgres, onlyTables, withSqliteTables, type TableSource } from './table-rows.ts';

/** Beside the house's own tables, which lie in the schema of the connection. */
export const chartSchema = 'seatsio';

export function isOfChart(table: string): boolean {
  return table.startsWith('seatsio_');
}

/** No seat was sold on it yet, and no key was given out. */
export async function isChartEmpty(db: Pool): Promise<boolean> {
  const { rows } = (await db.raw('SELECT to_regclass(?) IS NULL AS empty', [
    `${chartSchema}.seatsio_companies`,
  ])) as { rows: { empty: boolean }[] };
  if (rows[0]?.empty) return true;
  return (await db.withSchema(chartSchema).from('seatsio_companies').first('id')) === undefined;
}

/**
 * Fills empty tables from the file: after a move to PostgreSQL, after a restore, or where the
 * seat map was in a file before. The file stays as it is. Of several processes that start
 * together one does it.
 */
export async function takeChartOver(db: Pool, file: string): Promise<void> {
  // Another process that starts makes the same tables, and one of the two may be undone.
  await oneAtATime(db, () => retrying(() => fillFrom(db, file)));
}

async function fillFrom(db: Pool, file: string): Promise<void> {
  if (!(await isChartEmpty(db))) return;
  await withSqliteTables(file, async (source) => {
    const isThere = source.tables.some(({ name }) => name === 'seatsio_companies');
    if (isThere) await fillPostgres(db, withKeys(source), chartSchema);
  });
}

/** The file has the settings of two programs: the seat map takes its own keys only. */
function withKeys(source: TableSource): TableSource {
  const { tables, rows } = onlyTables(source, (name) => isOfChart(name) || name === 'settings');
  return {
    tables,
    rows: async function* rowsOf(table) {
      for await (const row of rows(table))
        if (table.name !== 'settings' || isOfChart(String(row[0]))) yield row;
    },
  };
}
