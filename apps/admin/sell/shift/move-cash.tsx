/** The dialog for money that is put into the drawer or taken out without a sale. */
import { useState } from 'react';
import { moveCash } from '#server/contract/shifts.ts';
import { formatEuro } from '#apps/shared/format.ts';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { Check, Radios } from '#apps/admin/kit/form/choices.tsx';
import { EuroField, readEuro } from '#apps/admin/kit/form/euro-field.tsx';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { useAct, useMay } from '#apps/admin/kit/session/session.ts';

interface MoveCashProps {
  /** The cash that should lie in the drawer; null: a cashier is not told. */
  expected_cents: number | null;
  onClose: () => void;
  onDone: () => void;
}

export function MoveCash({ expected_cents, onClose, onDone }: MoveCashProps) {
  const act = useAct();
  const mayOverrule = useMay('refund');
  const [isForced, setForced] = useState(false);
  const [way, setWay] = useState<'in' | 'out'>('out');
  const [sum, setSum] = useState('');
  const [reason, setReason] = useState('');
  const cents = readEuro(sum);
  const isTooMuch =
    way === 'out' && cents !== null && expected_cents !== null && cents > expected_cents;
  const isReady =
    cents !== null && cents > 0 && reason.trim().length >= 3 && (!isTooMuch || isForced);
  const { busy, failure, submit } = useSubmit(async () => {
    if (!isReady) return;
    const amount_cents = way === 'in' ? cents : -cents;
    const forced = isTooMuch ? { below_zero: true } : {};
    await act(moveCash, { body: { amount_cents, reason: reason.trim(), ...forced } });
    onDone();
  });
  return (
    <Modal title="Versa o preleva" onClose={onClose}>
      <form className={formStyles.stack} onSubmit={submit}>
        <Radios
          legend="Che cosa fai"
          value={way}
          onChange={setWay}
          options={[
            ['out', 'Prelevo dal cassetto'],
            ['in', 'Metto nel cassetto'],
          ]}
        />
        <EuroField label="Importo" value={sum} onChange={setSum} isFirst />
        <TextField label="Motivo" value={reason} onChange={setReason} maxLength={200} />
        {isTooMuch && (
          <Notice tone="warn">Nel cassetto ci sono {formatEuro(expected_cents)}.</Notice>
        )}
        {isTooMuch && mayOverrule && (
          <Check
            label="Preleva lo stesso"
            hint="Il contante atteso scende sotto zero."
            checked={isForced}
            onChange={setForced}
          />
        )}
        <FormActions
          busy={busy}
          failure={failure}
          onCancel={onClose}
          submitLabel="Registra"
          disabled={!isReady}
        />
      </form>
    </Modal>
  );
}
