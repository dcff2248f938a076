/** "Avvisami": an address that gets one mail when the sale of this event opens. */
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { call } from '#apps/shared/api.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { SentNote } from '#apps/booking/shell/sent-note.tsx';
import { askReminder } from '#server/contract/reminders.ts';
import { EmailField, mistakeIn } from '#apps/booking/shell/email-field.tsx';
import { reminderId } from './place.ts';
import styles from './reminder.late.module.css';

export function AskReminder({ eventId }: { eventId: string }) {
  const [email, setEmail] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useRef<HTMLFormElement>(null);
  useArrival(form);

  async function send() {
    const mistake = mistakeIn(email, form.current);
    setWrong(mistake);
    if (mistake !== null) return;
    await call(askReminder, { params: { eventId }, body: { email: email.trim() } });
    setSentTo(email.trim());
  }
  return (
    <form
      ref={form}
      id={reminderId}
      className={`${styles.ask} no-print`}
      noValidate
      onSubmit={(event) => event.preventDefault()}
    >
      <div className={styles.line}>
        <EmailField
          label="Avvisami quando apre: la tua e-mail"
          value={email}
          error={wrong}
          onChange={setEmail}
        />
        <AsyncButton variant="primary" type="submit" onClick={send}>
          <Icon name="mail" /> Avvisami
        </AsyncButton>
      </div>
      <output aria-label="Esito">
        {sentTo !== null && (
          <SentNote>
            Ti abbiamo scritto a <strong>{sentTo}</strong>, se non l’avevamo già fatto: apri il
            messaggio e conferma entro 48 ore.
          </SentNote>
        )}
      </output>
      <p className="small soft">
        L’indirizzo serve solo per questo avviso: ti scriviamo una volta sola, poi lo cancelliamo.
        Niente pubblicità.
      </p>
    </form>
  );
}

/** Scrolls to the form if the link names it. */
function useArrival(form: { current: HTMLFormElement | null }) {
  const { hash } = useLocation();
  useEffect(() => {
    if (hash !== `#${reminderId}`) return;
    form.current?.scrollIntoView({ block: 'center' });
    form.current?.querySelector('input')?.focus({ preventScroll: true });
  }, [form, hash]);
}
