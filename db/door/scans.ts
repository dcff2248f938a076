/** SQL for a whole batch of scans, with few statements whose texts never change. */
import { requireValue } from '#server/domain/require-value.ts';
import type { Db, Trx } from '#db/engine/dialect.ts';
import type {
  AdmissionRow,
  EventRow,
  MovedTicketRow,
  PhoneRow,
  PlaceRow,
  TicketRow,
} from '#db/rows.ts';
import type { Deed, Doubt } from '#server/domain/door/doubt.ts';
import { isLost, readLost } from '#server/domain/door/lost-revisions.ts';
import type { Hop, PlaceCode } from '#server/domain/door/moved-code.ts';
import { among, insertMany, listed, selectRows } from '#db/engine/statements.ts';

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
  | 'against'
>;

export async function knownScans(db: Db, ids: readonly string[]): Promise<KnownScan[]> {
  if (ids.length === 0) return [];
  return selectRows(
    db,
    `SELECT id, event_id, place, revision, phone_id, direction, verdict, counts, scanned_at, conflict_with, annulled_by, against FROM admissions WHERE ${among(db, 'id', 'text')}`,
    [listed(db, ids)],
  );
}

/** The scan numbers among these that stored scans of the phone already have. */
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

type IssuedTicket = Pick<TicketRow, 'id' | 'order_id' | 'issued_at' | 'state'>;

type CodeColumn = 'issued' | 'earlier_codes' | 'lost_codes' | 'skipped_to' | 'lost_revisions';

/** A place of the event, and the tickets ever issued on it. */
export interface TicketedPlace extends Pick<PlaceRow, CodeColumn> {
  /** By revision; a ticket that has another place or a newer code since is void here. */
  tickets: Map<number, IssuedTicket>;
}

/**
 * The ticket that a revision belonged to: a ticket that was issued anew has only its newest
 * revision in the books. A lost revision had a ticket that is not known (RULES B3).
 */
export function ticketOfRevision(
  { tickets, lost_revisions }: TicketedPlace,
  revision: number,
): IssuedTicket | undefined {
  if (isLost(readLost(lost_revisions), revision)) return undefined;
  const later = [...tickets.keys()].filter((one) => one >= revision);
  return later.length === 0 ? undefined : tickets.get(Math.min(...later));
}

export async function placesWithTickets(
  db: Db,
  event_id: string,
  places: readonly string[],
): Promise<Map<string, TicketedPlace>> {
  if (places.length === 0) return new Map();
  const rows = await selectRows<
    Pick<PlaceRow, 'place' | CodeColumn> &
      (({ revision: number } & IssuedTicket) | { revision: null })
  >(
    db,
    `SELECT p.place, p.issued, p.earlier_codes, p.lost_codes, p.skipped_to, p.lost_revisions, t.revision, t.id, t.order_id, t.issued_at, t.state FROM places p LEFT JOIN tickets t ON t.event_id = p.event_id AND t.place = p.place WHERE p.event_id = ? AND ${among(db, 'p.place', 'text')}
    UNION ALL SELECT p.place, p.issued, p.earlier_codes, p.lost_codes, p.skipped_to, p.lost_revisions, m.from_revision, t.id, t.order_id, t.issued_at, 'void' FROM moved_tickets m JOIN places p ON p.event_id = m.event_id AND p.place = m.from_place JOIN tickets t ON t.id = m.ticket_id
      WHERE m.event_id = ? AND m.to_place IS NOT NULL AND ${among(db, 'm.from_place', 'text')}
    UNION ALL SELECT p.place, p.issued, p.earlier_codes, p.lost_codes, p.skipped_to, p.lost_revisions, c.revision, t.id, t.order_id, t.issued_at, 'void' FROM ended_codes c JOIN places p ON p.event_id = c.event_id AND p.place = c.place JOIN tickets t ON t.id = c.ticket_id AND (t.place <> c.place OR t.revision <> c.revision)
      WHERE c.event_id = ? AND ${among(db, 'c.place', 'text')}`,
    [event_id, listed(db, places), event_id, listed(db, places), event_id, listed(db, places)],
  );
  const found = new Map<string, TicketedPlace>();
  for (const {
    place,
    issued,
    earlier_codes,
    lost_codes,
    skipped_to,
    lost_revisions,
    ...row
  } of rows) {
    const known = found.get(place) ?? {
      issued,
      earlier_codes,
      lost_codes,
      skipped_to,
      lost_revisions,
      tickets: new Map<number, IssuedTicket>(),
    };
    found.set(place, known);
    if (row.revision !== null) {
      const { revision, ...ticket } = row;
      known.tickets.set(revision, ticket);
    }
  }
  return found;
}

export type DoorDayRow = Pick<
  EventRow,
  | 'starts_at'
  | 'doors_at'
  | 'ends_at'
  | 'admits_from'
  | 'admits_until'
  | 'rehearsal'
  | 'code_tag'
  | 'code_secret'
  | 'earlier_secret'
> & {
  /** When the phone lost the event; null if it has the event or never had it. */
  event_ended_at: number | null;
};

/** An event's hours and secrets, and whether this phone still has it. */
export async function doorDayOf(db: Db, event_id: string, phone_id: string): Promise<DoorDayRow> {
  const [row] = await selectRows<DoorDayRow>(
    db,
    'SELECT e.starts_at, e.doors_at, e.ends_at, e.admits_from, e.admits_until, e.rehearsal, e.code_tag, e.code_secret, e.earlier_secret, l.ended_at AS event_ended_at FROM events e LEFT JOIN phone_events l ON l.event_id = e.id AND l.phone_id = ? WHERE e.id = ?',
    [phone_id, event_id],
  );
  return requireValue(row, 'event of this id');
}

/**
 * When one phone let guests in or out without a proof or took a scan back, sorted; `after` is
 * exclusive, `until` inclusive.
 */
export async function paceOf(
  db: Db,
  phone_id: string,
  { after, until }: { after: number; until: number },
): Promise<Deed[]> {
  return selectRows(
    db,
    "SELECT DISTINCT a.corrected_at, COALESCE(t.order_id, a.id) AS deed_of FROM admissions a LEFT JOIN tickets t ON t.id = a.ticket_id WHERE a.phone_id = ? AND a.corrected_at > ? AND a.corrected_at <= ? AND (a.counts = 1 OR (a.annuls IS NOT NULL AND a.doubt IS NULL)) AND (a.code_check IS NULL OR a.code_check <> 'proved') ORDER BY a.corrected_at",
    [phone_id, after, until],
  );
}

/** Those of these scans that had arrived by that time. */
export async function arrivedBy(db: Db, at: number, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await selectRows<{ id: string }>(
    db,
    `SELECT id FROM admissions WHERE received_at <= ? AND ${among(db, 'id', 'text')}`,
    [at, listed(db, ids)],
  );
  return new Set(rows.map(({ id }) => id));
}

export type PassingScan = Pick<
  AdmissionRow,
  | 'id'
  | 'event_id'
  | 'ticket_id'
  | 'place'
  | 'revision'
  | 'phone_id'
  | 'direction'
  | 'corrected_at'
  | 'conflict_with'
  | 'annulled_by'
  | 'note'
>;

/** All scans of these places that let a guest in or out, of every revision. */
export async function countedOn(
  db: Db,
  event_id: string,
  places: readonly string[],
): Promise<PassingScan[]> {
  return selectRows(
    db,
    `SELECT id, event_id, ticket_id, place, revision, phone_id, direction, corrected_at, conflict_with, annulled_by, note FROM admissions WHERE event_id = ? AND ${among(db, 'place', 'text')} AND counts = 1`,
    [event_id, listed(db, places)],
  );
}

/** The moves of an event's tickets that are done, by ticket; of all tickets, or only of these. */
export async function hopsOf(
  db: Db,
  event_id: string,
  ticket_ids?: readonly string[],
): Promise<Map<string, Hop[]>> {
  if (ticket_ids?.length === 0) return new Map();
  type Row = Pick<MovedTicketRow, 'ticket_id' | 'from_place' | 'from_revision'> & {
    to_place: string;
    to_revision: number;
  };
  const rows = await selectRows<Row>(
    db,
    `SELECT ticket_id, from_place, from_revision, to_place, to_revision FROM moved_tickets WHERE ${ticket_ids ? among(db, 'ticket_id', 'text') : 'event_id = ?'} AND to_place IS NOT NULL ORDER BY from_place, from_revision`,
    [ticket_ids ? listed(db, ticket_ids) : event_id],
  );
  const hops = new Map<string, Hop[]>();
  for (const { ticket_id, from_place, from_revision, to_place, to_revision } of rows) {
    const from = { place: from_place, revision: from_revision };
    const known = hops.get(ticket_id) ?? [];
    known.push({ from, to: { place: to_place, revision: to_revision } });
    hops.set(ticket_id, known);
  }
  return hops;
}

/** The codes that these tickets have had, by ticket; only of those that moved or got a new code. */
export async function codesOfTickets(
  db: Db,
  ticket_ids: readonly string[],
): Promise<Map<string, PlaceCode[]>> {
  if (ticket_ids.length === 0) return new Map();
  const these = among(db, 'ticket_id', 'text');
  const rows = await selectRows<PlaceCode & { ticket_id: string }>(
    db,
    `SELECT ticket_id, place, revision FROM ended_codes WHERE ${these}
    UNION SELECT ticket_id, from_place, from_revision FROM moved_tickets WHERE ${these} AND to_place IS NOT NULL
    UNION SELECT ticket_id, to_place, to_revision FROM moved_tickets WHERE ${these} AND to_place IS NOT NULL`,
    [listed(db, ticket_ids), listed(db, ticket_ids), listed(db, ticket_ids)],
  );
  return Map.groupBy(rows, ({ ticket_id }) => ticket_id);
}

export type Annulment = Pick<
  AdmissionRow,
  'id' | 'event_id' | 'place' | 'revision' | 'phone_id' | 'corrected_at' | 'annuls'
> & {
  /** True if the office or a supervisor's phone sent the scan. */ by_supervisor: boolean;
};

/** Scans that take one of these back and are not in doubt. */
export async function annulmentsOf(db: Db, ids: readonly string[]): Promise<Annulment[]> {
  if (ids.length === 0) return [];
  const rows = await selectRows<
    Omit<Annulment, 'by_supervisor'> &
      Pick<AdmissionRow, 'approved_by' | 'from_file'> & { role: PhoneRow['role'] | null }
  >(
    db,
    `SELECT a.id, a.event_id, a.place, a.revision, a.phone_id, a.corrected_at, a.annuls, a.approved_by, a.from_file, p.role FROM admissions a LEFT JOIN phones p ON p.id = a.phone_id WHERE ${among(db, 'a.annuls', 'text')} AND a.doubt IS NULL ORDER BY a.received_at, a.id`,
    [listed(db, ids)],
  );
  return rows.map(({ role, approved_by, from_file, ...row }) => ({
    ...row,
    by_supervisor: approved_by !== null || (role !== 'steward' && from_file === 0),
  }));
}

/**
 * Puts an annulment in doubt that arrived before the scan that it takes back, and was not
 * allowed.
 */
export async function doubtAnnulment(trx: Trx, id: string, doubt: Doubt): Promise<void> {
  await trx<AdmissionRow>('admissions').where({ id }).update({ doubt });
}

export async function insertScans(trx: Trx, rows: readonly AdmissionRow[]): Promise<void> {
  await insertMany(trx, 'admissions', rows);
}

/** Stores the changes to a scan; its new number in the door's sequence tells the phones. */
export async function markScan(
  trx: Trx,
  {
    id,
    conflict_with,
    annulled_by,
    feed_seq,
  }: Pick<AdmissionRow, 'id' | 'conflict_with' | 'annulled_by' | 'feed_seq'>,
): Promise<void> {
  await trx<AdmissionRow>('admissions')
    .where({ id })
    .update({ conflict_with, annulled_by, feed_seq });
}
