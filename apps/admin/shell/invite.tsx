/** The form behind a one-time invitation link, which makes the first administrator: /admin/invito#<token>. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { acceptInvite } from '#server/contract/users.ts';
import { isPasswordWeak, passwordMin } from '#server/domain/user.ts';
import { call, CallError } from '#apps/shared/api.ts';
import { EmailField } from './email-field.tsx';
import { PasswordField } from './password-field.tsx';
import { enterAs } from './session.ts';
import { FailureNotice } from '#apps/admin/kit/notice.tsx';
import styles from './entry.module.css';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';

export function InviteScreen() {
  const [token] = useState(() => location.hash.slice(1));
  const [refused, setRefused] = useState(token.length < 16);
  // The token must not stay in the address bar, the history or a screenshot; the router keeps its own state there.
  useEffect(() => history.replaceState(history.state, '', location.pathname), []);

  return (
    <main className={styles.entry}>
      <title>Invito · Botteghino</title>
      <p className={styles.brand}>Botteghino</p>
      {refused ? (
        <InviteRefused />
      ) : (
        <InviteForm token={token} onRefused={() => setRefused(true)} />
      )}
    </main>
  );
}

function InviteRefused() {
  return (
    <div className={styles.box}>
      <h1>Questo invito non è più valido</h1>
      <p>
        Il link è già stato usato, è scaduto oppure è incompleto. Ogni invito vale una volta sola.
      </p>
      <p>
        Se hai già creato il tuo accesso, entra con e-mail e password. Altrimenti chiedi un nuovo
        link a chi ha avviato il server.
      </p>
      <Link className="ui-button ui-button-primary" to="/login">
        Vai all’accesso
      </Link>
    </div>
  );
}

interface InviteFormProps {
  token: string;
  onRefused: () => void;
}

function useInvite({ token, onRefused }: InviteFormProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [fields, setFields] = useState({ email: '', name: '', password: '', again: '' });
  const [tried, setTried] = useState(false);
  const { again, ...body } = fields;
  const weak = isPasswordWeak(body.password, body.email);
  const differs = body.password !== again;
  const set = (field: keyof typeof fields) => (text: string) =>
    setFields((old) => ({ ...old, [field]: text }));

  const submission = useSubmit(async () => {
    setTried(true);
    if (weak || differs) return;
    try {
      enterAs(client, await call(acceptInvite, { body: { token, ...body } }));
      await navigate('/', { replace: true });
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== 'invite_invalid') throw error;
      onRefused();
    }
  });

  return { fields, set, weak: tried && weak, differs: tried && differs, ...submission };
}

function InviteForm(props: InviteFormProps) {
  const { fields, set, weak, differs, busy, failure, submit } = useInvite(props);
  return (
    <form className={styles.box} onSubmit={submit}>
      <h1>Crea il tuo accesso</h1>
      <p>Sarai amministratore di questo botteghino. Questo link vale una volta sola.</p>
      <FailureNotice text={failure} />
      <TextField
        label="Nome e cognome"
        name="name"
        value={fields.name}
        onChange={set('name')}
        autoComplete="name"
        maxLength={100}
        required
      />
      <EmailField value={fields.email} onChange={set('email')} />
      <PasswordField
        label="Password"
        value={fields.password}
        onChange={set('password')}
        autoComplete="new-password"
        hint={`Almeno ${passwordMin} caratteri: una frase va benissimo. Non una delle più comuni e non la tua e-mail.`}
        error={weak ? tellWeakness(fields.password) : null}
      />
      <PasswordField
        label="Ripeti la password"
        value={fields.again}
        onChange={set('again')}
        autoComplete="new-password"
        error={differs ? 'Le due password sono diverse.' : null}
      />
      <Button
        type="submit"
        look="primary"
        className="ui-button-wide"
        busy={busy}
        label={busy ? 'Creazione in corso…' : 'Crea l’accesso ed entra'}
      />
    </form>
  );
}

function tellWeakness(password: string): string {
  if (password.length < passwordMin)
    return `Mancano ancora ${passwordMin - password.length} caratteri.`;
  return 'È troppo facile da indovinare: scegli parole meno comuni.';
}
