/**
 * The search of the whole office in SQL. Each way to find orders by a few words has its own
 * index.
 */
import type { OrderState } from '#server/domain/order/order.ts';
import { setImmediate as yieldToLoop } from 'node:timers/promises';
import {
  isPostgres,
  matchOf,
  rowsByNumber,
  whereWords,
  type Db,
  type Pool,
} from '#db/engine/dialect.ts';
import { selectRows } from '#db/engine/statements.ts';
import { transact } from '#db/engine/transact.ts';
import { withoutRehearsals } from '#db/event/events.ts';
import { whereSeen } from '#db/order/order-scope.ts';
import type { TillView } from '#server/domain/counter/till-view.ts';
import { foldedReceipt, receiptSpellings } from '#db/order/receipts.ts';
import { foldReceipt } from '#server/domain/order/payment.ts';
import { addressKey } from '#server/domain/text/mail-address.ts';
import { orderNumberIn } from '#server/domain/text/search.ts';
import { hasPlace, samePlaceAs } from '#db/joins.ts';
import type { EventRow, OrderRow, PlaceRow, TicketRow } from '#db/rows.ts';

type TicketKey = Pick<TicketRow, 'order_id' | 'place' | 'revision'>;

/**
 * The most tickets with the same last letters of their codes that are read; usually there are one
 * or two among some hundred thousand.
 */
const mostOfOneEnd = 100;

interface FoundOrder {
  id: string;
  number: OrderRow['number'];
  buyer_name: string | null;
  buyer_email: string | null;
  contact_hidden: OrderRow['contact_hidden'];
  state: OrderState;
  event_title: string;
  starts_at: number;
}

/**
 * Finds orders in which every typed word begins a word of number, name, mail or telephone, the
 * newest first. In SQLite they are ordered by row number, which grows with time.
 */
export async function orderIdsByWords(
  db: Db,
  words: readonly string[],
  { limit, scope }: { limit: number; scope: TillView | undefined },
): Promise<string[]> {
  if (words.length === 0) return [];
  if (isPostgres(db) || scope !== undefined) {
    const query = whereWords(db('orders'), db, words).orderBy('created_at', 'desc').limit(limit);
    if (scope !== undefined) whereSeen(db, query, scope);
    return query.pluck('id');
  }
  const newest = 'ORDER BY rowid DESC LIMIT ?';
  const { sql, bindings } = rowsByNumber(words);
  return db('orders')
    .whereRaw(
      `orders.rowid IN (SELECT rowid FROM (SELECT rowid FROM order_words WHERE order_words MATCH ? ${newest}) UNION ALL SELECT rowid FROM (${sql} ${newest}))`,
      [matchOf(words), limit, ...bindings, limit],
    )
    .orderBy('created_at', 'desc')
    .limit(limit)
    .pluck('id');
}

/** Finds orders by a whole number, of ours or of a provider, or by a whole mail address. */
export async function orderIdsByCode(db: Db, q: string): Promise<string[]> {
  const receipt = foldReceipt(q);
  const ways = [
    db('orders').select('id').where('id', q),
    db('orders').select('id').where('number', orderNumberIn(q)),
    db('orders').select('id').where('payment_intent', q),
    db('orders')
      .select('id')
      .whereRaw('LOWER(buyer_email) = ?', [addressKey(q)])
      .whereNotNull('buyer_email')
      .orderBy('created_at', 'desc'),
    db('orders').select('id').whereIn('receipt_number', receiptSpellings(q)),
    ...(['payments', 'refunds'] as const).map((table) =>
      db(table)
        .select('order_id as id')
        .whereRaw(`${foldedReceipt(table)} = ?`, [receipt]),
    ),
    db('tickets').select('order_id as id').where('id', q),
  ];
  const found: { id: string }[][] = [];
  for (const way of ways) found.push(await way.limit(5));
  return [...new Set(found.flat().map(({ id }) => id))];
}

/**
 * One event of each hall in which events begin after `after`. `hall`: the same for events whose
 * places have the same names.
 */
export async function hallsAfter(
  db: Db,
  after: number,
): Promise<{ event_id: string; hall: string }[]> {
  const events = await eventsAfter(db, after).select('id', 'chart_key', 'whole_terms');
  const halls = events.map(({ id, chart_key, whole_terms }) => ({
    event_id: id,
    hall: chart_key === null ? id : `${chart_key} ${whole_terms ?? ''}`,
  }));
  return [...new Map(halls.toReversed().map((one) => [one.hall, one])).values()];
}

function eventsAfter(db: Db, after: number) {
  return db<EventRow>('events').where('starts_at', '>', after).orderBy('starts_at').limit(60);
}

/** Finds orders with one of these seats at events after `after`, the soonest event first. */
export async function orderIdsBySeat(
  db: Db,
  places: readonly string[],
  { after, limit }: { after: number; limit: number },
): Promise<{ id: string; place: string }[]> {
  const events: string[] = await eventsAfter(db, after).pluck('id');
  return db('order_lines')
    .join('events', 'events.id', 'order_lines.event_id')
    .whereIn('order_lines.event_id', events)
    .whereIn('order_lines.place', places as string[])
    .whereRaw(hasPlace('order_lines'))
    .orderBy('events.starts_at')
    .limit(limit)
    .select('order_lines.order_id as id', 'order_lines.place');
}

/**
 * Reads orders in the order of `ids`, without rehearsals and orders that the caller may not see.
 */
export async function ordersById(
  db: Db,
  ids: readonly string[],
  scope: TillView | undefined,
): Promise<FoundOrder[]> {
  const query = db('orders')
    .join('events', 'events.id', 'orders.event_id')
    .whereIn('orders.id', ids as string[])
    .select(
      'orders.id',
      'orders.number',
      'orders.buyer_name',
      'orders.buyer_email',
      'orders.contact_hidden',
      'orders.state',
      'events.title as event_title',
      'events.starts_at',
    );
  withoutRehearsals(db, query, 'orders.event_id');
  if (scope !== undefined) whereSeen(db, query, scope);
  const rows: FoundOrder[] = await query;
  const at = new Map(ids.map((id, index) => [id, index]));
  return rows.sort((one, other) => (at.get(one.id) ?? 0) - (at.get(other.id) ?? 0));
}

interface Named {
  events: { id: string; title: string; starts_at: number }[];
  phones: { id: string; name: string; gate: string | null }[];
}

/**
 * All events and phones. There are some hundred at most, so the caller compares their folded
 * names.
 */
export async function namedThings(db: Db): Promise<Named> {
  return {
    events: await db('events')
      .where({ rehearsal: 0 })
      .orderBy('starts_at', 'desc')
      .select('id', 'title', 'starts_at'),
    phones: await db('phones').whereNull('revoked_at').orderBy('name').select('id', 'name', 'gate'),
  };
}

/**
 * Tickets whose codes have these last letters, with the columns from which the code is computed,
 * the newest first and without rehearsals.
 */
export async function ticketsEnding(
  db: Db,
  code_end: string,
): Promise<
  (Pick<EventRow, 'code_tag' | 'code_secret' | 'earlier_secret'> &
    Pick<PlaceRow, 'earlier_codes'> &
    TicketKey)[]
> {
  return db('tickets')
    .join('events', 'events.id', 'tickets.event_id')
    .join('places', samePlaceAs('tickets'))
    .where('tickets.code_end', code_end)
    .where('events.rehearsal', 0)
    .orderBy('tickets.issued_at', 'desc')
    .limit(mostOfOneEnd)
    .select(
      'tickets.order_id',
      'tickets.place',
      'tickets.revision',
      'events.code_tag',
      'events.code_secret',
      'events.earlier_secret',
      'places.earlier_codes',
    );
}

/** Pages that SQLite merges in one step of some milliseconds. */
const pagesAtOnce = 64;
/** A large index is merged in several runs. */
const mostMerges = 500;

/**
 * Merges the parts of SQLite's word index, because removed words are only marked before that;
 * PostgreSQL does this by itself.
 */
export async function cleanWords(db: Pool): Promise<void> {
  if (isPostgres(db)) return;
  for (let round = 0, pages = -pagesAtOnce; round < mostMerges; round += 1, pages = pagesAtOnce) {
    const changed = await transact(db, async (trx) => {
      const before = await changesOf(trx);
      await trx.raw(`INSERT INTO order_words(order_words, rank) VALUES('merge', ?)`, [pages]);
      return (await changesOf(trx)) - before;
    });
    // The merging statement itself counts as one change.
    if (changed < 2) return;
    await yieldToLoop();
  }
}

async function changesOf(db: Db): Promise<number> {
  const [row] = await selectRows<{ n: number }>(db, 'SELECT total_changes() AS n', []);
  return row?.n ?? 0;
}
