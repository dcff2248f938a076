/** Asks before something that cannot be taken back; what to press is said in words of the act. */
import type { ReactNode } from 'react';
import { AsyncButton } from './async-button.tsx';
import { Modal } from './modal.tsx';

export interface ConfirmDialogProps {
  title: string;
  text: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  /** Red instead of blue. */
  danger?: boolean;
  /** Something is still missing: the button waits. */
  disabled?: boolean;
  onConfirm: () => Promise<unknown> | void;
  onCancel: () => void;
}

export function ConfirmDialog({
  title,
  text,
  confirmLabel,
  cancelLabel = 'Torna indietro',
  danger = false,
  disabled = false,
  onConfirm,
  onCancel,
}: ConfirmDialogProps) {
  return (
    <Modal
      title={title}
      role="alertdialog"
      onClose={onCancel}
      actions={
        <>
          <button type="button" className="ui-button" data-autofocus onClick={onCancel}>
            {cancelLabel}
          </button>
          <AsyncButton
            variant={danger ? 'danger' : 'primary'}
            disabled={disabled}
            onClick={onConfirm}
          >
            {confirmLabel}
          </AsyncButton>
        </>
      }
    >
      {text}
    </Modal>
  );
}
