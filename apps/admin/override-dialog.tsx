/** Letting in against the rule needs a reason that somebody has written. */
import { useEffect, useRef, useState, type FormEvent } from 'react';
import type { Verdict } from '#server/domain/admission.ts';
import { verdictWords } from '#apps/shared/verdict-words.ts';
import { Field } from '#apps/shared/ui/field.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { tellFailure } from './loaded.tsx';

export interface OverrideDialogProps { verdict: Verdict; seat: string; onConfirm: (reason: string) => Promise<unknown>; onCancel: () => void }

export function OverrideDialog({ verdict, seat, onConfirm, onCancel }: OverrideDialogProps) {
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
    <Modal title="Fare entrare lo stesso?" onClose={onCancel}>
      <form className="stack" onSubmit={(event) => void confirm(event)}>
        <p>{seat}: la porta direbbe <b>{verdictWords[verdict].big}</b>. L’ingresso resta registrato con il tuo nome e con questo motivo.</p>
        <Field ref={field} label="Motivo" value={reason} onChange={(event) => setReason(event.target.value)} maxLength={200} autoComplete="off" hint="Per esempio: «uscito per il bagno», «documento controllato»." required />
        {failure !== null && <p className="notice notice-bad" role="alert"><Icon name="warning" /> {failure}</p>}
        <div className="ui-modal-actions">
          <button type="button" className="ui-button" onClick={onCancel}>Torna indietro</button>
          <button type="submit" className="ui-button ui-button-danger" disabled={reason.trim() === '' || busy} aria-busy={busy}>Fai entrare</button>
        </div>
      </form>
    </Modal>
  );
}
