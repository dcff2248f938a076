/** The login, by password and second factor or by passkey; then the wanted screen opens. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, Navigate, useLocation, useNavigate } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { beginPasskeyLogin, login, loginByPasskey, me } from '#server/contract/users.ts';
import { call, CallError } from '#apps/shared/api.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { CodeField } from './code-field.tsx';
import { EmailField } from './email-field.tsx';
import { Entry } from './entry.tsx';
import { knowsPasskeys, proveByPasskey } from '#apps/admin/kit/session/passkey.ts';
import { PasswordField } from './password-field.tsx';
import { logInAs } from '#apps/admin/kit/session/session.ts';
import { FailureNotice } from '#apps/admin/kit/page/notice.tsx';
import styles from './entry.module.css';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { Button } from '#apps/admin/kit/button.tsx';

export function LoginScreen() {
  const wanted = wantedFrom(useLocation().state);
  const present = useEndpoint(me, {}, { retry: false });
  if (present.data !== undefined && !present.isError) return <Navigate to={wanted} replace />;
  return (
    <Entry title="Accedi">
      <LoginForm wanted={wanted} />
    </Entry>
  );
}

function useEnter(wanted: string) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async (user: ReplyOf<typeof login>) => {
    logInAs(client, user);
    await navigate(wanted, { replace: true });
  };
}

function LoginForm({ wanted }: { wanted: string }) {
  const enter = useEnter(wanted);
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState<string | null>(null);
  const { busy, failure, submit } = useSubmit(async () => {
    const body = { email, password, ...(code === null ? {} : { code }) };
    try {
      await enter(await call(login, { body }));
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== 'code_needed') throw error;
      setCode('');
    }
  });
  const byPasskey = useSubmit(async () => {
    const { options } = await call(beginPasskeyLogin, {});
    const response = await proveByPasskey(options);
    await enter(await call(loginByPasskey, { body: { response } }));
  });
  return (
    <form className={styles.box} onSubmit={submit}>
      <h1>Accedi</h1>
      <FailureNotice text={failure ?? byPasskey.failure} />
      <EmailField value={email} onChange={setEmail} />
      <PasswordField
        label="Password"
        value={password}
        onChange={setPassword}
        autoComplete="current-password"
      />
      {code !== null && <CodeField value={code} onChange={setCode} />}
      <Button
        type="submit"
        look="primary"
        className="ui-button-wide"
        busy={busy}
        label={busy ? 'Accesso in corso…' : 'Accedi'}
      />
      {knowsPasskeys() && (
        <Button
          className="ui-button-wide"
          icon="lock"
          busy={byPasskey.busy}
          onClick={byPasskey.submit}
          label="Entra con una passkey"
        />
      )}
      <Link to="/password">Password dimenticata?</Link>
    </form>
  );
}

/** Accepts only a path of this app, because history state cannot be trusted. */
function wantedFrom(state: unknown): string {
  const from = typeof state === 'object' && state !== null && 'from' in state ? state.from : null;
  return typeof from === 'string' && /^\/(?![/\\])/.test(from) && !from.startsWith('/login')
    ? from
    : '/';
}
