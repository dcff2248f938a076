/** A question that is answered with a reason which somebody has written. */
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { Field } from '#apps/shared/ui/field.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { tellFailure } from './loaded.tsx';

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
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => field.current?.focus(), []);

  async function confirm(event: FormEvent) {
    event.preventDefault();
    if (reason.trim() === '' || busy) return;
    setBusy(true);
    setFailure(null);
    try {
      await onConfirm(reason.trim());
    } catch (error) {
      setFailure(tellFailure(error));
      setBusy(false);
    }
  }

  return (
    <Modal title={title} onClose={onCancel}>
      <form className="stack" onSubmit={(event) => void confirm(event)}>
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
        {failure !== null && (
          <p className="notice notice-bad" role="alert">
            <Icon name="warning" /> {failure}
          </p>
        )}
        <div className="ui-modal-actions">
          <button type="button" className="ui-button" onClick={onCancel}>
            Torna indietro
          </button>
          <button
            type="submit"
            className="ui-button ui-button-danger"
            disabled={reason.trim() === '' || busy}
            aria-busy={busy}
          >
            {confirmLabel}
          </button>
        </div>
      </form>
    </Modal>
  );
}
