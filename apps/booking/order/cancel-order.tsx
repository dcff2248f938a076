/** Cancels an order that is not confirmed yet, after a question. */
import { useState } from 'react';
import { call } from '#apps/shared/api.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import { cancelCheckout } from '#server/contract/order/orders.ts';
import type { OrderReply } from '#apps/booking/shell/replies.ts';
import { freeingWords } from './open/open-order-words.ts';

interface CancelOrderProps {
  order: OrderReply;
  onChanged: () => Promise<unknown>;
}

export function CancelOrder({ order, onChanged }: CancelOrderProps) {
  const [asking, setAsking] = useState(false);
  const [freeing, setFreeing] = useState(false);

  async function cancel() {
    setFreeing(true);
    try {
      await call(cancelCheckout, { params: { orderId: order.order_id } });
      await onChanged();
      setAsking(false);
    } finally {
      setFreeing(false);
    }
  }
  return (
    <>
      <AsyncButton onClick={() => setAsking(true)}>Annulla l’ordine</AsyncButton>
      {asking && (
        <ConfirmDialog
          title="Vuoi annullare l’ordine?"
          text={freeing ? freeingWords : 'I posti tornano subito disponibili per gli altri.'}
          danger
          confirmLabel="Sì, annulla l’ordine"
          cancelLabel="Torna indietro"
          onConfirm={cancel}
          onCancel={() => setAsking(false)}
        />
      )}
    </>
  );
}
