/** Asks before an act that cannot be undone; the button names the act. */
import type { ReactNode } from 'react';
import { AsyncButton } from './async-button.tsx';
import { Modal } from './modal.tsx';

export interface ConfirmDialogProps {
  title: string;
  text: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  /** A red button instead of a blue one. */
  danger?: boolean;
  /** Something is missing, so the button is disabled. */
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
