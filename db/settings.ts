/** Small facts about this installation, and a write that proves the database takes one. */
import type { Db } from './dialect.ts';

export async function writeProbe(db: Db, now: number): Promise<void> {
  await db('settings').insert({ key: 'probe', value: String(now) }).onConflict('key').merge();
}
