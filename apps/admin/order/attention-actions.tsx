/** The decisions about an order, each with its effect, sum, seats and reason. */
import { useState } from 'react';
import { decideOrder } from '#server/contract/office.ts';
import type { AttentionDecision } from '#server/domain/order/order.ts';
import { formatEuro } from '#apps/shared/format.ts';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import { decisionWords } from './refund/money-words.ts';
import { NamedSeats } from '#apps/admin/kit/form/named-seats.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { isReason, TypedReason } from '#apps/admin/kit/form/typed-reason.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import buttonStyles from '#apps/admin/kit/buttons.module.css';
import formStyles from '#apps/admin/kit/form/form.module.css';
import styles from './order.module.css';

interface AttentionActionsProps {
  order_id: string;
  reason: string;
  decisions: readonly AttentionDecision[];
  paid_cents: number;
  seats: readonly string[];
}

export function AttentionActions({
  order_id,
  reason,
  decisions,
  paid_cents,
  seats,
}: AttentionActionsProps) {
  const [asking, setAsking] = useState<AttentionDecision | null>(null);
  return (
    <div className={styles.decisions}>
      <ul>
        {decisions.map((decision) => (
          <li key={decision}>
            <b>{decisionWords(decision, reason).label}</b>: {decisionWords(decision, reason).effect}
          </li>
        ))}
      </ul>
      <div className={buttonStyles.actions}>
        {decisions.map((decision) => {
          const words = decisionWords(decision, reason);
          return (
            <Button
              key={decision}
              small
              look={words.danger ? 'danger' : undefined}
              onClick={() => setAsking(decision)}
              label={`${words.label}…`}
            />
          );
        })}
      </div>
      {asking !== null && (
        <Decide
          order_id={order_id}
          reason={reason}
          decision={asking}
          paid_cents={paid_cents}
          seats={seats}
          onClose={() => setAsking(null)}
        />
      )}
    </div>
  );
}

function Decide({
  order_id,
  reason,
  decision,
  paid_cents,
  seats,
  onClose,
}: Omit<AttentionActionsProps, 'decisions'> & {
  decision: AttentionDecision;
  onClose: () => void;
}) {
  const change = useChange();
  const [note, setNote] = useState('');
  const words = decisionWords(decision, reason);
  return (
    <ConfirmDialog
      title={words.label}
      danger={words.danger}
      confirmLabel={decision === 'refund' ? `Rimborsa ${formatEuro(paid_cents)}` : words.label}
      disabled={!isReason(note)}
      onCancel={onClose}
      onConfirm={async () => {
        await change(decideOrder, {
          params: { orderId: order_id },
          body: { decision, note: note.trim() },
        });
        onClose();
      }}
      text={
        <div className={formStyles.stack}>
          <p>{words.effect}</p>
          <NamedSeats seats={seats} sum={paid_cents} sumLabel="Incassati" />
          <TypedReason value={note} onChange={setNote} />
        </div>
      }
    />
  );
}
