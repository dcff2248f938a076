/** The dialog that ends the buyer's link and mails a new one. */
import { replaceLink } from '#server/contract/order/links.ts';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import type { OrderDialogProps } from './shown-order.ts';

export function NewLink({ order, onClose }: OrderDialogProps) {
  const change = useChange();

  async function replace() {
    await change(replaceLink, { params: { orderId: order.order_id } });
    onClose();
  }
  return (
    <ConfirmDialog
      title="Nuovo link per l’acquirente"
      danger
      confirmLabel={`Manda a ${order.buyer_email ?? ''}`}
      onConfirm={replace}
      onCancel={onClose}
      text="Il link di prima smette subito di funzionare, ovunque sia stato inoltrato o salvato. Quello nuovo parte per e-mail insieme ai biglietti, che restano validi."
    />
  );
}
