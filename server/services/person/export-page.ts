/** The page of an export: everything in Italian words, in one file that needs no network. */
import { actionName, tellDetail } from '#server/domain/audit/audit-words.ts';
import { formatListDate, formatLongDate } from '#server/domain/time/dates.ts';
import { escapeHtml } from '#server/domain/text/plain-text.ts';
import { formatEuro } from '#server/domain/price/money.ts';
import { methodName, orderStateName } from '#server/domain/order/order-words.ts';
import { personalPart, type Held, type HeldOrder } from './find.ts';

interface Page {
  held: Held;
  organiser: { name: string; email: string | null; phone: string | null };
  made_at: number;
}

const style = `body{font:1rem/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b;background:#fff}
h1{font-size:1.6rem}h2{margin-top:2.5rem;border-bottom:1px solid #999}h3{margin-bottom:.3rem}
table{border-collapse:collapse;width:100%;margin:.5rem 0 1rem}th,td{border:1px solid #bbb;padding:.35rem .5rem;text-align:left;vertical-align:top;overflow-wrap:anywhere}
th{background:#f1f1f1}pre{white-space:pre-wrap;font:inherit;margin:0}`;

export function exportPage({ held, organiser, made_at }: Page): string {
  const contacts = [organiser.email, organiser.phone].filter((one) => one !== null).join(', ');
  return `<!doctype html>
<html lang="it"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Dati personali di ${escapeHtml(held.address)}</title><style>${style}</style></head><body>
<h1>Dati personali di ${escapeHtml(held.address)}</h1>
<p>${escapeHtml(organiser.name)} conserva questi dati al ${formatListDate(made_at)}.${contacts === '' ? '' : ` Per correggerli o cancellarli: ${escapeHtml(contacts)}.`} Gli stessi dati, per altri programmi, sono nel file dati.json.</p>
${held.orders.map(orderPart).join('\n')}
${otherParts(held)}
</body></html>
`;
}

type Cells = readonly (string | null)[];

/** A table; an empty text if there are no rows. */
function table(title: string, heads: readonly string[], rows: readonly Cells[]): string {
  if (rows.length === 0) return '';
  const line = (cells: Cells, tag: 'th' | 'td') =>
    `<tr>${cells.map((cell) => `<${tag}>${cell === null || cell === '' ? '–' : escapeHtml(cell)}</${tag}>`).join('')}</tr>`;
  return `<h3>${title}</h3><table><thead>${line(heads, 'th')}</thead><tbody>${rows.map((row) => line(row, 'td')).join('')}</tbody></table>`;
}

function orderPart({ order, about, file, notes }: HeldOrder): string {
  const facts: Cells[] = [
    ['Stato', orderStateName[order.state]],
    ['Creato', when(order.created_at)],
    ['Nome', order.buyer_name],
    ['E-mail', order.buyer_email],
    ['Telefono', order.buyer_phone],
    ['Secondo contatto', order.buyer_contact],
    ['Totale', formatEuro(order.total_cents)],
    ['Pagato', formatEuro(order.paid_cents)],
    ['Rimborsato', formatEuro(order.refunded_cents)],
  ];
  return [
    `<h2>Ordine ${order.number} · ${escapeHtml(about.event_title)}, ${formatLongDate(about.starts_at)}</h2>`,
    table('Acquirente e somme', ['Dato', 'Valore'], facts),
    table(
      'Posti',
      ['Posto', 'Tipo', 'Prezzo', 'Intestatario'],
      file.lines.map((line) => [
        line.place,
        line.type_label,
        formatEuro(line.price_cents),
        line.holder,
      ]),
    ),
    moneyParts(file),
    doorAndNotes({ file, notes }),
  ].join('\n');
}

const when = (ms: number | null) => (ms === null ? null : formatListDate(ms));

function moneyParts(file: HeldOrder['file']): string {
  return [
    table(
      'Pagamenti',
      ['Quando', 'Come', 'Somma', 'Ricevuta'],
      file.payments.map((one) => [
        when(one.paid_at),
        one.method === null ? null : methodName(one.method),
        formatEuro(one.amount_cents),
        one.receipt_number,
      ]),
    ),
    table(
      'Pagamenti rifiutati',
      ['Quando', 'Somma'],
      file.declines.map((one) => [when(one.at), formatEuro(one.amount_cents)]),
    ),
    table(
      'Rimborsi',
      ['Quando', 'Somma', 'Motivo'],
      file.refunds.map((one) => [when(one.created_at), formatEuro(one.amount_cents), one.reason]),
    ),
  ].join('\n');
}

function doorAndNotes({ file, notes }: Pick<HeldOrder, 'file' | 'notes'>): string {
  return [
    table(
      'Entrate e uscite',
      ['Quando', 'Posto', 'Varco'],
      file.admissions.map((one) => [
        `${formatListDate(one.corrected_at)} ${one.direction === 'in' ? 'entrata' : 'uscita'}`,
        one.place,
        one.gate,
      ]),
    ),
    table(
      'Note dell’ufficio',
      ['Quando', 'Nota'],
      notes.map((one) => [when(one.created_at), one.text]),
    ),
    table(
      'Che cosa è successo',
      ['Quando', 'Che cosa', 'Con quali dati'],
      file.audit.map((entry) => [
        when(entry.at),
        actionName(entry.action),
        tellDetail(personalPart(entry))
          .lines.map(({ name, from, to }) => `${name}: ${from === null ? '' : `${from} → `}${to}`)
          .join('; '),
      ]),
    ),
  ].join('\n');
}

function otherParts(held: Held): string {
  const orderOf = new Map(held.elsewhere.map((about) => [about.id, about]));
  const parts = [
    table(
      'Biglietti in ordini di altri',
      ['Intestatario', 'Evento'],
      held.tickets.flatMap(({ order_id, holder }) => {
        const about = orderOf.get(order_id);
        return about
          ? [[holder, `${about.event_title}, ${formatLongDate(about.starts_at)}`] as const]
          : [];
      }),
    ),
    table(
      'Messaggi inviati',
      ['Quando', 'A chi', 'Oggetto', 'Testo'],
      held.mails.map((mail) => [
        formatListDate(mail.created_at),
        mail.to_address,
        mail.subject,
        mail.text,
      ]),
    ),
    table(
      'Messaggi a molti',
      ['Quando', 'Oggetto', 'Testo'],
      held.messages.map((one) => [formatListDate(one.created_at), one.subject, one.body]),
    ),
    table(
      'Fatture chieste',
      ['Nome', 'Indirizzo', 'P. IVA', 'C. F.', 'PEC'],
      held.invoices.map((one) => [
        one.name,
        [one.address, one.city].filter((part) => part !== null).join(', '),
        one.vat_number,
        one.tax_code,
        one.pec,
      ]),
    ),
    table(
      'Avvisi di apertura vendita',
      ['Chiesto', 'Evento'],
      held.reminders.map((one) => [formatListDate(one.asked_at), one.event_id]),
    ),
    table(
      'Avvisi della sala d’attesa',
      ['Entrata', 'Evento'],
      held.turnMails.map((one) => [formatListDate(Math.floor(one.arrival / 1000)), one.event_id]),
    ),
    table(
      'Accesso all’ufficio',
      ['Nome', 'Ruolo'],
      held.account === null ? [] : [[held.account.name, held.account.role]],
    ),
  ].filter((part) => part !== '');
  if (parts.length > 0) return `<h2>Altro</h2>${parts.join('\n')}`;
  return held.orders.length === 0 ? '<p>Non c’è nessun dato con questo indirizzo.</p>' : '';
}
