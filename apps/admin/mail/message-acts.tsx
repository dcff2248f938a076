/** Calls a message to many buyers off, stops it, and goes on with it. */
import { resumeMessage, stopMessage, withdrawMessage } from '#server/contract/messages.ts';
import { formatCount, formatTimeWithSeconds } from '#apps/shared/format.ts';
import { AskButton } from '#apps/admin/kit/ask-button.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';

export interface MessageCourse {
  messageId: string;
  /** What can be done now. */
  act: 'withdraw' | 'stop' | 'resume' | null;
  begins_at: string | null;
  /** Addresses that have had their turn, and all of them. */
  done: number;
  total: number;
}

export function MessageActs({ messageId, act, begins_at, done, total }: MessageCourse) {
  const change = useChange();
  const params = { messageId };
  if (act === 'withdraw')
    return (
      <AskButton
        label="Annulla l’invio"
        title="Annullare l’invio?"
        confirmLabel="Annulla l’invio"
        danger
        text={
          <p>
            Non parte nessun messaggio.
            {begins_at !== null && ` Comincia alle ${formatTimeWithSeconds(begins_at)}.`}
          </p>
        }
        onConfirm={() => change(withdrawMessage, { params })}
      />
    );
  if (act === 'stop')
    return (
      <AskButton
        label="Ferma l’invio"
        title="Fermare l’invio?"
        confirmLabel="Ferma l’invio"
        danger
        text={
          <p>
            {done === 1
              ? 'È già partita 1 e-mail: resta'
              : `Sono già partite ${done.toLocaleString('it-IT')} e-mail: restano`}{' '}
            a chi le ha ricevute. Per{' '}
            {formatCount(total - done, 'altro indirizzo', 'altri indirizzi')} non parte nulla finché
            non riprendi l’invio.
          </p>
        }
        onConfirm={() => change(stopMessage, { params })}
      />
    );
  if (act === 'resume')
    return (
      <AskButton
        label="Riprendi l’invio"
        title="Riprendere l’invio?"
        confirmLabel="Riprendi l’invio"
        text={<p>Parte solo per chi non l’ha ancora ricevuto: nessuno lo riceve due volte.</p>}
        onConfirm={() => change(resumeMessage, { params })}
      />
    );
  return null;
}
