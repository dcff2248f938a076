/**
 * Refunds, their lines, and the refund runs of cancelled events, in SQL. Every change of state is
 * a guarded update.
 */
import type { SeatParts } from '#server/domain/seat/seat-name.ts';
import type { Knex } from 'knex';
import {
  countedRefunds,
  failedRefunds,
  type RefundOrigin,
  type RefundState,
} from '#server/domain/payment/refund.ts';
import type { Fees } from '#server/domain/price/fees.ts';
import { namedInPart, type SharedRefund } from '#server/domain/payment/presale-part.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { keepsGuest } from '#db/door/against.ts';
import { type Db, type Trx } from '#db/engine/dialect.ts';
import { linesOfRefunds, samePlaceAs, seatColumns, ticketsOfLines } from '#db/joins.ts';
import { newestFirst, type Page } from '#db/engine/page.ts';
import type {
  OrderLineRow,
  OrderRow,
  RefundLineRow,
  RefundRow,
  RefundRunRow,
  TicketRow,
} from '#db/rows.ts';
import { insertMany } from '#db/engine/statements.ts';
import { noteFigureChange } from './figure-changes.ts';

export async function insertRefund(
  trx: Trx,
  refund: RefundRow,
  lines: readonly RefundLineRow[],
): Promise<void> {
  await trx<RefundRow>('refunds').insert(refund);
  await insertMany(trx, 'refund_lines', lines);
  await noteFigureChange(trx, refund, refund.state);
}

export async function findRefund(db: Db, id: string): Promise<RefundRow | undefined> {
  return db<RefundRow>('refunds').where({ id }).first();
}

export async function requireRefund(db: Db, id: string): Promise<RefundRow> {
  return requireValue(await findRefund(db, id), `refund ${id}`);
}

export async function findRefundByKey(
  db: Db,
  idempotency_key: string,
): Promise<RefundRow | undefined> {
  return db<RefundRow>('refunds').where({ idempotency_key }).first();
}

export async function refundsOf(db: Db, order_id: string): Promise<RefundRow[]> {
  return db<RefundRow>('refunds')
    .where({ order_id })
    .orderBy([
      { column: 'created_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ]);
}

/** The refunds of a payment at Stripe, of its order and of those that its tickets paid for. */
export async function refundsAt(db: Db, payment_intent: string): Promise<RefundRow[]> {
  return db<RefundRow>('refunds')
    .where({ payment_intent })
    .orderBy([
      { column: 'created_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ]);
}

/** The refunds of an order, and of all orders that its tickets have paid for since. */
export async function refundsWithLater(db: Db, order_id: string): Promise<RefundRow[]> {
  return db
    .withRecursive(
      'family',
      db.raw(
        `SELECT orders.id FROM orders WHERE orders.id = ? UNION ALL SELECT exchanges.to_order_id FROM exchanges JOIN family ON family.id = exchanges.from_order_id WHERE exchanges.state = 'done'`,
        [order_id],
      ),
    )
    .select('refunds.*')
    .from<RefundRow>('refunds')
    .join('family', 'family.id', 'refunds.order_id');
}

/** Returns false if the refund is in none of these states any more. */
export async function moveRefund(
  trx: Trx,
  id: string,
  from: readonly RefundState[],
  changes: Partial<RefundRow>,
): Promise<boolean> {
  const moved = await trx<RefundRow>('refunds')
    .where({ id })
    .whereIn('state', from as RefundState[])
    .update(changes)
    .returning(['id', 'order_id', 'state']);
  for (const refund of moved) await noteFigureChange(trx, refund, refund.state);
  return moved.length === 1;
}

/** Changes facts about a refund, but not its state. */
export async function noteRefund(
  trx: Trx,
  id: string,
  changes: Omit<Partial<RefundRow>, 'id' | 'state'>,
): Promise<void> {
  await trx<RefundRow>('refunds').where({ id }).update(changes);
}

/**
 * Settles the refunds of an order that were made at Stripe without us; the office has noted them.
 */
export async function settleTakenOver(
  trx: Trx,
  order_id: string,
  settled_at: number,
): Promise<void> {
  await trx<RefundRow>('refunds')
    .where({ order_id, origin: 'stripe' })
    .whereIn('state', countedRefunds as RefundState[])
    .whereNull('settled_at')
    .update({ settled_at });
}

/**
 * Changes the lines of a refund; the unique index refuses lines that another refund has reserved.
 */
export async function setRefundLines(
  trx: Trx,
  refund_id: string,
  changes: Partial<Omit<RefundLineRow, 'refund_id' | 'line_id'>>,
): Promise<void> {
  await trx<RefundLineRow>('refund_lines').where({ refund_id }).update(changes);
}

/** Stores what a refund gives for one of its lines. */
export async function setRefundLine(
  trx: Trx,
  { refund_id, line_id, price_cents, fee_cents, service_cents }: RefundLineRow,
): Promise<void> {
  await trx<RefundLineRow>('refund_lines')
    .where({ refund_id, line_id })
    .update({ price_cents, fee_cents, service_cents });
}

export async function refundLinesOf(db: Db, refund_id: string): Promise<RefundLineRow[]> {
  return db<RefundLineRow>('refund_lines').where({ refund_id });
}

/** True if another refund has reserved or paid back these lines. */
export async function isRefundedByAnother(
  db: Db,
  refund_id: string,
  line_ids: readonly string[],
): Promise<boolean> {
  const other = await db<RefundLineRow>('refund_lines')
    .whereIn('line_id', line_ids as string[])
    .where({ live: 1 })
    .whereNot({ refund_id })
    .first('line_id');
  return other !== undefined;
}

/** What completed a failed refund completes the one that is made instead. */
export async function passRests(trx: Trx, from: string, to: string): Promise<void> {
  await trx<RefundRow>('refunds').where({ rest_of: from }).update({ rest_of: to });
}

/** What a refund gives together with those that complete it, also if a part has failed. */
export async function sumWithRests(db: Db, id: string): Promise<number> {
  const row = await db<RefundRow>('refunds')
    .where((either) => either.where({ id }).orWhere({ rest_of: id }))
    .where((either) => either.whereNull('failure').orWhereNot({ failure: 'tried_again' }))
    .sum<{ sum: number | string | null }[]>({ sum: 'amount_cents' })
    .first();
  return Number(row?.sum ?? 0);
}

/** Sums the refunds of an order that Stripe has paid or may still pay. */
export async function sumCounted(db: Db, order_id: string): Promise<number> {
  const row = await db('refunds')
    .where({ order_id })
    .whereIn('state', countedRefunds as RefundState[])
    .sum<{ sum: number | string | null }[]>({ sum: 'amount_cents' })
    .first();
  return Number(row?.sum ?? 0);
}

/** How much of the counted refunds of these orders pays back surcharges. */
export async function countedFees(
  db: Db,
  order_ids: readonly string[],
): Promise<Map<string, Fees>> {
  const rows: { order_id: string; fees: number | string; service: number | string }[] = await db(
    'refunds',
  )
    .whereIn('order_id', order_ids as string[])
    .whereIn('state', countedRefunds as RefundState[])
    .groupBy('order_id')
    .select('order_id')
    .sum({ fees: 'fee_cents', service: 'service_cents' });
  return new Map(
    rows.map(({ order_id, fees, service }) => [
      order_id,
      { fee_cents: Number(fees), service_cents: Number(service) },
    ]),
  );
}

/** A refund reduces the books on the day of its decision, even if the bank pays it later. */
export const givenAt = 'COALESCE(refunds.decided_at, refunds.created_at)';

/** The refunds of an order that Stripe has paid or may still pay, in the order of the books. */
export async function countedRefundsOf(
  db: Db,
  order_id: string,
): Promise<(Pick<RefundRow, 'id' | 'order_id'> & Fees & SharedRefund)[]> {
  // A rest pays back the same tickets as the refund that names them.
  const named = (column: string) =>
    db('refund_lines').whereRaw('refund_id = COALESCE(refunds.rest_of, refunds.id)').sum(column);
  const rows: (RefundRow & Record<'prices' | 'fees' | 'service', number | string | null>)[] =
    await db('refunds')
      .where({ order_id })
      .whereIn('state', countedRefunds as RefundState[])
      .orderByRaw(`${givenAt}, refunds.id`)
      .select('refunds.*')
      .select({
        prices: named('price_cents'),
        fees: named('fee_cents'),
        service: named('service_cents'),
      });
  return rows.map(({ prices, fees, service, ...row }) => {
    const lines = { fee_cents: Number(fees ?? 0), service_cents: Number(service ?? 0) };
    const named = { price_cents: Number(prices ?? 0), ...lines };
    return { ...row, ...namedInPart(named, { before: givenBefore(row, rows), ...row }) };
  });
}

/** What the refunds give before this one that pay back the same tickets. */
function givenBefore({ id, rest_of }: RefundRow, byTurn: readonly RefundRow[]): number {
  if (rest_of === null) return 0;
  const at = byTurn.findIndex((other) => other.id === id);
  return byTurn
    .filter((other, nth) => other.id === rest_of || (other.rest_of === rest_of && nth < at))
    .reduce((sum, { amount_cents }) => sum + amount_cents, 0);
}

/** Stores which part of a counted refund is for surcharges. */
export async function setFeesBack(
  trx: Trx,
  refund: Pick<RefundRow, 'id' | 'order_id'>,
  fees: Fees,
): Promise<void> {
  await noteRefund(trx, refund.id, fees);
  await noteFigureChange(trx, refund, `fee ${fees.fee_cents} ${fees.service_cents}`);
}

/**
 * The lines of a refund whose places cannot be sold again yet, without those of guests who sit
 * there against the book.
 */
export async function unreleasedLines(db: Db, refund_id: string): Promise<OrderLineRow[]> {
  return db('order_lines')
    .join('refund_lines', linesOfRefunds)
    .where({ 'refund_lines.refund_id': refund_id, live: 1 })
    .whereNull('released_at')
    .whereRaw(`NOT ${keepsGuest('order_lines')}`)
    .select('order_lines.*');
}

/**
 * The fields of a line that decide about a refund, with its ticket and the names of its place.
 */
export interface RefundableLine
  extends
    Pick<
      OrderLineRow,
      | 'id'
      | 'order_id'
      | 'place'
      | 'type_label'
      | 'price_cents'
      | 'fee_cents'
      | 'service_cents'
      | 'position'
      | 'object_label'
      | 'category'
      | 'ticket_type'
      | 'whole_size'
      | 'list_cents'
      | 'price_reasons'
    >,
    SeatParts {
  ticket_id: string | null;
  ticket_state: TicketRow['state'] | null;
  refund_id: string | null;
  refund_state: RefundState | null;
  refund_price_cents: number | null;
  refund_fee_cents: number | null;
}

export async function refundableLines(
  db: Db,
  order_ids: readonly string[],
): Promise<RefundableLine[]> {
  return db('order_lines')
    .whereIn('order_lines.order_id', order_ids as string[])
    .join('places', samePlaceAs('order_lines'))
    .leftJoin('tickets', ticketsOfLines)
    .leftJoin('refund_lines', (on) => on.on(linesOfRefunds).andOnVal('refund_lines.live', 1))
    .leftJoin('refunds', 'refunds.id', 'refund_lines.refund_id')
    .orderBy('order_lines.position')
    .select(
      'order_lines.id',
      'order_lines.order_id',
      'order_lines.place',
      'order_lines.type_label',
      'order_lines.price_cents',
      'order_lines.fee_cents',
      'order_lines.service_cents',
      'order_lines.position',
      'order_lines.object_label',
      'order_lines.category',
      'order_lines.ticket_type',
      'order_lines.whole_size',
      'order_lines.list_cents',
      'order_lines.price_reasons',
      ...seatColumns,
      'tickets.id as ticket_id',
      'tickets.state as ticket_state',
      'refunds.id as refund_id',
      'refunds.state as refund_state',
      'refund_lines.price_cents as refund_price_cents',
      'refund_lines.fee_cents as refund_fee_cents',
    );
}

/** The tickets and the names of the places of these refunds. */
export async function ticketsOfRefunds(
  db: Db,
  refund_ids: readonly string[],
): Promise<({ refund_id: string; ticket_id: string | null } & SeatParts)[]> {
  return db('refund_lines')
    .whereIn('refund_lines.refund_id', refund_ids as string[])
    .join('order_lines', linesOfRefunds)
    .join('places', samePlaceAs('order_lines'))
    .leftJoin('tickets', ticketsOfLines)
    .orderBy('order_lines.position')
    .select('refund_lines.refund_id', 'tickets.id as ticket_id', ...seatColumns);
}

export interface ListedRefund
  extends RefundRow, Pick<OrderRow, 'number' | 'buyer_name' | 'needs_attention' | 'event_id'> {
  event_title: string;
  event_starts_at: number;
}

export interface RefundFilter {
  id?: string;
  order_id?: string;
  state?: RefundState;
  origin?: RefundOrigin;
  run_id?: string;
  event_id?: string;
  /**
   * Only what waits for a person; pending ones if older than this.
   */ waitingSince?: number | undefined;
}

/** Lists the newest first, with their order and event. */
export async function listRefunds(
  db: Db,
  { waitingSince, id, ...equal }: RefundFilter,
  page: Page,
): Promise<ListedRefund[]> {
  const query = db('refunds')
    .join('orders', 'orders.id', 'refunds.order_id')
    .join('events', 'events.id', 'orders.event_id')
    .select(
      'refunds.*',
      'orders.number',
      'orders.buyer_name',
      'orders.needs_attention',
      'orders.event_id',
      'events.title as event_title',
      'events.starts_at as event_starts_at',
    );
  newestFirst(query, { table: 'refunds', time: 'created_at' }, page);
  if (id !== undefined) query.where('refunds.id', id);
  for (const [column, value] of Object.entries(equal))
    if (value !== undefined)
      query.where(column === 'event_id' ? 'orders.event_id' : `refunds.${column}`, value);
  if (waitingSince !== undefined) whereWaiting(query, waitingSince);
  return query;
}

/**
 * Refunds that wait for a person: requests of buyers, failed ones, cash to hand back, refunds
 * made at Stripe, and those pending since before then.
 */
export function whereWaiting(query: Knex.QueryBuilder, pending_since: number): Knex.QueryBuilder {
  return query.whereNull('refunds.settled_at').where((b) =>
    b
      .whereIn('refunds.state', ['asked', ...failedRefunds])
      .orWhere({ 'refunds.state': 'requested', 'refunds.kind': 'manual' })
      .orWhere('refunds.origin', 'stripe')
      .orWhere((c) =>
        c
          .whereIn('refunds.state', ['pending', 'requires_action'])
          .where('refunds.created_at', '<', pending_since),
      ),
  );
}

/** Refunds of an event whose money a person has to hand over, by the buyer's name. */
export async function listToHandBack(
  db: Db,
  event_id: string,
): Promise<(RefundRow & Pick<OrderRow, 'number' | 'buyer_name'>)[]> {
  return db('refunds')
    .join('orders', 'orders.id', 'refunds.order_id')
    .where({ 'refunds.state': 'requested', 'refunds.kind': 'manual' })
    .where('orders.event_id', event_id)
    .orderBy(['orders.buyer_name', 'orders.number', 'refunds.id'])
    .select('refunds.*', 'orders.number', 'orders.buyer_name');
}

export async function insertRun(trx: Trx, run: RefundRunRow): Promise<void> {
  await trx<RefundRunRow>('refund_runs').insert(run);
}

export async function findRun(db: Db, id: string): Promise<RefundRunRow | undefined> {
  return db<RefundRunRow>('refund_runs').where({ id }).first();
}

export async function findRunOfEvent(db: Db, event_id: string): Promise<RefundRunRow | undefined> {
  return db<RefundRunRow>('refund_runs').where({ event_id }).first();
}

/** Fails by the foreign keys if it has an answer or a refund. */
export async function dropRun(trx: Trx, id: string): Promise<void> {
  await trx<RefundRunRow>('refund_runs').where({ id }).delete();
}

export async function finishRun(trx: Trx, id: string, finished_at: number | null): Promise<void> {
  await trx<RefundRunRow>('refund_runs').where({ id }).update({ finished_at });
}

/** Refunds that Stripe has not been asked for yet. */
function unsent(db: Db, run_id: string) {
  return db<RefundRow>('refunds').where({ run_id, state: 'requested', kind: 'stripe' });
}

/** A query of their ids. */
export function unsentOfRun(db: Db, run_id: string): Knex.QueryBuilder {
  return unsent(db, run_id).select('id');
}

/** Stops the run. Returns false if it is stopped, or if all its money is on its way. */
export async function haltRun(trx: Trx, id: string, at: number): Promise<boolean> {
  const query = trx<RefundRunRow>('refund_runs').where({ id }).whereNull('halted_at');
  query.where((b) => b.whereNull('finished_at').orWhereExists(unsent(trx, id)));
  return (await query.update({ halted_at: at })) === 1;
}

/** Returns false if the run is not stopped. */
export async function continueRun(trx: Trx, id: string): Promise<boolean> {
  const query = trx<RefundRunRow>('refund_runs').where({ id }).whereNotNull('halted_at');
  return (await query.update({ halted_at: null })) === 1;
}

export async function isHalted(db: Db, run_id: string): Promise<boolean> {
  return (await findRun(db, run_id))?.halted_at != null;
}

/** Sums the refunds of a run, without failed ones that were settled otherwise. */
export async function sumsOfRun(
  db: Db,
  run_id: string,
): Promise<{ state: RefundState; kind: RefundRow['kind']; refunds: number; cents: number }[]> {
  return db('refunds')
    .where({ run_id })
    .where((b) => b.whereNotIn('state', failedRefunds as RefundState[]).orWhereNull('settled_at'))
    .groupBy('state', 'kind')
    .select('state', 'kind')
    .count({ refunds: '*' })
    .sum({ cents: 'amount_cents' }) as never;
}

/** Confirmed orders of an event ordered by id, page by page. */
export async function confirmedOrders(
  db: Db,
  event_id: string,
  { after, limit }: { after: string; limit: number },
): Promise<OrderRow[]> {
  return db<OrderRow>('orders')
    .where({ event_id, state: 'confirmed' })
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit);
}

/**
 * Confirmed orders that have a line to refund and that the run has not refunded yet. This SQL
 * does what refundQuote() does for 'event_cancelled', so that a repeated run finds no finished
 * order. `asking`: only those that need not be waited for.
 */
export async function ordersToRefund(
  db: Db,
  { id: run_id, event_id }: Pick<RefundRunRow, 'id' | 'event_id'>,
  { after, limit, asking = false }: { after: string; limit: number; asking?: boolean },
): Promise<Pick<OrderRow, 'id'>[]> {
  const one = db.raw('1');
  const underWay = db('refund_lines')
    .join('refunds', 'refunds.id', 'refund_lines.refund_id')
    .whereRaw(
      'refund_lines.order_id = order_lines.order_id AND refund_lines.line_id = order_lines.id',
    )
    .where('refund_lines.live', 1)
    .whereNot('refunds.state', 'asked')
    .select(one);
  const validTicket = db('tickets')
    .whereRaw('tickets.order_id = order_lines.order_id AND tickets.place = order_lines.place')
    .where('tickets.state', 'valid')
    .select(one);
  const lineToRefund = db('order_lines')
    .whereRaw('order_lines.order_id = orders.id')
    .whereNotExists(underWay)
    .where((b) =>
      b.whereRaw('order_lines.price_cents + order_lines.fee_cents > 0').orWhereExists(validTicket),
    )
    .select(one);
  const query = db('orders')
    .where({ event_id, state: 'confirmed' })
    .where('id', '>', after)
    .whereExists(lineToRefund)
    .whereNotExists(
      db('refunds as done')
        .whereRaw('done.order_id = orders.id')
        .where('done.run_id', run_id)
        .select(one),
    )
    .orderBy('id')
    .limit(limit)
    .select('orders.id');
  if (asking)
    query.where((b) =>
      b
        .whereRaw('orders.paid_cents <= orders.refunded_cents')
        .orWhereExists(
          db('cancellation_answers as said')
            .whereRaw('said.order_id = orders.id')
            .where({ 'said.run_id': run_id, 'said.answer': 'refund' })
            .select(one),
        ),
    );
  return query;
}

/** The money of an order that was left to the house. */
export async function giftOf(db: Db, order_id: string): Promise<RefundRow | undefined> {
  return db<RefundRow>('refunds').where({ order_id, kind: 'gift' }).first();
}
