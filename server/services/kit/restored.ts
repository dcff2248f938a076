/**
 * What a house remembers of its restore from a backup: the time of the backup, and whether the
 * orders that only Stripe has were written again. It begins with the sale paused, because seats
 * that were sold after the backup look free.
 */
import { randomBytes } from 'node:crypto';
import { maintenanceKey, putSetting, readSetting } from '#db/settings.ts';
import { renewFeeds } from '#db/event/events.ts';
import type { Db, Pool } from '#db/engine/dialect.ts';
import type { Gap } from '#server/domain/office/restored.ts';

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
 * Stores this, pauses the sale, and makes phones load every list again, because they have had
 * changes that this house no longer knows. If the sale was still paused when the copy was made, the
 * gap of the earlier restore is a part of this gap.
 */
export async function noteRestored(db: Pool, restored: Restored): Promise<Gap> {
  await renewFeeds(db, () => randomBytes(8).toString('hex'));
  const earlier = await pausedGap(db);
  const copied_at = Math.min(restored.copied_at, earlier?.from ?? restored.copied_at);
  await writeRestored(db, { ...restored, copied_at });
  await putSetting(db, maintenanceKey, String(restored.restored_at));
  return { from: copied_at, to: restored.restored_at };
}

/** The time that is missing here; null: no restore, or a person has let the sale go on since. */
export async function pausedGap(db: Db): Promise<Gap | null> {
  const restored = await readRestored(db);
  if (restored === null) return null;
  const { copied_at: from, restored_at: to } = restored;
  return (await readSetting(db, maintenanceKey)) === String(to) ? { from, to } : null;
}
