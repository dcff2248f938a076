/** The mails about a change of hall: new seats, and perhaps another place. */
import { requireValue } from '#server/domain/require-value.ts';
import { formatEuro } from '#server/domain/price/money.ts';
import { unreachedPeople } from './ended-mail.ts';
import type { Block, MailBody } from './mail-body.ts';
import type { MailFacts } from './order-facts.ts';
import { documents, evening, fact, note, otherPlace, placeOnMap, say } from './order-parts.ts';
import { answers } from './postponed-mail.ts';

/** From which seat each ticket goes where, and what goes back. */
export function newSeats({ moved, rehoused }: Pick<MailFacts, 'moved' | 'rehoused'>): Block[] {
  if (moved.length === 0) return [];
  const back = rehoused?.refund_cents ?? 0;
  return [
    fact(
      'Da – a',
      moved.map(({ from, to }) => `${from} → ${to}`),
    ),
    ...(back === 0
      ? []
      : [say('Il posto nuovo costa meno: ti rimborsiamo ', { strong: formatEuro(back) }, '.')]),
    say(
      'All’ingresso vale solo il biglietto nuovo: ',
      { strong: 'il codice di prima non fa più entrare' },
      '.',
    ),
  ];
}

/** One mail for all that a change of hall in another building changes for an order. */
export function placeMoved(facts: MailFacts): MailBody {
  const question = requireValue(facts.postponement, 'question to write about');
  const { subject, blocks } = otherPlace(facts, question);
  return {
    subject,
    blocks: [
      ...blocks,
      evening(facts),
      ...placeOnMap(facts),
      ...newSeats(facts),
      ...answers(facts, question),
      documents(facts, 'Aggiorna il calendario'),
      ...unreachedPeople(facts),
      note(facts),
    ],
  };
}
