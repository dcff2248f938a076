/**
 * Attempts at passwords and codes, in SQL, so that all processes count together and a restart
 * forgets none.
 */
import { requireValue } from '#server/domain/require-value.ts';
import type { Db, Trx } from '#db/engine/dialect.ts';
import type { GuessRow } from '#db/rows.ts';

export async function findGuess(db: Db, key: string): Promise<GuessRow | undefined> {
  return db<GuessRow>('guesses').where({ key }).first();
}

/** Counts one attempt; a count that ended by `anew` starts again. */
export async function addGuess(
  db: Db,
  key: string,
  { until, anew }: { until: number; anew: number },
): Promise<GuessRow> {
  const either = (then: string, otherwise: string) =>
    db.raw(`CASE WHEN guesses.until <= ? THEN ${then} ELSE ${otherwise} END`, [anew]);
  const [row] = await db('guesses')
    .insert({ key, tries: 1, until })
    .onConflict('key')
    .merge({
      tries: either('1', 'guesses.tries + 1'),
      until: either('excluded.until', 'guesses.until'),
    })
    .returning<GuessRow[]>('*');
  return requireValue(row, 'row of this guess');
}

/**
 * Counts one attempt; while the count's end lies ahead, it changes nothing and returns null. It is
 * one statement, because parallel attempts that read first would all be allowed.
 */
export async function addGuessOutsideWait(
  trx: Trx,
  key: string,
  { now, anew }: { now: number; anew: number },
): Promise<number | null> {
  const [row] = await trx('guesses')
    .insert({ key, tries: 1, until: now })
    .onConflict('key')
    .merge({
      tries: trx.raw('CASE WHEN guesses.until <= ? THEN 1 ELSE guesses.tries + 1 END', [anew]),
    })
    .where('guesses.until', '<=', now)
    .returning<GuessRow[]>('tries');
  return row?.tries ?? null;
}

export async function takeGuessBack(db: Db, key: string): Promise<void> {
  await db<GuessRow>('guesses').where({ key }).where('tries', '>', 0).decrement('tries', 1);
}

/** Moves the end of a count to this time, unless it is later already. */
export async function extendGuess(db: Db, key: string, until: number): Promise<void> {
  await db<GuessRow>('guesses').where({ key }).where('until', '<', until).update({ until });
}

export async function forgetGuesses(db: Db, keys: readonly string[]): Promise<void> {
  await db<GuessRow>('guesses')
    .whereIn('key', keys as string[])
    .delete();
}

export async function purgeGuesses(db: Db, ended_before: number): Promise<void> {
  await db<GuessRow>('guesses').where('until', '<', ended_before).delete();
}
