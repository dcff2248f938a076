/** A dialog that asks for a typed reason before it confirms. */
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Modal } from '#apps/shared/ui/modal.tsx';
import formStyles from './form.module.css';
import { FormActions } from './form-actions.tsx';
import { useSubmit } from './use-submit.ts';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';

interface ReasonDialogProps {
  title: string;
  text: ReactNode;
  hint: string;
  confirmLabel: string;
  /** Nothing is chosen yet. */ disabled?: boolean;
  /** More to choose, above the reason. */ children?: ReactNode;
  onConfirm: (reason: string) => Promise<unknown>;
  onCancel: () => void;
}

export function ReasonDialog({
  title,
  text,
  hint,
  confirmLabel,
  disabled = false,
  children,
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
        {children}
        <TextField
          ref={field}
          label="Motivo"
          value={reason}
          onChange={setReason}
          maxLength={200}
          hint={hint}
          required
        />
        <FormActions
          busy={busy}
          failure={failure}
          onCancel={onCancel}
          submitLabel={confirmLabel}
          disabled={disabled || reason.trim() === ''}
          danger
        />
      </form>
    </Modal>
  );
}
