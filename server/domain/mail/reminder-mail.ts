/**
 * The mails to a person who waits: one asks for a confirmation, one says that the sale is open,
 * one that a turn is near (Italian, tu).
 */
import { formatLongDate } from '#server/domain/time/dates.ts';
import type { Block, MailBody } from './mail-body.ts';
import { short } from './order-parts.ts';
import { helpWords } from '#server/domain/order/order-words.ts';

/** Times in milliseconds. */
interface ReminderFacts {
  event: { title: string; starts_at: number; venue_title: string; sales_opens_at: number | null };
  url: string;
  organiser: { name: string; email: string | null; phone: string | null };
}

export function writeConfirmMail({ event, url, organiser }: ReminderFacts): MailBody {
  return {
    subject: `Vuoi un avviso per ${short(event.title)}?`,
    blocks: [
      { kind: 'words', words: ['Ciao,'] },
      {
        kind: 'words',
        words: [
          'qualcuno, forse tu, ha chiesto di avvisare questo indirizzo quando apre la vendita dei biglietti per ',
          { strong: event.title },
          '. Se lo vuoi, confermalo entro 48 ore.',
        ],
      },
      whenOf(event),
      { kind: 'button', label: 'Sì, avvisatemi', url },
      {
        kind: 'words',
        words: [
          'Ti scriviamo una volta sola, poi cancelliamo l’indirizzo. Se cambi idea, dallo stesso link puoi dire che non lo vuoi più.',
        ],
      },
      { kind: 'links', links: [{ label: 'Non voglio più l’avviso', url }] },
      {
        kind: 'words',
        words: [
          'Se non l’hai chiesto tu, non devi fare niente: senza conferma l’indirizzo si cancella da solo.',
        ],
      },
      { kind: 'note', lines: [...helpWords(organiser), organiser.name] },
    ],
  };
}

export function writeOpenMail({ event, url, organiser }: ReminderFacts): MailBody {
  return {
    subject: `È aperta la vendita: ${short(event.title)}`,
    blocks: [
      { kind: 'words', words: ['Ciao,'] },
      {
        kind: 'words',
        words: [
          'come ci avevi chiesto: i biglietti per ',
          { strong: event.title },
          ' sono in vendita.',
        ],
      },
      whenOf({ ...event, sales_opens_at: null }),
      { kind: 'button', label: 'Scegli i posti', url },
      {
        kind: 'note',
        lines: [
          'È l’unico messaggio: il tuo indirizzo è già stato tolto dall’elenco.',
          ...helpWords(organiser),
          organiser.name,
        ],
      },
    ],
  };
}

/** The estimated time in the mail may be wrong: the counter decides when the turn comes. */
export function writeNearMail({ event, url, organiser }: ReminderFacts): MailBody {
  return {
    subject: `Fra poco tocca a te: ${short(event.title)}`,
    blocks: [
      { kind: 'words', words: ['Ciao,'] },
      {
        kind: 'words',
        words: [
          'nella sala d’attesa per ',
          { strong: event.title },
          ' mancano circa dieci minuti al tuo turno. Torna alla pagina nello stesso browser: se non entri in tempo, il turno passa.',
        ],
      },
      { kind: 'button', label: 'Vai alla sala d’attesa', url },
      {
        kind: 'note',
        lines: [
          'È l’unico messaggio: il tuo indirizzo è già stato cancellato dalla sala d’attesa.',
          ...helpWords(organiser),
          organiser.name,
        ],
      },
    ],
  };
}

function whenOf({ starts_at, venue_title, sales_opens_at }: ReminderFacts['event']): Block {
  return {
    kind: 'facts',
    facts: [
      ['Quando', [formatLongDate(starts_at)]],
      ['Dove', [venue_title]],
      ...(sales_opens_at === null
        ? []
        : [['La vendita apre', [formatLongDate(sales_opens_at)]] as const]),
    ],
  };
}
