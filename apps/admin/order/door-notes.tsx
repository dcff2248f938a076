/** The dialog with the short texts about the guests of an order that the door shows. */
import { useState } from 'react';
import { writeDoorNote } from '#server/contract/order/order-desk.ts';
import { doorNoteLength } from '#server/domain/order/door-note.ts';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { isValidTicket, type OrderDialogProps } from './shown-order.ts';
import formStyles from '#apps/admin/kit/form/form.module.css';
import styles from './order.module.css';

export function DoorNotes({ order, onClose }: OrderDialogProps) {
  const change = useChange();
  const tickets = order.lines.filter(isValidTicket);
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const changed = tickets.flatMap(({ ticket_id, door_note }) => {
    const text = texts[ticket_id]?.trim();
    return text === undefined || text === (door_note ?? '') ? [] : [{ ticket_id, text }];
  });

  async function save() {
    for (const { ticket_id, text } of changed)
      await change(writeDoorNote, {
        params: { orderId: order.order_id, ticketId: ticket_id },
        body: { text },
      });
    onClose();
  }

  return (
    <ConfirmDialog
      title="Note per la porta"
      confirmLabel="Salva"
      disabled={changed.length === 0}
      onConfirm={save}
      onCancel={onClose}
      text={
        <div className={formStyles.stack}>
          <p>
            Le vede chi sta alla porta, su ogni telefono, quando legge il biglietto. Niente dati
            sulla salute: scrivi che cosa fare, non perché («entra dal lato», «posto già
            preparato»).
          </p>
          <div className={styles.names}>
            {tickets.map(({ ticket_id, seat, door_note }) => (
              <TextField
                key={ticket_id}
                label={seat}
                maxLength={doorNoteLength}
                value={texts[ticket_id] ?? door_note ?? ''}
                onChange={(text) => setTexts({ ...texts, [ticket_id]: text })}
              />
            ))}
          </div>
          <p>Un campo vuoto toglie la nota. Si cancellano con i dati di chi ha comprato.</p>
        </div>
      }
    />
  );
}
