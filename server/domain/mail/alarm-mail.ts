/** The mail to a member of the office whose password someone is guessing (Italian, tu). */
import { formatLongDate } from '#server/domain/time/dates.ts';
import type { MailBody } from './mail-body.ts';

interface AlarmFacts {
  /** Milliseconds. */
  at: number;
  office_url: string;
  organiser: { name: string };
}

export function writeAlarmMail({ at, office_url, organiser }: AlarmFacts): MailBody {
  return {
    subject: 'Qualcuno prova a indovinare la tua password',
    blocks: [
      { kind: 'words', words: ['Ciao,'] },
      {
        kind: 'words',
        words: [
          `${formatLongDate(at)}: dieci tentativi di entrare nell’ufficio con il tuo indirizzo e una password sbagliata.`,
          'Se eri tu, non devi fare niente. Se non eri tu, nessuno è entrato: le attese tra un tentativo e l’altro diventano sempre più lunghe, e il tuo computer non ne risente.',
        ],
      },
      { kind: 'button', label: 'Apri l’ufficio', url: office_url },
      { kind: 'note', lines: [organiser.name] },
    ],
  };
}
