/**
 * The mails to buyers: each kind with its subject and its text, from the facts of the order
 * (Italian, tu).
 */
import { requireValue } from '#server/domain/require-value.ts';
import { formatDay, formatLongDate, formatTime } from '#server/domain/time/dates.ts';
import { trialWords } from '#server/domain/door/trial.ts';
import { noSealShort } from '#server/domain/site/fiscal-words.ts';
import { formatEuro } from '#server/domain/price/money.ts';
import { sayAsked } from '#server/domain/order/right-words.ts';
import { creditWords } from '#server/domain/order/order-words.ts';
import { cutText, oneLine } from '#server/domain/text/plain-text.ts';
import {
  moneyOfCancelled,
  endedTickets,
  refundAsked,
  ticketsEnded,
  unreachedPeople,
} from './ended-mail.ts';
import { cancellationAsked, giftReceipt } from './cancelled-mail.ts';
import { confirmClick, dayBefore, keptPlace } from './free-mail.ts';
import { holderChanged } from './holder-mail.ts';
import type { OrderMailKind } from './kinds.ts';
import type { Block, MailBody } from './mail-body.ts';
import type { MailFacts } from './order-facts.ts';
import {
  say,
  fact,
  button,
  seeOrder,
  documents,
  greeting,
  evening,
  eventCancelled,
  eventChanged,
  note,
  short,
} from './order-parts.ts';
import { postponed } from './postponed-mail.ts';
import { newSeats, placeMoved } from './rehoused-mail.ts';

export function writeOrderMail(kind: OrderMailKind, facts: MailFacts): MailBody {
  const { subject, blocks } = writers[kind](facts);
  return { subject: oneLine(subject), blocks: [greeting(facts.buyer_name), ...blocks] };
}

function replacedDate({ replaces }: MailFacts): MailBody['blocks'] {
  if (replaces === undefined) return [];
  const { starts_at, number } = replaces;
  return [
    say(
      `Sono al posto dei biglietti di ${formatLongDate(starts_at)}, ordine n. ${number}: quelli non valgono più.`,
    ),
  ];
}

const writers: Record<OrderMailKind, (facts: MailFacts) => MailBody> = {
  tickets: (facts) => ({
    subject: `${facts.codes_replaced ? 'Codici nuovi: i' : 'I'} tuoi biglietti per ${short(facts.event.title)} – ${formatLongDate(facts.event.starts_at)}`,
    blocks: [
      ...(facts.codes_replaced ? newCodesWords(facts) : [hereTheyAre(facts)]),
      ...(facts.link_replaced === true ? [say({ strong: newLinkWords })] : []),
      ...(facts.trial ? [say({ strong: trialWords })] : []),
      evening(facts),
      ...replacedDate(facts),
      ...(facts.order.together.length > 0
        ? [
            say(
              `Qui ci sono tutti i posti presi insieme: anche quelli dell’ordine n. ${facts.order.together.join(', ')}.`,
            ),
          ]
        : []),
      ...(facts.event.names_missing > 0
        ? namesMissing(facts)
        : [
            button(
              facts.seats.length === 1 ? 'Vedi il biglietto' : 'Vedi i biglietti',
              facts.order.url,
            ),
            documents(facts, 'Aggiungi al calendario'),
          ]),
      say(
        'All’ingresso mostra il codice QR dal telefono o stampato: ogni codice vale per una sola entrata. Non pubblicarne la foto e non inoltrare questo messaggio: chi lo riceve può usare i tuoi biglietti.',
        ...(facts.event.nominative ? [' Porta un documento d’identità valido.'] : []),
        ` ${facts.reentry_rule}`,
      ),
      ...keptPlace(facts),
      ...ownTerms(facts),
      note(facts, [
        ...(facts.refund_policy === null ? [] : [`Rimborsi: ${facts.refund_policy}`]),
        ...(facts.exchange_rule === null ? [] : [facts.exchange_rule]),
        facts.change_rule,
        ...(facts.order.total_cents === 0
          ? []
          : [
              'Ai sensi dell’art. 59, comma 1, lett. n), del Codice del consumo non è previsto il diritto di recesso.',
            ]),
        noSealShort,
      ]),
    ],
  }),

  awaiting: (facts) =>
    facts.order.checkout_open
      ? {
          subject: `Completa il pagamento: i tuoi posti sono riservati fino alle ${formatTime(facts.order.pay_by)}`,
          blocks: [
            say(
              'il tuo ordine per ',
              { strong: facts.event.title },
              ' aspetta ancora il pagamento. I posti restano tuoi fino alle ',
              { strong: formatTime(facts.order.pay_by) },
              ', poi tornano in vendita.',
            ),
            evening(facts),
            button('Completa il pagamento', facts.order.url),
            note(facts),
          ],
        }
      : {
          subject: `Pagamento in corso di verifica: ${short(facts.event.title)}`,
          blocks: [
            say(
              'abbiamo ricevuto il tuo ordine per ',
              { strong: facts.event.title },
              ' e il pagamento è in corso di verifica. I posti restano riservati: ti scriviamo appena c’è una risposta, non devi fare altro.',
            ),
            evening(facts),
            seeOrder(facts),
            note(facts),
          ],
        },

  cancelled: (facts) => ({
    subject: 'Il tuo ordine è stato annullato',
    blocks: [
      say(
        'il tuo ordine per ',
        { strong: facts.event.title },
        ' è stato annullato e i posti sono tornati in vendita. Non ti è stato addebitato nulla.',
      ),
      evening(facts),
      say('Se vuoi, puoi scegliere di nuovo i tuoi posti.'),
      button('Scegli i posti', facts.event.url),
      note(facts),
    ],
  }),

  refunded: (facts) => {
    const { amount_cents, seats, by_hand } = requireValue(facts.refund, 'refund to write about');
    return {
      subject: `Abbiamo rimborsato ${formatEuro(amount_cents)}`,
      blocks: [
        say(
          'ti abbiamo rimborsato ',
          { strong: formatEuro(amount_cents) },
          ' per ',
          { strong: facts.event.title },
          by_hand ? '.' : `, con lo stesso metodo con cui hai pagato. ${creditWords}`,
        ),
        ...(seats.length === 0
          ? []
          : [fact(seats.length === 1 ? 'Biglietto rimborsato' : 'Biglietti rimborsati', seats)]),
        ...endedTickets(facts),
        ...unreachedPeople(facts),
        seeOrder(facts),
        note(facts),
      ],
    };
  },

  gift_receipt: giftReceipt,

  refund_asked: refundAsked,

  refund_refused: (facts) => ({
    subject: 'La tua richiesta di rimborso non è stata accolta',
    blocks: [
      say(
        'abbiamo esaminato la tua richiesta di rimborso per ',
        { strong: facts.event.title },
        ' e non possiamo accoglierla.',
      ),
      ...reasonOf(facts),
      say('I tuoi biglietti restano validi per l’ingresso.'),
      seeOrder(facts),
      note(facts),
    ],
  }),

  late_refunded: (facts) => ({
    subject: `Il pagamento è arrivato tardi: ti rimborsiamo ${formatEuro(facts.refund?.amount_cents ?? facts.order.paid_cents)}`,
    blocks: [
      say(
        'il tuo pagamento per ',
        { strong: facts.event.title },
        ' è arrivato quando l’ordine era già chiuso, e non abbiamo potuto confermarlo. Ti rimborsiamo per intero ',
        { strong: formatEuro(facts.refund?.amount_cents ?? facts.order.paid_cents) },
        ` con lo stesso metodo con cui hai pagato. ${creditWords}`,
      ),
      say('Ci dispiace. Se l’evento è ancora in vendita, puoi scegliere altri posti.'),
      button('Vai all’evento', facts.event.url),
      note(facts),
    ],
  }),

  tickets_ended: ticketsEnded,

  event_changed: (facts) => {
    const { subject, blocks } = eventChanged(facts);
    return {
      subject,
      blocks: [
        ...blocks,
        ...(facts.event.names_missing > 0
          ? [
              say(
                'Il tuo ordine resta valido. Se così non puoi venire, apri la pagina dell’ordine o scrivici.',
              ),
              ...namesMissing(facts, 'Aggiorna il calendario'),
            ]
          : [
              say(
                'I tuoi biglietti restano validi: non devi fare nulla. Se così non puoi venire, apri la pagina dell’ordine o scrivici.',
              ),
              button('Vedi i biglietti', facts.order.url),
              documents(facts, 'Aggiorna il calendario'),
            ]),
        ...unreachedPeople(facts),
        note(facts),
      ],
    };
  },

  event_postponed: (facts) =>
    facts.postponement?.from_venue == null ? postponed(facts) : placeMoved(facts),

  event_cancelled: (facts) => {
    const tickets = facts.ended_before === true ? '' : ' I biglietti non valgono più.';
    const { subject, blocks } = eventCancelled(facts, tickets);
    return {
      subject,
      blocks: [
        ...blocks,
        ...moneyOfCancelled(facts),
        ...unreachedPeople(facts),
        seeOrder(facts),
        note(facts),
      ],
    };
  },

  cancellation_asked: cancellationAsked,

  holder_changed: holderChanged,

  names_asked: namesAsked,

  confirm_click: confirmClick,

  day_before: dayBefore,

  seats_changed: (facts) => ({
    subject: facts.moved.length === 1 ? 'Il tuo posto è cambiato' : 'I tuoi posti sono cambiati',
    blocks: [
      say(
        facts.moved.length === 1 ? 'il tuo posto per ' : 'i tuoi posti per ',
        { strong: facts.event.title },
        facts.moved.length === 1 ? ' è cambiato:' : ' sono cambiati:',
      ),
      ...(facts.rehoused?.reason == null ? [] : [fact('Motivo', [facts.rehoused.reason])]),
      ...newSeats(facts),
      evening(facts),
      ...(facts.event.names_missing > 0
        ? namesMissing(facts)
        : [
            button('Vedi i biglietti nuovi', facts.order.url),
            documents(facts, 'Aggiorna il calendario'),
          ]),
      note(facts),
    ],
  }),
};

/** A mail quotes only the beginning of long rules, and says where the rest is. */
const longestTerms = 1_500;

function ownTerms({ event }: MailFacts): Block[] {
  if (event.terms === null || event.terms === '') return [];
  const isLong = event.terms.length > longestTerms;
  return [
    say({ strong: 'Regole di questo spettacolo. ' }, cutText(event.terms, longestTerms)),
    ...(isLong
      ? [{ kind: 'links', links: [{ label: 'Tutte le regole', url: event.url }] } as const]
      : []),
  ];
}

/** For an event that was sold without names: a ticket stays valid even if no name is given. */
function namesAsked(facts: MailFacts): MailBody {
  const { event, order } = facts;
  const due = requireValue(event.names_due, 'day on which names are due');
  return {
    subject: `Ci servono i nomi per ${short(event.title)}, entro il ${formatDay(due)}`,
    blocks: [
      say(
        'quando hai comprato per ',
        { strong: event.title },
        ' i biglietti erano senza nome. Ora ',
        { strong: sayAsked(due) },
      ),
      evening(facts),
      button(facts.seats.length === 1 ? 'Indica il nome' : 'Indica i nomi', order.url),
      say('I codici QR che hai restano gli stessi.'),
      note(facts),
    ],
  };
}

/** Names are asked for after the payment; a ticket without its name has no code to scan yet. */
function namesMissing({ event, order }: MailFacts, calendar = 'Aggiungi al calendario'): Block[] {
  return [
    say(
      'I biglietti sono nominativi: ',
      {
        strong:
          event.names_missing === 1
            ? 'manca il nome di chi userà il biglietto'
            : `mancano ${event.names_missing} nomi`,
      },
      '. Indica nome e cognome come sul documento: i codici QR compaiono subito dopo.',
    ),
    button(event.names_missing === 1 ? 'Indica il nome' : 'Indica i nomi', order.url),
    { kind: 'links', links: [{ label: calendar, url: order.calendar_url }] },
  ];
}

function hereTheyAre(facts: MailFacts): Block {
  return say(
    facts.order.paid_cents > 0
      ? 'il pagamento è andato a buon fine: '
      : 'il tuo ordine è confermato: ',
    facts.seats.length === 1 ? 'ecco il tuo biglietto per ' : 'ecco i tuoi biglietti per ',
    { strong: facts.event.title },
    '.',
  );
}

const newLinkWords =
  'Il link a questo ordine è nuovo: quello che avevi prima non si apre più. Non inoltrarlo: chi lo apre può chiedere rimborsi e cambiare i nomi.';

function newCodesWords(facts: MailFacts): Block[] {
  const isOne = facts.seats.length === 1;
  return [
    say(
      'per sicurezza abbiamo cambiato ',
      isOne ? 'il codice del tuo biglietto per ' : 'i codici dei tuoi biglietti per ',
      { strong: facts.event.title },
      isOne ? ': eccolo di nuovo.' : ': eccoli di nuovo.',
    ),
    say({
      strong: 'I biglietti che hai già, anche stampati o nel telefono, non fanno più entrare.',
    }),
    say('Posti e prezzi restano gli stessi: non c’è nulla da pagare.'),
  ];
}

function reasonOf({ refund }: MailFacts): Block[] {
  const { refusal } = requireValue(refund, 'refund to write about');
  return refusal === null ? [] : [fact('Motivo', [refusal])];
}
