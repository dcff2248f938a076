/** A key or a secret that is shown once. */
import type { ReactNode } from 'react';
import { Button } from '#apps/admin/kit/button.tsx';
import { CopyField } from '#apps/admin/kit/copy-field.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';

interface ShownSecretProps {
  title: string;
  label: string;
  secret: string;
  onClose: () => void;
  children: ReactNode;
}

export function ShownSecret({ title, label, secret, onClose, children }: ShownSecretProps) {
  return (
    <Modal
      title={title}
      onClose={onClose}
      actions={<Button look="primary" onClick={onClose} label="Chiudi" />}
    >
      <div className={formStyles.stack}>
        <p>{children}</p>
        <CopyField text={secret} label={label} />
      </div>
    </Modal>
  );
}
