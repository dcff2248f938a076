/** The wishes of a waiting visitor: a sound at the turn, and a mail before it. */
import { useRef, useState } from 'react';
import { call } from '#apps/shared/api.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { EmailField, mistakeIn } from '#apps/booking/shell/email-field.tsx';
import { SentNote } from '#apps/booking/shell/sent-note.tsx';
import { askQueueMail } from '#server/contract/queue.ts';
import type { Queue } from './use-queue.ts';
import type { useTurnSound } from './use-turn.ts';
import styles from './queue.late.module.css';

interface WishesProps {
  eventId: string;
  queue: Queue;
  sound: ReturnType<typeof useTurnSound>;
}

export function Wishes({ eventId, queue: { place, adopt }, sound }: WishesProps) {
  const sendMail = async (email: string | null) =>
    adopt(await call(askQueueMail, { params: { eventId }, body: { email } }));
  return (
    <div className={styles.wishes}>
      <p className="small soft">
        Tieni aperta questa pagina, o riaprila in questo browser: il tuo posto resta tuo. Aprirla in
        più schede non dà più posti.
      </p>
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={sound.isWanted}
          onChange={(event) => sound.want(event.target.checked)}
        />
        Suona quando tocca a me
      </label>
      {place?.mail ? (
        <div className={styles.asked}>
          <SentNote>Ti scriviamo un’e-mail quando il tuo turno si avvicina.</SentNote>
          <AsyncButton variant="quiet" onClick={() => sendMail(null)}>
            Non scrivetemi
          </AsyncButton>
        </div>
      ) : (
        <AskMail onSend={sendMail} />
      )}
    </div>
  );
}

function AskMail({ onSend }: { onSend: (email: string) => Promise<unknown> }) {
  const [email, setEmail] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const form = useRef<HTMLFormElement>(null);

  async function send() {
    const mistake = mistakeIn(email, form.current);
    setWrong(mistake);
    if (mistake !== null) return;
    await onSend(email.trim());
  }
  return (
    <form ref={form} noValidate onSubmit={(event) => event.preventDefault()}>
      <div className={styles.line}>
        <EmailField
          label="La tua e-mail: avvisami prima del turno"
          value={email}
          error={wrong}
          onChange={setEmail}
        />
        <AsyncButton type="submit" onClick={send}>
          <Icon name="mail" /> Avvisami
        </AsyncButton>
      </div>
      <p className="small soft">
        Un solo messaggio, poi cancelliamo l’indirizzo. Si entra da questo browser.
      </p>
    </form>
  );
}
