/** The dialog that confirms the user's identity: by passkey, code, or else password. */
import { useState } from 'react';
import { beginConfirmation, confirmIdentity } from '#server/contract/account.ts';
import type { Asked } from '#server/contract/endpoint.ts';
import { call } from '#apps/shared/api.ts';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { CodeField } from '#apps/admin/shell/login/code-field.tsx';
import { useQuestion, type Ways } from '#apps/admin/kit/session/confirm-again.ts';
import { proveByPasskey } from '#apps/admin/kit/session/passkey.ts';
import { PasswordField } from '#apps/admin/shell/login/password-field.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';

export function ConfirmAgain() {
  const question = useQuestion();
  if (question === null) return null;
  return (
    <Modal title="Conferma che sei tu" onClose={() => question.answer(false)}>
      <ConfirmForm
        ways={question.ways}
        onDone={() => question.answer(true)}
        onCancel={() => question.answer(false)}
      />
    </Modal>
  );
}

interface ConfirmFormProps {
  ways: Ways;
  onDone: () => void;
  onCancel: () => void;
}

type Proof = Asked<typeof confirmIdentity>['body'];

function ConfirmForm({ ways, onDone, onCancel }: ConfirmFormProps) {
  const [typed, setTyped] = useState('');
  const hasFactor = ways.totp || ways.passkey;
  const confirm = async (body: Proof) => {
    await call(confirmIdentity, { body });
    onDone();
  };
  const byWord = useSubmit(() => confirm(hasFactor ? { code: typed } : { password: typed }));
  const byPasskey = useSubmit(async () => {
    const { options } = await call(beginConfirmation, {});
    await confirm({ passkey: await proveByPasskey(options) });
  });
  return (
    <form className={formStyles.stack} onSubmit={byWord.submit}>
      <p>Questa operazione è delicata e l’ultima conferma ha più di dieci minuti.</p>
      {ways.passkey && (
        <Button
          look="primary"
          icon="lock"
          busy={byPasskey.busy}
          onClick={byPasskey.submit}
          label="Usa la passkey"
        />
      )}
      {hasFactor ? (
        <CodeField value={typed} onChange={setTyped} />
      ) : (
        <PasswordField
          label="La tua password"
          value={typed}
          onChange={setTyped}
          autoComplete="current-password"
        />
      )}
      <FormActions
        busy={byWord.busy}
        failure={byWord.failure ?? byPasskey.failure}
        onCancel={onCancel}
        submitLabel="Conferma"
      />
    </form>
  );
}
