/** The dialog that revokes a phone and says what will happen. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { revokePhone } from '#server/contract/phones.ts';
import { formatCount } from '#apps/shared/format.ts';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import { useAct } from '#apps/admin/shell/session.ts';
import formStyles from '#apps/admin/kit/form/form.module.css';

interface RevokePhoneProps {
  phone: ReplyOf<typeof revokePhone>;
  onRevoked: () => void;
  onClose: () => void;
}

export function RevokePhone({ phone, onRevoked, onClose }: RevokePhoneProps) {
  const act = useAct();
  const queue = phone.queue_length ?? 0;
  return (
    <ConfirmDialog
      title={`Revocare «${phone.name}»?`}
      danger
      confirmLabel="Revoca il telefono"
      onCancel={onClose}
      onConfirm={async () => {
        await act(revokePhone, { params: { phoneId: phone.id } });
        onRevoked();
      }}
      text={
        <div className={formStyles.stack}>
          <p>
            Alla sua prossima connessione il telefono cancella i biglietti e non legge più. Fino ad
            allora, se resta senza rete, continua a leggere.
          </p>
          <p>
            {queue > 0
              ? `Ha ancora ${formatCount(queue, 'ingresso', 'ingressi')} da inviare: potrà consegnarli una volta sola, subito dopo.`
              : 'Gli ingressi che non ha ancora inviato potrà consegnarli una volta sola, subito dopo.'}
          </p>
          <p>Non si può annullare: per usarlo ancora dovrai aggiungerlo come telefono nuovo.</p>
        </div>
      }
    />
  );
}
