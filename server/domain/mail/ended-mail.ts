/** The mails to a buyer about tickets that ended and about a refund that was asked for. */
import { withOther } from '#server/domain/text/newer-word.ts';
import { creditWords } from '#server/domain/order/order-words.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { RefundOrigin } from '#server/domain/payment/refund.ts';
import { formatEuro } from '#server/domain/price/money.ts';
import type { Block, MailBody } from './mail-body.ts';
import type { MailFacts } from './order-facts.ts';
import { evening, fact, note, say, seeOrder, short } from './order-parts.ts';

/** How the first sentence begins. */
const because = withOther<Record<RefundOrigin, string>>(
  {
    office: '',
    buyer: 'come hai chiesto, ',
    event_cancelled: '',
    postponed: 'dopo lo spostamento, ',
    late_payment: '',
    stripe: '',
    exchange: 'cambiata la data, ',
    deposit: '',
    rehoused: 'cambiata la sala, ',
  },
  '',
);

export function ticketsEnded(facts: MailFacts): MailBody {
  const { seats } = facts.ended ?? requireValue(facts.refund, 'refund to write about');
  const { title } = facts.event;
  const isOne = seats.length === 1;
  return {
    subject: isOne
      ? `Il tuo biglietto per ${short(title)} non è più valido`
      : `I tuoi biglietti per ${short(title)} non sono più validi`,
    blocks: [
      say(
        because[facts.ended?.origin ?? 'office'],
        isOne ? 'questo biglietto per ' : 'questi biglietti per ',
        { strong: title },
        isOne ? ' non vale più per l’ingresso.' : ' non valgono più per l’ingresso.',
      ),
      ...leftOut(facts),
      evening({ ...facts, seats }),
      ...moneyBack(facts),
      ...unreachedPeople(facts),
      seeOrder(facts),
      note(facts),
    ],
  };
}

/** Why a house that changed its hall refunds a ticket (RULES H3). */
function leftOut({ ended }: MailFacts): Block[] {
  if (ended?.origin !== 'rehoused') return [];
  const seat = ended.seats.length === 1 ? 'un posto adatto per te' : 'posti adatti per voi';
  return [
    say(
      `Lo spettacolo si tiene in un’altra sala, e lì non abbiamo ${seat}. Ci dispiace: ti restituiamo tutto quello che hai pagato per questi posti, commissioni comprese.`,
    ),
  ];
}

/** In the mail about the money: which of its tickets have ended, if no other mail says so. */
export function endedTickets(facts: MailFacts): Block[] {
  const { refund, ended } = facts;
  if (refund?.voids_tickets !== true) return [];
  const seats = ended?.seats ?? refund.seats;
  const isOne = seats.length === 1;
  if (seats.length < refund.seats.length)
    return [
      ...leftOut(facts),
      fact(isOne ? 'Da ora non vale più' : 'Da ora non valgono più', seats),
    ];
  return [
    ...leftOut(facts),
    say(
      isOne
        ? 'Questo biglietto non vale più per l’ingresso.'
        : 'Questi biglietti non valgono più per l’ingresso.',
    ),
  ];
}

/** What becomes of the money; nothing for free tickets. */
function moneyBack({ order, refund, ended }: MailFacts): Block[] {
  if (ended === undefined || ended.value_cents === 0) return [];
  const back = ended.given_back_cents;
  const owed = formatEuro(refund?.amount_cents ?? 0);
  if (ended.failed)
    return [
      say(
        `Il rimborso di ${owed} non è ancora riuscito: la biglietteria se ne occupa e ti scriviamo appena è partito.`,
      ),
    ];
  if (refund !== null && refund.amount_cents > 0)
    return [say('Ti restituiamo ', { strong: owed }, ': passa in biglietteria o scrivici.')];
  if (ended.disputed)
    return [say('Il pagamento è contestato presso la banca: è la banca a decidere del denaro.')];
  if (back === 0) return [say('Non è previsto un rimborso.')];
  return [
    say(
      back >= order.paid_cents
        ? `Quanto hai pagato ti è già stato restituito: ${formatEuro(back)}.`
        : `Di quanto hai pagato ti abbiamo già restituito ${formatEuro(back)}: non è previsto altro rimborso.`,
    ),
  ];
}

/** What becomes of the money of a cancelled event's order. */
export function moneyOfCancelled({ order, refund }: MailFacts): Block[] {
  if (refund !== null && refund.amount_cents > 0)
    return [
      say(
        order.paid_by_hand
          ? 'Ti restituiamo quanto hai pagato: passa in biglietteria o scrivici.'
          : `Il rimborso è automatico: ti scriviamo appena è partito. ${creditWords}`,
      ),
    ];
  return order.refunded_cents === 0
    ? []
    : [say(`Ti abbiamo già restituito ${formatEuro(order.refunded_cents)}.`)];
}

export function refundAsked(facts: MailFacts): MailBody {
  const { amount_cents, seats } = requireValue(facts.refund, 'refund to write about');
  return {
    subject: 'Abbiamo ricevuto la tua richiesta di rimborso',
    blocks: [
      say(
        'abbiamo ricevuto la tua richiesta di rimborso di ',
        { strong: formatEuro(amount_cents) },
        ' per ',
        { strong: facts.event.title },
        '.',
      ),
      ...(seats.length === 0 ? [] : [fact(seats.length === 1 ? 'Biglietto' : 'Biglietti', seats)]),
      say(
        'Ti rispondiamo per e-mail: fino ad allora non devi fare altro, e i biglietti restano validi per l’ingresso.',
      ),
      seeOrder(facts),
      note(facts),
    ],
  };
}

/** The people with a ticket to whom we cannot write. */
export function unreachedPeople({ unreached = [] }: MailFacts): Block[] {
  if (unreached.length === 0) return [];
  return [
    say('Di queste persone non abbiamo l’indirizzo e-mail: avvisale tu.'),
    fact('Da avvisare', unreached),
  ];
}
