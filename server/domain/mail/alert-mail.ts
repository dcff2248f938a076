/**
 * The mails to the person who runs the house: what is wrong and what to do, and what is well
 * again (Italian, tu).
 */
import type { Finding } from '#server/domain/office/alert.ts';
import { formatLongDate } from '#server/domain/time/dates.ts';
import type { Block, MailBody } from './mail-body.ts';

interface AlertFacts {
  /** Milliseconds. */
  at: number;
  opened: readonly Pick<Finding, 'sentence' | 'mend'>[];
  /** Sentences about what is well again. */
  closed: readonly string[];
  office_url: string;
  organiser: string;
}

export function writeAlertMail(facts: AlertFacts): MailBody {
  const { at, opened, closed, office_url, organiser } = facts;
  return {
    subject: subjectOf(facts),
    blocks: [
      { kind: 'words', words: [`Ciao, così sta il botteghino ${formatLongDate(at)}.`] },
      ...opened.map(({ sentence, mend }): Block => ({
        kind: 'words',
        words: [{ strong: sentence }, ` ${mend}`],
      })),
      ...(closed.length === 0 ? [] : [wellAgain(closed)]),
      { kind: 'button', label: 'Apri Salute', url: `${office_url}settings/health` },
      {
        kind: 'note',
        lines: [
          organiser,
          'Ricevi un messaggio quando qualcosa non va e uno quando è di nuovo a posto.',
        ],
      },
    ],
  };
}

function subjectOf({ opened, closed, organiser }: AlertFacts): string {
  if (opened.length === 0) return `Di nuovo a posto: ${organiser}`;
  if (opened.length === 1 && closed.length === 0) return `${opened[0]!.sentence} (${organiser})`;
  return `Qualcosa non va nel botteghino: ${organiser}`;
}

function wellAgain(closed: readonly string[]): Block {
  return { kind: 'facts', facts: [['Di nuovo a posto, prima era così', closed]] };
}
