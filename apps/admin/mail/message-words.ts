/** Italian words for messages to many buyers: acts, exclusions, states of recipients. */
import { newerWord, withOther } from '#server/domain/text/newer-word.ts';
import type { LeftOutReason, RecipientState, WrittenAct } from '#server/domain/mail/message.ts';
import { formatCount } from '#apps/shared/format.ts';
import type { StateWords } from '#apps/admin/kit/words.ts';

export const actWords = withOther<Record<WrittenAct, { title: string; do: string }>>(
  {
    message: { title: 'Scrivi agli acquirenti', do: 'Invia il messaggio' },
    tickets: { title: 'Rimanda i biglietti', do: 'Rimanda i biglietti' },
  },
  { title: newerWord, do: newerWord },
);

export const leftOutWords: Record<LeftOutReason, string> = {
  forgotten: 'dati dell’acquirente cancellati',
  not_confirmed: 'ordine non confermato',
  no_tickets: 'biglietti rimborsati o annullati',
  no_address: 'nessun indirizzo e-mail',
  bad_address: 'indirizzo e-mail non valido',
};

export const recipientWords: Record<RecipientState, StateWords> = {
  queued: { word: 'In coda', tone: 'neutral', icon: 'clock' },
  sent: { word: 'Inviato', tone: 'good', icon: 'check' },
  kept: { word: 'Non spedito: posta non configurata', tone: 'warn', icon: 'warning' },
  bounced: { word: 'Respinto', tone: 'bad', icon: 'cross' },
  failed: { word: 'Non inviato', tone: 'bad', icon: 'warning' },
  dropped: { word: 'Non più utile', tone: 'neutral', icon: 'cross' },
};

interface Course {
  begun_at: string | null;
  withdrawn_at: string | null;
  stopped_at: string | null;
  finished_at: string | null;
  counts: Partial<Record<RecipientState, number>>;
}

export function progressWords({
  begun_at,
  withdrawn_at,
  stopped_at,
  finished_at,
  counts,
}: Course): StateWords {
  if (withdrawn_at !== null) return { word: 'Annullato', tone: 'neutral', icon: 'cross' };
  if (stopped_at !== null) return { word: 'Fermo', tone: 'warn', icon: 'warning' };
  if (begun_at === null) return { word: 'Parte tra poco', tone: 'warn', icon: 'clock' };
  if (finished_at === null || (counts.queued ?? 0) > 0)
    return { word: 'In corso', tone: 'warn', icon: 'clock' };
  const bad = (counts.bounced ?? 0) + (counts.failed ?? 0);
  if (bad > 0)
    return {
      word: formatCount(bad, 'non riuscito', 'non riusciti'),
      tone: 'bad',
      icon: 'warning',
    };
  if ((counts.kept ?? 0) > 0) return recipientWords.kept;
  return { word: 'Finito', tone: 'good', icon: 'check' };
}
