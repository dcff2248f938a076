/** Payouts and their lines in SQL: Stripe's facts, with our rows beside each line. */
import type { Db, Trx } from '#db/engine/dialect.ts';
import type { LineFacts, SumKind } from '#server/domain/payment/payout.ts';
import { insertMany } from '#db/engine/statements.ts';
import { noteFigureLines } from './figure-changes.ts';
import type { Knex } from 'knex';
import { newestFirst, type Page } from '#db/engine/page.ts';
import type { PayoutLineRow, PayoutRow } from '#db/rows.ts';

/** The `payout_id` of lines that are not in a payout yet. */
export const onTheWay = '';

export async function findPayout(db: Db, id: string): Promise<PayoutRow | undefined> {
  return db<PayoutRow>('payouts').where({ id }).first();
}

export async function findPayouts(db: Db, ids: readonly string[]): Promise<PayoutRow[]> {
  return db<PayoutRow>('payouts').whereIn('id', ids as string[]);
}

/** Lists the newest first. */
export async function listPayouts(db: Db, page: Page): Promise<PayoutRow[]> {
  const query = db('payouts').select<PayoutRow[]>('payouts.*');
  newestFirst(query, { table: 'payouts', time: 'created_at' }, page);
  return query;
}

/** Stores Stripe's facts about a payout; the counts that we made ourselves stay. */
export async function putPayout(
  trx: Trx,
  payout: Omit<PayoutRow, 'read_at' | 'sum_cents' | 'lines' | 'differences'>,
): Promise<void> {
  await trx('payouts')
    .insert(payout)
    .onConflict('id')
    .merge(['amount_cents', 'state', 'listed', 'failure', 'bank_reference', 'arrives_at']);
}

export async function notePayoutRead(
  trx: Trx,
  id: string,
  counted: Pick<PayoutRow, 'read_at' | 'sum_cents' | 'lines' | 'differences'>,
): Promise<void> {
  await trx<PayoutRow>('payouts').where({ id }).update(counted);
}

/** Replaces the stored lines; a line that is in a payout is no longer stored as waiting. */
export async function putLines(trx: Trx, lines: readonly PayoutLineRow[]): Promise<void> {
  const [first] = lines;
  if (first === undefined) return;
  const ids = lines.map(({ id }) => id);
  const { payout_id } = first;
  const stale = trx('payout_lines').whereIn('id', ids);
  const here = payout_id === onTheWay ? [onTheWay] : [onTheWay, payout_id];
  await stale.whereIn('payout_id', here).delete();
  const paidOut = new Set(
    payout_id === onTheWay
      ? await trx('payout_lines').whereIn('id', ids).pluck<string[]>('id')
      : [],
  );
  await insertMany(
    trx,
    'payout_lines',
    lines.filter(({ id }) => !paidOut.has(id)),
  );
  await noteFigureLines(trx, ids);
}

/** Copies the fees that our payments lack from the lines. */
export async function bringLateFees(trx: Trx, charges: readonly string[]): Promise<void> {
  await trx('payments')
    .whereIn('charge_id', charges as string[])
    .whereNull('stripe_fee_cents')
    .update({
      stripe_fee_cents: trx('payout_lines')
        .whereRaw('payout_lines.source_id = payments.charge_id')
        .where('payout_lines.kind', 'charge')
        .max('fee_cents'),
    });
}

/** Deletes lines of an earlier reading that the last one did not have. */
export async function dropOtherLines(
  trx: Trx,
  payout_id: string,
  kept: ReadonlySet<string>,
): Promise<void> {
  const ids = await trx('payout_lines').where({ payout_id }).pluck<string[]>('id');
  const gone = ids.filter((id) => !kept.has(id));
  for (let at = 0; at < gone.length; at += 500) {
    const some = gone.slice(at, at + 500);
    await noteFigureLines(trx, some);
    await trx('payout_lines').where({ payout_id }).whereIn('id', some).delete();
  }
}

/** A line with the row of ours that it corresponds to. */
export interface JudgedLine extends PayoutLineRow, Omit<LineFacts, 'is_ours'> {
  is_ours: boolean;
  order_id: string | null;
  order_number: string | null;
  buyer_name: string | null;
  event_title: string | null;
  event_starts_at: number | null;
}

/** Leaves out the movement of the payout itself, which is not one of its lines. */
function ownLine(query: Knex.QueryBuilder): Knex.QueryBuilder {
  return query.whereNot((b) =>
    b.where('l.category', 'payout').whereRaw('l.source_id = l.payout_id'),
  );
}

/**
 * A mark at Stripe counts unless our record says that the order did not ask for this payment,
 * because a mark can be copied.
 */
const isMarked = `l.order_mark IS NOT NULL AND (
  NOT EXISTS (SELECT 1 FROM orders w WHERE w.id = l.order_mark)
  OR EXISTS (SELECT 1 FROM orders w WHERE w.id = l.order_mark AND w.stripe_params IS NOT NULL
    AND w.total_cents > 0 AND NOT EXISTS (SELECT 1 FROM checkout_sessions c WHERE c.order_id = w.id))
  OR EXISTS (SELECT 1 FROM checkout_sessions c WHERE c.order_id = l.order_mark
    AND (c.payment_intent = l.payment_intent OR (c.payment_intent IS NULL AND c.status <> 'expired'))))`;

/** The lines, each with the payment, refund or dispute of ours. */
function linesWithOurs(db: Db): Knex.QueryBuilder {
  return db('payout_lines as l')
    .leftJoin('payments as p', (on) =>
      on.on('p.charge_id', 'l.charge_id').andOnNotNull('l.charge_id'),
    )
    .leftJoin('refunds as r', (on) =>
      on.on('r.stripe_refund_id', 'l.source_id').andOnVal('l.kind', 'refund'),
    )
    .leftJoin('disputes as d', (on) => on.on('d.id', 'l.source_id').andOnVal('l.kind', 'dispute'));
}

/** What other orders have of the refund at Stripe whose first part is `r`. */
const furtherParts = `COALESCE((SELECT sum(m.amount_cents) FROM refunds m WHERE m.part_of_stripe = r.stripe_refund_id), 0)`;

function judged(db: Db): Knex.QueryBuilder {
  const sameThing = `SELECT count(*) FROM payout_lines s WHERE s.source_id = l.source_id AND s.category = l.category`;
  return linesWithOurs(db)
    .leftJoin('orders as o', (on) =>
      on.on(
        db.raw(
          `o.id = COALESCE(p.order_id, r.order_id, d.order_id, CASE WHEN ${isMarked} THEN l.order_mark END)`,
        ) as never,
      ),
    )
    .leftJoin('events as e', 'e.id', 'o.event_id')
    .select(
      'l.*',
      db.raw(
        `CASE l.kind WHEN 'charge' THEN p.amount_cents WHEN 'refund' THEN r.amount_cents + ${furtherParts} WHEN 'dispute' THEN d.amount_cents END AS our_cents`,
      ),
      'p.stripe_fee_cents as our_fee_cents',
      db.raw(`CASE WHEN p.id IS NOT NULL OR (${isMarked}) THEN 1 ELSE 0 END AS is_ours`),
      db.raw(
        `CASE WHEN l.kind IN ('charge', 'refund', 'dispute') AND l.source_id IS NOT NULL THEN (${sameThing})
          ELSE (SELECT count(*) FROM payout_lines s WHERE s.id = l.id) END AS times`,
      ),
      'o.id as order_id',
      'o.number as order_number',
      'o.buyer_name',
      'e.title as event_title',
      'e.starts_at as event_starts_at',
    );
}

function readJudged(rows: (Omit<JudgedLine, 'is_ours'> & { is_ours: number })[]): JudgedLine[] {
  return rows.map((row) => ({
    ...row,
    is_ours: Number(row.is_ours) === 1,
    times: Number(row.times),
  }));
}

/** Lists the newest first. */
export async function linesOfPayout(db: Db, payout_id: string, page: Page): Promise<JudgedLine[]> {
  const query = ownLine(judged(db).where('l.payout_id', payout_id));
  newestFirst(query, { table: 'l', time: 'created_at' }, page);
  return readJudged(await query);
}

interface LineSum {
  kind: SumKind;
  lines: number;
  gross_cents: number;
  fee_cents: number;
  net_cents: number;
}

export async function sumLines(db: Db, payout_id: string): Promise<LineSum[]> {
  const kind = `CASE WHEN l.kind IN ('charge', 'refund', 'dispute') AND p.id IS NULL AND r.id IS NULL
    AND d.id IS NULL AND NOT (${isMarked}) THEN 'foreign' ELSE l.kind END`;
  const rows: LineSum[] = await ownLine(linesWithOurs(db).where('l.payout_id', payout_id))
    .groupByRaw(kind)
    .orderByRaw(kind)
    .select(db.raw(`${kind} AS kind`), db.raw('count(*) AS lines'))
    .sum({ gross_cents: 'l.gross_cents', fee_cents: 'l.fee_cents', net_cents: 'l.net_cents' });
  return rows.map(({ kind, ...sums }) => ({
    kind,
    lines: Number(sums.lines),
    gross_cents: Number(sums.gross_cents),
    fee_cents: Number(sums.fee_cents),
    net_cents: Number(sums.net_cents),
  }));
}

/** Sums the lines that are in no payout yet, by the time from which they can be paid out. */
export async function waitingLines(
  db: Db,
): Promise<{ available_at: number; lines: number; net_cents: number }[]> {
  const rows: { available_at: number; lines: number; net_cents: number }[] = await db(
    'payout_lines',
  )
    .where({ payout_id: onTheWay })
    .groupBy('available_at')
    .orderBy('available_at')
    .select('available_at', db.raw('count(*) AS lines'))
    .sum({ net_cents: 'net_cents' });
  return rows.map((row) => ({
    available_at: row.available_at,
    lines: Number(row.lines),
    net_cents: Number(row.net_cents),
  }));
}

interface LonelyPayment {
  payment_intent: string;
  charge_id: string;
  order_id: string;
  event_id: string;
  amount_cents: number;
  paid_at: number;
}

/**
 * Payments that Stripe has counted although no movement of the balance names them. All movements
 * up to `paidBefore` were read.
 */
export async function paymentsWithoutMovement(
  db: Db,
  paidBefore: number,
  only?: string,
): Promise<LonelyPayment[]> {
  const query = db('payments')
    .join('orders', 'orders.id', 'payments.order_id')
    .where('payments.kind', 'stripe')
    .whereNotNull('payments.charge_id')
    .whereNotNull('payments.stripe_fee_cents')
    .where('payments.paid_at', '<', paidBefore)
    .whereNotExists(
      db('payout_lines')
        .whereRaw('payout_lines.source_id = payments.charge_id')
        .where('payout_lines.kind', 'charge')
        .select(db.raw('1')),
    )
    .orderBy('payments.paid_at')
    .limit(500)
    .select(
      'payments.payment_intent',
      'payments.charge_id',
      'payments.order_id',
      'orders.event_id',
      'payments.amount_cents',
      'payments.paid_at',
    );
  if (only !== undefined) query.where('payments.payment_intent', only);
  return query;
}

/** The time of the first online payment; null if there is none. */
export async function firstOnlinePayment(db: Db): Promise<number | null> {
  const row = await db('payments')
    .where({ kind: 'stripe' })
    .min<{ at: number | null }[]>({ at: 'paid_at' })
    .first();
  return row?.at ?? null;
}

/** True if the money of a failed payout is in another one by now. */
export async function isPaidAgain(db: Db, payout_id: string): Promise<boolean> {
  const line = await db('payout_lines')
    .where({ source_id: payout_id, category: 'payout_reversal' })
    .whereNot({ payout_id: onTheWay })
    .first('id');
  return line !== undefined;
}

/** Payouts since then whose lines are known. */
export async function payoutsSince(db: Db, since: number): Promise<string[]> {
  return db('payouts').where('created_at', '>=', since).whereNotNull('read_at').pluck('id');
}

/** Payouts that are on their way to the bank, or not read to the end. */
export async function openPayouts(db: Db): Promise<string[]> {
  return db('payouts')
    .whereIn('state', ['pending', 'in_transit'])
    .orWhere((b) => b.where({ automatic: 1 }).whereNull('read_at'))
    .pluck('id');
}
