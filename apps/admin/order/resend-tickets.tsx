/** The dialog that sends the tickets again; the address can be corrected first. */
import { useState } from 'react';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { resendTickets } from '#server/contract/mails.ts';
import { readOrder } from '#server/contract/orders.ts';
import { isMailAddress } from '#server/domain/mail.ts';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import { Field } from '#apps/shared/ui/field.tsx';
import { useRefresh } from '#apps/admin/kit/refresh.ts';
import { useAct } from '#apps/admin/shell/session.ts';
import formStyles from '#apps/admin/kit/form/form.module.css';

export function ResendTickets({
  order,
  onClose,
}: {
  order: ReplyOf<typeof readOrder>;
  onClose: () => void;
}) {
  const act = useAct();
  const refresh = useRefresh();
  const [email, setEmail] = useState(order.buyer_email ?? '');
  const changed = email.trim() !== (order.buyer_email ?? '');
  const valid = isMailAddress(email.trim());

  async function send() {
    await act(resendTickets, {
      params: { orderId: order.order_id },
      body: changed ? { email: email.trim() } : {},
    });
    refresh();
    onClose();
  }

  return (
    <ConfirmDialog
      title="Rimanda i biglietti"
      confirmLabel={valid ? `Manda a ${email.trim()}` : 'Manda'}
      cancelLabel="Torna indietro"
      disabled={!valid}
      onConfirm={send}
      onCancel={onClose}
      text={
        <div className={formStyles.stack}>
          <Field
            label="Indirizzo"
            type="email"
            autoComplete="off"
            maxLength={254}
            value={email}
            onChange={(event) => setEmail(event.target.value)}
            hint={
              changed && order.buyer_email !== null
                ? `Prende il posto di ${order.buyer_email}.`
                : undefined
            }
          />
          <p>
            Parte una nuova e-mail con i biglietti validi in PDF e l’appuntamento per il calendario.
            {changed && ' L’indirizzo nuovo resta nell’ordine.'}
          </p>
        </div>
      }
    />
  );
}
