/**
 * The door's list, read in short slices, so that other work can run while fifty phones download a
 * large hall.
 */
import type { Db, Trx } from '#db/engine/dialect.ts';
import { isGiven, ofConvention } from '#db/joins.ts';
import type { NamedAdmission } from './admissions.ts';
import type { EventRow, OrderRow, PhoneRow, PlaceRow, TicketRow } from '#db/rows.ts';
import { among, listed, selectRows } from '#db/engine/statements.ts';

/** A place with its newest ticket; the buyer is included only where phones may know the buyer. */
export interface DoorPlaceRow extends Pick<
  PlaceRow,
  | 'place'
  | 'kind'
  | 'category'
  | 'category_key'
  | 'section'
  | 'row'
  | 'seat'
  | 'entrance'
  | 'restricted_view'
  | 'accessible'
  | 'companion'
  | 'issued'
  | 'earlier_codes'
  | 'skipped_to'
  | 'lost_revisions'
  | 'feed_seq'
> {
  ticket_id: string | null;
  revision: number | null;
  state: TicketRow['state'] | null;
  type_label: string | null;
  order_id: string | null;
  holder: string | null;
  test_money: 0 | 1 | null;
  let_go_minutes: number | null;
  let_go_at: number | null;
  /** True if the place was let go and another order has it now. */
  given: 0 | 1;
  reentry: 0 | 1 | null;
  door_note: string | null;
  buyer_name?: OrderRow['buyer_name'];
  order_number?: string | null;
}

/**
 * The reasons of lines that an agreement made cheaper, by ticket: these, or all of the event. A
 * house without agreements reads no lines.
 */
export async function conventionLines(
  db: Db,
  event_id: string,
  ticket_ids?: readonly string[],
): Promise<Map<string, string>> {
  if (ticket_ids?.length === 0) return new Map();
  const rows = await selectRows<{ id: string; price_reasons: string }>(
    db,
    `SELECT t.id, l.price_reasons FROM tickets t JOIN order_lines l ON l.order_id = t.order_id AND l.place = t.place
      WHERE ${ticket_ids ? among(db, 't.id', 'text') : 't.event_id = ?'} AND l.price_reasons ${ofConvention}
      AND EXISTS (SELECT 1 FROM price_rules WHERE content ${ofConvention})`,
    [ticket_ids ? listed(db, ticket_ids) : event_id],
  );
  return new Map(rows.map(({ id, price_reasons }) => [id, price_reasons]));
}

function placesFrom(names: boolean): string {
  return `SELECT p.place, p.kind, p.category, p.category_key, p.section, p."row", p.seat, p.entrance, p.restricted_view, p.accessible, p.companion, p.issued, p.earlier_codes, p.skipped_to, p.lost_revisions, p.feed_seq, t.id AS ticket_id, t.revision, t.state, t.type_label, t.order_id, t.holder, t.test_money, t.let_go_minutes, t.let_go_at, CASE WHEN ${isGiven} THEN 1 ELSE 0 END AS given, t.reentry, t.door_note${names ? ', o.buyer_name, o.number AS order_number' : ''}
    FROM places p LEFT JOIN tickets t ON t.event_id = p.event_id AND t.place = p.place AND t.revision = p.issued${names ? ' LEFT JOIN orders o ON o.id = t.order_id' : ''}`;
}

/** Rows that are read together; one slice takes some milliseconds. */
const sliceRows = 500;

/** All places ordered by name: neighbours with similar names compress well. */
export async function* placesByName(
  db: Db,
  event_id: string,
  names: boolean,
): AsyncGenerator<DoorPlaceRow[]> {
  const sql = `${placesFrom(names)} WHERE p.event_id = ? AND p.place > ? ORDER BY p.place LIMIT ?`;
  for (let beyond = ''; ;) {
    const slice = await selectRows<DoorPlaceRow>(db, sql, [event_id, beyond, sliceRows]);
    yield slice;
    const last = slice.at(-1);
    if (last === undefined || slice.length < sliceRows) return;
    beyond = last.place;
  }
}

/** The numbers of the door's sequence after `after`, up to and including the last. */
interface Range {
  after: number;
  to: number;
}

/** Places in the order of the door's sequence. */
export async function* placesBySeq(
  db: Db,
  event_id: string,
  { names, after, to }: Range & { names: boolean },
): AsyncGenerator<DoorPlaceRow[]> {
  const sql = `${placesFrom(names)} WHERE p.event_id = ? AND (p.feed_seq, p.place) > (?, ?) AND p.feed_seq <= ? ORDER BY p.feed_seq, p.place LIMIT ?`;
  for (let beyond = { feed_seq: after + 1, place: '' }; ;) {
    const bindings = [event_id, beyond.feed_seq, beyond.place, to, sliceRows];
    const slice = await selectRows<DoorPlaceRow>(db, sql, bindings);
    yield slice;
    const last = slice.at(-1);
    if (last === undefined || slice.length < sliceRows) return;
    beyond = last;
  }
}

/** Scans that let a guest in or out, in the order of the door's sequence. */
export async function* passagesBySeq(
  db: Db,
  event_id: string,
  { after, to }: Range,
): AsyncGenerator<NamedAdmission[]> {
  const sql = `SELECT a.id, a.place, a.revision, a.ticket_id, a.direction, a.corrected_at, a.gate, a.phone_id, a.conflict_with, a.annulled_by, a.feed_seq, p.name AS phone_name, u.name AS user_name
      FROM admissions a LEFT JOIN phones p ON p.id = a.phone_id LEFT JOIN users u ON u.id = a.user_id
      WHERE a.event_id = ? AND (a.feed_seq, a.id) > (?, ?) AND a.feed_seq <= ? AND a.counts = 1 AND a.place IS NOT NULL ORDER BY a.feed_seq, a.id LIMIT ?`;
  for (let beyond = { feed_seq: after + 1, id: '' }; ;) {
    const bindings = [event_id, beyond.feed_seq, beyond.id, to, sliceRows];
    const slice = await selectRows<NamedAdmission>(db, sql, bindings);
    yield slice;
    const last = slice.at(-1);
    if (!last?.feed_seq || slice.length < sliceRows) return;
    beyond = { feed_seq: last.feed_seq, id: last.id };
  }
}

/** An event without its texts: the columns that the door reads at every call. */
export type DoorEventRow = Pick<
  EventRow,
  | 'id'
  | 'title'
  | 'starts_at'
  | 'admits_from'
  | 'admits_until'
  | 'status'
  | 'cancelled_at'
  | 'code_tag'
  | 'code_salt'
  | 'verify_policy'
  | 'moved_policy'
  | 'reentry'
  | 'rehearsal'
  | 'nominative'
  | 'buyer_search'
  | 'licensed'
  | 'feed_seq'
  | 'feed_epoch'
>;

export async function doorEventRows(db: Db, ids: readonly string[]): Promise<DoorEventRow[]> {
  return selectRows(
    db,
    `SELECT id, title, starts_at, admits_from, admits_until, status, cancelled_at, code_tag, code_salt, verify_policy, moved_policy, reentry, rehearsal, nominative, buyer_search, licensed, feed_seq, feed_epoch FROM events WHERE id IN (${ids.map(() => '?').join(', ')})`,
    [...ids],
  );
}

export type OtherEventRow = Pick<EventRow, 'id' | 'code_tag' | 'title' | 'starts_at'>;

/** Events for which a ticket was ever issued, the latest first. */
export async function ticketedEvents(db: Db, limit: number): Promise<OtherEventRow[]> {
  return selectRows(
    db,
    "SELECT id, code_tag, title, starts_at FROM events WHERE status <> 'draft' OR rehearsal = 1 ORDER BY starts_at DESC, id LIMIT ?",
    [limit],
  );
}

/**
 * The phones with these token hashes, each with its events. `ever` adds events that a phone had
 * before; `ended` marks a handset that another one has replaced.
 */
export async function phonesOfTokens(
  db: Db,
  hashes: readonly string[],
): Promise<
  { hash: string; phone: PhoneRow; events: Set<string>; ever: Set<string>; ended: boolean }[]
> {
  const marks = hashes.map(() => '?').join(', ');
  const phones = await selectRows<PhoneRow>(
    db,
    `SELECT * FROM phones WHERE token_hash IN (${marks}) UNION SELECT * FROM phones WHERE ended_token_hash IN (${marks})`,
    [...hashes, ...hashes],
  );
  if (phones.length === 0) return [];
  const rows = await selectRows<{ phone_id: string; event_id: string; ended_at: number | null }>(
    db,
    `SELECT phone_id, event_id, ended_at FROM phone_events WHERE phone_id IN (${phones.map(() => '?').join(', ')})`,
    phones.map(({ id }) => id),
  );
  const all = Map.groupBy(rows, ({ phone_id }) => phone_id);
  const asked = new Set(hashes);
  return phones.flatMap((phone) => {
    const own = all.get(phone.id) ?? [];
    const links = {
      phone,
      events: new Set(
        own.filter(({ ended_at }) => ended_at === null).map(({ event_id }) => event_id),
      ),
      ever: new Set(own.map(({ event_id }) => event_id)),
    };
    return [
      { hash: phone.token_hash, ended: false },
      { hash: phone.ended_token_hash, ended: true },
    ].flatMap(({ hash, ended }) =>
      hash !== null && asked.has(hash) ? [{ ...links, hash, ended }] : [],
    );
  });
}

/**
 * Stores when each phone was last in contact, always in one order, so that two processes do not
 * wait for each other.
 */
export async function writeContacts(
  trx: Trx,
  contacts: ReadonlyMap<string, number>,
): Promise<void> {
  for (const [id, at] of [...contacts].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    await trx<PhoneRow>('phones')
      .where({ id })
      .where((b) => b.whereNull('last_seen_at').orWhere('last_seen_at', '<', at))
      .update({ last_seen_at: at });
  }
}
