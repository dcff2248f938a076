/**
 * What a house that was restored from a backup knows: the time of the copy, and whether what
 * Stripe knows beyond it has been brought back.
 */
import { randomBytes } from 'node:crypto';
import { putSetting, readSetting } from '#db/settings.ts';
import { renewFeeds } from '#db/event/events.ts';
import type { Db, Pool } from '#db/engine/dialect.ts';

/**
 * Times in milliseconds. `recovered_at` null: what Stripe knows beyond the copy has not been
 * brought back yet.
 */
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
 * Renews the door lists: phones have heard of changes that this house no longer knows, so they
 * load every list again.
 */
export async function noteRestored(db: Pool, restored: Restored): Promise<void> {
  await renewFeeds(db, () => randomBytes(8).toString('hex'));
  await writeRestored(db, restored);
}
