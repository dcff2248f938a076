/** Asks for a link to a new password; the answer is the same for every address. */
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { forgotPassword } from '#server/contract/users.ts';
import { call } from '#apps/shared/api.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { FailureNotice } from '#apps/admin/kit/page/notice.tsx';
import { EmailField } from './email-field.tsx';
import { Entry, LoginNotice } from './entry.tsx';
import styles from './entry.module.css';

export function ForgotScreen() {
  const [email, setEmail] = useState('');
  const [asked, setAsked] = useState(false);
  const { busy, failure, submit } = useSubmit(async () => {
    await call(forgotPassword, { body: { email } });
    setAsked(true);
  });
  return (
    <Entry title="Password dimenticata">
      {asked ? (
        <LoginNotice title="Controlla la posta">
          <p>
            Se questo indirizzo ha un accesso, tra poco arriva un messaggio con un link per
            scegliere una nuova password. Vale un’ora, una volta sola.
          </p>
          <p>Non arriva niente? Guarda tra lo spam, o chiedi un link a un amministratore.</p>
        </LoginNotice>
      ) : (
        <form className={styles.box} onSubmit={submit}>
          <h1>Password dimenticata</h1>
          <p>Scrivi la tua e-mail: ti mandiamo un link per sceglierne una nuova.</p>
          <FailureNotice text={failure} />
          <EmailField value={email} onChange={setEmail} autoComplete="email" />
          <Button
            type="submit"
            look="primary"
            className="ui-button-wide"
            busy={busy}
            label={busy ? 'Invio in corso…' : 'Mandami il link'}
          />
          <Link to="/login">Torna all’accesso</Link>
        </form>
      )}
    </Entry>
  );
}
