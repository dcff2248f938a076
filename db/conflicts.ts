/** Second ways in, each beside the first. */
import type { Db } from './dialect.ts';
import { placesOf, seatColumns } from './joins.ts';
import { rehearsalIds } from './events.ts';
import { newestFirst, type Page } from './page.ts';
import type { AdmissionRow, PlaceRow } from './rows.ts';
import { countRows } from './statements.ts';

const sideColumns = [
  'id',
  'corrected_at',
  'received_at',
  'gate',
  'phone_id',
  'offline',
  'means',
  'override',
] as const;

export interface ConflictSide extends Pick<AdmissionRow, (typeof sideColumns)[number]> {
  phone_name: string | null;
  user_name: string | null;
}
export interface ConflictRow
  extends
    ConflictSide,
    Pick<
      AdmissionRow,
      'event_id' | 'ticket_id' | 'settled_at' | 'settled_by' | 'settled_as' | 'settled_note'
    >,
    Pick<PlaceRow, 'kind' | 'category' | 'section' | 'row' | 'seat'> {
  place: string;
  event_title: string;
  type_label: string | null;
  first: ConflictSide;
}

/** The newest first; those of a rehearsal only where it is asked for. */
export async function listConflicts(
  db: Db,
  filter: { event_id?: string | undefined; id?: string; open: boolean },
  page: Page,
): Promise<ConflictRow[]> {
  const query = db('admissions as a')
    .join('admissions as f', 'f.id', 'a.conflict_with')
    .join('events', 'events.id', 'a.event_id')
    .join('places', placesOf('a'))
    .leftJoin('tickets', 'tickets.id', 'a.ticket_id')
    .leftJoin('phones as ap', 'ap.id', 'a.phone_id')
    .leftJoin('users as au', 'au.id', 'a.user_id')
    .leftJoin('phones as fp', 'fp.id', 'f.phone_id')
    .leftJoin('users as fu', 'fu.id', 'f.user_id')
    .whereNotNull('a.conflict_with')
    .select(
      'a.event_id',
      'a.ticket_id',
      'a.place',
      'a.settled_at',
      'a.settled_by',
      'a.settled_as',
      'a.settled_note',
      'events.title as event_title',
      'tickets.type_label',
      'places.category',
      ...seatColumns,
      'ap.name as phone_name',
      'au.name as user_name',
      'fp.name as first_phone_name',
      'fu.name as first_user_name',
      ...sideColumns.map((field) => `a.${field}`),
      ...sideColumns.map((field) => `f.${field} as first_${field}`),
    );
  newestFirst(query, { table: 'a', time: 'received_at' }, page);
  if (filter.event_id !== undefined) query.where('a.event_id', filter.event_id);
  if (filter.id !== undefined) query.where('a.id', filter.id);
  if (filter.event_id === undefined && filter.id === undefined) query.where('events.rehearsal', 0);
  if (filter.open) query.whereNull('a.settled_at');
  const rows: ConflictRow[] = await query;
  return rows.map((row) => ({ ...row, first: firstOf(row) }));
}

/** What was read of the first scan beside the second. */
function firstOf(row: object): ConflictSide {
  const names = [...sideColumns, 'phone_name', 'user_name'];
  return Object.fromEntries(
    names.map((name) => [name, Reflect.get(row, `first_${name}`)]),
  ) as unknown as ConflictSide;
}

/** Second ways in, or scans in doubt, of which nobody has said anything; of all events but rehearsals where none is named. */
export async function countUnsettled(
  db: Db,
  about: 'conflict_with' | 'doubt',
  event_id: string | undefined,
): Promise<number> {
  const query = db('admissions').whereNotNull(about).whereNull('settled_at');
  if (event_id === undefined) query.whereNotIn('event_id', rehearsalIds(db));
  else query.where({ event_id });
  return countRows(query);
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
