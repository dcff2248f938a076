/** The dialogs about one phone: make it, change it, pair it again, revoke it. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { changePhone, makePhone, revokePhone } from '#server/contract/door/phones.ts';
import { formatCount } from '#apps/shared/format.ts';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { useAct } from '#apps/admin/kit/session/session.ts';
import { PhoneForm } from './form.tsx';
import type { Phone } from './state.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';

interface NewPhoneProps {
  onMade: (pairing: ReplyOf<typeof makePhone>) => void;
  onClose: () => void;
}

export function NewPhone({ onMade, onClose }: NewPhoneProps) {
  const act = useAct();
  return (
    <Modal title="Nuovo telefono" onClose={onClose}>
      <PhoneForm
        submitLabel="Crea il codice"
        busyLabel="Creazione in corso…"
        onClose={onClose}
        onSubmit={async (body) => onMade(await act(makePhone, { body }))}
      />
    </Modal>
  );
}

interface ChangePhoneProps {
  phone: Phone;
  onChanged: () => void;
  onClose: () => void;
}

export function ChangePhone({ phone, onChanged, onClose }: ChangePhoneProps) {
  const act = useAct();
  return (
    <Modal title={`Modifica «${phone.name}»`} onClose={onClose}>
      <p className={formStyles.lead}>
        Il telefono lo sa alla prossima connessione. I biglietti di un evento che togli vengono
        cancellati dal telefono.
      </p>
      <PhoneForm
        start={{
          name: phone.name,
          gate: phone.gate,
          role: phone.role,
          chooses_gate: phone.chooses_gate,
          event_ids: phone.events.map(({ id }) => id),
          events: phone.events,
        }}
        submitLabel="Salva"
        busyLabel="Salvataggio…"
        onClose={onClose}
        onSubmit={async (body) => {
          await act(changePhone, { params: { phoneId: phone.id }, body });
          onChanged();
        }}
      />
    </Modal>
  );
}

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
              ? `Ha ancora ${formatCount(queue, 'lettura', 'letture')} da inviare: resta tutto sul telefono e parte dopo il nuovo abbinamento.`
              : 'Quello che non ha ancora inviato resta sul telefono e parte dopo il nuovo abbinamento.'}
          </p>
        </div>
      }
    />
  );
}

interface RevokePhoneProps {
  phone: Phone;
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
              ? `Ha ancora ${formatCount(queue, 'lettura', 'letture')} da inviare: potrà consegnarli una volta sola, subito dopo.`
              : 'Gli ingressi che non ha ancora inviato potrà consegnarli una volta sola, subito dopo.'}
          </p>
          <p>Non si può annullare: per usarlo ancora dovrai aggiungerlo come telefono nuovo.</p>
        </div>
      }
    />
  );
}
