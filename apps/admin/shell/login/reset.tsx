/** Sets a new password with a one-time link: /admin/nuova-password#<token>. */
import { useState } from 'react';
import { resetPassword } from '#server/contract/users.ts';
import { call, CallError } from '#apps/shared/api.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { FailureNotice } from '#apps/admin/kit/page/notice.tsx';
import { Entry, LoginNotice } from './entry.tsx';
import { useLinkToken } from './link-token.ts';
import { NewPasswordFields, useNewPassword } from './new-password.tsx';
import styles from './entry.module.css';

type Step = 'ask' | 'refused' | 'done';

export function ResetScreen() {
  const token = useLinkToken();
  const [step, setStep] = useState<Step>(token === null ? 'refused' : 'ask');
  return (
    <Entry title="Nuova password">
      {step === 'refused' && (
        <LoginNotice title="Questo link non è più valido">
          <p>È già stato usato, è scaduto oppure è incompleto: vale un’ora, una volta sola.</p>
        </LoginNotice>
      )}
      {step === 'done' && (
        <LoginNotice title="Password cambiata">
          <p>Per sicurezza sei uscito da tutti i dispositivi: entra con la nuova password.</p>
        </LoginNotice>
      )}
      {step === 'ask' && token !== null && <ResetForm token={token} onStep={setStep} />}
    </Entry>
  );
}

function ResetForm({ token, onStep }: { token: string; onStep: (step: Step) => void }) {
  const fields = useNewPassword('');
  const { busy, failure, submit } = useSubmit(async () => {
    if (!fields.check()) return;
    try {
      await call(resetPassword, { body: { token, password: fields.password } });
      onStep('done');
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== 'link_invalid') throw error;
      onStep('refused');
    }
  });
  return (
    <form className={styles.box} onSubmit={submit}>
      <h1>Scegli una nuova password</h1>
      <FailureNotice text={failure} />
      <NewPasswordFields fields={fields} label="Nuova password" />
      <Button
        type="submit"
        look="primary"
        className="ui-button-wide"
        busy={busy}
        label={busy ? 'Salvataggio…' : 'Salva la password'}
      />
    </form>
  );
}
