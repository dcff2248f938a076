/** The dialog that renames a passkey, so that its owner recognises the device. */
import { useState } from 'react';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';

interface PasskeyNameProps {
  name: string;
  onName: (name: string) => Promise<void>;
  onCancel: () => void;
}

export function PasskeyName({ name, onName, onCancel }: PasskeyNameProps) {
  const [typed, setTyped] = useState(name);
  const { busy, failure, submit } = useSubmit(() => onName(typed.trim()));
  return (
    <Modal title="Nome della passkey" onClose={onCancel}>
      <form className={formStyles.stack} onSubmit={submit}>
        <TextField
          label="Nome"
          value={typed}
          onChange={setTyped}
          maxLength={60}
          hint="Per esempio: telefono di casa, chiavetta dell’ufficio."
          data-autofocus
          required
        />
        <FormActions
          busy={busy}
          failure={failure}
          onCancel={onCancel}
          submitLabel="Salva"
          disabled={typed.trim() === ''}
        />
      </form>
    </Modal>
  );
}
