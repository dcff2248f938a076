/**
 * Scans on which the office decides: a second admission (conflict) beside the first, a scan in
 * doubt beside the scan that it would take back, and an entry against the book.
 */
import type { Db } from '#db/engine/dialect.ts';
import { withoutRehearsals } from '#db/event/events.ts';
import { samePlaceAs, seatColumns } from '#db/joins.ts';
import { newestFirst, type Page } from '#db/engine/page.ts';
import type { AdmissionRow, PlaceRow } from '#db/rows.ts';
import { countRows } from '#db/engine/statements.ts';

/** The column that is set while a scan is undecided. */
export type Unsettled = 'conflict_with' | 'doubt' | 'against';
const otherColumn = {
  conflict_with: 'conflict_with',
  doubt: 'annuls',
  against: 'conflict_with',
} as const;

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

interface Maker {
  phone_name: string | null;
  user_name: string | null;
}
export type ScanSide = Pick<AdmissionRow, (typeof sideColumns)[number]> & Maker;

export interface UnsettledRow
  extends AdmissionRow, Maker, Pick<PlaceRow, 'kind' | 'category' | 'section' | 'row' | 'seat'> {
  place: string;
  event_title: string;
  event_starts_at: number;
  type_label: string | null;
  /** The other scan; null if there is none, or if it has not arrived. */
  other: ScanSide | null;
}

interface UnsettledFilter {
  event_id?: string;
  event_ids?: readonly string[];
  id?: string;
  open: boolean;
}

/** Lists the newest first; those of a rehearsal only if its event is named. */
export async function listUnsettled(
  db: Db,
  about: Unsettled,
  { event_id, event_ids, id, open }: UnsettledFilter,
  page: Page,
): Promise<UnsettledRow[]> {
  const query = db('admissions as a')
    .join('events', 'events.id', 'a.event_id')
    .join('places', samePlaceAs('a'))
    .leftJoin('tickets', 'tickets.id', 'a.ticket_id')
    .leftJoin('phones as ap', 'ap.id', 'a.phone_id')
    .leftJoin('users as au', 'au.id', 'a.user_id')
    .leftJoin('admissions as o', 'o.id', `a.${otherColumn[about]}`)
    .leftJoin('phones as op', 'op.id', 'o.phone_id')
    .leftJoin('users as ou', 'ou.id', 'o.user_id')
    .whereNotNull(`a.${about}`)
    .select(
      'a.*',
      'events.title as event_title',
      'events.starts_at as event_starts_at',
      'tickets.type_label',
      'places.category',
      ...seatColumns,
      'ap.name as phone_name',
      'au.name as user_name',
      'op.name as other_phone_name',
      'ou.name as other_user_name',
      ...sideColumns.map((field) => `o.${field} as other_${field}`),
    );
  newestFirst(query, { table: 'a', time: 'received_at' }, page);
  if (event_id !== undefined) query.where('a.event_id', event_id);
  if (event_ids !== undefined) query.whereIn('a.event_id', event_ids as string[]);
  if (id !== undefined) query.where('a.id', id);
  if (event_id === undefined && id === undefined) query.where('events.rehearsal', 0);
  if (open) query.whereNull('a.settled_at');
  // A conflict is shown only beside its first scan.
  if (about === 'conflict_with') query.whereNotNull('o.id');
  query.whereRaw(onlyOf(about, 'a'));
  const rows: UnsettledRow[] = await query;
  return rows.map((row) => ({ ...row, other: otherOf(row) }));
}

/**
 * An entry against the book that is also a second way in is told once, as the former; one that was
 * taken back needs no person any more.
 */
function onlyOf(about: Unsettled, scans: string): string {
  // The card of an entry against the book names the order whose guest stands against it.
  if (about === 'conflict_with')
    return `${scans}.against IS NULL AND NOT EXISTS (SELECT 1 FROM admissions f JOIN tickets s ON s.id = ${scans}.ticket_id
      WHERE f.id = ${scans}.conflict_with AND f.against IS NOT NULL AND f.annulled_by IS NULL AND f.against_order_id = s.order_id)`;
  if (about === 'doubt') return '1 = 1';
  return `(${scans}.annulled_by IS NULL OR ${scans}.settled_at IS NOT NULL)`;
}

function otherOf(row: object): ScanSide | null {
  const names = [...sideColumns, 'phone_name', 'user_name'];
  const other: object = Object.fromEntries(
    names.map((name) => [name, Reflect.get(row, `other_${name}`)]),
  );
  return Reflect.get(other, 'id') === null ? null : (other as ScanSide);
}

/** Counts undecided scans of one event, or of all events except rehearsals. */
export async function countUnsettled(
  db: Db,
  about: Unsettled,
  event_id: string | undefined,
): Promise<number> {
  const query = db('admissions')
    .whereNotNull(about)
    .whereNull('settled_at')
    .whereRaw(onlyOf(about, 'admissions'));
  if (event_id === undefined) withoutRehearsals(db, query, 'admissions.event_id');
  else query.where({ event_id });
  return countRows(query);
}

/** Returns false if the scan is none of these, or not any more. */
export async function settleScan(
  db: Db,
  about: Unsettled,
  id: string,
  changes: Partial<AdmissionRow>,
): Promise<boolean> {
  const changed = await db<AdmissionRow>('admissions')
    .where({ id })
    .whereNotNull(about)
    .whereRaw(onlyOf(about, 'admissions'))
    .update(changes);
  return changed === 1;
}
