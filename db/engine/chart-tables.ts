/**
 * The tables of our own seat map in a PostgreSQL database, and their filling from its earlier
 * file.
 */
import { oneAtATime, type Pool } from './dialect.ts';
import { retrying } from './retrying.ts';
import { isFileEmpty } from './sqlite-copy.ts';
import { fillPostgres, onlyTables, withSqliteTables, type TableSource } from './table-rows.ts';

/** A schema apart from that of the house's tables. */
export const chartSchema = 'seatsio';

export function isOfChart(table: string): boolean {
  return table.startsWith('seatsio_');
}

/** True if no seat was sold on the seat map and it has given out no key. */
export async function isChartEmpty(db: Pool): Promise<boolean> {
  const { rows } = (await db.raw('SELECT to_regclass(?) IS NULL AS empty', [
    `${chartSchema}.seatsio_companies`,
  ])) as { rows: { empty: boolean }[] };
  if (rows[0]?.empty) return true;
  return (await db.withSchema(chartSchema).from('seatsio_companies').first('id')) === undefined;
}

/**
 * The keys of all events of our own seat map; none if its store is missing or empty. `file` is its
 * SQLite file; null: the map is in the house's PostgreSQL.
 */
export async function chartEventKeys(db: Pool, file: string | null): Promise<Set<string>> {
  if (file === null) {
    if (await isChartEmpty(db)) return new Set();
    return new Set(await db.withSchema(chartSchema).from('seatsio_events').pluck('key'));
  }
  if (isFileEmpty(file)) return new Set();
  return withSqliteTables(file, async ({ tables, rows }) => {
    const events = tables.find(({ name }) => name === 'seatsio_events');
    const keys = new Set<string>();
    if (events !== undefined)
      for await (const [key] of rows({ ...events, columns: ['key'] })) keys.add(String(key));
    return keys;
  });
}

/**
 * Fills empty tables from the file, after a move to PostgreSQL or a restore. The file stays as it
 * is. Of several processes that start together, one does the work.
 */
export async function takeChartOver(db: Pool, file: string): Promise<void> {
  // If another process makes the same tables at this moment, one of the two transactions may be
  // undone.
  await oneAtATime(db, () => retrying(() => fillFrom(db, file)));
}

async function fillFrom(db: Pool, file: string): Promise<void> {
  if (!(await isChartEmpty(db))) return;
  await withSqliteTables(file, async (source) => {
    const isThere = source.tables.some(({ name }) => name === 'seatsio_companies');
    if (isThere) await fillPostgres(db, chartRows(source), { schema: chartSchema });
  });
}

/** The seat map's tables, and of the settings, which the file shares with Stripe, its own. */
export function chartRows(source: TableSource): TableSource {
  const { tables, rows } = onlyTables(source, (name) => isOfChart(name) || name === 'settings');
  return {
    tables,
    rows: async function* rowsOf(table) {
      for await (const row of rows(table))
        if (table.name !== 'settings' || isOfChart(String(row[0]))) yield row;
    },
  };
}
