/**
 * What a person must look at and has not: double entries of this phone, and on a supervisor's
 * phone guests without a valid ticket. Both become known only when the signal is back, long after
 * the green screen.
 */
import {
  readMeta,
  writeMeta,
  type GuestAgainst,
  type Pairing,
  type QueuedScan,
  type ScannerDb,
} from '#apps/scanner/kit/store.ts';

function conflictsIn({ queue }: ScannerDb): Promise<QueuedScan[]> {
  return queue.where('fate').equals('conflict').toArray();
}

/** The guests without a valid ticket about whom the office has not decided. */
export async function guestsAgainst(db: ScannerDb): Promise<GuestAgainst[]> {
  return (await readMeta(db, 'guests_against')) ?? [];
}

export interface Unseen {
  conflicts: QueuedScan[];
  guests: GuestAgainst[];
}

export async function unseenConflicts(db: ScannerDb): Promise<Unseen> {
  const seen = new Set(await readMeta(db, 'conflicts_seen'));
  const isNew = ({ admission_id }: { admission_id: string }) => !seen.has(admission_id);
  return {
    conflicts: (await conflictsIn(db)).filter(isNew),
    guests: (await guestsAgainst(db)).filter(isNew),
  };
}

/** Marks all of them as shown, so that only later ones are new. */
export async function seeConflicts(db: ScannerDb): Promise<void> {
  await db.transaction('rw', [db.meta, db.queue], async () => {
    const all = [...(await conflictsIn(db)), ...(await guestsAgainst(db))];
    const ids = all.map(({ admission_id }) => admission_id);
    await writeMeta(db, 'conflicts_seen', ids);
  });
}

/** Stores what the server told, unless the phone has another pairing by now. */
export async function takeGuests(
  db: ScannerDb,
  { device_token }: Pairing,
  guests: readonly GuestAgainst[],
): Promise<void> {
  if (JSON.stringify(guests) === JSON.stringify(await guestsAgainst(db))) return;
  await db.transaction('rw', [db.meta], async () => {
    const device = await readMeta(db, 'device');
    if (device?.device_token === device_token && device.revoked_at === null)
      await writeMeta(db, 'guests_against', [...guests]);
  });
}
