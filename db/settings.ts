/**
 * Settings of this installation, and two uses of them: a write that proves that the database
 * accepts writes, and the last run of periodic work.
 */
import { requireValue } from '#server/domain/require-value.ts';
import { clockStepMs } from '#server/domain/time/clock-step.ts';
import type { Db } from '#db/engine/dialect.ts';

/** Since when nothing is sold, in milliseconds; empty or missing: the house sells. */
export const maintenanceKey = 'maintenance_since';

export async function writeProbe(db: Db, now: number): Promise<void> {
  await putSetting(db, 'probe', String(now));
}

export async function readSetting(db: Db, key: string): Promise<string | null> {
  const row = await db('settings').where({ key }).first('value');
  return row?.value ?? null;
}

export async function putSetting(db: Db, key: string, value: string): Promise<void> {
  await db('settings').insert({ key, value }).onConflict('key').merge();
}

export async function dropSetting(db: Db, key: string): Promise<void> {
  await db('settings').where({ key }).delete();
}

/**
 * A value that is made once; if several processes make it at the same time, the first one counts.
 */
export async function settingOnce(db: Db, key: string, make: () => string): Promise<string> {
  const known = await readSetting(db, key);
  if (known !== null) return known;
  await claimSetting(db, key, { from: null, to: make() });
  return requireValue(await readSetting(db, key), `setting ${key}`);
}

/** Returns true if the setting had the value `from` (null if it was missing) and now has `to`. */
export async function claimSetting(
  db: Db,
  key: string,
  { from, to }: { from: string | null; to: string },
): Promise<boolean> {
  if (from === null)
    return (
      (await db('settings').insert({ key, value: to }).onConflict('key').ignore().returning('key'))
        .length === 1
    );
  return (await db('settings').where({ key, value: from }).update({ value: to })) === 1;
}

/**
 * Returns true to one process if the stored time is no later than `notSince`, and stores `now`. A
 * time that lies ahead is of a clock that was set back since, and is not believed.
 */
export async function claimPeriod(
  db: Db,
  key: string,
  { now, notSince }: { now: number; notSince: number },
): Promise<boolean> {
  await db('settings').insert({ key, value: '0' }).onConflict('key').ignore();
  return (
    (await db('settings')
      .where({ key })
      .whereRaw('(CAST(value AS bigint) <= ? OR CAST(value AS bigint) > ?)', [
        notSince,
        now + clockStepMs,
      ])
      .update({ value: String(now) })) === 1
  );
}
