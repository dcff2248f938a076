/** The mail about an event that moved to another day, and the answers to it. */
import { requireValue } from '#server/domain/require-value.ts';
import { formatLongDate } from '#server/domain/time/dates.ts';
import { unreachedPeople } from './ended-mail.ts';
import type { Block, MailBody } from './mail-body.ts';
import type { MailFacts } from './order-facts.ts';
import { say, fact, button, documents, evening, note, postponedTo } from './order-parts.ts';

type Question = NonNullable<MailFacts['postponement']>;

export function postponed(facts: MailFacts): MailBody {
  const { event } = facts;
  const question = requireValue(facts.postponement, 'postponement to write about');
  const { from_starts_at, reason } = question;
  return {
    subject: postponedTo(event),
    blocks: [
      say(
        'l’evento ',
        { strong: event.title },
        ` (era ${formatLongDate(from_starts_at)}) è stato rinviato. I tuoi biglietti restano validi per la nuova data:`,
      ),
      evening(facts),
      ...(reason === null ? [] : [fact('Motivo', [reason])]),
      ...answers(facts, question),
      documents(facts, 'Aggiorna il calendario'),
      ...unreachedPeople(facts),
      note(facts),
    ],
  };
}

/**
 * All answers are given on the order page, because some mail programs open links by themselves.
 */
export function answers(
  { order }: Pick<MailFacts, 'order'>,
  { answer_by, if_silent, other_date }: Question,
): Block[] {
  return [
    say(
      'Dicci che cosa preferisci entro ',
      { strong: formatLongDate(answer_by) },
      if_silent === 'keep'
        ? '. Se non rispondi, tieni il biglietto.'
        : '. Se non rispondi, ti rimborsiamo.',
    ),
    button('Tieni il biglietto', `${order.url}#rinvio`),
    ...(other_date === true ? [button('Un’altra data', `${order.url}#rinvio`)] : []),
    button('Chiedi il rimborso', `${order.url}#rinvio`),
  ];
}
