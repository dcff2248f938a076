/** The dialog that pairs a phone anew and says what becomes of its unsent scans. */
import { formatCount } from '#apps/shared/format.ts';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import type { Phone } from './state.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';

interface RenewPhoneProps {
  phone: Phone;
  onRenew: () => Promise<void>;
  onClose: () => void;
}

export function RenewPhone({ phone, onRenew, onClose }: RenewPhoneProps) {
  const queue = phone.queue_length ?? 0;
  return (
    <ConfirmDialog
      title={`Un nuovo codice per «${phone.name}»?`}
      danger
      confirmLabel="Crea il nuovo codice"
      onCancel={onClose}
      onConfirm={onRenew}
      text={
        <div className={formStyles.stack}>
          <p>
            Adesso è abbinato. Con un nuovo codice, alla prossima connessione smette di inviare
            finché non lo abbini di nuovo, e non sa più chi è entrato agli altri varchi.
          </p>
          <p>
            {queue > 0
              ? `Ha ancora ${formatCount(queue, 'ingresso', 'ingressi')} da inviare: resta tutto sul telefono e parte dopo il nuovo abbinamento.`
              : 'Quello che non ha ancora inviato resta sul telefono e parte dopo il nuovo abbinamento.'}
          </p>
        </div>
      }
    />
  );
}
