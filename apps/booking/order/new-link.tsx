/** Ends the page's link and has a new one mailed to the buyer, after a question. */
import { useState } from 'react';
import { call } from '#apps/shared/api.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import { replaceMyLink } from '#server/contract/order/links.ts';
import type { OrderReply } from '#apps/booking/shell/replies.ts';

interface NewLinkProps {
  order: OrderReply;
  onChanged: () => Promise<unknown>;
}

/** Only for an order with an address, because the new link is not shown here. */
export function NewLink({ order, onChanged }: NewLinkProps) {
  const [asking, setAsking] = useState(false);

  async function replace() {
    await call(replaceMyLink, { params: { orderId: order.order_id } });
    setAsking(false);
    await onChanged();
  }
  if (!order.mailed || !order.tickets.some(({ state }) => state === 'valid')) return null;
  return (
    <>
      <AsyncButton onClick={() => setAsking(true)}>Nuovo link</AsyncButton>
      {asking && (
        <ConfirmDialog
          title="Vuoi un nuovo link?"
          text="Se qualcun altro ha il link di questa pagina, può chiedere rimborsi e cambiare i nomi al posto tuo. Con un nuovo link questo smette subito di funzionare, anche qui: il nuovo arriva per e-mail all’indirizzo con cui hai comprato."
          danger
          confirmLabel="Sì, mandami il nuovo link"
          cancelLabel="Torna indietro"
          onConfirm={replace}
          onCancel={() => setAsking(false)}
        />
      )}
    </>
  );
}
