/** A titled box in the middle of the screen. */
import { useId, type ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { Icon } from './icon.tsx';

export interface ModalProps {
  title: string;
  onClose: () => void;
  children?: ReactNode;
  /** The buttons of the last line. */
  actions?: ReactNode;
  /** 'alertdialog' for what must be answered before going on. */
  role?: 'dialog' | 'alertdialog';
}

export function Modal({ title, onClose, children, actions, role }: ModalProps) {
  const titleId = useId();
  return (
    <Dialog className="ui-modal" labelledBy={titleId} role={role} onClose={onClose}>
      <div className="ui-modal-box">
        <div className="ui-dialog-head">
          <h2 id={titleId} className="ui-dialog-title">
            {title}
          </h2>
          <button
            type="button"
            className="ui-dialog-close"
            aria-label="Chiudi la finestra"
            onClick={onClose}
          >
            <Icon name="cross" />
          </button>
        </div>
        {children !== undefined && <div className="ui-dialog-body">{children}</div>}
        {actions !== undefined && <div className="ui-modal-actions">{actions}</div>}
      </div>
    </Dialog>
  );
}
