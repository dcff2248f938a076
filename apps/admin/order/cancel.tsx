/** The dialog that cancels an unpaid order and names the seats that go back on sale. */
import { useState } from 'react';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { cancelOrder } from '#server/contract/office.ts';
import { readOrder } from '#server/contract/orders.ts';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import { Field } from '#apps/shared/ui/field.tsx';
import { NamedSeats } from '#apps/admin/kit/form/named-seats.tsx';
import { useRefresh } from '#apps/admin/kit/refresh.ts';
import { useAct } from '#apps/admin/shell/session.ts';
import formStyles from '#apps/admin/kit/form/form.module.css';

export function CancelOrder({
  order,
  onClose,
}: {
  order: ReplyOf<typeof readOrder>;
  onClose: () => void;
}) {
  const act = useAct();
  const refresh = useRefresh();
  const [reason, setReason] = useState('');

  async function cancel() {
    await act(cancelOrder, {
      params: { orderId: order.order_id },
      body: { ...(reason.trim() && { reason: reason.trim() }) },
    });
    refresh();
    onClose();
  }

  return (
    <ConfirmDialog
      title={`Annullare l’ordine ${order.number}?`}
      danger
      confirmLabel="Annulla l’ordine"
      cancelLabel="Torna indietro"
      onConfirm={cancel}
      onCancel={onClose}
      text={
        <div className={formStyles.stack}>
          <NamedSeats
            seats={order.lines.map((line) => line.seat)}
            sum={order.total_cents}
            sumLabel="Non incassati"
          />
          <p>
            Il pagamento online viene chiuso e i posti tornano in vendita. Se l’acquirente ha già
            pagato, l’ordine viene invece confermato.
          </p>
          <Field
            label="Perché (facoltativo)"
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
            autoComplete="off"
          />
        </div>
      }
    />
  );
}
