/** Pauses, resumes and closes the waiting room, and writes to those who wait. */
import { useState } from 'react';
import { closeQueue, pauseQueue, resumeQueue, tellQueue } from '#server/contract/queue.ts';
import { queueBounds } from '#server/domain/queue/queue.ts';
import { formatCount } from '#apps/shared/format.ts';
import { AskButton } from '#apps/admin/kit/ask-button.tsx';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { useChange } from '#apps/admin/kit/refresh.ts';
import buttonStyles from '#apps/admin/kit/buttons.module.css';
import formStyles from '#apps/admin/kit/form/form.module.css';
import type { Desk } from './words.ts';
import styles from './queue.module.css';

interface QueueActsProps {
  eventId: string;
  desk: Desk;
}

export function QueueActs({ eventId, desk }: QueueActsProps) {
  const change = useChange();
  const params = { eventId };
  const isStopped = desk.phase === 'paused' || desk.phase === 'closed';
  const waiting = formatCount(desk.waiting, 'persona', 'persone');
  return (
    <div className={styles.acts}>
      <div className={buttonStyles.actions}>
        {isStopped ? (
          <AskButton
            label="Riprendi…"
            title="Riprendere a chiamare?"
            text={<p>Si ricomincia a chiamare i numeri, da dove si era rimasti.</p>}
            confirmLabel="Riprendi"
            onConfirm={() => change(resumeQueue, { params })}
          />
        ) : (
          <AskButton
            label="Metti in pausa…"
            title="Mettere in pausa?"
            text={<p>Non si chiama più nessuno. Chi è già stato chiamato può ancora entrare.</p>}
            confirmLabel="Metti in pausa"
            onConfirm={() => change(pauseQueue, { params })}
          />
        )}
        {desk.phase !== 'closed' && (
          <AskButton
            danger
            label="Chiudi…"
            title="Chiudere la sala d’attesa?"
            text={
              <p>
                Aspettano {waiting}: nessuno entra più, e chi arriva non riceve un numero. Chi è
                dentro finisce.
              </p>
            }
            confirmLabel="Chiudi la sala d’attesa"
            onConfirm={() => change(closeQueue, { params })}
          />
        )}
      </div>
      <Message key={desk.message} eventId={eventId} message={desk.message} />
    </div>
  );
}

function Message({ eventId, message }: { eventId: string; message: string | null }) {
  const change = useChange();
  const [text, setText] = useState(message ?? '');
  const typed = text.trim() || null;
  const { busy, failure, submit } = useSubmit(() =>
    change(tellQueue, { params: { eventId }, body: { message: typed } }),
  );
  return (
    <form className={formStyles.stack} onSubmit={submit}>
      <TextField
        label="Messaggio a chi aspetta"
        hint="Lo leggono tutti, subito. Vuoto: nessun messaggio."
        maxLength={queueBounds.message}
        value={text}
        onChange={setText}
      />
      <FormActions
        busy={busy}
        failure={failure}
        disabled={typed === message}
        submitLabel={
          typed === null && message !== null ? 'Togli il messaggio' : 'Mostra il messaggio'
        }
      />
    </form>
  );
}
