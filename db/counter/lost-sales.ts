/** What a restored house knows of sales that its backup lacks, in SQL (RULES B3). */
import type { Db, Trx } from '#db/engine/dialect.ts';
import { seatColumns } from '#db/joins.ts';
import type { AdmissionRow, EventRow, OrderLineRow, PlaceRow } from '#db/rows.ts';
import { selectRows } from '#db/engine/statements.ts';
import { knownPlaces } from '#db/seat/seats.ts';

/** The order that has this place now, also while the buyer offers it. */
export async function orderAtPlace(
  db: Db,
  event_id: string,
  place: string,
): Promise<string | undefined> {
  const [named] = await knownPlaces(db, event_id, [place]);
  if (named !== undefined) return named.order_id ?? undefined;
  const line = await db<OrderLineRow>('order_lines')
    .where({ event_id, place })
    .whereNull('released_at')
    .first('order_id');
  return line?.order_id;
}

export interface UnknownScan
  extends
    Pick<AdmissionRow, 'id' | 'event_id' | 'direction' | 'corrected_at' | 'gate'>,
    Pick<PlaceRow, 'kind' | 'section' | 'row' | 'seat' | 'lost_revisions'> {
  place: string;
  revision: number;
  event_title: EventRow['title'];
  event_starts_at: EventRow['starts_at'];
}

function provedScans(db: Db) {
  return db('admissions')
    .join('places', {
      'places.event_id': 'admissions.event_id',
      'places.place': 'admissions.place',
    })
    .join('events', 'events.id', 'admissions.event_id')
    .where('admissions.code_check', 'proved')
    .select(
      'admissions.id',
      'admissions.event_id',
      'admissions.place',
      'admissions.revision',
      'admissions.direction',
      'admissions.corrected_at',
      'admissions.gate',
      'places.lost_revisions',
      'events.title as event_title',
      'events.starts_at as event_starts_at',
      ...seatColumns,
    );
}

/** Scans since then whose code was proved, but whose ticket is not known; the newest first. */
export async function listUnknownScans(
  db: Db,
  { since, limit }: { since: number; limit: number },
): Promise<UnknownScan[]> {
  return provedScans(db)
    .where('admissions.received_at', '>=', since)
    .whereNull('admissions.ticket_id')
    .whereNotNull('places.lost_revisions')
    .orderBy('admissions.received_at', 'desc')
    .limit(limit);
}

export async function findProvedScan(db: Db, id: string): Promise<UnknownScan | undefined> {
  return provedScans(db).where('admissions.id', id).first();
}

/** Gives the tickets of an order the scans that were made before the tickets were known again. */
export async function giveScans(trx: Trx, order_id: string): Promise<void> {
  await selectRows(
    trx,
    `UPDATE admissions SET ticket_id = (SELECT t.id FROM tickets t WHERE t.order_id = ?
        AND t.event_id = admissions.event_id AND t.place = admissions.place AND t.revision = admissions.revision)
      WHERE ticket_id IS NULL AND EXISTS (SELECT 1 FROM tickets t WHERE t.order_id = ?
        AND t.event_id = admissions.event_id AND t.place = admissions.place AND t.revision = admissions.revision)
      RETURNING id`,
    [order_id, order_id],
  );
}
