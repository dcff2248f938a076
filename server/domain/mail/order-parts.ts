/** The parts that several mails to buyers share: greeting, event, buttons, foot. */
import {
  formatListDate,
  formatLongDate,
  formatTime,
  isoOf,
  sayToDay,
} from '#server/domain/time/dates.ts';
import { isPersonName } from '#server/domain/order/holder.ts';
import { helpWords } from '#server/domain/order/order-words.ts';
import { priceWords } from '#server/domain/price/pricing.ts';
import { isolate } from '#server/domain/text/direction.ts';
import { cutText } from '#server/domain/text/plain-text.ts';
import type { Block, MailBody, Words } from './mail-body.ts';
import type { MailFacts } from './order-facts.ts';

/** The foot of a mail to a person who is not the buyer; it names no order. */
export function signature({ organiser }: Pick<MailFacts, 'organiser'>): Block {
  return { kind: 'note', lines: [...helpWords(organiser), organiser.name] };
}

export function say(...words: Words): Block {
  return { kind: 'words', words };
}

export function fact(name: string, lines: readonly string[]): Block {
  return { kind: 'facts', facts: [[name, lines]] };
}

export function button(label: string, url: string): Block {
  return { kind: 'button', label, url };
}

export function seeOrder({ order }: MailFacts): Block {
  return button('Vedi l’ordine', order.url);
}

export function documents({ order }: MailFacts, calendar: string): Block {
  return {
    kind: 'links',
    links: [
      { label: 'Scarica il PDF', url: order.pdf_url },
      { label: calendar, url: order.calendar_url },
    ],
  };
}

/** When and where the event is, and the seats. */
export interface EveningFacts extends Pick<MailFacts, 'seats'> {
  event: Pick<
    MailFacts['event'],
    'title' | 'starts_at' | 'doors_at' | 'venue_title' | 'venue_address' | 'venue_href'
  >;
}

/** A name that was typed at the till is used in a signed mail only if it looks like one. */
export function greeting(buyer_name: string | null): Block {
  const name = buyer_name?.trim().replace(/\s+/g, ' ') ?? '';
  return say(isPersonName(name) ? `Ciao ${isolate(name)},` : 'Ciao,');
}

export function evening({ event, seats }: EveningFacts): Block {
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

function placeLines({ venue_title, venue_address }: EveningFacts['event']): string[] {
  return venue_address === null ? [venue_title] : [venue_title, venue_address];
}

/** The subject of a mail about an event's new date, time or place, and how it begins. */
export function eventChanged(facts: EveningFacts): MailBody {
  const { title, starts_at } = facts.event;
  return {
    subject: `Novità per ${short(title)}: ${formatLongDate(starts_at)}`,
    blocks: [
      say(
        'qualcosa è cambiato per ',
        { strong: title },
        '. Ecco la data, l’orario e il luogo aggiornati:',
      ),
      evening(facts),
    ],
  };
}

/** The subject of a mail about an event that moved: a title has any gender and number. */
export function postponedTo({ title, starts_at }: EveningFacts['event']): string {
  return `Evento rinviato ${sayToDay(isoOf(starts_at))}: ${short(title)}`;
}

/** The subject of a mail about an event in another place, and how it begins. */
export function otherPlace(
  { event }: EveningFacts,
  { from_venue, reason }: Pick<NonNullable<MailFacts['postponement']>, 'from_venue' | 'reason'>,
): MailBody {
  return {
    subject: `Cambia il luogo: ${short(event.title)}`,
    blocks: [
      say(
        'l’evento ',
        { strong: event.title },
        ' si tiene in un altro luogo: ',
        { strong: event.venue_title },
        ` (prima: ${from_venue ?? ''}).`,
      ),
      ...(reason === null ? [] : [fact('Motivo', [reason])]),
    ],
  };
}

/** The page of the place on the web, often a map. */
export function placeOnMap({ event }: EveningFacts): Block[] {
  const { venue_href } = event;
  if (venue_href == null) return [];
  return [{ kind: 'links', links: [{ label: 'Il luogo sul web', url: venue_href }] }];
}

/** The subject of a mail about a cancelled event, and how it begins; `tickets` ends it. */
export function eventCancelled({ event }: EveningFacts, tickets: string): MailBody {
  return {
    subject: `Evento annullato: ${short(event.title)}`,
    blocks: [
      say(
        'purtroppo l’evento ',
        { strong: event.title },
        ` (${formatLongDate(event.starts_at)}) è stato annullato.`,
        tickets,
      ),
    ],
  };
}

/**
 * The order in one line, the sentence that the mail is not a fiscal document, and the contact.
 */
export function note({ order, organiser }: MailFacts, lines: readonly string[] = []): Block {
  const { total_cents } = order;
  const total = total_cents === 0 ? 'Gratis' : `Totale ${priceWords(total_cents, order)}`;
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

/** Shortens a title for a subject, which is read in a list. */
export function short(title: string): string {
  return isolate(cutText(title, 100));
}
