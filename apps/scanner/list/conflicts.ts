/**
 * The double entries of this phone that no person has looked at yet. They become known only when
 * the signal is back, long after the green screen.
 */
import { readMeta, writeMeta, type QueuedScan, type ScannerDb } from '#apps/scanner/kit/store.ts';

function conflictsIn({ queue }: ScannerDb): Promise<QueuedScan[]> {
  return queue.where('fate').equals('conflict').toArray();
}

export async function unseenConflicts(db: ScannerDb): Promise<QueuedScan[]> {
  const seen = new Set(await readMeta(db, 'conflicts_seen'));
  return (await conflictsIn(db)).filter(({ admission_id }) => !seen.has(admission_id));
}

/** Marks all double entries as shown, so that only later ones are new. */
export async function seeConflicts(db: ScannerDb): Promise<void> {
  await db.transaction('rw', [db.meta, db.queue], async () => {
    const ids = (await conflictsIn(db)).map(({ admission_id }) => admission_id);
    await writeMeta(db, 'conflicts_seen', ids);
  });
}
