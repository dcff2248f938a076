/**
 * The native <dialog> that modal and drawer stand on: focus stays inside, Esc and a click beside it
 * close it, focus goes back afterwards.
 */
import { useEffect, useLayoutEffect, useRef, type ReactNode, type SyntheticEvent } from 'react';
import { requireValue } from '#server/domain/require-value.ts';
import { Icon } from './icon.tsx';

/**
 * What had the focus before a dialog may have gone meanwhile: then the page's content has it, and
 * the keyboard goes on from there.
 */
function keepFocus() {
  if (document.activeElement === document.body)
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
}

interface DialogProps {
  className: string | undefined;
  labelledBy: string;
  role?: 'dialog' | 'alertdialog';
  /** Left out: it must be answered by its own buttons. */
  onClose?: () => void;
  children: ReactNode;
}

/** Open as long as it is mounted; a control marked `data-autofocus` gets the focus. */
export function Dialog({ className, labelledBy, role, onClose, children }: DialogProps) {
  const frame = useRef<HTMLDialogElement>(null);

  useLayoutEffect(() => {
    const dialog = requireValue(frame.current, 'dialog');
    if (!dialog.open) dialog.showModal();
    // The browser takes the first control, which is not always the one to begin with.
    dialog.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    return () => {
      dialog.close();
      setTimeout(keepFocus);
    };
  }, []);

  // Beside the dialog means on its backdrop, which is the element itself; the keyboard has Esc for
  // it.
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

  // A browser may close a dialog at the second Esc without asking; a dialog that StrictMode has
  // just opened again is not closed.
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

/** The title and the cross of a dialog that can be closed. */
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
