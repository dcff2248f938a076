/** What the last run of the invariants found, one row each, and since when. */
import type { Db, Trx } from '#db/engine/dialect.ts';
import type { InvariantRow } from '#db/rows.ts';

export async function listInvariantRows(db: Db): Promise<InvariantRow[]> {
  return db<InvariantRow>('invariants').orderBy('name');
}

/**
 * Replaces all of them: an invariant that no longer exists leaves no row. Two runs may end at the
 * same moment, the hourly one and one that the office requested.
 */
export async function putInvariantRows(trx: Trx, rows: readonly InvariantRow[]): Promise<void> {
  await trx('invariants')
    .insert(rows as InvariantRow[])
    .onConflict('name')
    .merge();
  const names = rows.map(({ name }) => name);
  await trx('invariants').whereNotIn('name', names).delete();
}
