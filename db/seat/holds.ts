/** Counts in SQL how often a visitor's hold was prolonged; the seat map knows only its end. */
import type { Db } from '#db/engine/dialect.ts';
import type { HoldProlongationRow } from '#db/rows.ts';

export async function timesProlonged(db: Db, hold_token: string): Promise<number> {
  return (
    (await db<HoldProlongationRow>('hold_prolongations').where({ hold_token }).first('times'))
      ?.times ?? 0
  );
}

/**
 * Counts a prolongation and returns its number, or null if the limit is reached; simultaneous
 * calls cannot exceed it.
 */
export async function countProlongation(
  db: Db,
  hold_token: string,
  { most, now }: { most: number; now: number },
): Promise<number | null> {
  const rows = await db<HoldProlongationRow>('hold_prolongations')
    .insert({ hold_token, times: 1, last_at: now })
    .onConflict('hold_token')
    .merge({ times: db.raw('hold_prolongations.times + 1'), last_at: now })
    .where('hold_prolongations.times', '<', most)
    .returning('times');
  return rows[0]?.times ?? null;
}

export async function purgeProlongations(db: Db, before: number): Promise<void> {
  await db<HoldProlongationRow>('hold_prolongations').where('last_at', '<', before).delete();
}
