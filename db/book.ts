/** Books of events in SQL: rows that are only added, their sources, and the heads of the days. */
import { whereAbout } from './audit/audit-seals.ts';
import type { Db, Trx } from '#db/engine/dialect.ts';
import { insertMany, marksFor, readRows } from '#db/engine/statements.ts';
import { withoutRehearsals } from './event/events.ts';
import { linesOfRefunds, samePlaceAs, seatColumns } from './joins.ts';
import { refundsByPart } from './payment/refund-parts.ts';
import { newestFirst, type Page } from './engine/page.ts';
import type {
  AdmissionRow,
  AuditSealRow,
  BookDay,
  BookHead,
  BookLine,
  DisputeRow,
  EventRow,
  OrderLineRow,
  OrderRow,
  PaymentRow,
  PayoutLineRow,
  PlaceRow,
  RefundRow,
  SealedAuditRow,
  ShiftRow,
  TicketRow,
} from './rows.ts';

export async function findBook(db: Db, event_id: string): Promise<BookHead | undefined> {
  return db<BookHead>('books').where({ event_id }).first();
}

/** Locks the book: no other transaction writes into it until this one ends. */
export async function lockBook(trx: Trx, event_id: string): Promise<BookHead | undefined> {
  return trx<BookHead>('books').where({ event_id }).forUpdate().first();
}

/** Of two simultaneous transactions, the first one opens the book. */
export async function openBook(trx: Trx, book: BookHead): Promise<void> {
  await trx<BookHead>('books').insert(book).onConflict('event_id').ignore();
}

export async function changeBook(
  db: Db,
  event_id: string,
  changes: Partial<BookHead>,
): Promise<void> {
  await db<BookHead>('books').where({ event_id }).update(changes);
}

export async function addBookLines(trx: Trx, lines: readonly BookLine[]): Promise<void> {
  await insertMany(trx, 'book_rows', lines);
}

/** The book's lines about these subjects, in the book's order. */
export async function linesAbout(
  db: Db,
  event_id: string,
  subjects: readonly string[],
): Promise<BookLine[]> {
  return db<BookLine>('book_rows')
    .where({ event_id })
    .whereIn('subject', subjects as string[])
    .orderBy('n');
}

const sliceLines = 1_000;

/** Reads a book's lines in their order up to `last`, page by page. */
export async function* bookLines(
  db: Db,
  event_id: string,
  last: number,
): AsyncGenerator<Pick<BookLine, 'n' | 'text' | 'hash'>[]> {
  for (let after = 0; after < last; after += sliceLines)
    yield await db<BookLine>('book_rows')
      .where({ event_id })
      .whereBetween('n', [after + 1, Math.min(after + sliceLines, last)])
      .orderBy('n')
      .select('n', 'text', 'hash');
}

/** The orders with these ids and their events, without those of rehearsals (no book). */
export async function ordersAmong(
  db: Db,
  ids: readonly string[],
): Promise<Pick<OrderRow, 'id' | 'event_id'>[]> {
  return withoutRehearsals(db, db('orders'), 'orders.event_id')
    .whereIn('orders.id', ids as string[])
    .select('orders.id', 'orders.event_id');
}

export interface ClosedShiftRow extends ShiftRow {
  closed_at: number;
}

export async function closedShiftsAmong(db: Db, ids: readonly string[]): Promise<ClosedShiftRow[]> {
  return db<ClosedShiftRow, ClosedShiftRow[]>('shifts')
    .whereIn('id', ids as string[])
    .whereNotNull('closed_at');
}

export async function sealsAfter(db: Db, n: number, limit: number): Promise<AuditSealRow[]> {
  return db<AuditSealRow>('audit_seals').where('n', '>', n).orderBy('n').limit(limit);
}

/** The subjects of the entries under these seals. */
export async function subjectsUnder(
  db: Db,
  { from, to }: { from: number; to: number },
): Promise<string[]> {
  return db<SealedAuditRow>('audit')
    .whereNotNull('seal')
    .whereBetween('seal', [from, to])
    .distinct('subject')
    .pluck('subject');
}

export async function unsealedSubjects(db: Db, since: number): Promise<string[]> {
  return db<SealedAuditRow>('audit')
    .whereNull('seal')
    .where('at', '>=', since)
    .distinct('subject')
    .pluck('subject');
}

export interface DoorBehind extends Pick<EventRow, 'id' | 'feed_seq'> {
  known_seq: number;
}

/** Books whose event has new numbers in the door's sequence; of one event, or of all. */
export async function doorsBehind(db: Db, event_id?: string): Promise<DoorBehind[]> {
  const query = db('books')
    .join('events', 'events.id', 'books.event_id')
    .whereRaw('events.feed_seq > books.feed_seq')
    .select('events.id', 'events.feed_seq', 'books.feed_seq as known_seq');
  if (event_id !== undefined) query.where('events.id', event_id);
  return query;
}

interface Range {
  after: number;
  to: number;
}

/** Orders with a ticket on a place whose number in the door's sequence is in this range. */
export async function ordersAfterSeq(
  db: Db,
  event_id: string,
  { after, to }: Range,
): Promise<string[]> {
  return db('places')
    .join('tickets', samePlaceAs('tickets'))
    .where('places.event_id', event_id)
    .where('places.feed_seq', '>', after)
    .where('places.feed_seq', '<=', to)
    .distinct('tickets.order_id')
    .orderBy('tickets.order_id')
    .pluck('tickets.order_id');
}

/** Scans that let a guest in or out, in the order of the door's sequence. */
export async function scansAfterSeq(
  db: Db,
  event_id: string,
  { after, to }: Range,
): Promise<AdmissionRow[]> {
  return db<AdmissionRow>('admissions')
    .where({ event_id, counts: 1 })
    .where('feed_seq', '>', after)
    .where('feed_seq', '<=', to)
    .whereNotNull('place')
    .orderBy(['corrected_at', 'id']);
}

export type BookedTicket = TicketRow &
  Pick<PlaceRow, 'kind' | 'category' | 'section' | 'row' | 'seat'> &
  Pick<OrderLineRow, 'fee_cents' | 'position'>;

/** `of` is the book's name for the payment, refund or dispute. */
export interface BookedPayoutLine extends Pick<
  PayoutLineRow,
  'id' | 'payout_id' | 'gross_cents' | 'fee_cents' | 'net_cents'
> {
  of: string;
  at: number;
}

/** Lines of payouts that were read completely; such lines never change. */
async function payoutLinesOf(db: Db, order_ids: readonly string[]): Promise<BookedPayoutLine[]> {
  const sources = [
    ['payment', 'charge', 'payments', 'charge_id', 'paid_at'],
    ['refund', 'refund', 'refunds', 'stripe_refund_id', 'created_at'],
    ['refund', 'refund', 'refunds', 'part_of_stripe', 'created_at'],
    ['dispute', 'dispute', 'disputes', 'id', 'created_at'],
  ] as const;
  const lines: BookedPayoutLine[] = [];
  for (const [word, kind, table, source, time] of sources)
    lines.push(
      ...(await db(`${table} as s`)
        .join('payout_lines as l', 'l.source_id', `s.${source}`)
        .join('payouts as p', 'p.id', 'l.payout_id')
        .whereIn('s.order_id', order_ids as string[])
        .where('l.kind', kind)
        .whereNotNull('p.read_at')
        .orderBy(['l.created_at', 'l.id'])
        .select('l.id', 'l.payout_id', 'l.gross_cents', 'l.fee_cents', 'l.net_cents')
        .select(db.raw(`? || s.id AS "of"`, [`${word} `]))
        .select(
          db.raw(`CASE WHEN p.created_at > s.${time} THEN p.created_at ELSE s.${time} END AS at`),
        )),
    );
  return shareLines(db, lines);
}

/** A refund at Stripe that several orders share has a line for each, with the order's part. */
async function shareLines(db: Db, lines: readonly BookedPayoutLine[]): Promise<BookedPayoutLine[]> {
  const ids = lines.flatMap(({ of }) => (of.startsWith('refund ') ? of.slice(7) : []));
  const own = await db<RefundRow>('refunds').whereIn('id', ids);
  const shared = await db<RefundRow>('refunds').whereIn(
    'part_of_stripe',
    own.flatMap(({ stripe_refund_id }) => stripe_refund_id ?? []),
  );
  const byId = new Map(own.map((row) => [`refund ${row.id}`, row]));
  const less = (line: BookedPayoutLine, cents: number) => ({
    ...line,
    gross_cents: line.gross_cents + cents,
    net_cents: line.net_cents + cents,
  });
  return lines.map((line) => {
    const row = byId.get(line.of);
    if (row === undefined) return line;
    const { id, amount_cents, part_of_stripe, stripe_refund_id } = row;
    // Stripe's own fee stays with the first part.
    const part = { gross_cents: -amount_cents, fee_cents: 0, net_cents: -amount_cents };
    if (part_of_stripe !== null) return { ...line, ...part, id: `${line.id} ${id}` };
    const others = shared.filter((other) => other.part_of_stripe === stripe_refund_id);
    return less(
      line,
      others.reduce((sum, other) => sum + other.amount_cents, 0),
    );
  });
}

/** Everything that a book records about some orders of one event. */
export interface BookedOrders {
  orders: OrderRow[];
  tickets: BookedTicket[];
  payments: PaymentRow[];
  refunds: RefundRow[];
  /** Tickets with the refund that ends them. */
  refunded: { refund_id: string; ticket_id: string }[];
  disputes: DisputeRow[];
  payoutLines: BookedPayoutLine[];
  /** When the tickets of an order last got new codes. */
  revisions: { subject: string; at: number }[];
}

const revising = [
  'tickets_moved',
  'tickets_retyped',
  'tickets_swapped',
  'tickets_reissued',
  'holder_changed',
];

export async function bookedOrders(db: Db, ids: readonly string[]): Promise<BookedOrders> {
  const of = ids as string[];
  return {
    orders: await db<OrderRow>('orders').whereIn('id', of).orderBy('id'),
    tickets: await db('tickets')
      .join('places', samePlaceAs('tickets'))
      .join('order_lines', (on) =>
        on
          .on('order_lines.order_id', 'tickets.order_id')
          .andOn('order_lines.place', 'tickets.place'),
      )
      .whereIn('tickets.order_id', of)
      .orderBy(['tickets.issued_at', 'tickets.order_id', 'order_lines.position'])
      .select(
        'tickets.*',
        'places.category',
        ...seatColumns,
        'order_lines.fee_cents',
        'order_lines.position',
      ),
    payments: await db<PaymentRow>('payments').whereIn('order_id', of).orderBy(['paid_at', 'id']),
    refunds: await db<RefundRow>('refunds').whereIn('order_id', of).orderBy(['created_at', 'id']),
    refunded: await db('refund_lines')
      .join('order_lines', linesOfRefunds)
      .join('tickets', (on) =>
        on
          .on('tickets.order_id', 'order_lines.order_id')
          .andOn('tickets.place', 'order_lines.place'),
      )
      .whereIn('refund_lines.order_id', of)
      .orderBy(['refund_lines.refund_id', 'order_lines.position'])
      .select('refund_lines.refund_id', 'tickets.id as ticket_id'),
    disputes: await db<DisputeRow>('disputes')
      .whereIn('order_id', of)
      .orderBy(['created_at', 'id']),
    payoutLines: await payoutLinesOf(db, of),
    revisions: await whereAbout(db('audit'), db, of)
      .whereIn('action', revising)
      .groupBy('subject')
      .select('subject')
      .max({ at: 'at' }),
  };
}

interface ShiftSum {
  event_id: string;
  method: string | null;
  cents: number;
}

/** The money that a shift received or gave back, by event and method. */
export async function shiftSums(
  db: Db,
  table: 'payments' | 'refunds',
  shift_id: string,
): Promise<ShiftSum[]> {
  const rows = table === 'refunds' ? db.raw(refundsByPart) : table;
  const query = withoutRehearsals(
    db,
    db(rows as string).join('orders', 'orders.id', `${table}.order_id`),
    'orders.event_id',
  ).where(`${table}.shift_id`, shift_id);
  if (table === 'refunds') query.where('refunds.state', 'succeeded');
  const sums: (Omit<ShiftSum, 'cents'> & { cents: number | string })[] = await query
    .groupBy('orders.event_id', `${table}.method`)
    .orderBy(['orders.event_id', `${table}.method`])
    .select(
      'orders.event_id',
      `${table}.method`,
      db.raw('SUM(??) AS cents', [`${table}.amount_cents`]),
    );
  return sums.map((sum) => ({ ...sum, cents: Number(sum.cents) }));
}

/** Events for which a shift sold or gave away tickets. */
export async function eventsOfShift(db: Db, shift_id: string): Promise<string[]> {
  return withoutRehearsals(db, db('orders'), 'orders.event_id')
    .where({ 'orders.shift_id': shift_id, 'orders.state': 'confirmed' })
    .distinct('orders.event_id')
    .pluck('orders.event_id');
}

/** Deletes the waits of these orders and returns the time since which each one waited. */
export async function endWaits(
  trx: Trx,
  order_ids: readonly string[],
): Promise<Map<string, number>> {
  const waited = await readRows<{ order_id: string; since: number }>(
    trx,
    `DELETE FROM book_waits WHERE order_id IN (${marksFor(order_ids)}) RETURNING order_id, since`,
    order_ids,
  );
  return new Map(waited.map(({ order_id, since }) => [order_id, since]));
}

export async function waitFor(
  trx: Trx,
  event_id: string,
  waiting: readonly { order_id: string; since: number }[],
): Promise<void> {
  await insertMany(
    trx,
    'book_waits',
    waiting.map((wait) => ({ ...wait, event_id })),
  );
}

/** Makes orders wait if a payout contains money of theirs that their book does not have yet. */
export async function waitForPayout(trx: Trx, payout_id: string, since: number): Promise<void> {
  await readRows(
    trx,
    `INSERT INTO book_waits (order_id, event_id, since) SELECT DISTINCT o.id, o.event_id, CAST(? AS BIGINT) FROM payout_lines l
      LEFT JOIN payments p ON p.charge_id = l.source_id LEFT JOIN refunds r ON l.source_id IN (r.stripe_refund_id, r.part_of_stripe)
      LEFT JOIN disputes d ON d.id = l.source_id JOIN orders o ON o.id = COALESCE(p.order_id, r.order_id, d.order_id)
      JOIN events e ON e.id = o.event_id
      WHERE l.payout_id = ? AND e.rehearsal = 0 ORDER BY o.id
      ON CONFLICT (order_id) DO UPDATE SET since = excluded.since RETURNING order_id`,
    [since, payout_id],
  );
}

/** The order that has waited longest comes last, because its fee may never come. */
export async function waitingOrders(
  db: Db,
  { event_id, since, limit }: { event_id?: string; since: number; limit?: number },
): Promise<{ order_id: string; event_id: string }[]> {
  const query = db('book_waits').where('since', '>=', since).orderBy('since', 'desc');
  if (event_id !== undefined) query.where({ event_id });
  if (limit !== undefined) query.limit(limit);
  return query.select('order_id', 'event_id');
}

/**
 * Locks the books that get a head of the day: books with new rows since then, and books of events
 * that had not begun then.
 */
export async function lockOpenBooks(db: Trx, since: number): Promise<BookHead[]> {
  return db<BookHead>('books')
    .where((either) =>
      either
        .where('written_at', '>=', since)
        .orWhereIn('event_id', db('events').where('starts_at', '>=', since).select('id')),
    )
    .orderBy('event_id')
    .forUpdate()
    .select('books.*');
}

/** The newest days first. */
export async function newestDays(db: Db, limit: number): Promise<BookDay[]> {
  return db<BookDay>('book_days').orderBy('day', 'desc').limit(limit);
}

export async function addDay(trx: Trx, day: BookDay): Promise<void> {
  await trx<BookDay>('book_days').insert(day);
}

export async function bookSalts(db: Db): Promise<Pick<BookHead, 'event_id' | 'salt'>[]> {
  return db<BookHead>('books').select('event_id', 'salt');
}

interface ListedBook extends Pick<BookHead, 'event_id' | 'rows' | 'written_at'> {
  id: string;
  title: string;
  starts_at: number;
}

/** The latest event comes first. */
export async function listBooks(db: Db, page: Page): Promise<ListedBook[]> {
  const query = db('events')
    .join('books', 'books.event_id', 'events.id')
    .select(
      'events.id',
      'events.title',
      'events.starts_at',
      'books.event_id',
      'books.rows',
      'books.written_at',
    );
  newestFirst(query, { table: 'events', time: 'starts_at' }, page);
  return query;
}

/** Finds an order by the number that its buyer knows. */
export async function orderOfNumber(db: Db, number: string): Promise<OrderRow | undefined> {
  return db<OrderRow>('orders').where({ number }).first();
}
