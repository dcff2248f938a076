/** Everything that waits for a person, in SQL, the oldest first. */
import { reminderMailKinds } from '#server/domain/mail/kinds.ts';
import type { SeatParts } from '#server/domain/seat/seat-name.ts';
import type { Knex } from 'knex';
import type { Db } from '#db/engine/dialect.ts';
import { linesOfRefunds, samePlaceAs, seatColumns } from '#db/joins.ts';
import { lowestFirst, type Page } from '#db/engine/page.ts';
import { eveningsWithoutSeals } from '#db/papers/papers.ts';
import { whereWaiting } from '#db/payment/refunds.ts';
import type { BreakRow, DisputeRow, EventRow, MailRow, OrderRow, RefundRow } from '#db/rows.ts';
import { countRows } from '#db/engine/statements.ts';

/** The order that the row is about, or null. */
interface AboutOrder {
  order_id: string | null;
  number: OrderRow['number'] | null;
  event_title: EventRow['title'] | null;
  event_starts_at: number | null;
  buyer_name: string | null;
}
/** The waiting rows by subject; `waiting_at` is the sort key. */
export interface Waiting {
  order: OrderRow & AboutOrder;
  refund_request: RefundRow & AboutOrder;
  refund: RefundRow & AboutOrder;
  dispute: DisputeRow & AboutOrder & Pick<OrderRow, 'needs_attention'>;
  mail: Pick<MailRow, 'id' | 'kind' | 'state' | 'to_address' | 'last_error' | 'created_at'> &
    AboutOrder;
  break: Pick<BreakRow, 'id' | 'kind' | 'subject' | 'found_at'> & AboutOrder;
  /** An event with tickets that have no seals of fiscal titles. */
  seals: Pick<EventRow, 'id'> & AboutOrder;
}
export type Subject = keyof Waiting;

/** The order in which the office lists them. */
export const subjects: readonly Subject[] = [
  'order',
  'refund_request',
  'refund',
  'dispute',
  'mail',
  'break',
  'seals',
];

/** States of a dispute in which Stripe waits for our answer. */
const answerable = ['needs_response', 'warning_needs_response', 'appeal_needs_response'];

/**
 * Refunds that are pending since before `pending_before` are listed, and events that begin within
 * `unsealed` while they lack seals.
 */
export interface WaitTimes {
  pending_before: number;
  unsealed: { from: number; to: number };
}

const wanted: Record<Subject, (db: Db, times: WaitTimes) => Knex.QueryBuilder> = {
  // An order is left out if its refund or its dispute is already listed.
  order: (db, { pending_before }) =>
    db('orders')
      .whereNotNull('orders.needs_attention')
      .whereNot((b) =>
        b
          .whereIn('orders.needs_attention', [
            'refund_failed',
            'refund_pending',
            'refunded_at_stripe',
          ])
          .whereExists(
            whereWaiting(db('refunds'), pending_before)
              .whereRaw('refunds.order_id = orders.id')
              .select('refunds.id'),
          ),
      )
      .whereNot((b) =>
        b
          .where('orders.needs_attention', 'disputed')
          .whereExists(
            db('disputes')
              .whereRaw('disputes.order_id = orders.id')
              .whereNull('disputes.closed_at')
              .select('disputes.id'),
          ),
      ),
  refund_request: (db, { pending_before }) =>
    whereWaiting(db('refunds'), pending_before).where('refunds.state', 'asked'),
  refund: (db, { pending_before }) =>
    whereWaiting(db('refunds'), pending_before).whereNot('refunds.state', 'asked'),
  dispute: (db) =>
    db('disputes')
      .whereNull('disputes.closed_at')
      .where((b) =>
        b
          .whereIn('disputes.status', answerable)
          .orWhereIn(
            'disputes.order_id',
            db('orders').select('orders.id').where('orders.needs_attention', 'disputed'),
          ),
      ),
  // A failed mail is left out if a later one of the same kind replaced it, or if the buyer has no
  // address.
  mail: (db) =>
    db('mails')
      .where('mails.state', 'failed')
      // A mistyped address on a public page is not work for the office.
      .whereNotIn('mails.kind', [...reminderMailKinds])
      .whereNotExists(
        db('orders as nameless')
          .select('nameless.id')
          .whereRaw('nameless.id = mails.order_id')
          .whereNull('nameless.buyer_email'),
      )
      .whereNotExists(
        db('mails as later')
          .select('later.id')
          .whereRaw(
            'later.order_id = mails.order_id AND later.kind = mails.kind AND later.created_at > mails.created_at',
          ),
      ),
  break: (db) => db('breaks').whereNull('breaks.settled_at'),
  seals: (db, { unsealed }) => eveningsWithoutSeals(db, unsealed),
};

/**
 * The table of each subject, the time by which it is sorted (for a dispute, until when it must be
 * answered), and the columns to read where the whole row would be long.
 */
const tables: Record<Subject, { name: string; at: string; columns?: readonly string[] }> = {
  order: { name: 'orders', at: 'orders.created_at' },
  refund_request: { name: 'refunds', at: 'refunds.created_at' },
  refund: { name: 'refunds', at: 'refunds.created_at' },
  dispute: { name: 'disputes', at: 'COALESCE(disputes.due_by, 400000000000000)' },
  mail: {
    name: 'mails',
    at: 'mails.created_at',
    columns: ['id', 'order_id', 'kind', 'state', 'to_address', 'last_error', 'created_at'],
  },
  break: {
    name: 'breaks',
    at: 'breaks.found_at',
    columns: ['id', 'order_id', 'kind', 'subject', 'found_at'],
  },
  seals: { name: 'events', at: 'events.starts_at' },
};

/** Lists the oldest first. */
export async function listWaiting<About extends Subject>(
  db: Db,
  about: About,
  { times, page }: { times: WaitTimes; page: Page },
): Promise<(Waiting[About] & { waiting_at: number })[]> {
  const { name, at } = tables[about];
  const query = withOrder(about, wanted[about](db, times)).select(db.raw(`${at} as waiting_at`));
  lowestFirst(query, { at: db.raw(at), id: `${name}.id` }, page);
  return query;
}

function withOrder(about: Subject, query: Knex.QueryBuilder): Knex.QueryBuilder {
  const { name, columns = ['*'] } = tables[about];
  if (about === 'seals')
    return query.select(
      'events.id',
      'events.title as event_title',
      'events.starts_at as event_starts_at',
    );
  if (about === 'order')
    return query
      .join('events', 'events.id', 'orders.event_id')
      .select(
        'orders.*',
        'orders.id as order_id',
        'events.title as event_title',
        'events.starts_at as event_starts_at',
      );
  return query
    .leftJoin('orders', 'orders.id', `${name}.order_id`)
    .leftJoin('events', 'events.id', 'orders.event_id')
    .select(columns.map((column) => `${name}.${column}`))
    .select(
      'orders.number',
      'orders.buyer_name',
      'orders.needs_attention',
      'events.title as event_title',
      'events.starts_at as event_starts_at',
    );
}

export async function countWaiting(db: Db, times: WaitTimes): Promise<Record<Subject, number>> {
  const counts = await Promise.all(
    subjects.map(async (about) => [about, await countRows(wanted[about](db, times))]),
  );
  return Object.fromEntries(counts) as Record<Subject, number>;
}

/**
 * Counts each subject and finds its oldest; a dispute counts from its opening, and missing seals
 * until the event begins.
 */
export async function waitingSince(
  db: Db,
  times: WaitTimes,
): Promise<Record<Subject, { count: number; oldest_at: number | null }>> {
  const kinds = await Promise.all(
    subjects.map(async (about) => {
      const at = about === 'dispute' ? 'disputes.created_at' : tables[about].at;
      const row: { n?: unknown; at?: unknown } | undefined = await wanted[about](db, times)
        .count({ n: '*' })
        .min({ at })
        .first();
      const oldest_at = row?.at === null || row?.at === undefined ? null : Number(row.at);
      return [about, { count: Number(row?.n ?? 0), oldest_at }] as const;
    }),
  );
  return Object.fromEntries(kinds) as Record<Subject, { count: number; oldest_at: number | null }>;
}

export interface SeatOfOrder extends SeatParts {
  order_id: string;
  line_id: string;
  refund_ids: string[];
}

/** The places of these orders with the ids of their refunds. */
export async function seatsOfOrders(db: Db, order_ids: readonly string[]): Promise<SeatOfOrder[]> {
  const rows: (Omit<SeatOfOrder, 'refund_ids'> & { refund_id: string | null })[] = await db(
    'order_lines',
  )
    .whereIn('order_lines.order_id', order_ids as string[])
    .join('places', samePlaceAs('order_lines'))
    .leftJoin('refund_lines', linesOfRefunds)
    .orderBy(['order_lines.order_id', 'order_lines.position'])
    .select(
      'order_lines.order_id',
      'order_lines.id as line_id',
      ...seatColumns,
      'refund_lines.refund_id',
    );
  const lines = Map.groupBy(rows, (row) => row.line_id);
  return [...lines.values()].flatMap((same) => {
    const refund_ids = same.flatMap(({ refund_id }) => refund_id ?? []);
    return same.slice(0, 1).map((line) => ({ ...line, refund_ids }));
  });
}
