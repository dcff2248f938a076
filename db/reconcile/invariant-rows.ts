/**
 * The findings of the last run of the invariants, one row each, with the time of their first
 * appearance.
 */
import type { Db, Trx } from '#db/engine/dialect.ts';
import type { InvariantRow } from '#db/rows.ts';

export async function listInvariantRows(db: Db): Promise<InvariantRow[]> {
  return db<InvariantRow>('invariants').orderBy('name');
}

/**
 * Replaces all rows, so that an invariant that no longer exists leaves none. The hourly run and
 * one requested by the office may end at the same moment.
 */
export async function putInvariantRows(trx: Trx, rows: readonly InvariantRow[]): Promise<void> {
  await trx('invariants')
    .insert(rows as InvariantRow[])
    .onConflict('name')
    .merge();
  const names = rows.map(({ name }) => name);
  await trx('invariants').whereNotIn('name', names).delete();
}
