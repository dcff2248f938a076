/**
 * The native <dialog> of modal and drawer: traps the focus, closes by Esc or a click beside it.
 */
import { useEffect, useLayoutEffect, useRef, type ReactNode, type SyntheticEvent } from 'react';
import { requireValue } from '#server/domain/require-value.ts';
import { Icon } from './icon.tsx';

/** The element that had the focus before may be gone; then the page's content gets the focus. */
function keepFocus() {
  if (document.activeElement === document.body)
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
}

interface DialogProps {
  className: string | undefined;
  labelledBy: string;
  role?: 'dialog' | 'alertdialog';
  /** Missing: only the dialog's own buttons close it. */
  onClose?: () => void;
  children: ReactNode;
}

/** Open while mounted; a control marked `data-autofocus` gets the focus. */
export function Dialog({ className, labelledBy, role, onClose, children }: DialogProps) {
  const frame = useRef<HTMLDialogElement>(null);

  useLayoutEffect(() => {
    const dialog = requireValue(frame.current, 'dialog');
    if (!dialog.open) dialog.showModal();
    // The browser focuses the first control, which may be the wrong one.
    dialog.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    return () => {
      dialog.close();
      setTimeout(keepFocus);
    };
  }, []);

  // A click on the backdrop has the dialog itself as its target.
  useEffect(() => {
    const dialog = requireValue(frame.current, 'dialog');
    const clickBeside = (event: MouseEvent) => {
      if (event.target === dialog) onClose?.();
    };
    dialog.addEventListener('click', clickBeside);
    return () => dialog.removeEventListener('click', clickBeside);
  }, [onClose]);

  function cancel(event: SyntheticEvent<HTMLDialogElement>) {
    if (event.target !== event.currentTarget) return;
    event.preventDefault();
    onClose?.();
  }

  // Browsers may close a dialog at the second Esc. If StrictMode has reopened it, it stays open.
  function close(event: SyntheticEvent<HTMLDialogElement>) {
    if (event.target !== event.currentTarget || event.currentTarget.open) return;
    if (onClose === undefined) event.currentTarget.showModal();
    else onClose();
  }

  return (
    <dialog
      ref={frame}
      className={className}
      role={role}
      aria-labelledby={labelledBy}
      onCancel={cancel}
      onClose={close}
    >
      {children}
    </dialog>
  );
}

interface DialogHeadProps {
  id: string;
  title: string;
  closeLabel: string;
  onClose: () => void;
}

export function DialogHead({ id, title, closeLabel, onClose }: DialogHeadProps) {
  return (
    <div className="ui-dialog-head">
      <h2 id={id} className="ui-dialog-title">
        {title}
      </h2>
      <button type="button" className="ui-dialog-close" aria-label={closeLabel} onClick={onClose}>
        <Icon name="cross" />
      </button>
    </div>
  );
}
