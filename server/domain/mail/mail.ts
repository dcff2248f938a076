/** The mails to buyers: each kind with its subject and its text, from the facts of the order (Italian, tu). */
import { noSealShort } from '#server/domain/fiscal-words.ts';
import { formatDay, formatListDate, formatLongDate, formatTime } from '#server/domain/dates.ts';
import { cutText, type Block, type MailBody, type Words } from './mail-body.ts';
import { isPersonName } from '#server/domain/order/holder.ts';
import { formatEuro } from '#server/domain/money.ts';
import { creditWords, helpWords } from '#server/domain/order/order-words.ts';
import type { PostponementAnswer } from '#server/domain/postponement.ts';
import { oneLine } from '#server/domain/plain-text.ts';
import { priceWords } from '#server/domain/pricing.ts';
import { trialWords } from '#server/domain/door/trial.ts';

/** Those about one order. */
export const orderMailKinds = [
  'tickets',
  'awaiting',
  'cancelled',
  'refunded',
  'refund_refused',
  'late_refunded',
  'event_changed',
  'event_postponed',
  'event_cancelled',
  'holder_changed',
  'seats_changed',
] as const;
export type OrderMailKind = (typeof orderMailKinds)[number];
/** Those to an address that waits for a sale or in a waiting room, see reminder-mail.ts: nothing of them is kept once they have left. */
export const reminderMailKinds = ['reminder', 'sale_open', 'queue_near'] as const;
/** `message` carries the office's own words to a buyer, `message_test` the same to who wrote them, see message-mail.ts; `order_links` is about all of somebody's orders, see links-mail.ts; `login_alarm` goes to somebody of the office, see alarm-mail.ts, `health_alert` to whoever keeps the house running, see alert-mail.ts, as do `invitation` and `password_reset`, see people-mail.ts. */
export const mailKinds = [
  ...orderMailKinds,
  ...reminderMailKinds,
  'message',
  'message_test',
  'order_links',
  'login_alarm',
  'health_alert',
  'invitation',
  'password_reset',
] as const;
export type MailKind = (typeof mailKinds)[number];

export function isReminderMail(kind: MailKind): kind is (typeof reminderMailKinds)[number] {
  return reminderMailKinds.some((known) => known === kind);
}

/** The key of a `tickets` letter that says that codes of before count no more. */
export const newCodes = 'new_codes';

/** `dropped`: when its turn came there was nothing left to say. */
export const mailStates = ['waiting', 'sent', 'failed', 'dropped'] as const;
export type MailState = (typeof mailStates)[number];

/** Why a mail did not leave, or not yet, or came back. `rejected`: the mail server refused it at once; `bounced`: it took it, and later said that it could not deliver it. `no_answer`: it was silent, refused us or asked for patience. `not_set_up`: there is no mail server, and who reads it must come to the office. */
export const mailTroubles = [
  'no_address',
  'bad_address',
  'rejected',
  'bounced',
  'no_answer',
  'gave_up',
  'obsolete',
  'not_set_up',
  'abandoned',
] as const;
export type MailTrouble = (typeof mailTroubles)[number];

/** One text in the row: the trouble, and what the mail server said. */
export function spellTrouble(trouble: MailTrouble, said = ''): string {
  return said === '' ? trouble : `${trouble}: ${said}`.slice(0, 500);
}

export function readTrouble(
  text: string | null,
): { trouble: MailTrouble; said: string | null } | null {
  const trouble = mailTroubles.find((known) => text === known || text?.startsWith(`${known}: `));
  return trouble === undefined ? null : { trouble, said: text!.slice(trouble.length + 2) || null };
}

/** Times in milliseconds, amounts in cents, seats in words. */
export interface MailFacts {
  buyer_name: string | null;
  order: {
    number: string;
    url: string;
    calendar_url: string;
    pdf_url: string;
    total_cents: number;
    fee_cents: number;
    paid_cents: number;
    /** At the box office or by bank transfer. */ paid_by_hand: boolean;
    /** Numbers of the other orders whose tickets are in the letter: seats were added to the first one. */ together: readonly string[];
    pay_by: number;
    confirmed_at: number | null;
    /** The hosted page still takes the payment. */ checkout_open: boolean;
  };
  event: {
    title: string;
    url: string;
    starts_at: number;
    doors_at: number | null;
    venue_title: string;
    venue_address: string | null;
    /** Its own rules as plain text; null: the site's hold. */ terms: string | null;
    nominative: boolean;
    /** Tickets that wait for a name. */ names_missing: number;
  };
  seats: readonly string[];
  /** Nobody has really paid them. */ trial: boolean;
  /** What may be asked for now, as the order page says it. */
  refund_policy: string | null;
  refund: {
    amount_cents: number;
    seats: readonly string[];
    voids_tickets: boolean;
    by_hand: boolean;
    /** The office's words to the buyer. */ refusal: string | null;
  } | null;
  /** The day that it should have been, until when the buyer may say what they want, and what silence means. */
  postponement: {
    from_starts_at: number;
    answer_by: number;
    if_silent: PostponementAnswer;
    reason: string | null;
  } | null;
  /** Of a ticket that has got a name: who is told, and whose name it was given. */
  holder: { to: 'buyer' | 'new' | 'old'; name: string } | null;
  /** Tickets that the buyer has already, with other codes. */ codes_replaced: boolean;
  /** Tickets that got other seats. */ moved: readonly { from: string; to: string }[];
  organiser: { name: string; email: string | null; phone: string | null };
}

export function writeOrderMail(kind: OrderMailKind, facts: MailFacts): MailBody {
  const { subject, blocks } = writers[kind](facts);
  return { subject: oneLine(subject), blocks: [greeting(facts.buyer_name), ...blocks] };
}

const writers: Record<OrderMailKind, (facts: MailFacts) => MailBody> = {
  tickets: (facts) => ({
    subject: `${facts.codes_replaced ? 'Codici nuovi: i' : 'I'} tuoi biglietti per ${short(facts.event.title)} – ${formatLongDate(facts.event.starts_at)}`,
    blocks: [
      ...(facts.codes_replaced ? newCodesWords(facts) : [hereTheyAre(facts)]),
      ...(facts.trial ? [say({ strong: trialWords })] : []),
      evening(facts),
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
      ),
      ...ownTerms(facts),
      note(facts, [
        ...(facts.refund_policy === null ? [] : [`Rimborsi: ${facts.refund_policy}`]),
        'Ai sensi dell’art. 59, comma 1, lett. n), del Codice del consumo non è previsto il diritto di recesso.',
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
    const { amount_cents, seats, voids_tickets, by_hand } = facts.refund!;
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
        ...(voids_tickets
          ? [
              say(
                seats.length === 1
                  ? 'Questo biglietto non vale più per l’ingresso.'
                  : 'Questi biglietti non valgono più per l’ingresso.',
              ),
            ]
          : []),
        seeOrder(facts),
        note(facts),
      ],
    };
  },

  refund_refused: (facts) => ({
    subject: 'La tua richiesta di rimborso non è stata accolta',
    blocks: [
      say(
        'abbiamo esaminato la tua richiesta di rimborso per ',
        { strong: facts.event.title },
        ' e non possiamo accoglierla.',
      ),
      ...(facts.refund!.refusal === null ? [] : [fact('Motivo', [facts.refund!.refusal])]),
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

  event_changed: (facts) => ({
    subject: `Novità per ${short(facts.event.title)}: ${formatLongDate(facts.event.starts_at)}`,
    blocks: [
      say(
        'qualcosa è cambiato per ',
        { strong: facts.event.title },
        '. Ecco la data, l’orario e il luogo aggiornati:',
      ),
      evening(facts),
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
      note(facts),
    ],
  }),

  event_postponed: postponed,

  event_cancelled: (facts) => ({
    subject: `Evento annullato: ${short(facts.event.title)}`,
    blocks: [
      say(
        'purtroppo l’evento ',
        { strong: facts.event.title },
        ` (${formatLongDate(facts.event.starts_at)}) è stato annullato. I biglietti non valgono più.`,
      ),
      ...(facts.order.paid_cents === 0
        ? []
        : [
            say(
              facts.order.paid_by_hand
                ? 'Ti restituiamo quanto hai pagato: passa in biglietteria o scrivici.'
                : `Il rimborso è automatico: ti scriviamo appena è partito. ${creditWords}`,
            ),
          ]),
      seeOrder(facts),
      note(facts),
    ],
  }),

  holder_changed: holderChanged,

  seats_changed: (facts) => ({
    subject: facts.moved.length === 1 ? 'Il tuo posto è cambiato' : 'I tuoi posti sono cambiati',
    blocks: [
      say(
        facts.moved.length === 1 ? 'il tuo posto per ' : 'i tuoi posti per ',
        { strong: facts.event.title },
        facts.moved.length === 1 ? ' è cambiato:' : ' sono cambiati:',
      ),
      fact(
        'Da – a',
        facts.moved.map(({ from, to }) => `${from} → ${to}`),
      ),
      say(
        'All’ingresso vale solo il biglietto nuovo: ',
        { strong: 'il codice di prima non fa più entrare' },
        '.',
      ),
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

/** A letter is no contract: of long rules it tells the beginning, and where the rest stands. */
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

/** Names are asked for after the payment; without them there is nothing to scan yet. */
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

/** One mail for three readers: each learns only what is their own. */
function holderChanged(facts: MailFacts): { subject: string; blocks: Block[] } {
  const { to, name } = facts.holder!;
  const subject = 'Il tuo biglietto ha un nuovo intestatario';
  if (to === 'old') {
    return {
      subject,
      blocks: [
        say(
          'il biglietto per ',
          { strong: facts.event.title },
          ' che avevi ricevuto è passato a un’altra persona. Il codice che hai non vale più per l’ingresso.',
        ),
        evening(facts),
        signature(facts),
      ],
    };
  }
  if (to === 'new') {
    const door = `All’ingresso mostra il codice QR dal telefono o stampato: vale per una sola entrata, non pubblicarne la foto. Se ne avevi già uno, vale solo questo.${facts.event.nominative ? ' Porta un documento d’identità valido.' : ''}`;
    return {
      subject: `Il tuo biglietto per ${short(facts.event.title)} – ${formatLongDate(facts.event.starts_at)}`,
      blocks: [
        say(
          'il biglietto per ',
          { strong: facts.event.title },
          ' è intestato a te: lo trovi allegato a questo messaggio.',
        ),
        evening(facts),
        say(door),
        signature(facts),
      ],
    };
  }
  return {
    subject,
    blocks: [
      say(
        'il biglietto per ',
        { strong: facts.event.title },
        ' ora è intestato a ',
        { strong: name },
        '. Il codice di prima non vale più: all’ingresso serve quello nuovo, allegato qui e nella pagina dell’ordine.',
      ),
      evening(facts),
      button('Vedi i biglietti', facts.order.url),
      say('Se non sei stato tu, scrivici subito.'),
      note(facts),
    ],
  };
}

/** Both answers are given on the order page: a mail program that opens links by itself answers nothing. */
function postponed(facts: MailFacts): MailBody {
  const { event, order } = facts;
  const { from_starts_at, answer_by, if_silent, reason } = facts.postponement!;
  return {
    subject: `${short(event.title)} è stato rinviato al ${formatDay(event.starts_at)}`,
    blocks: [
      say(
        { strong: event.title },
        ` (era ${formatLongDate(from_starts_at)}) è stato rinviato. I tuoi biglietti restano validi per la nuova data:`,
      ),
      evening(facts),
      ...(reason === null ? [] : [fact('Motivo', [reason])]),
      say(
        'Dicci che cosa preferisci entro ',
        { strong: formatLongDate(answer_by) },
        if_silent === 'keep'
          ? '. Se non rispondi, tieni il biglietto.'
          : '. Se non rispondi, ti rimborsiamo.',
      ),
      button('Tieni il biglietto', `${order.url}#rinvio`),
      button('Chiedi il rimborso', `${order.url}#rinvio`),
      documents(facts, 'Aggiorna il calendario'),
      note(facts),
    ],
  };
}

/** The foot of mails to somebody who is not the buyer: it names no order. */
function signature({ organiser }: MailFacts): Block {
  return { kind: 'note', lines: [...helpWords(organiser), organiser.name] };
}

function say(...words: Words): Block {
  return { kind: 'words', words };
}

function fact(name: string, lines: readonly string[]): Block {
  return { kind: 'facts', facts: [[name, lines]] };
}

function button(label: string, url: string): Block {
  return { kind: 'button', label, url };
}

function seeOrder({ order }: MailFacts): Block {
  return button('Vedi l’ordine', order.url);
}

function documents({ order }: MailFacts, calendar: string): Block {
  return {
    kind: 'links',
    links: [
      { label: 'Scarica il PDF', url: order.pdf_url },
      { label: calendar, url: order.calendar_url },
    ],
  };
}

/** Whatever somebody wrote as their name at the till: only what looks like one is repeated in a mail that we sign. */
function greeting(buyer_name: string | null): Block {
  const name = buyer_name?.trim().replace(/\s+/g, ' ') ?? '';
  return say(isPersonName(name) ? `Ciao ${name},` : 'Ciao,');
}

function evening({ event, seats }: MailFacts): Block {
  return {
    kind: 'facts',
    facts: [
      [
        'Quando',
        [
          formatLongDate(event.starts_at),
          ...(event.doors_at === null ? [] : [`apertura porte alle ${formatTime(event.doors_at)}`]),
        ],
      ],
      ...(event.venue_title === '' ? [] : [['Dove', placeLines(event)] as const]),
      ...(seats.length === 0 ? [] : [[seats.length === 1 ? 'Posto' : 'Posti', seats] as const]),
    ],
  };
}

function placeLines({ venue_title, venue_address }: MailFacts['event']): string[] {
  return venue_address === null ? [venue_title] : [venue_title, venue_address];
}

/** The order in a line, what the mail is not, and who answers. */
function note({ order, organiser }: MailFacts, lines: readonly string[] = []): Block {
  const total = `Totale ${priceWords(order.total_cents, order.fee_cents)}`;
  return {
    kind: 'note',
    lines: [
      [
        `Ordine n. ${order.number}`,
        total,
        ...(order.confirmed_at === null
          ? []
          : [`Confermato il ${formatListDate(order.confirmed_at).slice(0, 10)}`]),
      ].join(' · '),
      'Riepilogo d’ordine – non valido ai fini fiscali.',
      ...lines,
      ...helpWords(organiser),
      organiser.name,
    ],
  };
}

/** A subject is read in a list. */
function short(title: string): string {
  return cutText(title, 100);
}
