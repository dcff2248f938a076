/** The mails of a cancelled evening whose buyers are asked first (RULES E5). */
import { formatEuro } from '#server/domain/price/money.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { formatLongDate } from '#server/domain/time/dates.ts';
import type { MailBody } from './mail-body.ts';
import type { MailFacts } from './order-facts.ts';
import { button, eventCancelled, fact, note, say, short } from './order-parts.ts';

/** The answers are given on the order page, because some mail programs open links by themselves. */
export function cancellationAsked(facts: MailFacts): MailBody {
  const asked = requireValue(facts.cancellation, 'question to write about');
  const { answer_by, reason, other_date, refund_cents } = asked;
  const { subject, blocks } = eventCancelled(facts, ' I biglietti non valgono più per l’ingresso.');
  const url = `${facts.order.url}#annullato`;
  return {
    subject,
    blocks: [
      ...blocks,
      ...(reason === null ? [] : [fact('Motivo', [reason])]),
      fact(facts.seats.length === 1 ? 'Posto' : 'Posti', facts.seats),
      say(
        'Hai pagato ',
        { strong: formatEuro(refund_cents) },
        '. Dicci che cosa preferisci entro ',
        { strong: formatLongDate(answer_by) },
        other_date
          ? ': il rimborso, un’altra data, oppure lasciare il denaro al teatro.'
          : ': il rimborso, oppure lasciare il denaro al teatro.',
        ' Se non rispondi, ti rimborsiamo.',
      ),
      button('Scegli che cosa preferisci', url),
      note(facts),
    ],
  };
}

/** Says what it is: a gift without a ticket, and no fiscal document. */
export function giftReceipt(facts: MailFacts): MailBody {
  const { amount_cents } = requireValue(facts.refund, 'gift to write about');
  const { left_at, payments } = requireValue(facts.gift, 'gift to write about');
  const { event, order, organiser, seats } = facts;
  const sum = formatEuro(amount_cents);
  return {
    subject: `Ricevuta: hai lasciato ${sum} per ${short(event.title)}`,
    blocks: [
      say(
        'grazie. Con l’evento ',
        { strong: event.title },
        ` (${formatLongDate(event.starts_at)}) annullato, hai scelto di lasciare a ${organiser.name} il denaro dei tuoi biglietti. Questa è la ricevuta dell’erogazione liberale:`,
      ),
      fact('Importo', [sum]),
      fact('Data', [formatLongDate(left_at)]),
      fact('Pagamento d’origine', payments),
      fact('Ordine', [`n. ${order.number}, ${seats.join(' · ')}`]),
      say(
        'L’importo non è il prezzo di un biglietto: non dà diritto a entrare né ad altro in cambio, ed è fuori dal campo dell’IVA. ',
        { strong: 'Questa ricevuta non è un titolo di accesso e non è una fattura.' },
      ),
      note(facts),
    ],
  };
}
