/** The user's own account: the password and the logged in devices. */
import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import {
  changePassword,
  endAllSessions,
  endSession,
  listSessions,
} from '#server/contract/account.ts';
import { roleNames } from '#server/domain/user/user.ts';
import { formatListDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { AskButton } from '#apps/admin/kit/ask-button.tsx';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { SecondLine } from '#apps/admin/kit/list/table.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { Intro, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { NewPasswordFields, useNewPassword } from '#apps/admin/shell/login/new-password.tsx';
import { PasswordField } from '#apps/admin/shell/login/password-field.tsx';
import { useAct, useUser } from '#apps/admin/kit/session/session.ts';
import { FactorsPart } from './factors.tsx';
import { placeWords } from './words.ts';
import buttonStyles from '#apps/admin/kit/buttons.module.css';
import formStyles from '#apps/admin/kit/form/form.module.css';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import styles from './people.module.css';

export function AccountScreen() {
  const { name, email, role } = useUser();
  return (
    <>
      <PageTitle title="Il mio accesso" />
      <Intro>
        {name}, {email}. Il tuo ruolo: {roleNames[role]}.
      </Intro>
      <div className={panelStyles.panels}>
        <Panel aria-labelledby="password-title">
          <h2 id="password-title">Password</h2>
          <PasswordForm />
        </Panel>
        <Panel aria-labelledby="factors-title">
          <h2 id="factors-title">Secondo fattore</h2>
          <FactorsPart />
        </Panel>
        <Panel aria-labelledby="sessions-title">
          <h2 id="sessions-title">Dispositivi collegati</h2>
          <Sessions />
        </Panel>
      </div>
    </>
  );
}

/** A new key empties the fields after each change. */
function PasswordForm() {
  const [round, setRound] = useState(0);
  return (
    <>
      {round > 0 && (
        <Notice as="output" tone="good" aria-label="Stato">
          Password cambiata. Gli altri dispositivi sono usciti.
        </Notice>
      )}
      <PasswordFields key={round} onDone={() => setRound(round + 1)} />
    </>
  );
}

function PasswordFields({ onDone }: { onDone: () => void }) {
  const change = useChange();
  const { email } = useUser();
  const [old, setOld] = useState('');
  const fields = useNewPassword(email);
  const { busy, failure, submit } = useSubmit(async () => {
    if (!fields.check()) return;
    await change(changePassword, { body: { old, password: fields.password } });
    onDone();
  });
  return (
    <form className={formStyles.stack} onSubmit={submit}>
      <PasswordField
        label="Password di adesso"
        value={old}
        onChange={setOld}
        autoComplete="current-password"
      />
      <NewPasswordFields fields={fields} label="Nuova password" />
      <FormActions
        busy={busy}
        failure={failure}
        submitLabel={busy ? 'Salvataggio…' : 'Cambia la password'}
      />
    </form>
  );
}

function Sessions() {
  const change = useChange();
  const sessions = useEndpoint(listSessions, {}, { refetchInterval: 30_000 });
  return (
    <Loaded query={sessions}>
      {({ items }) => (
        <>
          <ul className={styles.list}>
            {items.map(({ id, device, place, last_seen_at, current }) => (
              <li key={id}>
                <span>
                  {device}
                  {current && ' (questo)'}
                  <SecondLine>
                    {placeWords[place]}, {formatListDate(last_seen_at)}
                  </SecondLine>
                </span>
                {!current && (
                  <AsyncButton
                    className={buttonStyles.small}
                    aria-label={`Fai uscire ${device}`}
                    onClick={() => change(endSession, { params: { sessionId: id } })}
                  >
                    Fai uscire
                  </AsyncButton>
                )}
              </li>
            ))}
          </ul>
          <LeaveEverywhere />
        </>
      )}
    </Loaded>
  );
}

function LeaveEverywhere() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const act = useAct();
  return (
    <AskButton
      label="Esci ovunque…"
      title="Uscire da tutti i dispositivi?"
      danger
      text={<p>Anche da questo: poi serve di nuovo la password.</p>}
      confirmLabel="Esci ovunque"
      onConfirm={async () => {
        await act(endAllSessions, {});
        client.clear();
        await navigate('/login');
      }}
    />
  );
}
