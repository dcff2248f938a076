/**
 * What a house that came from a backup knows of it: of which moment the copy was, and whether the
 * books have been compared since.
 */
import { randomBytes } from 'node:crypto';
import { putSetting, readSetting } from '#db/settings.ts';
import { renewFeeds } from '#db/event/events.ts';
import type { Db, Pool } from '#db/engine/dialect.ts';

/**
 * Times in milliseconds. `recovered_at` null: what Stripe knows more has not been brought back
 * yet.
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
 * Phones have heard of changes that this house no longer knows: each list begins anew, and they
 * take all of it.
 */
export async function noteRestored(db: Pool, restored: Restored): Promise<void> {
  await renewFeeds(db, () => randomBytes(8).toString('hex'));
  await writeRestored(db, restored);
}
