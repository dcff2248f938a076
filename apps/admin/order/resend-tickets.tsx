/** The dialog that sends the tickets again; the address can be corrected first. */
import { useState } from 'react';
import { resendTickets } from '#server/contract/mails.ts';
import { isMailAddress, spellAddress } from '#server/domain/text/mail-address.ts';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import { mailInput } from '#apps/shared/ui/mail-input.ts';
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
  const typed = email.trim();
  const changed = spellAddress(typed) !== (order.buyer_email ?? '');
  const valid = isMailAddress(typed);

  async function send() {
    await change(resendTickets, {
      params: { orderId: order.order_id },
      body: changed ? { email: typed } : {},
    });
    onClose();
  }

  return (
    <ConfirmDialog
      title="Rimanda i biglietti"
      confirmLabel={valid ? `Manda a ${typed}` : 'Manda'}
      disabled={!valid}
      onConfirm={send}
      onCancel={onClose}
      text={
        <div className={formStyles.stack}>
          <TextField
            label="Indirizzo"
            {...mailInput}
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
