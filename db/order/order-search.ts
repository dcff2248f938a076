/**
 * The search of the list of orders in SQL: each way of naming an order by an index of its own.
 */
import type { Knex } from 'knex';
import { foldReceipt } from '#server/domain/order/payment.ts';
import { foundBy, orderNumberIn, searchWords } from '#server/domain/text/search.ts';
import { isPostgres, whereContains, whereWords, type Db } from '#db/engine/dialect.ts';
import { waysOfSession } from './orders.ts';
import { foldedReceipt, receiptSpellings } from './receipts.ts';

/** Words that people say with a seat and that are in no label. */
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
 * With more results the newest orders are read until a page is full; up to here all of them are
 * fetched and sorted.
 */
const fewFound = 2_000;

/**
 * How the words of a search are looked up: in few orders, in very many, among the few that its
 * longer words find, or as one whole address of a buyer.
 */
export type WordWay = 'few' | 'many' | 'longer' | 'mail';

/**
 * In PostgreSQL so few letters begin thousands of words, which are merged one by one before
 * anything else is compared.
 */
const shortWord = 2;

export async function wordWayOf(db: Db, q: string): Promise<WordWay> {
  // The words of a mail's domain are in nearly all orders.
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

/**
 * PostgreSQL has statistics of the words, but counts them slowly: splitting the words of one
 * order costs more than asking for the estimate.
 */
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
    .whereRaw('LOWER(buyer_email) = LOWER(?)', [q])
    .whereNotNull('buyer_email');
}

/**
 * Number, name, mail and telephone by every word; a seat by the words of its label, all in one
 * place; a receipt, payment or session by the whole text; a first order's number finds the orders
 * that added seats to it. Each way has its own index.
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
      .orWhereRaw(`${foldedReceipt('refunds')} = ?`, [foldReceipt(q)]),
    ...seatWay(db, q),
  ];
  return db('orders').select('id').where('id', q).union(ways);
}

/** A row's letter, a seat's number: without one of them a search means no seat. */
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
 * The labels that were ever sold and have these words: the index is read from one label to the
 * next, however many orders had it.
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
 * `Primo ordine-A-12` has the words primo, ordine, a, 12; `a-12` is found, `1` is not. Labels
 * keep their accents, words lose them: only unaccented letters are sure to match.
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
