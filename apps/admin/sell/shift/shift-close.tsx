/**
 * Counts the drawer by coins and notes, and only then compares it with the expected sum; a
 * difference needs a reason. A cashier is told that sum by the answer to the count (RULES K3).
 */
import { useState } from 'react';
import { closeShift } from '#server/contract/shifts.ts';
import { CallError } from '#apps/shared/api.ts';
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

export function CloseShift(props: CloseShiftProps) {
  const { pieces, setPieces, reason, setReason, expected, isBlind, busy, failure, submit } =
    useCount(props);
  const counted = sumOfPieces(pieces);
  const differs = expected !== null && counted !== expected;
  return (
    <Modal title="Conta il cassetto" onClose={props.onCancel}>
      <form className={formStyles.stack} onSubmit={submit}>
        <p>Scrivi quante monete e quante banconote ci sono di ogni taglio.</p>
        <PieceFields pieces={pieces} onChange={setPieces} />
        <Compared counted={counted} expected={expected} />
        {differs && (
          <TextField
            label="Perché non torna"
            value={reason}
            onChange={setReason}
            maxLength={200}
            required
          />
        )}
        <p>{hintOf(isBlind, expected)}</p>
        <FormActions
          busy={busy}
          failure={failure}
          onCancel={props.onCancel}
          submitLabel={expected === null ? 'Ho contato' : 'Chiudi il turno'}
          disabled={differs && reason.trim() === ''}
        />
      </form>
    </Modal>
  );
}

function hintOf(isBlind: boolean, expected: number | null): string {
  if (expected !== null) return 'Dopo la chiusura nulla si può più cambiare.';
  return isBlind
    ? 'Se torna, il turno si chiude. Se non torna vedi la differenza e scrivi perché.'
    : 'Prima conti, poi vedi quanto ci doveva essere.';
}

/** `expected`: what should lie in the drawer; null until the count is finished. */
function useCount({ shift, onClosed }: CloseShiftProps) {
  const act = useAct();
  const [pieces, setPieces] = useState<Pieces>({});
  const [reason, setReason] = useState('');
  const [expected, setExpected] = useState<number | null>(null);
  const known = shift.report.expected_cents;
  const form = useSubmit(async () => {
    if (expected === null && known !== null) return setExpected(known);
    const body = {
      shift_id: shift.shift_id,
      pieces: toldPieces(pieces),
      ...(expected !== null && { expected_cents: expected }),
      ...(expected !== null &&
        sumOfPieces(pieces) !== expected && { difference_reason: reason.trim() }),
    };
    try {
      await act(closeShift, { body });
    } catch (error) {
      const told = expectedIn(error);
      if (told === undefined) throw error;
      return setExpected(told);
    }
    await onClosed();
  });
  return { pieces, setPieces, reason, setReason, expected, isBlind: known === null, ...form };
}

/** What should lie in the drawer, told to a cashier who has counted; undefined: another refusal. */
function expectedIn(error: unknown): number | undefined {
  if (!(error instanceof CallError) || error.code !== 'difference_unexplained') return undefined;
  return (error.detail as { expected_cents?: number } | undefined)?.expected_cents;
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
