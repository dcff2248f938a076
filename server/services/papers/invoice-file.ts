/** The requested invoices as a file for the accountant: one line for each, with its VAT. */
import { listInvoices, type ListedInvoice } from '#db/papers/invoices.ts';
import type { After } from '#db/engine/page.ts';
import { formatListDate } from '#server/domain/time/dates.ts';
import { noRecipientCode, type InvoiceState } from '#server/domain/papers/invoice.ts';
import { paidParts } from '#server/domain/payment/presale-part.ts';
import { splitVat, vatWords } from '#server/domain/papers/vat.ts';
import type { Ctx } from '#server/services/context.ts';
import { csvFile, type CsvFormat } from '#server/services/kit/csv-file.ts';

const pageSize = 500;

export async function invoiceFile(
  ctx: Ctx,
  { format = 'excel', state }: { format?: CsvFormat; state?: InvoiceState },
) {
  const rows: ListedInvoice[] = [];
  for (let after: After | null = null; ;) {
    const page: ListedInvoice[] = await listInvoices(ctx.db, {
      state,
      page: { limit: pageSize, after },
    });
    rows.push(...page);
    const last = page.at(-1);
    if (!last || page.length < pageSize) break;
    after = { at: last.asked_at, id: last.id };
  }
  const money = moneyWriter(format);
  return csvFile(ctx, {
    name: 'fatture',
    headings,
    lines: rows.map((row) => cellsOf(row, money)),
    format,
  });
}

export function moneyWriter(format: CsvFormat): (cents: number) => string {
  const sign = format === 'excel' ? ',' : '.';
  return (cents) => (cents / 100).toFixed(2).replace('.', sign);
}

const headings = [
  'Denominazione',
  'Indirizzo',
  'CAP',
  'Comune',
  'Provincia',
  'Partita IVA',
  'Codice fiscale',
  'Codice destinatario',
  'PEC',
  'Ordine',
  'Evento',
  'Data evento',
  'Pagato il',
  'Pagato',
  'Rimborsato',
  'Biglietti',
  'IVA biglietti',
  'Imponibile biglietti',
  'Imposta biglietti',
  'Prevendita',
  'IVA prevendita',
  'Imponibile prevendita',
  'Imposta prevendita',
  'Commissione di servizio',
  'IVA commissione',
  'Imponibile commissione',
  'Imposta commissione',
  'Chiesta il',
  'Fattura n.',
  'Fattura del',
];

/** The paid sum never changes; a refund has its own column, for a credit note. */
function cellsOf(row: ListedInvoice, money: (cents: number) => string): string[] {
  const { tickets_cents, fee_cents, service_cents } = paidParts(row);
  const presale_cents = fee_cents - service_cents;
  const tickets = splitVat(tickets_cents, row.vat_percent);
  const presale = splitVat(presale_cents, row.fee_vat_percent);
  const service = splitVat(service_cents, row.service_vat_percent);
  return [
    row.name,
    row.address,
    row.postal_code,
    row.city,
    row.province,
    row.vat_number ?? '',
    row.tax_code ?? '',
    row.recipient_code ?? noRecipientCode,
    row.pec ?? '',
    row.order_number,
    row.event_title,
    formatListDate(row.event_starts_at),
    formatListDate(row.confirmed_at),
    money(row.paid_cents),
    money(row.refunded_cents),
    money(tickets_cents),
    vatWords(row.vat_percent),
    money(tickets.net_cents),
    money(tickets.vat_cents),
    money(presale_cents),
    vatWords(row.fee_vat_percent),
    money(presale.net_cents),
    money(presale.vat_cents),
    money(service_cents),
    vatWords(row.service_vat_percent),
    money(service.net_cents),
    money(service.vat_cents),
    formatListDate(row.asked_at),
    row.made_number ?? '',
    row.made_on === null ? '' : row.made_on.split('-').toReversed().join('/'),
  ];
}
