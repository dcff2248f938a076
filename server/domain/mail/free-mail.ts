/** The mails about a booking that costs nothing: its confirmation, and the day before. */
import { formatTime } from '#server/domain/time/dates.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Block, MailBody } from './mail-body.ts';
import type { MailFacts } from './order-facts.ts';
import { button, documents, evening, note, say, short } from './order-parts.ts';

export function confirmClick(facts: MailFacts): MailBody {
  const { event, order, seats } = facts;
  const isOne = seats.length === 1;
  return {
    subject: `Conferma la tua prenotazione: ${short(event.title)}`,
    blocks: [
      say(
        'manca un passo: apri la pagina e premi «Conferma la prenotazione». ',
        isOne ? 'Il posto resta tuo fino alle ' : 'I posti restano tuoi fino alle ',
        { strong: formatTime(order.pay_by) },
        isOne ? ', poi torna disponibile.' : ', poi tornano disponibili.',
      ),
      evening(facts),
      button('Vai alla conferma', requireValue(order.click_url ?? null, 'link of the click')),
      say('Se non hai prenotato tu, ignora questo messaggio.'),
      note(facts),
    ],
  };
}

export function dayBefore(facts: MailFacts): MailBody {
  const { event, order, seats } = facts;
  const isOne = seats.length === 1;
  const when = order.is_tomorrow === true ? 'domani' : 'oggi';
  return {
    subject: `Promemoria: ${short(event.title)} è ${when}`,
    blocks: [
      say(`ti aspettiamo ${when} per `, { strong: event.title }, '.'),
      evening(facts),
      ...keptPlace(facts),
      button(isOne ? 'Vedi il biglietto' : 'Vedi i biglietti', order.url),
      documents(facts, 'Aggiungi al calendario'),
      say(
        { strong: 'Non puoi venire? ' },
        isOne
          ? 'Lascia il posto a qualcun altro: basta un attimo.'
          : 'Lascia i posti a qualcun altro, anche solo alcuni: basta un attimo.',
      ),
      { kind: 'links', links: [{ label: 'Non vengo più', url: `${order.url}#non-vengo` }] },
      note(facts),
    ],
  };
}

/** Until when the door keeps a free place. */
export function keptPlace({ order, seats }: MailFacts): Block[] {
  if (typeof order.kept_until !== 'number') return [];
  const until = { strong: `fino alle ${formatTime(order.kept_until)}` };
  return [
    seats.length === 1
      ? say('Teniamo il tuo posto ', until, ': dopo può andare a chi è in attesa.')
      : say('Teniamo i tuoi posti ', until, ': dopo possono andare a chi è in attesa.'),
  ];
}
