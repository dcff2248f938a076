/**
 * Invoices on request: the buyer asks for one and may change it, the office makes it, and the
 * accountant gets a file (RULES L8).
 */
import {
  changeInvoice,
  countInvoices,
  insertInvoice,
  invoiceOf,
  listInvoices,
  lockInvoice,
  reopenInvoice,
  type ListedInvoice,
} from '#db/papers/invoices.ts';
import { lockOrder } from '#db/order/orders.ts';
import { transact } from '#db/engine/transact.ts';
import type { InvoiceRow, OrderRow } from '#db/rows.ts';
import {
  invoiceFaults,
  invoiceFields,
  tidyInvoice,
  type InvoiceState,
  type InvoiceTexts,
} from '#server/domain/papers/invoice.ts';
import { invoiceObstacle, invoiceUntil } from '#server/domain/papers/invoice-days.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { confirmedOrder } from '#server/services/order/documents.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { listPage, type ListAsk } from '#server/services/kit/page.ts';
import { happened } from '#server/services/kit/happened.ts';

/** @throws Refusal order_not_found, order_not_confirmed */
export async function invoiceOfOrder(ctx: Ctx, order_id: string) {
  const { order } = await confirmedOrder(ctx, order_id);
  return shown(ctx, order, await invoiceOf(ctx.db, order_id));
}

/**
 * What the buyer sees of the invoice, and the office on the order's page: nothing if the buyer's
 * data was erased, though the office keeps the invoice in its list.
 */
function shown(ctx: Ctx, order: OrderRow, invoice: InvoiceRow | undefined) {
  const isForgotten = order.buyer_forgotten_at !== null;
  return {
    until: invoiceUntil(requireValue(order.confirmed_at, 'day')),
    obstacle: isForgotten ? ('too_late' as const) : obstacleOf(ctx, order, invoice),
    invoice:
      invoice === undefined || isForgotten
        ? null
        : {
            ...textsOf(invoice),
            changed_at: invoice.changed_at,
            made: invoice.made_at !== null,
          },
  };
}

function obstacleOf(ctx: Ctx, order: OrderRow, invoice: InvoiceRow | undefined) {
  const made_at = invoice?.made_at ?? null;
  const confirmed_at = requireValue(order.confirmed_at, 'day');
  const { paid_cents, refunded_cents } = order;
  return invoiceObstacle({ paid_cents, refunded_cents, confirmed_at, made_at }, ctx.now());
}

function textsOf(invoice: InvoiceRow): InvoiceTexts {
  return Object.fromEntries(
    invoiceFields.map((field) => [field, invoice[field] ?? '']),
  ) as InvoiceTexts;
}

/**
 * The buyer, or the office for a buyer who telephones, by the same rule.
 * @throws Refusal order_not_found, order_not_confirmed; invoice_wrong with a sentence per field;
 * invoice_closed with the reason
 */
export async function askForInvoice(
  ctx: Ctx,
  order_id: string,
  { actor, typed }: { actor: Actor; typed: InvoiceTexts },
) {
  await confirmedOrder(ctx, order_id);
  const texts = tidyInvoice(typed);
  const faults = invoiceFaults(texts);
  if (Object.keys(faults).length > 0) throw new Refusal('invoice_wrong', { faults });
  await transact(ctx.db, async (trx) => {
    // Simultaneous requests and erasures wait for one another here.
    const order = await lockOrder(trx, order_id);
    const before = await invoiceOf(trx, order_id);
    const reason = order.buyer_forgotten_at === null ? obstacleOf(ctx, order, before) : 'too_late';
    if (reason !== null) throw new Refusal('invoice_closed', { reason });
    if (before && invoiceFields.every((field) => textsOf(before)[field] === texts[field])) return;
    const changes = { ...columnsOf(texts), changed_at: ctx.now() };
    if (before === undefined)
      await insertInvoice(trx, {
        id: ctx.newId(),
        order_id,
        ...changes,
        asked_at: ctx.now(),
        made_at: null,
        made_number: null,
        made_on: null,
        made_by: null,
      });
    else if (!(await changeInvoice(trx, before.id, changes)))
      throw new Refusal('invoice_closed', { reason: 'already_made' });
    // The registry says only that it was asked for; the invoice has what was typed.
    await happened(ctx, trx, {
      actor,
      action: before === undefined ? 'invoice_asked' : 'invoice_changed',
      subject: order_id,
    });
  });
  return invoiceOfOrder(ctx, order_id);
}

function columnsOf({ vat_number, tax_code, recipient_code, pec, ...rest }: InvoiceTexts) {
  return {
    ...rest,
    vat_number: vat_number || null,
    tax_code: tax_code || null,
    recipient_code: recipient_code || null,
    pec: pec || null,
  };
}

export async function invoiceList(ctx: Ctx, { state, ...ask }: ListAsk & { state?: InvoiceState }) {
  const { rows, next_cursor } = await listPage(
    ask,
    (page) => listInvoices(ctx.db, { state, page }),
    { timeOf: ({ asked_at }) => asked_at, textsOf: wordsOf },
  );
  return {
    todo: await countInvoices(ctx.db, 'todo'),
    done: await countInvoices(ctx.db, 'done'),
    items: rows.map(inWords),
    next_cursor,
  };
}

function wordsOf(row: ListedInvoice): (string | null)[] {
  const { name, city, vat_number, tax_code, pec, order_number, event_title, made_number } = row;
  const number = order_number.replace('-', '');
  return [name, city, vat_number, tax_code, pec, order_number, number, event_title, made_number];
}

function inWords(row: ListedInvoice) {
  return { ...row, ...textsOf(row), invoice_id: row.id };
}

/** @throws Refusal invoice_not_found, invoice_made */
export async function markInvoiceMade(
  ctx: Ctx,
  id: string,
  { number, day, actor }: { number: string; day: string; actor: Actor },
) {
  await transact(ctx.db, async (trx) => {
    const invoice = await lockInvoice(trx, id);
    if (invoice === undefined) throw new Refusal('invoice_not_found');
    const made = { made_at: ctx.now(), made_number: number, made_on: day, made_by: actor };
    if (!(await changeInvoice(trx, id, made))) throw new Refusal('invoice_made');
    await happened(ctx, trx, {
      actor,
      action: 'invoice_made',
      subject: invoice.order_id,
      detail: { invoice_number: number, day },
    });
  });
  return oneInvoice(ctx, id);
}

/**
 * Does nothing if the invoice is not made.
 * @throws Refusal invoice_not_found
 */
export async function takeInvoiceBack(ctx: Ctx, id: string, actor: Actor) {
  await transact(ctx.db, async (trx) => {
    const invoice = await lockInvoice(trx, id);
    if (invoice === undefined) throw new Refusal('invoice_not_found');
    if (invoice.made_at === null) return;
    await reopenInvoice(trx, id);
    await happened(ctx, trx, {
      actor,
      action: 'invoice_reopened',
      subject: invoice.order_id,
      detail: { invoice_number: invoice.made_number },
    });
  });
  return oneInvoice(ctx, id);
}

async function oneInvoice(ctx: Ctx, id: string) {
  const [row] = await listInvoices(ctx.db, { id, page: { limit: 1, after: null } });
  return inWords(requireValue(row, 'invoice'));
}
