/** Counts the drawer by coins and notes against the expected sum; a difference needs a reason. */
import { useState } from 'react';
import { closeShift } from '#server/contract/shifts.ts';
import { denominations } from '#server/domain/counter/counter.ts';
import { formatEuro } from '#apps/shared/format.ts';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { useAct } from '#apps/admin/kit/session/session.ts';
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
  const { expected_cents } = shift.report;
  const difference = countOf(pieces) - expected_cents;
  const { busy, failure, submit } = useSubmit(async () => {
    const body = {
      shift_id: shift.shift_id,
      pieces: toldPieces(pieces),
      expected_cents,
      ...(difference !== 0 && { difference_reason: reason.trim() }),
    };
    await act(closeShift, { body });
    await onClosed();
  });
  return (
    <Modal title="Conta il cassetto" onClose={onCancel}>
      <form className={formStyles.stack} onSubmit={submit}>
        <p>Scrivi quante monete e quante banconote ci sono di ogni taglio.</p>
        <PieceFields pieces={pieces} onChange={setPieces} />
        <dl className={styles.sums} aria-live="polite">
          <dt>Contato</dt>
          <dd>{formatEuro(countOf(pieces))}</dd>
          <dt>Atteso</dt>
          <dd>{formatEuro(expected_cents)}</dd>
          <dt>Differenza</dt>
          <dd>{formatEuro(difference)}</dd>
        </dl>
        {difference !== 0 && (
          <TextField
            label="Perché non torna"
            value={reason}
            onChange={setReason}
            maxLength={200}
            required
          />
        )}
        <p>Dopo la chiusura nulla si può più cambiare.</p>
        <FormActions
          busy={busy}
          failure={failure}
          onCancel={onCancel}
          submitLabel="Chiudi il turno"
          disabled={difference !== 0 && reason.trim() === ''}
        />
      </form>
    </Modal>
  );
}

/** The typed number of each coin or note, by its value in cents. */
type Pieces = Readonly<Record<string, string>>;

interface PieceFieldsProps {
  pieces: Pieces;
  onChange: (pieces: Pieces) => void;
}

function PieceFields({ pieces, onChange }: PieceFieldsProps) {
  return (
    <div className={styles.pieces}>
      {denominations.map((value, at) => (
        <TextField
          key={value}
          label={formatEuro(value)}
          inputMode="numeric"
          maxLength={5}
          data-autofocus={at === 0 || undefined}
          value={pieces[String(value)] ?? ''}
          onChange={(text) => onChange({ ...pieces, [String(value)]: text.replace(/\D/g, '') })}
        />
      ))}
    </div>
  );
}

/** The coins and notes that were counted. */
function toldPieces(pieces: Pieces): Record<string, number> {
  const counts = Object.entries(pieces).map(([value, text]) => [value, Number(text)] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

/** The counted sum in cents. */
function countOf(pieces: Pieces): number {
  return denominations.reduce<number>(
    (sum, value) => sum + value * Number(pieces[String(value)] ?? ''),
    0,
  );
}
