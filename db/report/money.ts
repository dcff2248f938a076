/**
 * The money of one event row by row, and present sums over several events (shifts, gifts,
 * reservations), for reports.
 */
import type { Db } from '#db/engine/dialect.ts';
import { marksFor, readRows } from '#db/engine/statements.ts';
import { onTheWay } from '#db/payment/payouts.ts';
import { refundsByPart } from '#db/payment/refund-parts.ts';
import { givenAt } from '#db/payment/refunds.ts';
import { cameIn, paymentsInTurn } from '#db/payment/payments.ts';
import { countedRefunds } from '#server/domain/payment/refund.ts';
import type { MoneyRows } from '#server/domain/report/money-count.ts';

/**
 * An event's payments, refunds, presale fees and disputes, and payments that are not paid out
 * yet.
 */
export async function moneyRows(db: Db, event_id: string): Promise<MoneyRows> {
  const read = <T extends keyof MoneyRows>(sql: string, ...bindings: unknown[]) =>
    readRows<MoneyRows[T][number]>(db, sql, [...bindings, event_id]);
  return {
    payments: await read<'payments'>(
      `SELECT p.kind, p.method, p.amount_cents, p.stripe_fee_cents, p.shift_id, p.paid_at AS at
      FROM orders o JOIN payments p ON p.order_id = o.id WHERE p.kind <> 'exchange' AND o.event_id = ?`,
    ),
    refunds: await read<'refunds'>(
      `SELECT refunds.kind, COALESCE(refunds.method, p.method) AS method, refunds.amount_cents, refunds.fee_cents,
        refunds.service_cents, refunds.shift_id, ${givenAt} AS at
      FROM orders o JOIN ${refundsByPart} ON refunds.order_id = o.id LEFT JOIN payments p ON p.payment_intent = refunds.payment_intent
      WHERE refunds.kind NOT IN ('exchange', 'gift', 'kept') AND refunds.state IN (${marksFor(countedRefunds)}) AND o.event_id = ?`,
      ...countedRefunds,
    ),
    presale: await read<'presale'>(
      // An order that was paid after its end has only the day of its payment. What went to another
      // evening with an exchanged ticket, or was left to the house, is no refund of money.
      `SELECT CASE WHEN o.fee_cents < o.paid_cents THEN o.fee_cents ELSE o.paid_cents END AS fee_cents,
        CASE WHEN o.service_cents < o.paid_cents THEN o.service_cents ELSE o.paid_cents END AS service_cents,
        COALESCE(o.confirmed_at, (SELECT MIN(p.paid_at) FROM payments p WHERE p.order_id = o.id), o.created_at) AS at
      FROM orders o WHERE o.fee_cents > 0 AND o.paid_cents > 0 AND o.deposit_end IS NULL AND o.event_id = ?
      UNION ALL ${partsByPayment}
      UNION ALL SELECT -r.fee_cents, -r.service_cents, COALESCE(r.decided_at, r.created_at)
      FROM orders o JOIN refunds r ON r.order_id = o.id WHERE r.kind IN ('exchange', 'gift', 'kept') AND r.fee_cents > 0 AND o.event_id = ?`,
      event_id,
      event_id,
    ),
    left: await read<'left'>(
      `SELECT r.amount_cents, COALESCE(r.decided_at, r.created_at) AS at
      FROM orders o JOIN refunds r ON r.order_id = o.id WHERE r.kind IN ('gift', 'kept') AND o.event_id = ?`,
    ),
    disputes: await read<'disputes'>(
      `SELECT d.status, d.amount_cents, d.created_at AS at,
        COALESCE((SELECT sum(l.fee_cents) FROM payout_lines l WHERE l.source_id = d.id AND l.kind = 'dispute'), 0) AS cost_cents
      FROM orders o JOIN disputes d ON d.order_id = o.id WHERE o.event_id = ?`,
    ),
    waiting: await read<'waiting'>(
      `SELECT p.amount_cents, p.stripe_fee_cents, p.paid_at AS at, l.available_at
      FROM orders o JOIN payments p ON p.order_id = o.id
      LEFT JOIN payout_lines l ON l.source_id = p.charge_id AND l.kind = 'charge'
      WHERE p.kind = 'stripe' AND (l.id IS NULL OR l.payout_id = ?) AND o.event_id = ?`,
      onTheWay,
    ),
  };
}

/**
 * Surcharges of orders that were paid in parts: each payment counts on its own day, and the first
 * cents of an order pay its surcharges (RULES L9).
 */
const partsByPayment = `SELECT ${cameIn('o.fee_cents')} AS fee_cents, ${cameIn('o.service_cents')} AS service_cents, p.paid_at AS at
      FROM orders o JOIN ${paymentsInTurn} ON p.order_id = o.id
      WHERE o.fee_cents > 0 AND o.deposit_end IS NOT NULL AND o.event_id = ?`;

interface CountedShift {
  till_name: string;
  opened_at: number;
  closed_at: number | null;
  float_cents: number;
  expected_cents: number | null;
  counted_cents: number | null;
}

/** The newest of these shifts, the newest first. */
export async function newestShifts(
  db: Db,
  ids: readonly string[],
  limit: number,
): Promise<CountedShift[]> {
  return db('shifts')
    .whereIn('id', ids as string[])
    .orderBy([
      { column: 'opened_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(limit)
    .select(
      'till_name',
      'opened_at',
      'closed_at',
      'float_cents',
      'expected_cents',
      'counted_cents',
    );
}

interface GiftSum {
  reason: string;
  orders: number;
  places: number;
}

/** Counts valid gifts of the counter by their reason, within `span` unless it is null. */
export async function giftsByReason(
  db: Db,
  event_ids: readonly string[],
  span: { from: number; before: number } | null,
): Promise<GiftSum[]> {
  const query = db('orders as o')
    .join('tickets as t', 't.order_id', 'o.id')
    .whereIn('o.event_id', event_ids as string[])
    .where({ 'o.state': 'confirmed', 't.state': 'valid' })
    .whereNotNull('o.gift_reason')
    .groupBy('o.gift_reason')
    .orderBy('o.gift_reason');
  if (span !== null)
    query.where('o.confirmed_at', '>=', span.from).where('o.confirmed_at', '<', span.before);
  return query.select(
    'o.gift_reason as reason',
    db.raw('count(DISTINCT o.id) AS orders'),
    db.raw('count(*) AS places'),
  );
}

interface Reservation {
  event_id: string;
  total_cents: number;
  paid_cents: number;
  places: number;
}

/**
 * Reservations of the counter that wait for payment. The last conditions are those of the index.
 */
export async function openReservations(
  db: Db,
  event_ids: readonly string[],
): Promise<Reservation[]> {
  return readRows(
    db,
    `SELECT o.event_id, o.total_cents, o.paid_cents, (SELECT count(*) FROM order_lines l WHERE l.order_id = o.id) AS places FROM orders o
    WHERE o.event_id IN (${marksFor(event_ids)}) AND o.channel = 'counter' AND o.state = 'awaiting_payment'
      AND o.confirmed_at IS NULL AND o.deleted_at IS NULL`,
    event_ids,
  );
}
