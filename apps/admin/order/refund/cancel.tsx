/** The dialog that cancels an unpaid order; it names the seats that go back on sale. */
import { useState } from 'react';
import { cancelOrder } from '#server/contract/office.ts';
import { formatEuro } from '#apps/shared/format.ts';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import { NamedSeats } from '#apps/admin/kit/form/named-seats.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import type { OrderDialogProps } from '#apps/admin/order/shown-order.ts';
import formStyles from '#apps/admin/kit/form/form.module.css';

const closingWords =
  'Il pagamento online viene chiuso e i posti tornano in vendita. Se l’acquirente ha già pagato, l’ordine viene invece confermato.';

function depositWords({ paid_cents, deposit_end }: OrderDialogProps['order']): string {
  const end = deposit_end === 'kept' ? 'resta al teatro' : 'va restituito a mano';
  return `I posti tornano in vendita. L’acconto di ${formatEuro(paid_cents)} ${end}.`;
}

export function CancelOrder({ order, onClose }: OrderDialogProps) {
  const change = useChange();
  const [reason, setReason] = useState('');

  async function cancel() {
    await change(cancelOrder, {
      params: { orderId: order.order_id },
      body: { ...(reason.trim() && { reason: reason.trim() }) },
    });
    onClose();
  }

  return (
    <ConfirmDialog
      title={`Annullare l’ordine ${order.number}?`}
      danger
      confirmLabel="Annulla l’ordine"
      onConfirm={cancel}
      onCancel={onClose}
      text={
        <div className={formStyles.stack}>
          <NamedSeats
            seats={order.lines.map((line) => line.seat)}
            sum={order.total_cents - order.paid_cents}
            sumLabel="Non incassati"
          />
          <p>{order.deposit_end === null ? closingWords : depositWords(order)}</p>
          <TextField
            label="Perché (facoltativo)"
            maxLength={500}
            value={reason}
            onChange={setReason}
          />
        </div>
      }
    />
  );
}
