/** Letting in against the rule needs a reason that somebody has written. */
import { useState } from 'react';
import type { Verdict } from '#server/domain/admission.ts';
import { verdictWords } from '#apps/shared/verdict-words.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Field } from '#apps/shared/ui/field.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';

export interface OverrideDialogProps { verdict: Verdict; seat: string; onConfirm: (reason: string) => Promise<unknown>; onCancel: () => void }

export function OverrideDialog({ verdict, seat, onConfirm, onCancel }: OverrideDialogProps) {
  const [reason, setReason] = useState('');
  return (
    <Modal
      title="Fare entrare lo stesso?" onClose={onCancel}
      actions={
        <>
          <button type="button" className="ui-button" onClick={onCancel}>Torna indietro</button>
          <AsyncButton variant="danger" disabled={reason.trim() === ''} onClick={() => onConfirm(reason.trim())}>Fai entrare</AsyncButton>
        </>
      }
    >
      <div className="stack">
        <p>{seat}: la porta direbbe <b>{verdictWords[verdict].big}</b>. L’ingresso resta registrato con il tuo nome e con questo motivo.</p>
        <Field label="Motivo" value={reason} onChange={(event) => setReason(event.target.value)} maxLength={200} autoComplete="off" hint="Per esempio: «uscito per il bagno», «documento controllato»." required />
      </div>
    </Modal>
  );
}
