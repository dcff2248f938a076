/** What the phone reports to the office about unsent scans and counts, in total and by event. */
import type { Direction } from '#server/domain/door/admission.ts';
import { mostHeadsTold } from '#server/domain/door/heads.ts';
import { readMeta, type ScannerDb } from '#apps/scanner/kit/store.ts';

interface Passing {
  direction: Direction;
  annuls: string | null;
}

/** Whether there are more people inside after it: an entry, or an exit that is taken back. */
function addsPeople({ direction, annuls }: Passing): boolean {
  return (annuls === null) === (direction === 'in');
}

/** Read in one transaction, so that the numbers belong together (see `reckonQueue`). */
export async function toldQueue(db: ScannerDb) {
  return db.transaction('r', [db.meta, db.queue, db.heads, db.events], async () => {
    const [device, seq, scans, heads] = await Promise.all([
      readMeta(db, 'device'),
      readMeta(db, 'seq'),
      db.queue.where('fate').anyOf('queued', 'unreadable').toArray(),
      db.heads.toArray(),
    ]);
    const events = (device?.events ?? []).map(({ id: event_id }) => ({
      event_id,
      unsent_entries: scans.filter(
        (scan) =>
          scan.event_id === event_id && (scan.counts || scan.annuls !== null) && addsPeople(scan),
      ).length,
      // The server refuses a heartbeat with a larger number.
      heads_told: Math.min(
        mostHeadsTold,
        heads
          .filter(
            (count) =>
              count.event_id === event_id &&
              count.phone_id === device?.phone_id &&
              addsPeople(count),
          )
          .reduce((sum, { people }) => sum + people, 0),
      ),
    }));
    const queued = scans.filter(({ fate }) => fate === 'queued').length;
    return {
      queue_length: queued,
      shelf_length: scans.length - queued,
      next_seq: seq ?? 0,
      events: events.slice(0, 100),
    };
  });
}
