/** A whole batch of scans in a few statements whose texts never change: what is known of it, what it touches, and the rows themselves. */
import { isPostgres, type Db, type Trx } from './dialect.ts';
import type { AdmissionRow, PlaceRow, TicketRow } from './rows.ts';
import { insertMany, selectRows } from './statements.ts';

/** `column` is one of a list that comes as one value, however long it is. */
function among(db: Db, column: string, type: 'text' | 'bigint'): string {
  return isPostgres(db)
    ? `${column} = ANY(?::${type}[])`
    : `${column} IN (SELECT value FROM json_each(?))`;
}

function listed(db: Db, values: readonly (string | number)[]): unknown {
  return isPostgres(db) ? values : JSON.stringify(values);
}

export type KnownScan = Pick<
  AdmissionRow,
  | 'id'
  | 'event_id'
  | 'place'
  | 'revision'
  | 'phone_id'
  | 'direction'
  | 'verdict'
  | 'counts'
  | 'scanned_at'
  | 'conflict_with'
  | 'annulled_by'
>;

export async function knownScans(db: Db, ids: readonly string[]): Promise<KnownScan[]> {
  if (ids.length === 0) return [];
  return selectRows(
    db,
    `SELECT id, event_id, place, revision, phone_id, direction, verdict, counts, scanned_at, conflict_with, annulled_by FROM admissions WHERE ${among(db, 'id', 'text')}`,
    [listed(db, ids)],
  );
}

/** Of a phone's own numbers, those that another scan of it has. */
export async function takenSeqs(
  db: Db,
  phone_id: string,
  seqs: readonly number[],
): Promise<Set<number>> {
  if (seqs.length === 0) return new Set();
  const rows = await selectRows<{ seq: number }>(
    db,
    `SELECT seq FROM admissions WHERE phone_id = ? AND ${among(db, 'seq', 'bigint')}`,
    [phone_id, listed(db, seqs)],
  );
  return new Set(rows.map(({ seq }) => seq));
}

/** A place of the event, and the tickets ever issued on it. */
export interface TicketedPlace {
  issued: number;
  /** Ids by revision. */ tickets: Map<number, string>;
}

export async function placesWithTickets(
  db: Db,
  event_id: string,
  places: readonly string[],
): Promise<Map<string, TicketedPlace>> {
  if (places.length === 0) return new Map();
  const rows = await selectRows<
    Pick<PlaceRow, 'place' | 'issued'> & { revision: number | null; id: TicketRow['id'] | null }
  >(
    db,
    `SELECT p.place, p.issued, t.revision, t.id FROM places p LEFT JOIN tickets t ON t.event_id = p.event_id AND t.place = p.place WHERE p.event_id = ? AND ${among(db, 'p.place', 'text')}`,
    [event_id, listed(db, places)],
  );
  const found = new Map<string, TicketedPlace>();
  for (const { place, issued, revision, id } of rows) {
    const known = found.get(place) ?? { issued, tickets: new Map<number, string>() };
    found.set(place, known);
    if (revision !== null) known.tickets.set(revision, id!);
  }
  return found;
}

export type PassingScan = Pick<
  AdmissionRow,
  'id' | 'place' | 'revision' | 'direction' | 'corrected_at' | 'conflict_with' | 'annulled_by'
>;

/** All scans of these places that let somebody in or out, every revision. */
export async function countedOn(
  db: Db,
  event_id: string,
  places: readonly string[],
): Promise<PassingScan[]> {
  return selectRows(
    db,
    `SELECT id, place, revision, direction, corrected_at, conflict_with, annulled_by FROM admissions WHERE event_id = ? AND ${among(db, 'place', 'text')} AND counts = 1`,
    [event_id, listed(db, places)],
  );
}

type Annulment = Pick<AdmissionRow, 'id' | 'event_id' | 'place' | 'revision'> & {
  annuls: string;
};

/** Scans that take one of these back. */
export async function annulmentsOf(db: Db, ids: readonly string[]): Promise<Annulment[]> {
  if (ids.length === 0) return [];
  return selectRows(
    db,
    `SELECT id, event_id, place, revision, annuls FROM admissions WHERE ${among(db, 'annuls', 'text')} ORDER BY received_at, id`,
    [listed(db, ids)],
  );
}

export async function insertScans(trx: Trx, rows: readonly AdmissionRow[]): Promise<void> {
  await insertMany(trx, 'admissions', rows);
}

/** What has changed about a stored scan: the door hears of it by the number. */
export async function markScan(
  trx: Trx,
  { id, ...changes }: Pick<AdmissionRow, 'id' | 'conflict_with' | 'annulled_by' | 'feed_seq'>,
): Promise<void> {
  await trx<AdmissionRow>('admissions').where({ id }).update(changes);
}
