/** A charge's receipt as the buyer sees it at `receipt_url`. */
import type { ReadCall } from '#server/standins/stripe/call.ts';
import type { Charge } from '#server/standins/stripe/payment/charges.ts';
import { METHOD_LABELS } from '#server/standins/stripe/payment/method-types.ts';
import { readReceiptToken } from '#server/standins/stripe/payment/receipt-address.ts';
import { findObject } from '#server/standins/stripe/statements/objects.ts';
import { formatAmount, html } from './page-text.ts';

/** The page's body; undefined for an address that was not made here. `call.id` is its token. */
export async function receiptOf(call: ReadCall): Promise<string | undefined> {
  const id = readReceiptToken(call, call.id);
  const charge = id === undefined ? undefined : await findObject<Charge>(call.store, 'charge', id);
  if (!charge || charge.status === 'failed') return undefined;
  const rows: [string, string][] = [
    ['Importo', formatAmount(charge.amount_captured, charge.currency)],
    ...(charge.amount_refunded > 0
      ? [['Rimborsato', formatAmount(charge.amount_refunded, charge.currency)] as [string, string]]
      : []),
    [
      'Data',
      new Intl.DateTimeFormat('it-IT', {
        dateStyle: 'long',
        timeStyle: 'short',
        timeZone: 'Europe/Rome',
      }).format(charge.created * 1000),
    ],
    ['Pagato con', paidWith(charge)],
    ['Ricevuta n.', charge.receipt_number ?? 'non ancora assegnata'],
    ...(charge.description === null ? [] : [['Causale', charge.description] as [string, string]]),
  ];
  return `<main class="single">
<h1>${charge.refunded ? 'Pagamento rimborsato' : 'Ricevuta di pagamento'}</h1>
<dl class="receipt">${rows.map(([name, value]) => `<div><dt>${name}</dt><dd>${html(value)}</dd></div>`).join('')}</dl>
<p class="note">Documento di prova: non è una ricevuta fiscale e nessuna somma è stata addebitata.</p>
</main>`;
}

function paidWith({ payment_method_details: { type, card } }: Charge): string {
  if (!card) return METHOD_LABELS[type];
  const brand = card.brand.replace(/^./, (letter) => letter.toUpperCase());
  return `${brand} •••• ${card.last4}`;
}
