/**
 * What a house remembers of its restore from a backup: the time of the backup, and whether the
 * orders that only Stripe has were written again.
 */
import { randomBytes } from 'node:crypto';
import { putSetting, readSetting } from '#db/settings.ts';
import { renewFeeds } from '#db/event/events.ts';
import type { Db, Pool } from '#db/engine/dialect.ts';

/** Times in ms. `recovered_at`: null until the orders that only Stripe has are written again. */
interface Restored {
  id: string;
  copied_at: number;
  restored_at: number;
  recovered_at: number | null;
}

const key = 'restored';

export async function readRestored(db: Db): Promise<Restored | null> {
  const text = await readSetting(db, key);
  return text === null ? null : (JSON.parse(text) as Restored);
}

export async function writeRestored(db: Db, restored: Restored): Promise<void> {
  await putSetting(db, key, JSON.stringify(restored));
}

/**
 * Stores this, and makes phones load every list again, because they have had changes that this
 * house no longer knows.
 */
export async function noteRestored(db: Pool, restored: Restored): Promise<void> {
  await renewFeeds(db, () => randomBytes(8).toString('hex'));
  await writeRestored(db, restored);
}
