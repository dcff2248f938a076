/**
 * Removes orders, or events with everything that belongs to them: those of the demo, and orders
 * that were paid with test money. The registry keeps its entries, and the seals over them stay
 * valid.
 */
import type { Knex } from 'knex';
import type { Db, Trx } from '#db/engine/dialect.ts';
import { newestFirst, type Page } from '#db/engine/page.ts';
import { deleteCodesOf } from '#db/event/code-desk.ts';
import type { AdmissionRow, CodeUseRow, EventRow, OrderRow } from '#db/rows.ts';

/** Tables whose rows belong to an order, in an order that foreign keys allow. */
const ofOrder = [
  'book_waits',
  'print_jobs',
  'mails',
  'message_orders',
  'replaced_links',
  'order_notes',
  'declines',
  'disputes',
  'refund_lines',
  'refunds',
  'payments',
  'invoices',
  'erasure_waits',
  'checkout_sessions',
  'code_uses',
  'moves',
  'rehoused_lines',
  'postponement_answers',
  'cancellation_answers',
  'transfer_orders',
  'breaks',
  'webhook_events',
  'tickets',
  'order_lines',
] as const;

/** Tables whose rows belong to a ticket. */
const ofTicket = ['moved_tickets', 'ticket_seals', 'admissions', 'ended_codes'] as const;

/** Tables whose rows belong to an event, in an order that foreign keys allow. */
const ofEvent = [
  'book_rows',
  'books',
  'rehousings',
  'transfers',
  'announcements',
  'postponements',
  'contingent_places',
  'contingent_areas',
  'contingents',
  'blocked_places',
  'blocked_areas',
  'blocks',
  'seal_imports',
  'queues',
  'phone_events',
  'heads',
  'admissions',
  'ended_codes',
  'mails',
  'refund_runs',
  'messages',
  'reminders',
  'kept_figures',
  'figure_changes',
  'program_low_seats',
  'program_tokens',
  'program_addresses',
  'started_work',
  'breaks',
  'price_rules',
  'places',
] as const;

/** What removal names, for the test that no table is forgotten. */
export const removed = { ofOrder, ofTicket, ofEvent };

/** Removes these orders; `whose` selects their ids. */
async function removeWhere(trx: Trx, whose: () => Knex.QueryBuilder): Promise<void> {
  const ticketsOf = () => trx('tickets').whereIn('order_id', whose()).select('id');
  for (const table of ofTicket) await trx(table).whereIn('ticket_id', ticketsOf()).delete();
  for (const table of ['mails', 'refunds', 'moves', 'print_jobs'])
    await trx('outbox')
      .whereIn('subject', trx(table).whereIn('order_id', whose()).select('id'))
      .delete();
  await trx('outbox').whereIn('subject', whose()).delete();
  await trx('refund_parts')
    .whereIn('refund_id', trx('refunds').whereIn('order_id', whose()).select('id'))
    .delete();
  await lowerUses(trx, whose);
  await removeExchanges(trx, whose);
  for (const table of ofOrder) await trx(table).whereIn('order_id', whose()).delete();
  await trx<OrderRow>('orders').whereIn('part_of', whose()).update({ part_of: null });
  await trx<AdmissionRow>('admissions')
    .whereNotNull('against')
    .whereIn('against_order_id', whose())
    .update({ against_order_id: null });
}

/**
 * An exchange goes with either of its orders. For the other one, what it gave or got is then money
 * that went by transfer.
 */
async function removeExchanges(trx: Trx, whose: () => Knex.QueryBuilder): Promise<void> {
  const gone = () =>
    trx('exchanges').whereIn('from_order_id', whose()).orWhereIn('to_order_id', whose());
  const byTransfer = { kind: 'manual', method: 'transfer' } as const;
  await trx('payments')
    .where({ kind: 'exchange' })
    .whereIn('order_id', gone().select('to_order_id'))
    .whereNotIn('order_id', whose())
    .update(byTransfer);
  await trx('refunds')
    .whereIn('id', gone().select('refund_id'))
    .whereNotIn('order_id', whose())
    .update(byTransfer);
  const stays = () =>
    trx<OrderRow>('orders').whereIn('id', gone().select('to_order_id')).whereNotIn('id', whose());
  await stays().where({ paid_by: 'exchange' }).update({ paid_by: 'manual' });
  await stays().update({ exchange_credit_cents: null });
  await trx('exchange_tickets').whereIn('exchange_id', gone().select('id')).delete();
  await gone().delete();
}

/** Gives back the uses of codes by the removed orders. */
async function lowerUses(trx: Trx, whose: () => Knex.QueryBuilder): Promise<void> {
  const holding = trx<CodeUseRow>('code_uses').whereNull('given_back_at');
  for (const { code_id, tickets } of await holding.whereIn('order_id', whose()))
    await trx('price_codes')
      .where({ id: code_id })
      .decrement({ orders_used: 1, tickets_used: tickets });
}

export async function removeOrders(trx: Trx, ids: readonly string[]): Promise<void> {
  await removeWhere(trx, () =>
    trx('orders')
      .whereIn('id', ids as string[])
      .select('id'),
  );
  await trx<OrderRow>('orders')
    .whereIn('id', ids as string[])
    .delete();
}

/** Removes an event with its orders, its book and its phones' right to it. */
export async function removeEvent(trx: Trx, event_id: string): Promise<void> {
  await removeWhere(trx, () => trx('orders').where({ event_id }).select('id'));
  await trx<OrderRow>('orders').where({ event_id }).delete();
  await deleteCodesOf(trx, { event_id });
  for (const table of ofEvent) await trx(table).where({ event_id }).delete();
  await trx('outbox').where({ subject: event_id }).orWhereLike('subject', `${event_id}#%`).delete();
  await trx<EventRow>('events').where({ id: event_id }).delete();
}

/** Removes these shows unless they have dates. */
export async function removeEmptyShows(trx: Trx, ids: readonly string[]): Promise<void> {
  await trx('shows')
    .whereIn('id', ids as string[])
    .whereNotIn('id', trx('events').whereNotNull('show_id').select('show_id'))
    .delete();
}

/** The phones that were paired for these events and no others, and have never scanned elsewhere. */
export async function phonesOnlyOf(db: Db, event_ids: readonly string[]): Promise<string[]> {
  const of = event_ids as string[];
  return db('phones')
    .whereIn('id', db('phone_events').whereIn('event_id', of).select('phone_id'))
    .whereNotIn('id', db('phone_events').whereNotIn('event_id', of).select('phone_id'))
    .whereNotExists(
      db('admissions')
        .whereNotIn('event_id', of)
        .where((either) =>
          either.whereRaw('phone_id = phones.id').orWhereRaw('approved_by = phones.id'),
        ),
    )
    .pluck('id');
}

export async function removePhones(trx: Trx, ids: readonly string[]): Promise<void> {
  for (const table of ['phone_keys', 'phone_events'])
    await trx(table)
      .whereIn('phone_id', ids as string[])
      .delete();
  await trx('phones')
    .whereIn('id', ids as string[])
    .delete();
}

/** Removes the shifts of a house that has no order left. */
export async function removeIdleShifts(trx: Trx): Promise<void> {
  if ((await trx('orders').first('id')) !== undefined) return;
  await trx('shift_moves').delete();
  await trx('shifts').delete();
}

/** How Stripe begins the ids of sessions that took real money. */
const liveSession = 'cs_live_%';
const testSession = 'cs_test_%';

/** True if an order of these events was paid, or is being paid, with real money at Stripe. */
export async function hasLiveMoney(db: Db, event_ids: readonly string[]): Promise<boolean> {
  const found = await db('checkout_sessions')
    .join('orders', 'orders.id', 'checkout_sessions.order_id')
    .whereIn('orders.event_id', event_ids as string[])
    .whereLike('checkout_sessions.id', liveSession)
    .first('checkout_sessions.id');
  return found !== undefined;
}

export interface TestOrders {
  event_id: string;
  title: string;
  starts_at: number;
  orders: number;
  places: number;
  cents: number;
}

/** Orders that only test money has paid or was to pay, and that still count or hold seats. */
function testOrders(db: Db) {
  const sessions = () =>
    db('checkout_sessions').whereRaw('checkout_sessions.order_id = orders.id').select(db.raw('1'));
  const payments = () =>
    db('payments').whereRaw('payments.order_id = orders.id').select(db.raw('1'));
  // An order that only tickets of another have paid for has no session.
  const tickets = () =>
    db('tickets').whereRaw('tickets.order_id = orders.id').where({ test_money: 1 });
  return db('orders')
    .where((either) =>
      either
        .whereExists(sessions().whereLike('id', testSession))
        .orWhereExists(tickets().select(db.raw('1'))),
    )
    .whereNotExists(sessions().whereLike('id', liveSession))
    .whereNotExists(payments().whereNotIn('kind', ['stripe', 'exchange']))
    .where((either) => either.whereNot('orders.state', 'deleted').orWhereExists(payments()));
}

export async function testOrdersByEvent(db: Db): Promise<TestOrders[]> {
  const rows: TestOrders[] = await testOrders(db)
    .join('events', 'events.id', 'orders.event_id')
    .groupBy('events.id', 'events.title', 'events.starts_at')
    .orderBy(['events.starts_at', 'events.id'])
    .select('events.id as event_id', 'events.title', 'events.starts_at')
    .count({ orders: '*' })
    .sum({ cents: 'orders.paid_cents' });
  const places: Pick<TestOrders, 'event_id' | 'places'>[] = await testOrders(db)
    .join('order_lines', 'order_lines.order_id', 'orders.id')
    .whereNull('order_lines.released_at')
    .groupBy('orders.event_id')
    .select('orders.event_id')
    .count({ places: '*' });
  const held = new Map(places.map((row) => [row.event_id, Number(row.places)]));
  return rows.map((row) => ({
    ...row,
    orders: Number(row.orders),
    cents: Number(row.cents ?? 0),
    places: held.get(row.event_id) ?? 0,
  }));
}

/** The newest first: what tickets of another order paid for goes before that one. */
export async function nextTestOrders(db: Db, page: Page): Promise<OrderRow[]> {
  const query = testOrders(db).select('orders.*');
  newestFirst(query, { table: 'orders', time: 'created_at' }, page);
  return query;
}
