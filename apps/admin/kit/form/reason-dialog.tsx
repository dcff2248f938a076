/** A dialog that asks for a written reason before it confirms. */
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Field } from '#apps/shared/ui/field.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import formStyles from './form.module.css';
import { FormActions } from './form-actions.tsx';
import { useSubmit } from './use-submit.ts';

export interface ReasonDialogProps {
  title: string;
  text: ReactNode;
  hint: string;
  confirmLabel: string;
  onConfirm: (reason: string) => Promise<unknown>;
  onCancel: () => void;
}

export function ReasonDialog({
  title,
  text,
  hint,
  confirmLabel,
  onConfirm,
  onCancel,
}: ReasonDialogProps) {
  const field = useRef<HTMLInputElement>(null);
  const [reason, setReason] = useState('');
  useEffect(() => field.current?.focus(), []);

  const { busy, failure, submit } = useSubmit(async () => {
    if (reason.trim() !== '') await onConfirm(reason.trim());
  });

  return (
    <Modal title={title} onClose={onCancel}>
      <form className={formStyles.stack} onSubmit={submit}>
        <p>{text}</p>
        <Field
          ref={field}
          label="Motivo"
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          maxLength={200}
          autoComplete="off"
          hint={hint}
          required
        />
        <FormActions
          busy={busy}
          failure={failure}
          onCancel={onCancel}
          submitLabel={confirmLabel}
          disabled={reason.trim() === ''}
          danger
        />
      </form>
    </Modal>
  );
}
