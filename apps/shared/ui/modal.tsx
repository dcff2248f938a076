/** A titled box in the middle of the screen. */
import { useId, type ReactNode } from 'react';
import { Dialog, DialogHead } from './dialog.tsx';

interface ModalProps {
  title: string;
  onClose: () => void;
  children?: ReactNode;
  actions?: ReactNode;
  /** 'alertdialog' for a question that must be answered first. */
  role?: 'dialog' | 'alertdialog';
}

export function Modal({ title, onClose, children, actions, role }: ModalProps) {
  const titleId = useId();
  return (
    <Dialog className="ui-modal" labelledBy={titleId} role={role} onClose={onClose}>
      <div className="ui-modal-box">
        <DialogHead id={titleId} title={title} closeLabel="Chiudi la finestra" onClose={onClose} />
        {children !== undefined && <div className="ui-dialog-body">{children}</div>}
        {actions !== undefined && <div className="ui-modal-actions">{actions}</div>}
      </div>
    </Dialog>
  );
}
