/** A whole batch of scans in a few statements whose texts never change: what is known of it, what it touches, and the rows themselves. */
import { isPostgres, type Db, type Trx } from './dialect.ts';
import type { AdmissionRow, PlaceRow, TicketRow } from './rows.ts';
import { change, rowsOf } from './spelled.ts';
import { runTextEach } from './sqlite.ts';

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
  return rowsOf(db, {
    sql: `SELECT id, event_id, place, revision, phone_id, direction, verdict, counts, scanned_at, conflict_with, annulled_by FROM admissions WHERE ${among(db, 'id', 'text')}`,
    bindings: [listed(db, ids)],
  });
}

/** Of a phone's own numbers, those that another scan of it has. */
export async function takenSeqs(
  db: Db,
  phone_id: string,
  seqs: readonly number[],
): Promise<Set<number>> {
  const rows = await rowsOf<{ seq: number }>(db, {
    sql: `SELECT seq FROM admissions WHERE phone_id = ? AND ${among(db, 'seq', 'bigint')}`,
    bindings: [phone_id, listed(db, seqs)],
  });
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
  const rows = await rowsOf<
    Pick<PlaceRow, 'place' | 'issued'> & { revision: number | null; id: TicketRow['id'] | null }
  >(db, {
    sql: `SELECT p.place, p.issued, t.revision, t.id FROM places p LEFT JOIN tickets t ON t.event_id = p.event_id AND t.place = p.place WHERE p.event_id = ? AND ${among(db, 'p.place', 'text')}`,
    bindings: [event_id, listed(db, places)],
  });
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
  return rowsOf(db, {
    sql: `SELECT id, place, revision, direction, corrected_at, conflict_with, annulled_by FROM admissions WHERE event_id = ? AND ${among(db, 'place', 'text')} AND counts = 1`,
    bindings: [event_id, listed(db, places)],
  });
}

export type Annulment = Pick<AdmissionRow, 'id' | 'event_id' | 'place' | 'revision'> & {
  annuls: string;
};

/** Scans that take one of these back. */
export async function annulmentsOf(db: Db, ids: readonly string[]): Promise<Annulment[]> {
  return rowsOf(db, {
    sql: `SELECT id, event_id, place, revision, annuls FROM admissions WHERE ${among(db, 'annuls', 'text')} ORDER BY received_at, id`,
    bindings: [listed(db, ids)],
  });
}

const columns = Object.keys({
  id: 1,
  event_id: 1,
  place: 1,
  revision: 1,
  ticket_id: 1,
  phone_id: 1,
  user_id: 1,
  seq: 1,
  direction: 1,
  verdict: 1,
  counts: 1,
  override: 1,
  read: 1,
  gate: 1,
  offline: 1,
  scanned_at: 1,
  corrected_at: 1,
  received_at: 1,
  conflict_with: 1,
  feed_seq: 1,
  means: 1,
  note: 1,
  annuls: 1,
  annulled_by: 1,
  settled_at: 1,
  settled_by: 1,
  settled_as: 1,
  settled_note: 1,
} satisfies Record<keyof AdmissionRow, 1>) as (keyof AdmissionRow)[];
const named = columns.map((column) => `"${column}"`).join(', ');
const oneRow = `INSERT INTO admissions (${named}) VALUES (${columns.map(() => '?').join(', ')})`;

/** PostgreSQL takes all rows as one value; to SQLite, which has no way to go, each is a statement that is prepared already. */
export async function insertScans(trx: Trx, rows: readonly AdmissionRow[]): Promise<void> {
  if (rows.length === 0) return;
  if (isPostgres(trx))
    await change(trx, {
      sql: `INSERT INTO admissions (${named}) SELECT ${named} FROM json_populate_recordset(NULL::admissions, ?::json)`,
      bindings: [JSON.stringify(rows)],
    });
  else
    runTextEach(
      trx,
      oneRow,
      rows.map((row) => columns.map((column) => row[column])),
    );
}

/** What has changed about a stored scan: the door hears of it by the number. */
export async function markScan(
  trx: Trx,
  {
    id,
    conflict_with,
    annulled_by,
    feed_seq,
  }: Pick<AdmissionRow, 'id' | 'conflict_with' | 'annulled_by' | 'feed_seq'>,
): Promise<void> {
  await change(trx, {
    sql: 'UPDATE admissions SET conflict_with = ?, annulled_by = ?, feed_seq = ? WHERE id = ?',
    bindings: [conflict_with, annulled_by, feed_seq, id],
  });
}
