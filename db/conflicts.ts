/** Second ways in, each beside the first. */
import type { Db } from './dialect.ts';
import { rehearsalIds } from './events.ts';
import type { AdmissionRow, PlaceRow } from './rows.ts';

type Side = Pick<
  AdmissionRow,
  'corrected_at' | 'received_at' | 'gate' | 'phone_id' | 'offline' | 'means' | 'override'
>;
/** Fields of the first scan begin with `first_`. */
export interface ConflictRow
  extends
    Side,
    Pick<
      AdmissionRow,
      'id' | 'event_id' | 'ticket_id' | 'settled_at' | 'settled_by' | 'settled_as' | 'settled_note'
    >,
    Pick<PlaceRow, 'kind' | 'category' | 'section' | 'row' | 'seat'> {
  place: string;
  event_title: string;
  type_label: string | null;
  phone_name: string | null;
  user_name: string | null;
  first_id: string;
  first_corrected_at: number;
  first_received_at: number;
  first_gate: string | null;
  first_phone_id: string | null;
  first_offline: AdmissionRow['offline'];
  first_means: AdmissionRow['means'];
  first_override: string | null;
  first_phone_name: string | null;
  first_user_name: string | null;
}

const sides = [
  'corrected_at',
  'received_at',
  'gate',
  'phone_id',
  'offline',
  'means',
  'override',
] as const;

/** The newest first; those of a rehearsal only where it is asked for. */
export async function listConflicts(
  db: Db,
  filter: { event_id?: string; id?: string; open: boolean; limit: number },
): Promise<ConflictRow[]> {
  const query = db('admissions as a')
    .join('admissions as f', 'f.id', 'a.conflict_with')
    .join('events', 'events.id', 'a.event_id')
    .join('places', (on) => on.on('places.event_id', 'a.event_id').andOn('places.place', 'a.place'))
    .leftJoin('tickets', 'tickets.id', 'a.ticket_id')
    .leftJoin('phones as ap', 'ap.id', 'a.phone_id')
    .leftJoin('users as au', 'au.id', 'a.user_id')
    .leftJoin('phones as fp', 'fp.id', 'f.phone_id')
    .leftJoin('users as fu', 'fu.id', 'f.user_id')
    .whereNotNull('a.conflict_with')
    .orderBy([{ column: 'a.received_at', order: 'desc' }, { column: 'a.id' }])
    .limit(filter.limit)
    .select(
      'a.id',
      'a.event_id',
      'a.ticket_id',
      'a.place',
      'a.settled_at',
      'a.settled_by',
      'a.settled_as',
      'a.settled_note',
      'events.title as event_title',
      'tickets.type_label',
      'places.kind',
      'places.category',
      'places.section',
      'places.row',
      'places.seat',
      'ap.name as phone_name',
      'au.name as user_name',
      'f.id as first_id',
      'fp.name as first_phone_name',
      'fu.name as first_user_name',
      ...sides.map((field) => `a.${field}`),
      ...sides.map((field) => `f.${field} as first_${field}`),
    );
  if (filter.event_id !== undefined) query.where('a.event_id', filter.event_id);
  if (filter.id !== undefined) query.where('a.id', filter.id);
  if (filter.event_id === undefined && filter.id === undefined) query.where('events.rehearsal', 0);
  if (filter.open) query.whereNull('a.settled_at');
  return query;
}

export async function countOpenConflicts(db: Db, event_id: string | undefined): Promise<number> {
  const query = db<AdmissionRow>('admissions')
    .whereNotNull('conflict_with')
    .whereNull('settled_at')
    .count<{ n: number }[]>({ n: '*' })
    .first();
  if (event_id === undefined) query.whereNotIn('event_id', rehearsalIds(db));
  else query.where({ event_id });
  return Number((await query)?.n ?? 0);
}

/** False: it is no conflict any more. */
export async function settleScan(
  db: Db,
  id: string,
  settled: Pick<AdmissionRow, 'settled_at' | 'settled_by' | 'settled_as' | 'settled_note'>,
): Promise<boolean> {
  return (
    (await db<AdmissionRow>('admissions')
      .where({ id })
      .whereNotNull('conflict_with')
      .update(settled)) === 1
  );
}
