/** The mails to ticket holders: about a ticket that got a name, and about the event's news. */
import { requireValue } from '#server/domain/require-value.ts';
import { formatLongDate } from '#server/domain/time/dates.ts';
import { oneLine } from '#server/domain/text/plain-text.ts';
import type { HolderMailKind } from './kinds.ts';
import type { Block, MailBody } from './mail-body.ts';
import type { MailFacts } from './order-facts.ts';
import {
  signature,
  say,
  button,
  evening,
  eventCancelled,
  eventChanged,
  fact,
  greeting,
  note,
  otherPlace,
  placeOnMap,
  postponedTo,
  short,
  type EveningFacts,
} from './order-parts.ts';

/** `name`: the one name on the tickets, or null. `seats`: the holder's own. */
export interface HolderFacts extends EveningFacts, Pick<MailFacts, 'organiser' | 'postponement'> {
  name: string | null;
  /** The own link of each ticket that is still good. */
  links: readonly { label: string; url: string }[];
}

export function writeHolderMail(kind: HolderMailKind, facts: HolderFacts): MailBody {
  const { subject, blocks } = writers[kind](facts);
  return {
    subject: oneLine(subject),
    blocks: [greeting(facts.name), ...blocks, signature(facts)],
  };
}

const askBuyer = 'Per ogni domanda sull’acquisto rivolgiti a chi ha comprato i biglietti.';

const writers: Record<HolderMailKind, (facts: HolderFacts) => MailBody> = {
  tickets_ended: (facts) => {
    const isOne = facts.seats.length === 1;
    return {
      subject: `Il biglietto che avevi per ${short(facts.event.title)} non è più valido`,
      blocks: [
        say(
          isOne ? 'il biglietto a tuo nome per ' : 'i biglietti che avevi per ',
          { strong: facts.event.title },
          isOne ? ' non vale più per l’ingresso.' : ' non valgono più per l’ingresso.',
        ),
        evening(facts),
        say(askBuyer),
      ],
    };
  },

  event_cancelled: (facts) => {
    const isOne = facts.seats.length === 1;
    const tickets = isOne
      ? ' Il biglietto a tuo nome non vale più.'
      : ' I biglietti che avevi non valgono più.';
    const { subject, blocks } = eventCancelled(facts, tickets);
    return {
      subject,
      blocks: [...blocks, fact(isOne ? 'Posto' : 'Posti', facts.seats), say(askBuyer)],
    };
  },

  event_postponed: (facts) => {
    const question = requireValue(facts.postponement, 'postponement to write about');
    const { from_starts_at, answer_by, reason } = question;
    if (question.from_venue != null) return placeMovedForHolder(facts, question);
    return {
      subject: postponedTo(facts.event),
      blocks: [
        say(
          'l’evento ',
          { strong: facts.event.title },
          ` (era ${formatLongDate(from_starts_at)}) è stato rinviato. Il biglietto che hai resta valido per la nuova data:`,
        ),
        evening(facts),
        ...(reason === null ? [] : [fact('Motivo', [reason])]),
        ...openTickets(facts.links),
        askBuyerBy(answer_by),
      ],
    };
  },

  event_changed: (facts) => {
    const { subject, blocks } = eventChanged(facts);
    return {
      subject,
      blocks: [
        ...blocks,
        say('Il biglietto che hai resta valido: non devi fare nulla.'),
        ...openTickets(facts.links),
      ],
    };
  },
};

function askBuyerBy(answer_by: number): Block {
  return say(
    'Se non puoi venire, parlane con chi ha comprato i biglietti: può chiedere il rimborso entro ',
    { strong: formatLongDate(answer_by) },
    '.',
  );
}

function placeMovedForHolder(
  facts: HolderFacts,
  question: NonNullable<HolderFacts['postponement']>,
): MailBody {
  const { subject, blocks } = otherPlace(facts, question);
  const isOne = facts.seats.length === 1;
  return {
    subject,
    blocks: [
      ...blocks,
      evening(facts),
      ...placeOnMap(facts),
      say(
        isOne
          ? 'Il posto qui sopra è quello che hai adesso. '
          : 'I posti qui sopra sono quelli che hai adesso. ',
        'All’ingresso vale solo il biglietto che apri da qui: un codice di prima può non far più entrare.',
      ),
      ...openTickets(facts.links),
      askBuyerBy(question.answer_by),
    ],
  };
}

function openTickets(links: HolderFacts['links']): Block[] {
  const [only, ...others] = links;
  if (only === undefined) return [];
  return others.length === 0
    ? [button('Apri il biglietto', only.url)]
    : [{ kind: 'links', links: [...links] }];
}

/**
 * The mail to the former holder, the new one or the buyer; each reads only about their own
 * ticket.
 */
export function holderChanged(facts: MailFacts): { subject: string; blocks: Block[] } {
  const { to, name, url } = requireValue(facts.holder, 'holder to write about');
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
        ...(url === null ? [] : [button('Apri il biglietto', url)]),
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
        ' ha un nuovo intestatario: ',
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
