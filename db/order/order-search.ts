/** The search in the list of orders in SQL. Each way to name an order has its own index. */
import type { Knex } from 'knex';
import { foldReceipt } from '#server/domain/order/payment.ts';
import { addressKey } from '#server/domain/text/mail-address.ts';
import { foundBy, orderNumberIn, searchWords } from '#server/domain/text/search.ts';
import { isPostgres, whereContains, whereWords, type Db } from '#db/engine/dialect.ts';
import { waysOfSession } from './orders.ts';
import { foldedReceipt, receiptSpellings } from './receipts.ts';

/** Words that people add when they name a seat; no label contains them. */
const seatTalk = new Set([
  'fila',
  'posto',
  'posti',
  'settore',
  'n.',
  'numero',
  'ordine',
  'ricevuta',
]);

/**
 * Up to this number all results are fetched and sorted; with more, the newest orders are tested
 * until a page is full.
 */
const fewFound = 2_000;

/**
 * How a search finds its words: among few orders, among very many, among the few orders that have
 * its longer words, or as a buyer's whole address.
 */
export type WordWay = 'few' | 'many' | 'longer' | 'mail';

/**
 * In PostgreSQL a beginning of so few letters matches thousands of words, whose rows are merged
 * one by one.
 */
const shortWord = 2;

export async function wordWayOf(db: Db, q: string): Promise<WordWay> {
  // An address is searched whole, because nearly all orders contain the words of a mail domain.
  if (q.includes('@') && (await ordersOfMail(db, q).first()) !== undefined) return 'mail';
  const words = foundBy(q);
  if (words.length === 0) return 'few';
  const among = (some: readonly string[]) => whereWords(db('orders').select(db.raw('1')), db, some);
  if (!isPostgres(db)) return (await countUpTo(db, among(words))) > fewFound ? 'many' : 'few';
  const longer = words.filter(isLonger);
  const isMixed = longer.length > 0 && longer.length < words.length;
  if (isMixed && (await guessedRows(db, among(longer))) <= fewFound) return 'longer';
  return (await guessedRows(db, among(words))) > fewFound ? 'many' : 'few';
}

function isLonger(word: string): boolean {
  return word.length > shortWord;
}

async function countUpTo(db: Db, found: Knex.QueryBuilder): Promise<number> {
  const row: { found: number } | undefined = await db
    .from(found.limit(fewFound + 1).as('those'))
    .count({ found: '*' })
    .first();
  return row?.found ?? 0;
}

/** PostgreSQL's estimate of the number of rows; counting them would be slower. */
async function guessedRows(db: Db, found: Knex.QueryBuilder): Promise<number> {
  const { sql, bindings } = found.toSQL();
  const answer: { rows: { 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }[] } = await db.raw(
    `EXPLAIN (FORMAT JSON) ${sql}`,
    bindings as string[],
  );
  return answer.rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0;
}

function ordersOfMail(db: Db, q: string): Knex.QueryBuilder {
  return db('orders')
    .select('id')
    .whereRaw('LOWER(buyer_email) = ?', [addressKey(q)])
    .whereNotNull('buyer_email');
}

/**
 * Finds orders by every word of number, name, mail and telephone; by the words of one seat's
 * label; by a whole receipt, payment or session; or by the number of the first order, to which
 * they added seats, or of the order on the other side of an exchange.
 */
export function whereFound(
  db: Db,
  query: Knex.QueryBuilder,
  { q, way }: { q: string; way: WordWay },
): void {
  const words = foundBy(q);
  const ids = otherWays(db, q);
  if (way === 'many') {
    query.where((either) => {
      whereWords(either, db, words, { walked: true }).orWhereIn('orders.id', ids);
    });
    return;
  }
  if (way === 'mail') ids.union(ordersOfMail(db, q));
  else if (words.length > 0) ids.union(ordersByWords(db, words, way));
  query.whereIn('orders.id', ids);
}

function ordersByWords(db: Db, words: readonly string[], way: WordWay): Knex.QueryBuilder {
  const orders = db('orders').select('id');
  if (way !== 'longer') return whereWords(orders, db, words);
  whereWords(orders, db, words.filter(isLonger));
  const others = words.filter((word) => !isLonger(word));
  return whereWords(orders, db, others, { walked: true });
}

function otherWays(db: Db, q: string): Knex.QueryBuilder {
  const first = db('orders').select('id').where('number', orderNumberIn(q));
  const ways = [
    db('orders').select('id').whereIn('part_of', first),
    db('exchanges').select('to_order_id').whereIn('from_order_id', first),
    db('exchanges').select('from_order_id').whereIn('to_order_id', first),
    db('orders').select('id').where('payment_intent', q),
    ...waysOfSession(db, q),
    db('orders').select('id').whereIn('receipt_number', receiptSpellings(q)),
    db('payments')
      .select('order_id')
      .where('payment_intent', q)
      .orWhere('charge_id', q)
      .orWhereRaw(`${foldedReceipt('payments')} = ?`, [foldReceipt(q)]),
    db('refunds')
      .select('order_id')
      .where('stripe_refund_id', q)
      .orWhere('part_of_stripe', q)
      .orWhereRaw(`${foldedReceipt('refunds')} = ?`, [foldReceipt(q)]),
    ...seatWay(db, q),
  ];
  return db('orders').select('id').where('id', q).union(ways);
}

/** True for a row's letter or a seat's number; a search without either is not for a seat. */
function isOfSeat(word: string): boolean {
  return word.length <= 2 || (word.length <= 4 && /\d/.test(word));
}

function seatWay(db: Db, q: string): Knex.QueryBuilder[] {
  const telling = searchWords(q.replace(/[,;#-]/g, ' ')).filter((word) => !seatTalk.has(word));
  const short = telling.filter(isOfSeat);
  if (short.length === 0) return [];
  const lines = db('order_lines')
    .join('orders', 'orders.id', 'order_lines.order_id')
    .select('order_lines.order_id')
    .whereIn('order_lines.place', labelsWith(db, short));
  for (const word of telling.filter((one) => !isOfSeat(one)))
    lines.where((either) => {
      either
        .where((label) => whereLabelHas(label, { column: 'order_lines.place', word }))
        .orWhere((about) => {
          for (const part of foundBy(word))
            whereContains(about, db.raw(`' ' || orders.search_text`), ` ${part}`);
        });
    });
  return [lines];
}

/**
 * The sold labels with these words. The query jumps from one label to the next in the index, so a
 * repeated label costs nothing.
 */
function labelsWith(db: Db, words: readonly string[]): Knex.QueryBuilder {
  const labels = db
    .withRecursive(
      'labels',
      db.raw(
        'SELECT min(place) AS place FROM order_lines UNION ALL SELECT (SELECT min(place) FROM order_lines WHERE place > labels.place) FROM labels WHERE labels.place IS NOT NULL',
      ),
    )
    .from('labels')
    .select('place')
    .whereNotNull('place');
  for (const word of words) whereLabelHas(labels, { column: 'labels.place', word });
  return labels;
}

/**
 * `Primo ordine-A-12` has the words primo, ordine, a, 12; it is found by `a-12` but not by `1`.
 * Words lose their accents and labels do not, so an accented label may be missed.
 */
function whereLabelHas(
  query: Knex.QueryBuilder,
  { column, word }: { column: string; word: string },
): Knex.QueryBuilder {
  return query.whereRaw(
    `'-' || REPLACE(REPLACE(LOWER(${column}), ' ', '-'), '#', '-') || '-' LIKE ? ESCAPE '!'`,
    [`%-${word.replace(/[!%_]/g, '!$&')}-%`],
  );
}
