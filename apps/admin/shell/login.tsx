/** The login; afterwards the screen that was asked for opens. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, Navigate, useLocation, useNavigate } from 'react-router-dom';
import { login, me } from '#server/contract/users.ts';
import { call } from '#apps/shared/api.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { EmailField } from './email-field.tsx';
import { PasswordField } from './password-field.tsx';
import { enterAs } from './session.ts';
import { FailureNotice } from '#apps/admin/kit/notice.tsx';
import styles from './entry.module.css';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { Button } from '#apps/admin/kit/button.tsx';

export function LoginScreen() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const wanted = wantedFrom(useLocation().state);
  const present = useEndpoint(me, {}, { retry: false });
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const { busy, failure, submit } = useSubmit(async () => {
    enterAs(client, await call(login, { body: { email, password } }));
    await navigate(wanted, { replace: true });
  });
  if (present.data !== undefined && !present.isError) return <Navigate to={wanted} replace />;

  return (
    <main className={styles.entry}>
      <title>Accedi · Botteghino</title>
      <p className={styles.brand}>Botteghino</p>
      <form className={styles.box} onSubmit={submit}>
        <h1>Accedi</h1>
        <FailureNotice text={failure} />
        <EmailField value={email} onChange={setEmail} />
        <PasswordField
          label="Password"
          value={password}
          onChange={setPassword}
          autoComplete="current-password"
        />
        <Button
          type="submit"
          look="primary"
          className="ui-button-wide"
          busy={busy}
          label={busy ? 'Accesso in corso…' : 'Accedi'}
        />
        <Link to="/password">Password dimenticata?</Link>
      </form>
    </main>
  );
}

/** Only a path of this app: the state of a history entry is no address to trust. */
function wantedFrom(state: unknown): string {
  const from = typeof state === 'object' && state !== null && 'from' in state ? state.from : null;
  return typeof from === 'string' && /^\/(?![/\\])/.test(from) && !from.startsWith('/login')
    ? from
    : '/';
}
