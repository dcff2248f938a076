/** The form behind an invitation link (/admin/invito#<token>): name and password. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { acceptInvite, readInvite } from '#server/contract/users.ts';
import { roleNames } from '#server/domain/user/user.ts';
import { call, CallError } from '#apps/shared/api.ts';
import { ErrorView } from '#apps/shared/ui/error-view.tsx';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { tellFailure } from '#apps/admin/kit/page/loaded.tsx';
import { FailureNotice } from '#apps/admin/kit/page/notice.tsx';
import { EmailField } from './email-field.tsx';
import { Entry, LoginNotice } from './entry.tsx';
import { useLinkToken } from './link-token.ts';
import { NewPasswordFields, useNewPassword } from './new-password.tsx';
import { logInAs } from '#apps/admin/kit/session/session.ts';
import styles from './entry.module.css';

type Invite = ReplyOf<typeof readInvite>;

export function InviteScreen() {
  const token = useLinkToken();
  const [refused, setRefused] = useState(token === null);
  return (
    <Entry title="Invito">
      {refused || token === null ? (
        <InviteRefused />
      ) : (
        <InviteFor token={token} onRefused={() => setRefused(true)} />
      )}
    </Entry>
  );
}

function InviteRefused() {
  return (
    <LoginNotice title="Questo invito non è più valido">
      <p>
        Il link è già stato usato, è scaduto oppure è incompleto. Ogni invito vale una volta sola.
      </p>
      <p>
        Se hai già creato il tuo accesso, entra con e-mail e password. Altrimenti chiedi un nuovo
        link a chi ti ha invitato.
      </p>
    </LoginNotice>
  );
}

interface InviteForProps {
  token: string;
  onRefused: () => void;
}

/** Checks the link before anybody fills in the form. */
function InviteFor({ token, onRefused }: InviteForProps) {
  const [invite, setInvite] = useState<Invite | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    setFailure(null);
    call(readInvite, { body: { token } }).then(setInvite, (error: unknown) => {
      if (error instanceof CallError && error.code === 'invite_invalid') onRefused();
      else setFailure(tellFailure(error));
    });
    // oxlint-disable-next-line react/exhaustive-deps -- once for each try
  }, [token, round]);
  if (failure !== null)
    return <ErrorView detail={failure} onRetry={async () => setRound(round + 1)} />;
  if (invite === null) return <Spinner />;
  return <InviteForm token={token} invite={invite} onRefused={onRefused} />;
}

type InviteFormProps = InviteForProps & { invite: Invite };

function InviteForm({ token, invite, onRefused }: InviteFormProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [email, setEmail] = useState(invite.email ?? '');
  const [name, setName] = useState('');
  const fields = useNewPassword(email);
  const { busy, failure, submit } = useSubmit(async () => {
    if (!fields.check()) return;
    const body = { token, email, name, password: fields.password };
    try {
      logInAs(client, await call(acceptInvite, { body }));
      await navigate('/', { replace: true });
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== 'invite_invalid') throw error;
      onRefused();
    }
  });
  return (
    <form className={styles.box} onSubmit={submit}>
      <h1>Crea il tuo accesso</h1>
      <p>
        Il tuo ruolo in questo botteghino: <strong>{roleNames[invite.role]}</strong>. Questo link
        vale una volta sola.
      </p>
      <FailureNotice text={failure} />
      <TextField
        label="Nome e cognome"
        name="name"
        value={name}
        onChange={setName}
        autoComplete="name"
        maxLength={100}
        required
      />
      <EmailField
        value={email}
        onChange={setEmail}
        autoComplete="email"
        readOnly={invite.email !== null}
      />
      <NewPasswordFields fields={fields} />
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
