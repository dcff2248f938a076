/** A modal dialog of the designer: Esc closes it, and the focus goes back to the canvas. */
import { requireValue } from '#server/domain/require-value.ts';
import { useEffect, useId, useRef, type ReactNode } from 'react';
import { focusWhileScrollable } from '#apps/chart/page/dom.ts';
import { IconButton } from './controls.tsx';
import css from './dialog.css?inline';
import { focusCanvas } from './focus.ts';
import { registerStyle } from './style.ts';

registerStyle(css);

interface DialogLook {
  title: string;
  onClose: () => void;
  wide?: boolean;
  /** The buttons below the content. */
  footer?: ReactNode;
  children: ReactNode;
}

export function Dialog({ title, onClose, wide = false, footer, children }: DialogLook) {
  const dialog = useRef<HTMLDialogElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const heading = useId();
  useEffect(() => focusWhileScrollable(requireValue(body.current, 'body of the dialog')), []);
  useEffect(() => {
    const before = document.activeElement;
    const home = dialog.current?.closest('.bsd');
    dialog.current?.showModal();
    return () => {
      // A question over another dialog returns to that one.
      const under = before?.closest('dialog');
      if (before instanceof HTMLElement && under?.isConnected) before.focus();
      else focusCanvas(home);
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className="bsd-dialog"
      data-wide={wide}
      aria-labelledby={heading}
      // Keys typed here must not reach the canvas and the keyboard map.
      onKeyDown={(event) => event.stopPropagation()}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // A second Esc in a row closes the dialog without a question.
      onClose={onClose}
    >
      <div className="bsd-dialog-head">
        <h2 id={heading}>{title}</h2>
        <IconButton icon="cross" label="Chiudi" onPress={onClose} />
      </div>
      <div ref={body} className="bsd-dialog-body" role="group" aria-labelledby={heading}>
        {children}
      </div>
      {footer && <div className="bsd-dialog-foot">{footer}</div>}
    </dialog>
  );
}
