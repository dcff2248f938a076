/** The dialog for a new phone: its form, then its pairing code. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { makePhone } from '#server/contract/phones.ts';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { PhoneForm } from './form.tsx';
import { useAct } from '#apps/admin/shell/session.ts';

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
