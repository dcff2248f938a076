/** Scans in doubt, each with what it would take back. */
import type { Doubt } from '#server/domain/doubt.ts';
import type { Db, Trx } from './dialect.ts';
import { placesOf, seatColumns } from './joins.ts';
import type { AdmissionRow, PlaceRow } from './rows.ts';

export interface DoubtRow
  extends
    Pick<
      AdmissionRow,
      | 'id'
      | 'event_id'
      | 'ticket_id'
      | 'verdict'
      | 'direction'
      | 'corrected_at'
      | 'received_at'
      | 'gate'
      | 'note'
      | 'annuls'
      | 'settled_at'
      | 'settled_by'
      | 'settled_note'
    >,
    Pick<PlaceRow, 'place' | 'kind' | 'category' | 'section' | 'row' | 'seat'> {
  doubt: Doubt;
  event_title: string;
  type_label: string | null;
  phone_name: string | null;
  user_name: string | null;
  taken_at: number | null;
  taken_phone_name: string | null;
  taken_user_name: string | null;
}

/** The newest first; those of a rehearsal only where it is asked for. */
export async function listDoubts(
  db: Db,
  filter: { event_id?: string | undefined; open: boolean; limit: number },
): Promise<DoubtRow[]> {
  const query = db('admissions as a')
    .join('events', 'events.id', 'a.event_id')
    .join('places', placesOf('a'))
    .leftJoin('tickets', 'tickets.id', 'a.ticket_id')
    .leftJoin('phones as ap', 'ap.id', 'a.phone_id')
    .leftJoin('users as au', 'au.id', 'a.user_id')
    .leftJoin('admissions as t', 't.id', 'a.annuls')
    .leftJoin('phones as tp', 'tp.id', 't.phone_id')
    .leftJoin('users as tu', 'tu.id', 't.user_id')
    .whereNotNull('a.doubt')
    .orderBy([{ column: 'a.received_at', order: 'desc' }, { column: 'a.id' }])
    .limit(filter.limit)
    .select(
      'a.id',
      'a.event_id',
      'a.ticket_id',
      'a.place',
      'a.doubt',
      'a.verdict',
      'a.direction',
      'a.corrected_at',
      'a.received_at',
      'a.gate',
      'a.note',
      'a.annuls',
      'a.settled_at',
      'a.settled_by',
      'a.settled_note',
      'events.title as event_title',
      'tickets.type_label',
      'places.category',
      ...seatColumns,
      'ap.name as phone_name',
      'au.name as user_name',
      't.corrected_at as taken_at',
      'tp.name as taken_phone_name',
      'tu.name as taken_user_name',
    );
  if (filter.event_id === undefined) query.where('events.rehearsal', 0);
  else query.where('a.event_id', filter.event_id);
  if (filter.open) query.whereNull('a.settled_at');
  return query;
}

/** False: it is not in doubt any more. */
export async function settleDoubtful(
  trx: Trx,
  id: string,
  changes: Partial<AdmissionRow>,
): Promise<boolean> {
  const changed = await trx<AdmissionRow>('admissions')
    .where({ id })
    .whereNotNull('doubt')
    .update(changes);
  return changed === 1;
}
