/** Where the money of some events is, added up in SQL: what came in, what it cost, what went back, and what is still on its way. */
import type { Db } from '#db/engine/dialect.ts';
import { onTheWay } from '#db/payouts.ts';
import { countedRefunds, type RefundState } from '#server/domain/order/refund.ts';
import type { Knex } from 'knex';

/** `from` and `before`: only what happened in between; null: whenever. */
export interface MoneyScope {
  event_ids: readonly string[];
  span: { from: number; before: number } | null;
}

function within(query: Knex.QueryBuilder, { event_ids, span }: MoneyScope, time: string) {
  query.whereIn('o.event_id', event_ids as string[]);
  if (span !== null) query.where(time, '>=', span.from).where(time, '<', span.before);
  return query;
}

export interface MethodSum {
  kind: string;
  method: string | null;
  payments: number;
  cents: number;
  stripe_fee_cents: number;
}

/** What came in, by the way it was paid. */
export async function paidByMethod(db: Db, scope: MoneyScope): Promise<MethodSum[]> {
  const query = db('payments as p').join('orders as o', 'o.id', 'p.order_id');
  return numbered(
    await within(query, scope, 'p.paid_at')
      .groupBy('p.kind', 'p.method')
      .select('p.kind', 'p.method', db.raw('count(*) AS payments'))
      .sum({ cents: 'p.amount_cents', stripe_fee_cents: 'p.stripe_fee_cents' }),
  );
}

interface RefundSum {
  kind: string;
  method: string | null;
  refunds: number;
  cents: number;
  fee_cents: number;
}

/** What went back or may, by the way it had been paid. `fee_cents`: the presale fees in it. */
export async function refundedByMethod(db: Db, scope: MoneyScope): Promise<RefundSum[]> {
  const query = db('refunds as r')
    .join('orders as o', 'o.id', 'r.order_id')
    .leftJoin('payments as p', 'p.payment_intent', 'r.payment_intent')
    .whereIn('r.state', countedRefunds as RefundState[]);
  const method = 'COALESCE(r.method, p.method)';
  return numbered(
    await within(query, scope, 'r.created_at')
      .groupByRaw(`r.kind, ${method}`)
      .select('r.kind', db.raw(`${method} AS method`), db.raw('count(*) AS refunds'))
      .sum({ cents: 'r.amount_cents', fee_cents: 'r.fee_cents' }),
  );
}

/** Presale fees of what was sold, also of what was given back since. */
export async function sumPresale(db: Db, scope: MoneyScope): Promise<number> {
  const query = db('orders as o').where('o.state', 'confirmed');
  const [row] = numbered<{ cents: number }>(
    await within(query, scope, 'o.confirmed_at').sum({ cents: 'o.fee_cents' }),
  );
  return row!.cents;
}

interface DisputeSum {
  status: string;
  disputes: number;
  cents: number;
}

export async function disputesByStatus(db: Db, scope: MoneyScope): Promise<DisputeSum[]> {
  const query = db('disputes as d').join('orders as o', 'o.id', 'd.order_id');
  return numbered(
    await within(query, scope, 'd.created_at')
      .groupBy('d.status')
      .select('d.status', db.raw('count(*) AS disputes'))
      .sum({ cents: 'd.amount_cents' }),
  );
}

/** What Stripe charged for disputes. */
export async function sumDisputeFees(db: Db, scope: MoneyScope): Promise<number> {
  const query = db('payout_lines as l')
    .join('disputes as d', 'd.id', 'l.source_id')
    .join('orders as o', 'o.id', 'd.order_id')
    .where('l.kind', 'dispute');
  const [row] = numbered<{ cents: number }>(
    await within(query, scope, 'd.created_at').sum({ cents: 'l.fee_cents' }),
  );
  return row!.cents;
}

export interface CountedShift {
  till_name: string;
  opened_at: number;
  closed_at: number | null;
  float_cents: number;
  expected_cents: number | null;
  counted_cents: number | null;
}

/** Shifts that took or gave back money of these events, the newest first. */
export async function shiftsWith(
  db: Db,
  scope: MoneyScope,
  limit: number,
): Promise<CountedShift[]> {
  const ofScope = (table: 'payments' | 'refunds', time: string) =>
    within(db(`${table} as m`).join('orders as o', 'o.id', 'm.order_id'), scope, `m.${time}`)
      .whereNotNull('m.shift_id')
      .select('m.shift_id');
  return db('shifts')
    .where((b) =>
      b
        .whereIn('id', ofScope('payments', 'paid_at'))
        .orWhereIn('id', ofScope('refunds', 'created_at')),
    )
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

/** Tickets given away at the counter that still stand, by the reason that was written down. */
export async function giftsByReason(db: Db, scope: MoneyScope): Promise<GiftSum[]> {
  const query = db('orders as o')
    .join('order_lines as l', 'l.order_id', 'o.id')
    .where('o.state', 'confirmed')
    .whereNotNull('o.gift_reason')
    .whereNull('l.released_at');
  return numbered(
    await within(query, scope, 'o.confirmed_at')
      .groupBy('o.gift_reason')
      .orderBy('o.gift_reason')
      .select(
        'o.gift_reason as reason',
        db.raw('count(DISTINCT o.id) AS orders'),
        db.raw('count(*) AS places'),
      ),
  );
}

interface ReservationSum {
  event_id: string;
  orders: number;
  places: number;
  cents: number;
}

/** Reservations of the counter that wait for their money now. */
export async function openReservations(db: Db, scope: MoneyScope): Promise<ReservationSum[]> {
  const places = db('order_lines').whereRaw('order_lines.order_id = o.id').count('*');
  const query = db('orders as o').where({
    'o.state': 'awaiting_payment',
    'o.channel': 'counter',
  });
  const rows = db.from(
    within(query, { ...scope, span: null }, 'o.created_at')
      .select('o.event_id', 'o.total_cents', places.as('places'))
      .as('r'),
  );
  return numbered(
    await rows
      .groupBy('r.event_id')
      .select('r.event_id', db.raw('count(*) AS orders'))
      .sum({ places: 'r.places', cents: 'r.total_cents' }),
  );
}

interface WaitingMoney {
  available_at: number | null;
  payments: number;
  cents: number;
  fee_cents: number;
}

/** Online payments that are in no payout yet, by when Stripe lets them go; null: not among its movements yet. */
export async function paymentsOnTheWay(db: Db, scope: MoneyScope): Promise<WaitingMoney[]> {
  const query = db('payments as p')
    .join('orders as o', 'o.id', 'p.order_id')
    .leftJoin('payout_lines as l', (on) =>
      on.on('l.source_id', 'p.charge_id').andOnVal('l.kind', 'charge'),
    )
    .where('p.kind', 'stripe')
    .where((b) => b.whereNull('l.id').orWhere('l.payout_id', onTheWay));
  return numbered(
    await within(query, scope, 'p.paid_at')
      .groupBy('l.available_at')
      .orderBy('l.available_at')
      .select('l.available_at', db.raw('count(*) AS payments'))
      .sum({ cents: 'p.amount_cents', fee_cents: 'p.stripe_fee_cents' }),
  );
}

const words = new Set(['kind', 'method', 'status', 'reason', 'event_id', 'available_at']);

/** Sums of nothing are null, and PostgreSQL tells long ones as text. */
function numbered<T extends object>(rows: object[]): T[] {
  return rows.map(
    (row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          words.has(name) ? (value as unknown) : Number(value ?? 0),
        ]),
      ) as T,
  );
}
