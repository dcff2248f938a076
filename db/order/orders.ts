/** Orders and their lines in SQL. Every change of state is a guarded update. */
import { noFees } from '#server/domain/price/fees.ts';
import { mayMove, openStates, type OrderState } from '#server/domain/order/order.ts';
import { hasOneStatus, hasPlace } from '#db/joins.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { clockStepMs } from '#server/domain/time/clock-step.ts';
import type { Knex } from 'knex';
import type { Db, Pool, Trx } from '#db/engine/dialect.ts';
import type { AuditRow, CheckoutSessionRow, LineKey, OrderLineRow, OrderRow } from '#db/rows.ts';
import { marksFor, selectRows, type NewRows, type Statement } from '#db/engine/statements.ts';
import { insertIf } from '#db/engine/transact.ts';

export async function findOrder(db: Db, id: string): Promise<OrderRow | undefined> {
  const [order] = await selectRows<OrderRow>(db, 'SELECT * FROM orders WHERE id = ?', [id]);
  return order;
}

/**
 * Finds the order of an id that another row refers to.
 * @throws Error where there is none
 */
export async function requireOrderRow(db: Db, id: string): Promise<OrderRow> {
  return requireValue(await findOrder(db, id), `order ${id}`);
}

export async function ordersByIds(
  db: Db,
  ids: readonly string[],
): Promise<Pick<OrderRow, 'id' | 'number' | 'buyer_name'>[]> {
  return db<OrderRow>('orders')
    .whereIn('id', ids as string[])
    .select('id', 'number', 'buyer_name');
}

/**
 * Locks the order, so that its money does not change until the commit.
 * @throws Error where there is none
 */
export async function lockOrder(trx: Trx, id: string): Promise<OrderRow> {
  const order = await trx<OrderRow>('orders').where({ id }).forUpdate().first();
  return requireValue(order, `order ${id}`);
}

export async function findOrderBySession(
  db: Db,
  session_id: string,
): Promise<OrderRow | undefined> {
  const [open, over] = waysOfSession(db, session_id);
  return db<OrderRow>('orders').whereIn('id', open.union(over)).first();
}

/**
 * Queries for the id of the order with this session, by the order's own column and by the ended
 * sessions.
 */
export function waysOfSession(
  db: Db,
  session_id: string,
): [open: Knex.QueryBuilder, over: Knex.QueryBuilder] {
  return [
    whereOpen(db('orders').select('id').where({ session_id })),
    db('checkout_sessions')
      .select('order_id')
      .where({ id: session_id })
      .whereRaw("status <> 'open'"),
  ];
}

/** The unpaid order of this hold token. */
export async function orderOfHold(
  db: Db,
  event_id: string,
  hold_token: string,
): Promise<OrderRow | undefined> {
  const [order] = await selectRows<OrderRow>(
    db,
    'SELECT * FROM orders WHERE event_id = ? AND hold_token = ? AND confirmed_at IS NULL AND deleted_at IS NULL',
    [event_id, hold_token],
  );
  return order;
}

/** True if this hold token has an order whose state is not `deleted`. */
export async function hasKeptOrder(
  db: Db,
  call: Pick<OrderRow, 'event_id' | 'hold_token'>,
): Promise<boolean> {
  return (
    (await db<OrderRow>('orders').where(call).whereNot({ state: 'deleted' }).first('id')) !==
    undefined
  );
}

/** The counter's sale with this key of the client. */
export async function orderOfSale(db: Db, sale_key: string): Promise<OrderRow | undefined> {
  const [order] = await selectRows<OrderRow>(db, 'SELECT * FROM orders WHERE sale_key = ?', [
    sale_key,
  ]);
  return order;
}

/**
 * The newest confirmed order of an identical call that still has some of its places. With
 * `seats_only` at least one of these is a seat, which cannot be sold twice.
 */
export async function boughtWith(
  db: Db,
  {
    seats_only,
    ...call
  }: Pick<OrderRow, 'event_id' | 'hold_token' | 'selection'> & { seats_only: boolean },
): Promise<OrderRow | undefined> {
  const seat = seats_only ? `AND ${hasOneStatus('line')}` : '';
  // IN is ten times cheaper here than EXISTS, for which SQLite prepares a table each time.
  const bought = await selectRows<OrderRow>(
    db,
    `SELECT * FROM orders WHERE event_id = ? AND hold_token = ? AND selection = ? AND state = 'confirmed' AND confirmed_at IS NOT NULL
      AND id IN (SELECT order_id FROM order_lines AS line WHERE line.order_id = orders.id AND line.released_at IS NULL ${seat})`,
    [call.event_id, call.hold_token, call.selection],
  );
  // Sorting in SQL would make SQLite read all of the event's orders instead of the few of a hold
  // token.
  return bought.toSorted((a, b) => b.created_at - a.created_at || (b.id > a.id ? 1 : -1))[0];
}

/** The columns that a new order starts without. */
export const bareOrder = {
  network: null,
  lease: null,
  lease_until: null,
  confirmed_at: null,
  deleted_at: null,
  attempt: 1,
  stripe_params: null,
  session_id: null,
  session_status: null,
  checkout_url: null,
  payment_intent: null,
  receipt_number: null,
  buyer_name: null,
  buyer_email: null,
  buyer_phone: null,
  contact_hidden: 0,
  buyer_contact: null,
  buyer_language: null,
  part_of: null,
  needs_attention: null,
  buyer_forgotten_at: null,
  click_key: null,
  service_cents: 0,
  service_vat_percent: 22,
  sold_in_phase: null,
  paid_by: null,
  end_reason: null,
  paid_cents: 0,
  refunded_cents: 0,
  channel: 'web',
  contingent_id: null,
  sale_key: null,
  shift_id: null,
  sold_by: null,
  gift_reason: null,
  priced_by: null,
  exchange_credit_cents: null,
  deposit_end: null,
} as const satisfies Partial<OrderRow>;

/** The columns of a line that no rule has made cheaper. */
export const listPriced = {
  list_cents: null,
  entry_kind: null,
  price_reasons: null,
} as const satisfies Partial<OrderLineRow>;

interface WholeOrder {
  order: OrderRow;
  lines: readonly OrderLineRow[];
  audit: AuditRow | undefined;
}

export function rowsOfOrder({ order, lines, audit }: WholeOrder): NewRows[] {
  return [
    { table: 'orders', rows: [order] },
    { table: 'order_lines', rows: lines },
    ...(audit ? [{ table: 'audit', rows: [audit] }] : []),
  ];
}

/**
 * Returns false if another process was faster.
 * @throws Error if the domain's rule forbids the change
 */
export async function moveOrder(
  db: Db,
  id: string,
  from: readonly OrderState[],
  to: OrderState,
  changes: Partial<OrderRow> = {},
): Promise<boolean> {
  const { sql, bindings } = moveOf(id, from, { ...changes, state: to });
  return (await selectRows(db, sql, bindings)).length === 1;
}

function moveOf(
  id: string,
  from: readonly OrderState[],
  changes: Partial<OrderRow> & { state: OrderState },
): Statement {
  const to = changes.state;
  const forbidden = from.find((state) => !mayMove(state, to));
  if (forbidden !== undefined) throw new Error(`an order never moves from ${forbidden} to ${to}`);
  const ended = openStates.includes(to) ? {} : { network: null };
  const columns = Object.entries({ ...changes, ...ended }).filter(
    ([, value]) => value !== undefined,
  );
  const set = columns.map(([name]) => `"${name}" = ?`).join(', ');
  return {
    sql: `UPDATE orders SET ${set} WHERE id = ? AND state IN (${marksFor(from)}) RETURNING id`,
    bindings: [...columns.map(([, value]) => value), id, ...from],
  };
}

interface Adoption {
  session: CheckoutSessionRow;
  changes: Partial<OrderRow>;
}

/**
 * Gives a booked order its session; the order then waits for the payment. Returns false if its
 * state has changed; the session is stored in any case.
 */
export async function adoptCheckout(db: Pool, { session, changes }: Adoption): Promise<boolean> {
  const adopted = { session_id: session.id, state: 'awaiting_payment' as const };
  const moved = await insertIf(db, {
    condition: moveOf(session.order_id, ['booking'], { ...changes, ...adopted }),
    always: { table: 'checkout_sessions', rows: [session] },
  });
  if (moved) return true;
  // A first attempt whose answer was lost may have stored the session.
  const known = await db<OrderRow>('orders')
    .where({ id: session.order_id, ...adopted })
    .first('id');
  return known !== undefined;
}

/** Changes facts about an order, but not its state. */
export async function noteOrder(
  db: Db,
  id: string,
  changes: Omit<Partial<OrderRow>, 'id' | 'state'>,
): Promise<void> {
  await db<OrderRow>('orders').where({ id }).update(changes);
}

/** Stores a session; a repeated answer changes nothing. */
export async function insertSession(trx: Trx, session: CheckoutSessionRow): Promise<void> {
  await trx<CheckoutSessionRow>('checkout_sessions')
    .insert(session)
    .onConflict(['order_id', 'id'])
    .ignore();
}

/**
 * Stores what Stripe last said of a session; `paid_at` stays the first reading that showed the
 * payment.
 */
export async function noteSession(
  db: Db,
  { id, order_id }: { id: string; order_id: string | null },
  facts: Partial<Omit<CheckoutSessionRow, 'id' | 'order_id'>>,
): Promise<void> {
  const { paid_at, ...rest } = facts;
  const query = db('checkout_sessions').where({ order_id, id });
  // The reading may be older than our row: a session never opens again, and a payment is never
  // taken back.
  if (rest.status === 'open') query.where({ status: 'open' });
  if (rest.payment_status === 'unpaid') query.where({ payment_status: 'unpaid' });
  await query.update({
    ...rest,
    ...(paid_at === undefined ? {} : { paid_at: db.raw('COALESCE(paid_at, ?)', [paid_at]) }),
  });
}

export async function sessionsOf(db: Db, order_id: string): Promise<CheckoutSessionRow[]> {
  return db<CheckoutSessionRow>('checkout_sessions')
    .where({ order_id })
    .orderBy(['attempt', 'created_at']);
}

export async function linesOf(db: Db, order_id: string): Promise<OrderLineRow[]> {
  return db<OrderLineRow>('order_lines').where({ order_id }).orderBy('position');
}

/** Frees the order's places, which the next order may take immediately. */
export async function releaseLines(trx: Trx, order_id: string, at: number): Promise<void> {
  await trx<OrderLineRow>('order_lines')
    .where({ order_id })
    .whereNull('released_at')
    .update({ released_at: at });
}

export async function releaseTheseLines(
  trx: Trx,
  { order_id, line_ids }: { order_id: string; line_ids: readonly string[] },
  at: number,
): Promise<void> {
  await trx<OrderLineRow>('order_lines')
    .where({ order_id })
    .whereIn('id', line_ids as string[])
    .whereNull('released_at')
    .update({ released_at: at });
}

/** Gives a released line its place back; a unique index refuses if the place is taken. */
export async function reclaimLine(
  trx: Trx,
  { order_id, id }: LineKey,
  place: string,
): Promise<void> {
  await trx<OrderLineRow>('order_lines')
    .where({ order_id, id })
    .update({ place, released_at: null });
}

/** Makes the lines free of charge. */
export async function giveLines(trx: Trx, order_id: string): Promise<void> {
  await trx<OrderLineRow>('order_lines')
    .where({ order_id })
    .update({ price_cents: 0, ...noFees, entry_kind: 'free', price_reasons: null });
}

/**
 * Keeps orders that are neither confirmed nor ended, with the same condition as in the start
 * schema's index.
 */
export function whereOpen(query: Knex.QueryBuilder): Knex.QueryBuilder {
  return query.whereNull('orders.confirmed_at').whereNull('orders.deleted_at');
}

/** Lists orders that are neither confirmed nor ended, the oldest first, page by page. */
export async function listOpenOrders(
  db: Db,
  filter: {
    created_before: number;
    after: { created_at: number; id: string } | null;
    limit: number;
  },
): Promise<Pick<OrderRow, 'id' | 'created_at'>[]> {
  const query = whereOpen(db('orders'))
    .where('created_at', '<', filter.created_before)
    .orderBy(['created_at', 'id'])
    .limit(filter.limit)
    .select('id', 'created_at');
  const { after } = filter;
  if (after)
    query.where((b) =>
      b
        .where('created_at', '>', after.created_at)
        .orWhere((c) => c.where('created_at', after.created_at).where('id', '>', after.id)),
    );
  return query;
}

/** Overdue orders without a waiting task, except those that wait for a person. */
export function dueOrders(db: Db, now: number): Knex.QueryBuilder {
  return whereOpen(db('orders'))
    .where('pay_by', '<=', now)
    .whereNull('needs_attention')
    .whereNotExists(
      db('outbox').select(db.raw('1')).whereRaw("outbox.id = 'settle_order:' || orders.id"),
    );
}

/** An event's unpaid orders, except those paid with a different sum, which wait for a person. */
export async function listOpenOrdersOf(db: Db, event_id: string): Promise<Pick<OrderRow, 'id'>[]> {
  return whereOpen(db('orders'))
    .where({ event_id })
    .where((b) => b.whereNull('needs_attention').orWhereNot('needs_attention', 'amount_differs'))
    .orderBy('id')
    .select('id');
}

/**
 * Leases the order until it is given back or the time is over. Returns undefined if another
 * process has the lease.
 */
export async function takeLease(
  db: Db,
  id: string,
  ask: { lease: string; now: number; until: number },
): Promise<OrderRow | undefined> {
  const [order] = await db<OrderRow>('orders')
    .where({ id })
    .where((b) => b.whereNull('lease').orWhere('lease_until', '<=', ask.now))
    .update({ lease: ask.lease, lease_until: ask.until })
    .returning('*');
  return order;
}

/**
 * Lets a lease that ends much later than `latest` end then: the clock was set back after it was
 * taken. Its holder may go on to renew it.
 */
export async function shortenLease(db: Db, id: string, latest: number): Promise<void> {
  await db<OrderRow>('orders')
    .where({ id })
    .where('lease_until', '>', latest + clockStepMs)
    .update({ lease_until: latest });
}

/** Returns false if another process has the lease by now. */
export async function renewLease(
  db: Db,
  id: string,
  { lease, until }: { lease: string; until: number },
): Promise<boolean> {
  return (await db<OrderRow>('orders').where({ id, lease }).update({ lease_until: until })) === 1;
}

export async function giveLease(db: Db, id: string, lease: string): Promise<void> {
  await db<OrderRow>('orders').where({ id, lease }).update({ lease: null, lease_until: null });
}

/** Frees the leases of a killed process; only a single process may call this, when it starts. */
export async function dropLeases(db: Db): Promise<void> {
  await db<OrderRow>('orders').whereNotNull('lease').update({ lease: null, lease_until: null });
}

/** The numbers of the orders that have these places, without repetition. */
export async function ordersOnPlaces(
  db: Db,
  event_id: string,
  places: readonly string[],
): Promise<string[]> {
  return db('order_lines')
    .join('orders', 'orders.id', 'order_lines.order_id')
    .where('order_lines.event_id', event_id)
    .whereIn('order_lines.place', places as string[])
    .whereRaw(hasPlace('order_lines'))
    .distinct('orders.number')
    .orderBy('orders.number')
    .pluck('orders.number');
}
