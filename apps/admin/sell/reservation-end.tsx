/** The dialog that sets another time until which reserved seats are kept. */
import { useState } from 'react';
import { changeReservation } from '#server/contract/counter.ts';
import { formatListDate } from '#apps/shared/format.ts';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { wallTimeOf } from '#apps/admin/kit/form/wall-time.ts';
import { useAct } from '#apps/admin/kit/session/session.ts';
import { readEnd } from './reservation-time.ts';
import formStyles from '#apps/admin/kit/form/form.module.css';

interface ReservationEndProps {
  item: { order_id: string; number: string; pay_by: string; starts_at: string };
  onChanged: () => Promise<unknown>;
  onClose: () => void;
}

export function ReservationEnd({ item, onChanged, onClose }: ReservationEndProps) {
  const act = useAct();
  const { date, time } = wallTimeOf(item.pay_by);
  const before = `${date}T${time}`;
  const [text, setText] = useState(before);
  const end = readEnd(text);
  const fault = typeof end === 'string' ? end : faultOf(end.pay_by, item.starts_at);
  return (
    <ConfirmDialog
      title="Cambiare la scadenza?"
      confirmLabel="Cambia la scadenza"
      cancelLabel="Torna indietro"
      disabled={fault !== null || text === before}
      onCancel={onClose}
      onConfirm={async () => {
        if (typeof end === 'string') return;
        await act(changeReservation, { params: { orderId: item.order_id }, body: end });
        await onChanged();
      }}
      text={
        <div className={formStyles.stack}>
          <p>La prenotazione {item.number} resta da pagare in cassa.</p>
          <TextField
            label="Posti tenuti fino a"
            type="datetime-local"
            hint="Poi i posti tornano liberi da soli."
            error={fault}
            value={text}
            onChange={setText}
          />
        </div>
      }
    />
  );
}

function faultOf(pay_by: string, starts_at: string): string | null {
  if (Date.parse(pay_by) <= Date.now()) return 'Questo momento è già passato.';
  return Date.parse(pay_by) > Date.parse(starts_at)
    ? `Al più tardi all’inizio dello spettacolo: ${formatListDate(starts_at)}.`
    : null;
}
