/** Entries against the book in SQL, and the places that are kept for their guests (RULES A20). */
import type { Db, Trx } from '#db/engine/dialect.ts';
import { among, listed, marksFor, selectRows } from '#db/engine/statements.ts';
import { hasPlace } from '#db/joins.ts';
import type { AdmissionRow, OrderLineRow, OrderRow, TicketRow } from '#db/rows.ts';
import type { Against } from '#server/domain/door/against.ts';

/** A scan that let in or out with a ticket that has ended, was let go, or has left the place. */
export type BookedScan = Pick<
  AdmissionRow,
  'id' | 'direction' | 'corrected_at' | 'conflict_with' | 'against'
> &
  Pick<TicketRow, 'order_id' | 'state' | 'ended_at' | 'let_go_at'> & {
    place: string;
    ticket_id: string;
    ticket_place: string;
  };

/**
 * The ticket of a scan `a`: an earlier code of the same ticket has no row of its own, so the next
 * revision that the place had is meant.
 */
const ticketOfScan = `COALESCE(a.ticket_id, (SELECT had.id FROM (
    SELECT x.id, x.revision FROM tickets x WHERE x.event_id = a.event_id AND x.place = a.place
    UNION ALL SELECT m.ticket_id, m.from_revision FROM moved_tickets m WHERE m.event_id = a.event_id AND m.from_place = a.place AND m.to_place IS NOT NULL) AS had
  WHERE had.revision >= a.revision ORDER BY had.revision LIMIT 1))`;

/** Those on these places, without scans that were taken back. */
export async function scansAgainst(
  db: Db,
  event_id: string,
  places: readonly string[],
): Promise<BookedScan[]> {
  if (places.length === 0) return [];
  return selectRows(
    db,
    `SELECT a.id, a.place, a.direction, a.corrected_at, a.conflict_with, a.against, t.id AS ticket_id, t.order_id, t.state, t.ended_at, t.let_go_at, t.place AS ticket_place
      FROM admissions a JOIN tickets t ON t.id = ${ticketOfScan}
      WHERE a.event_id = ? AND ${among(db, 'a.place', 'text')} AND a.counts = 1 AND a.annulled_by IS NULL
      AND (t.state IN ('void', 'refunded') OR t.let_go_at IS NOT NULL OR t.place <> a.place)
      ORDER BY a.corrected_at, a.id`,
    [event_id, listed(db, places)],
  );
}

/** The other order that has a place now, or a part of its object sold whole. */
export async function holderOf(
  db: Db,
  { event_id, place, order_id }: Pick<OrderLineRow, 'event_id' | 'place' | 'order_id'>,
): Promise<string | null> {
  const [found] = await selectRows<Pick<OrderLineRow, 'order_id'>>(
    db,
    `SELECT l.order_id FROM places p JOIN order_lines l ON l.event_id = p.event_id AND (l.place = p.place OR (p.in_whole = 1 AND l.object_label = p.object_label))
      WHERE p.event_id = ? AND p.place = ? AND l.order_id <> ? AND ${hasPlace('l')} ORDER BY CASE WHEN l.place = p.place THEN 0 ELSE 1 END LIMIT 1`,
    [event_id, place, order_id],
  );
  return found?.order_id ?? null;
}

/** True until a person decides; an answer about a second way in does not count here. */
const undecided = {
  settled_at: null,
  settled_by: null,
  settled_as: null,
  settled_note: null,
} as const;

/** Says for the first time that an entry is against the book. */
export async function markAgainst(
  trx: Trx,
  id: string,
  marks: Pick<AdmissionRow, 'against_order_id'> & { against: Against },
): Promise<void> {
  await trx<AdmissionRow>('admissions')
    .where({ id })
    .update({ ...marks, ...undecided });
}

/** Another order has the place of an entry against the book now, or none any more. */
export async function noteMeeting(
  trx: Trx,
  id: string,
  against_order_id: string | null,
): Promise<void> {
  await trx<AdmissionRow>('admissions').where({ id }).update({ against_order_id });
}

/** True for an entry `a` against the book whose guest may still be inside. */
const isOpen = `(a.against IS NOT NULL AND a.counts = 1 AND a.annulled_by IS NULL AND (a.settled_at IS NULL OR a.settled_as = 'stays'))`;

/**
 * True for a line whose ticket has ended while its guest sits there: its place is not sold until a
 * person decides.
 */
export function keepsGuest(lines: string): string {
  return `EXISTS (SELECT 1 FROM admissions a WHERE a.event_id = ${lines}.event_id AND a.place = ${lines}.place AND ${isOpen} AND a.against_order_id IS NULL)`;
}

/** The tickets of these places are good again, so their guests are in the book. */
export async function clearAgainst(
  trx: Trx,
  event_id: string,
  places: readonly string[],
): Promise<void> {
  await trx<AdmissionRow>('admissions as a')
    .where({ event_id })
    .whereIn('place', places as string[])
    .whereNull('against_order_id')
    .whereRaw(isOpen)
    .update({ against: null, ...undecided });
}

/** Entries of ended tickets that met this order on their places. */
export async function entriesMeeting(
  trx: Trx,
  order_id: string,
): Promise<(Pick<AdmissionRow, 'id' | 'event_id'> & { place: string; order_id: string })[]> {
  return selectRows(
    trx,
    `SELECT a.id, a.event_id, a.place, t.order_id FROM admissions a JOIN tickets t ON t.id = ${ticketOfScan}
      WHERE ${isOpen} AND a.against_order_id = ? AND t.place = a.place AND t.state IN ('void', 'refunded') ORDER BY a.id`,
    [order_id],
  );
}

/**
 * Whether the hall still has the line's place, and the house does not keep it back; of a standing
 * area one place must be left.
 */
export async function hasRoomFor(
  db: Db,
  line: Pick<OrderLineRow, 'event_id' | 'place' | 'order_id'>,
): Promise<boolean> {
  const rows = await selectRows(
    db,
    `SELECT 1 FROM order_lines l JOIN places p ON p.event_id = l.event_id AND p.place = l.place
      WHERE l.event_id = ? AND l.place = ? AND l.order_id = ? AND l.left_hall = 0 AND p.in_hall = 1
      AND NOT EXISTS (SELECT 1 FROM blocked_places b WHERE b.event_id = l.event_id AND b.place = l.place AND b.state <> 'releasing')
      AND (p.kind <> 'area' OR p.in_whole = 1
        OR (SELECT COALESCE(sum(k.places), 0) FROM blocked_areas k WHERE k.event_id = l.event_id AND k.object = p.object_label AND k.state <> 'releasing')
          + (SELECT count(*) FROM order_lines m WHERE m.event_id = l.event_id AND m.object_label = p.object_label AND ${hasPlace('m')})
          < (SELECT count(*) FROM places q WHERE q.event_id = l.event_id AND q.object_label = p.object_label AND q.in_hall = 1))`,
    [line.event_id, line.place, line.order_id],
  );
  return rows.length > 0;
}

/** The refunds that free the places of these entries' tickets. */
export async function refundsThatFree(db: Db, scan_ids: readonly string[]): Promise<string[]> {
  if (scan_ids.length === 0) return [];
  const rows = await selectRows<{ id: string }>(
    db,
    `SELECT DISTINCT r.id FROM admissions a JOIN tickets t ON t.id = ${ticketOfScan}
      JOIN order_lines l ON l.order_id = t.order_id AND l.place = t.place AND l.released_at IS NULL
      JOIN refund_lines d ON d.order_id = l.order_id AND d.line_id = l.id AND d.live = 1
      JOIN refunds r ON r.id = d.refund_id AND r.frees_seats = 1
      WHERE a.id IN (${marksFor(scan_ids)}) AND a.against IS NOT NULL AND t.state <> 'valid' ORDER BY r.id`,
    [...scan_ids],
  );
  return rows.map(({ id }) => id);
}

/** What the office reads beside an entry against the book. */
export interface AgainstFacts {
  ticket_id: string;
  type_label: string;
  order_id: string;
  order_number: string;
  ended_at: number | null;
  /** When the guest went out since, by a scan. */
  out_at: number | null;
  /** The ended ticket's order still has the place, so it is not for sale. */
  kept: boolean;
  sold: { order_id: string; order_number: string; buyer_name: string | null } | null;
}

type FactsRow = Omit<AgainstFacts, 'kept' | 'sold'> & {
  id: string;
  kept: number;
  sold_id: string | null;
  sold_number: string | null;
  sold_name: string | null;
};

/** By the id of the scan. */
export async function factsAgainst(
  db: Db,
  scan_ids: readonly string[],
): Promise<Map<string, AgainstFacts>> {
  if (scan_ids.length === 0) return new Map();
  const rows = await selectRows<FactsRow>(
    db,
    `SELECT a.id, t.id AS ticket_id, t.type_label, t.order_id, o.number AS order_number, t.ended_at,
      (SELECT max(x.corrected_at) FROM admissions x WHERE x.event_id = a.event_id AND x.place = a.place AND x.revision <= t.revision
        AND x.direction = 'out' AND x.counts = 1 AND x.annulled_by IS NULL AND x.corrected_at >= a.corrected_at) AS out_at,
      CASE WHEN ${isOpen} AND t.state <> 'valid' AND EXISTS (SELECT 1 FROM order_lines l WHERE l.order_id = t.order_id AND l.place = a.place AND ${hasPlace('l')}) THEN 1 ELSE 0 END AS kept,
      s.id AS sold_id, s.number AS sold_number, s.buyer_name AS sold_name
      FROM admissions a JOIN tickets t ON t.id = ${ticketOfScan} JOIN orders o ON o.id = t.order_id
      LEFT JOIN orders s ON s.id = a.against_order_id
      WHERE a.id IN (${marksFor(scan_ids)})`,
    [...scan_ids],
  );
  return new Map(
    rows.map(({ id, kept, sold_id, sold_number, sold_name, ...facts }) => [
      id,
      {
        ...facts,
        kept: kept === 1,
        sold:
          sold_id === null
            ? null
            : { order_id: sold_id, order_number: sold_number ?? '', buyer_name: sold_name },
      },
    ]),
  );
}

/** The newest entry against the book of each place of an order, without those taken back. */
export async function entriesOfOrder(
  db: Db,
  { id, event_id }: Pick<OrderRow, 'id' | 'event_id'>,
): Promise<Map<string, Pick<AdmissionRow, 'id' | 'settled_as'>>> {
  const rows = await selectRows<Pick<AdmissionRow, 'id' | 'settled_as'> & { place: string }>(
    db,
    `SELECT a.id, a.place, a.settled_as FROM admissions a JOIN tickets t ON t.id = ${ticketOfScan}
      WHERE a.event_id = ? AND a.against IS NOT NULL AND a.annulled_by IS NULL AND t.order_id = ? ORDER BY a.corrected_at, a.id`,
    [event_id, id],
  );
  return new Map(rows.map(({ place, ...entry }) => [place, entry]));
}
