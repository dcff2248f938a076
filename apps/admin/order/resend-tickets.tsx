/** The dialog that sends the tickets again; the address can be corrected first. */
import { useState } from 'react';
import { resendTickets } from '#server/contract/mails.ts';
import { isMailAddress } from '#server/domain/text/mail-address.ts';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import type { OrderDialogProps } from './shown-order.ts';
import formStyles from '#apps/admin/kit/form/form.module.css';

/** `address` replaces the order's address. */
export function ResendTickets({
  order,
  onClose,
  address,
}: OrderDialogProps & { address?: string }) {
  const change = useChange();
  const [email, setEmail] = useState(address ?? order.buyer_email ?? '');
  const changed = email.trim() !== (order.buyer_email ?? '');
  const valid = isMailAddress(email.trim());

  async function send() {
    await change(resendTickets, {
      params: { orderId: order.order_id },
      body: changed ? { email: email.trim() } : {},
    });
    onClose();
  }

  return (
    <ConfirmDialog
      title="Rimanda i biglietti"
      confirmLabel={valid ? `Manda a ${email.trim()}` : 'Manda'}
      disabled={!valid}
      onConfirm={send}
      onCancel={onClose}
      text={
        <div className={formStyles.stack}>
          <TextField
            label="Indirizzo"
            type="email"
            maxLength={254}
            value={email}
            onChange={setEmail}
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
