/** A charge's receipt, as the buyer finds it behind `receipt_url`. */
import type { ReadCall } from '#server/standins/stripe/call.ts';
import type { Charge } from './charges.ts';
import { factsOf, type MethodType } from './method-types.ts';
import { findObject } from '#server/standins/stripe/statements/objects.ts';
import { formatAmount, html } from '#server/standins/stripe/checkout/page-text.ts';
import { readReceiptToken } from './receipt-address.ts';

/** The body of the page; undefined when the address is not one of ours. `call.id` is the token of the address. */
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
<h1>${titleOf(charge)}</h1>
<dl class="receipt">${rows.map(([name, value]) => `<div><dt>${name}</dt><dd>${html(value)}</dd></div>`).join('')}</dl>
<p class="note">Documento di prova: non è una ricevuta fiscale e nessuna somma è stata addebitata.</p>
</main>`;
}

function titleOf(charge: Charge): string {
  if (charge.status === 'pending') return 'Pagamento in elaborazione';
  return charge.refunded ? 'Pagamento rimborsato' : 'Ricevuta di pagamento';
}

function paidWith(charge: Charge): string {
  const details = charge.payment_method_details as {
    type: MethodType;
    card?: { brand: string; last4: string };
    sepa_debit?: { last4: string };
  };
  const last4 = details.card?.last4 ?? details.sepa_debit?.last4;
  const name = details.card
    ? details.card.brand.replace(/^./, (letter) => letter.toUpperCase())
    : factsOf(details.type).label;
  return last4 === undefined ? name : `${name} •••• ${last4}`;
}
