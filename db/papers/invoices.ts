/** Invoices that buyers asked for, in SQL. */
import { countRows } from '#db/engine/statements.ts';
import type { Knex } from 'knex';
import type { Db, Trx } from '#db/engine/dialect.ts';
import type { InvoiceState } from '#server/domain/papers/invoice.ts';
import { newestFirst, type Page } from '#db/engine/page.ts';
import type { EventRow, InvoiceRow, OrderRow } from '#db/rows.ts';

/** An invoice with its order. */
export interface ListedInvoice
  extends
    InvoiceRow,
    Pick<
      OrderRow,
      | 'paid_cents'
      | 'refunded_cents'
      | 'fee_cents'
      | 'service_cents'
      | 'vat_percent'
      | 'fee_vat_percent'
      | 'service_vat_percent'
    > {
  order_number: OrderRow['number'];
  confirmed_at: number;
  event_title: EventRow['title'];
  event_starts_at: number;
}

export async function invoiceOf(db: Db, order_id: string): Promise<InvoiceRow | undefined> {
  return db<InvoiceRow>('invoices').where({ order_id }).first();
}

/** Locks the invoice until the transaction ends. */
export async function lockInvoice(trx: Trx, id: string): Promise<InvoiceRow | undefined> {
  return trx<InvoiceRow>('invoices').where({ id }).forUpdate().first();
}

export async function insertInvoice(trx: Trx, invoice: InvoiceRow): Promise<void> {
  await trx<InvoiceRow>('invoices').insert(invoice);
}

/** Returns false if the office has made the invoice meanwhile. */
export async function changeInvoice(
  trx: Trx,
  id: string,
  changes: Partial<InvoiceRow>,
): Promise<boolean> {
  return (
    (await trx<InvoiceRow>('invoices').where({ id }).whereNull('made_at').update(changes)) === 1
  );
}

export async function reopenInvoice(trx: Trx, id: string): Promise<void> {
  await trx<InvoiceRow>('invoices')
    .where({ id })
    .update({ made_at: null, made_number: null, made_on: null, made_by: null });
}

/** Lists the newest request first. */
export async function listInvoices(
  db: Db,
  { state, id, page }: { state?: InvoiceState | undefined; id?: string; page: Page },
): Promise<ListedInvoice[]> {
  const query = withOrders(db, state);
  if (id !== undefined) query.where('invoices.id', id);
  newestFirst(query, { table: 'invoices', time: 'asked_at' }, page);
  return query;
}

export async function countInvoices(db: Db, state: InvoiceState): Promise<number> {
  const query = db('invoices');
  inState(query, state);
  return countRows(query);
}

function withOrders(db: Db, state: InvoiceState | undefined): Knex.QueryBuilder {
  const query = db('invoices')
    .join('orders', 'orders.id', 'invoices.order_id')
    .join('events', 'events.id', 'orders.event_id')
    .select(
      'invoices.*',
      'orders.number as order_number',
      'orders.confirmed_at',
      'orders.paid_cents',
      'orders.refunded_cents',
      'orders.fee_cents',
      'orders.service_cents',
      'events.title as event_title',
      'events.starts_at as event_starts_at',
      'orders.vat_percent',
      'orders.fee_vat_percent',
      'orders.service_vat_percent',
    );
  if (state !== undefined) inState(query, state);
  return query;
}

function inState(query: Knex.QueryBuilder, state: InvoiceState): void {
  if (state === 'todo') query.whereNull('invoices.made_at');
  else query.whereNotNull('invoices.made_at');
}
