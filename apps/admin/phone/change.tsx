/** The dialog that changes name, gate, role or events of a paired phone. */
import { changePhone } from '#server/contract/phones.ts';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { PhoneForm } from './form.tsx';
import type { Phone } from './state.tsx';
import { useAct } from '#apps/admin/shell/session.ts';
import formStyles from '#apps/admin/kit/form/form.module.css';

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
