/**
 * The mails to people of the office: an invitation, and the link to a new password (Italian, tu).
 */
import { formatLongDate } from '#server/domain/time/dates.ts';
import type { MailBody } from './mail-body.ts';
import { roleNames, type Role } from '#server/domain/user/user.ts';

interface LinkFacts {
  url: string;
  /** Milliseconds. */
  until: number;
  organiser: string;
}

export function writeInviteMail({
  url,
  role,
  until,
  organiser,
}: LinkFacts & { role: Role }): MailBody {
  return {
    subject: `Il tuo accesso al botteghino: ${organiser}`,
    blocks: [
      { kind: 'words', words: ['Ciao,'] },
      {
        kind: 'words',
        words: [
          'ti hanno invitato a lavorare nel botteghino con il ruolo ',
          { strong: roleNames[role] },
          '. Apri il link, scegli nome e password e sei dentro.',
        ],
      },
      { kind: 'button', label: 'Crea il tuo accesso', url },
      {
        kind: 'words',
        words: [
          `Il link vale una volta sola, fino a ${formatLongDate(until)}. Non inoltrarlo: chi lo apre entra al posto tuo.`,
        ],
      },
      { kind: 'note', lines: [organiser] },
    ],
  };
}

export function writeResetMail({ url, until, organiser }: LinkFacts): MailBody {
  return {
    subject: 'Scegli una nuova password',
    blocks: [
      { kind: 'words', words: ['Ciao,'] },
      {
        kind: 'words',
        words: ['qualcuno ha chiesto una nuova password per il tuo accesso al botteghino.'],
      },
      { kind: 'button', label: 'Scegli la nuova password', url },
      {
        kind: 'words',
        words: [
          `Il link vale una volta sola, fino a ${formatLongDate(until)}. Se non l’hai chiesto tu, ignora questo messaggio: la tua password resta quella di prima.`,
        ],
      },
      { kind: 'note', lines: [organiser] },
    ],
  };
}
