/** Returns money at the counter: tickets, sum and reason; the seats are free immediately. */
import { useState } from 'react';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { giveBack, type listOwnSales } from '#server/contract/shifts.ts';
import { formatEuro } from '#apps/shared/format.ts';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { Check } from '#apps/admin/kit/form/choices.tsx';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';
import { HandBack, useHandBack } from '#apps/admin/order/refund/hand-back.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { useAct } from '#apps/admin/kit/session/session.ts';
import styles from './till.module.css';

export type OwnSale = ReplyOf<typeof listOwnSales>['items'][number];

interface GiveBackDialogProps {
  sale: OwnSale;
  onCancel: () => void;
  /** Gets the returned sum in cents. */
  onDone: (cents: number) => Promise<void>;
}

export function GiveBackDialog({ sale, onCancel, onDone }: GiveBackDialogProps) {
  const act = useAct();
  const valid = sale.tickets.filter(({ state }) => state === 'valid');
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [reason, setReason] = useState('');
  const chosen = valid.filter(({ ticket_id }) => !left.has(ticket_id));
  const sum = chosen.reduce((cents, { paid_cents }) => cents + paid_cents, 0);
  const hand = useHandBack(sale.order_id, sum, sum > 0);
  const handing = sum > 0 ? (hand.state?.handing ?? null) : {};
  const { busy, failure, submit } = useSubmit(async () => {
    const ticket_ids = chosen.map(({ ticket_id }) => ticket_id);
    const body = { ticket_ids, expected_cents: sum, reason: reason.trim(), ...handing };
    await onDone((await act(giveBack, { params: { orderId: sale.order_id }, body })).amount_cents);
  });
  const toggle = (id: string) => setLeft(left.symmetricDifference(new Set([id])));
  return (
    <Modal title={`Restituire ${sale.number}?`} onClose={onCancel}>
      <form className={formStyles.stack} onSubmit={submit}>
        {valid.map(({ ticket_id, seat, type_label, paid_cents }) => (
          <Check
            key={ticket_id}
            label={`${seat}, ${type_label}: ${formatEuro(paid_cents)}`}
            checked={!left.has(ticket_id)}
            onChange={() => toggle(ticket_id)}
          />
        ))}
        <p className={styles.due}>
          Da restituire <strong>{formatEuro(sum)}</strong>
        </p>
        {sum > 0 && <HandBack hand={hand} />}
        <p>I biglietti non valgono più e i posti tornano in vendita: non si può annullare.</p>
        <TextField label="Motivo" value={reason} onChange={setReason} maxLength={200} required />
        <FormActions
          busy={busy}
          failure={failure}
          onCancel={onCancel}
          submitLabel="Restituisci"
          danger
          disabled={chosen.length === 0 || handing === null || reason.trim().length < 3}
        />
      </form>
    </Modal>
  );
}
