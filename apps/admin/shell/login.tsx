/** The way in; afterwards one is where one wanted to go. */
import { useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router-dom';
import { login, me } from '#server/contract/users.ts';
import { call } from '#apps/shared/api.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Field } from '#apps/shared/ui/field.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { tellFailure } from '#apps/admin/kit/loaded.tsx';
import { PasswordField } from './password-field.tsx';
import { enterAs } from './session.ts';

export function LoginScreen() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const wanted = wantedFrom(useLocation().state);
  const present = useEndpoint(me, {}, { retry: false });
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  if (present.data !== undefined && !present.isError) return <Navigate to={wanted} replace />;

  async function enter(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setFailure(null);
    try {
      enterAs(client, await call(login, { body: { email, password } }));
      await navigate(wanted, { replace: true });
    } catch (error) {
      setFailure(tellFailure(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <main className="entry">
      <title>Accedi · Botteghino</title>
      <p className="brand">Botteghino</p>
      <form className="entry-box" onSubmit={(event) => void enter(event)}>
        <h1>Accedi</h1>
        {failure !== null && (
          <p className="notice notice-bad" role="alert">
            <Icon name="warning" /> {failure}
          </p>
        )}
        <Field
          label="E-mail"
          type="email"
          name="email"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
          required
        />
        <PasswordField
          label="Password"
          value={password}
          onChange={setPassword}
          autoComplete="current-password"
        />
        <button
          type="submit"
          className="ui-button ui-button-primary ui-button-wide"
          disabled={busy}
          aria-busy={busy}
        >
          {busy ? 'Accesso in corso…' : 'Accedi'}
        </button>
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
