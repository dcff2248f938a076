/**
 * Invoices on request on the wire: the buyer's form on the order page, and the office's list
 * (RULES L8).
 */
import * as v from 'valibot';
import {
  invoiceFields,
  invoiceObstacles,
  invoiceStates,
  type InvoiceField,
} from '#server/domain/papers/invoice.ts';
import { dayIn, endpoint, listAsk, pageOf, text, timeOut, trimmed } from './endpoint.ts';

/** The bundler may drop an unused call, so that an app contains only what it calls. */
// @__NO_SIDE_EFFECTS__
function eachField<S, More extends object>(schema: S, more: More) {
  return {
    ...Object.fromEntries(invoiceFields.map((field) => [field, schema])),
    ...more,
  } as Record<InvoiceField, S> & More;
}
/** The limit is generous, so that the domain can explain the fault in words. */
const typed = v.object(eachField(text(1_000), {}));

/**
 * `until`: the last moment to ask or change; `obstacle` null: both are possible now. `invoice`
 * null: the buyer asked for none.
 */
const ofOrder = v.object({
  until: timeOut,
  obstacle: v.nullable(v.picklist(invoiceObstacles)),
  invoice: v.nullable(v.object(eachField(v.string(), { changed_at: timeOut, made: v.boolean() }))),
});

/** The order id (128 random bits) is enough to read the invoice, as on the order page. */
export const readInvoice = endpoint('GET', '/api/orders/:orderId/invoice', {
  who: 'public',
  refusals: ['order_not_found', 'order_not_confirmed'],
  summary: 'What the invoice of an order is to say, and whether it may still be asked for',
  reply: ofOrder,
});

/**
 * A repeated call with the same data changes nothing. `detail.faults` of invoice_wrong: a
 * sentence per field; `detail.reason` of invoice_closed: one of `invoiceObstacles`.
 */
export const askInvoice = endpoint('PUT', '/api/orders/:orderId/invoice', {
  who: 'public',
  limit: 'form',
  refusals: ['order_not_found', 'order_not_confirmed', 'invoice_wrong', 'invoice_closed'],
  summary: 'Ask for an invoice, or change what is to stand in it',
  body: typed,
  reply: ofOrder,
});

/** The same for the office, by the order's own id. */
export const readOrderInvoice = endpoint('GET', '/api/admin/orders/:orderId/invoice', {
  who: 'see_invoices',
  refusals: ['order_not_found', 'order_not_confirmed'],
  summary: 'The invoice of an order, and whether it may still be asked for',
  reply: ofOrder,
});

/** As `askInvoice`, for a buyer who telephones; the registry names who wrote it. */
export const writeInvoice = endpoint('PUT', '/api/admin/orders/:orderId/invoice', {
  who: 'see_invoices',
  refusals: ['order_not_found', 'order_not_confirmed', 'invoice_wrong', 'invoice_closed'],
  summary: 'Ask for an invoice in the name of the buyer, or change what is to stand in it',
  body: typed,
  reply: ofOrder,
});

const invoice = v.object(
  eachField(v.string(), {
    invoice_id: v.string(),
    order_id: v.string(),
    order_number: v.string(),
    event_title: v.string(),
    event_starts_at: timeOut,
    paid_cents: v.number(),
    refunded_cents: v.number(),
    confirmed_at: timeOut,
    asked_at: timeOut,
    changed_at: timeOut,
    made_at: v.nullable(timeOut),
    made_number: v.nullable(v.string()),
    /** A day, `2026-11-26`. */ made_on: v.nullable(v.string()),
  }),
);

const filter = { state: v.optional(v.picklist(invoiceStates)) };

/** `todo` and `done` count all invoices, on this page or not. */
export const listInvoices = endpoint('GET', '/api/admin/invoices', {
  who: 'see_invoices',
  summary:
    'Invoices that buyers asked for, the latest first; q looks in names, codes and order numbers',
  query: v.object({ ...listAsk, ...filter }),
  reply: v.object({ todo: v.number(), done: v.number(), ...pageOf(invoice) }),
});

/** `excel`: as Italian Excel opens it; `plain`: comma, decimal point. */
export const exportInvoices = endpoint('GET', '/api/admin/invoices.csv', {
  who: 'see_invoices',
  work: 'invoices_file',
  sensitive: true,
  limit: 'document',
  file: 'text/csv',
  summary: 'The invoices that buyers asked for, as a file for the accountant',
  query: v.object({ format: v.optional(v.picklist(['excel', 'plain'])), ...filter }),
});

/** `day` is the invoice's date. After this call the buyer cannot change it. */
export const makeInvoice = endpoint('POST', '/api/admin/invoices/:invoiceId/made', {
  who: 'see_invoices',
  refusals: ['invoice_not_found', 'invoice_made'],
  summary: 'Say that an invoice was made, with its number and day',
  body: v.object({ number: trimmed(40, 1), day: dayIn }),
  reply: invoice,
});

export const reopenInvoice = endpoint('DELETE', '/api/admin/invoices/:invoiceId/made', {
  who: 'see_invoices',
  refusals: ['invoice_not_found'],
  summary: 'Take back that an invoice was made',
  reply: invoice,
});
