/** The dialog that adds an authenticator app: its QR code, then its first code. */
import { useEffect, useState } from 'react';
import { addTotp, beginTotp } from '#server/contract/account.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { QrCode } from '#apps/shared/ui/qr-code.tsx';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { CopyField } from '#apps/admin/kit/copy-field.tsx';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { tellFailure } from '#apps/admin/kit/page/loaded.tsx';
import { FailureNotice } from '#apps/admin/kit/page/notice.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { CodeField } from '#apps/admin/shell/login/code-field.tsx';
import { useAct } from '#apps/admin/kit/session/session.ts';
import formStyles from '#apps/admin/kit/form/form.module.css';

interface TotpDialogProps {
  onClose: () => void;
  onDone: (codes: readonly string[] | null) => void;
}

type Begun = ReplyOf<typeof beginTotp>;

export function TotpDialog({ onClose, onDone }: TotpDialogProps) {
  const act = useAct();
  const [begun, setBegun] = useState<Begun | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    act(beginTotp, {}).then(setBegun, (error: unknown) => setFailure(tellFailure(error)));
    // oxlint-disable-next-line react/exhaustive-deps -- one secret for each time that it opens
  }, []);
  return (
    <Modal title="App dei codici" onClose={onClose}>
      <FailureNotice text={failure} />
      {begun === null && failure === null && <Spinner />}
      {begun !== null && <TotpForm begun={begun} onClose={onClose} onDone={onDone} />}
    </Modal>
  );
}

function TotpForm({ begun, onClose, onDone }: TotpDialogProps & { begun: Begun }) {
  const change = useChange();
  const [code, setCode] = useState('');
  const { busy, failure, submit } = useSubmit(async () => {
    const body = { secret: begun.secret, code };
    onDone((await change(addTotp, { body })).recovery_codes);
  });
  return (
    <form className={formStyles.stack} onSubmit={submit}>
      <p>Inquadra il codice con la tua app dei codici, poi scrivi le cifre che mostra.</p>
      <QrCode text={begun.address} label="Codice per l’app dei codici" />
      <CopyField text={begun.secret} label="Chiave da scrivere a mano" />
      <CodeField value={code} onChange={setCode} appOnly />
      <FormActions
        busy={busy}
        failure={failure}
        onCancel={onClose}
        submitLabel={busy ? 'Controllo…' : 'Aggiungi'}
      />
    </form>
  );
}
