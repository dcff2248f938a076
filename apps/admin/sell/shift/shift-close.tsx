/**
 * Counts the drawer by coins and notes, and only then compares it with the expected sum; a
 * difference needs a reason.
 */
import { useState } from 'react';
import { closeShift } from '#server/contract/shifts.ts';
import { formatEuro } from '#apps/shared/format.ts';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { useAct } from '#apps/admin/kit/session/session.ts';
import { PieceFields, sumOfPieces, toldPieces, type Pieces } from './piece-fields.tsx';
import type { Shift } from './shift-reading.tsx';
import styles from '#apps/admin/sell/sell.module.css';

interface CloseShiftProps {
  shift: Shift;
  onCancel: () => void;
  onClosed: () => Promise<void>;
}

export function CloseShift({ shift, onCancel, onClosed }: CloseShiftProps) {
  const act = useAct();
  const [pieces, setPieces] = useState<Pieces>({});
  const [reason, setReason] = useState('');
  const [isCounted, setCounted] = useState(false);
  const { expected_cents } = shift.report;
  const difference = sumOfPieces(pieces) - expected_cents;
  const { busy, failure, submit } = useSubmit(async () => {
    if (!isCounted) {
      setCounted(true);
      return;
    }
    const body = {
      shift_id: shift.shift_id,
      pieces: toldPieces(pieces),
      expected_cents,
      ...(difference !== 0 && { difference_reason: reason.trim() }),
    };
    await act(closeShift, { body });
    await onClosed();
  });
  const isUnexplained = isCounted && difference !== 0 && reason.trim() === '';
  return (
    <Modal title="Conta il cassetto" onClose={onCancel}>
      <form className={formStyles.stack} onSubmit={submit}>
        <p>Scrivi quante monete e quante banconote ci sono di ogni taglio.</p>
        <PieceFields pieces={pieces} onChange={setPieces} />
        <Compared counted={sumOfPieces(pieces)} expected={isCounted ? expected_cents : null} />
        {isCounted && difference !== 0 && (
          <TextField
            label="Perché non torna"
            value={reason}
            onChange={setReason}
            maxLength={200}
            required
          />
        )}
        <p>
          {isCounted
            ? 'Dopo la chiusura nulla si può più cambiare.'
            : 'Prima conti, poi vedi quanto ci doveva essere.'}
        </p>
        <FormActions
          busy={busy}
          failure={failure}
          onCancel={onCancel}
          submitLabel={isCounted ? 'Chiudi il turno' : 'Ho contato'}
          disabled={isUnexplained}
        />
      </form>
    </Modal>
  );
}

/** `expected`: null before the count is finished. */
function Compared({ counted, expected }: { counted: number; expected: number | null }) {
  return (
    <dl className={styles.sums} aria-live="polite">
      <dt>Contato</dt>
      <dd>{formatEuro(counted)}</dd>
      {expected !== null && (
        <>
          <dt>Atteso</dt>
          <dd>{formatEuro(expected)}</dd>
          <dt>Differenza</dt>
          <dd>{formatEuro(counted - expected)}</dd>
        </>
      )}
    </dl>
  );
}
