/** Counts the cash for the bank and the card terminals; nothing here tells what is expected. */
import { useState } from 'react';
import { countDaySheet } from '#server/contract/days.ts';
import { formatEuro, formatListDate } from '#apps/shared/format.ts';
import { EuroField, euroTextOf, readEuro } from '#apps/admin/kit/form/euro-field.tsx';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { useAct } from '#apps/admin/kit/session/session.ts';
import {
  PieceFields,
  sumOfPieces,
  toldPieces,
  type Pieces,
} from '#apps/admin/sell/shift/piece-fields.tsx';
import type { DaySheet } from './sheet.ts';
import styles from '#apps/admin/sell/sell.module.css';
import dayStyles from './day.module.css';

interface CountDayProps {
  sheet: DaySheet;
  onCancel: (() => void) | undefined;
  onCounted: () => void;
}

export function CountDay({ sheet, onCancel, onCounted }: CountDayProps) {
  const { day, shifts, float_cents, signed } = sheet;
  const act = useAct();
  const [pieces, setPieces] = useState<Pieces>({});
  const [left, setLeft] = useState(euroTextOf(float_cents));
  const [totals, setTotals] = useState<Totals>({});
  const left_cents = readEuro(left);
  const terminals = shifts.map(({ shift_id }) => [shift_id, readTotal(totals[shift_id])] as const);
  const isReady = left_cents !== null && terminals.every(([, cents]) => cents !== null);
  const { busy, failure, submit } = useSubmit(async () => {
    if (left_cents === null || !isReady) return;
    const corrects = signed[0]?.nth;
    const body = {
      day,
      pieces: toldPieces(pieces),
      left_cents,
      terminals: Object.fromEntries(terminals.map(([id, cents]) => [id, cents ?? 0])),
      ...(corrects !== undefined && { corrects }),
    };
    await act(countDaySheet, { body });
    onCounted();
  });
  return (
    <form className={dayStyles.count} onSubmit={submit}>
      <Panel wide className={formStyles.stack}>
        <h2>Il contante per la banca</h2>
        <p>Metti da parte i fondi cassa e conta il resto: monete e banconote di ogni taglio.</p>
        <PieceFields pieces={pieces} onChange={setPieces} />
        <dl className={styles.sums} aria-live="polite">
          <dt>Contato per la banca</dt>
          <dd>{formatEuro(sumOfPieces(pieces))}</dd>
        </dl>
        <EuroField
          label="Resta nelle casse"
          value={left}
          onChange={setLeft}
          hint="I fondi per domani, tutti insieme."
        />
      </Panel>
      {shifts.length > 0 && <Terminals shifts={shifts} totals={totals} onChange={setTotals} />}
      <p>Quanto ci doveva essere si vede solo dopo.</p>
      <FormActions
        busy={busy}
        failure={failure}
        {...(onCancel && { onCancel })}
        submitLabel="Ho contato"
        disabled={!isReady}
      />
    </form>
  );
}

type Totals = Readonly<Record<string, string>>;

interface TerminalsProps {
  shifts: DaySheet['shifts'];
  totals: Totals;
  onChange: (totals: Totals) => void;
}

function Terminals({ shifts, totals, onChange }: TerminalsProps) {
  return (
    <Panel wide className={formStyles.stack}>
      <h2>I totali dei POS</h2>
      <p>Scrivi il totale della chiusura di ogni terminale. Vuoto: niente.</p>
      {shifts.map(({ shift_id, till_name, user_name, opened_at }) => (
        <EuroField
          key={shift_id}
          label={`POS di ${till_name}, ${user_name}`}
          hint={`Turno dal ${formatListDate(opened_at)}`}
          value={totals[shift_id] ?? ''}
          onChange={(text) => onChange({ ...totals, [shift_id]: text })}
        />
      ))}
    </Panel>
  );
}

/** Cents; an empty field is nothing, null is no sum. */
function readTotal(text = ''): number | null {
  const isBelow = text.trim().startsWith('-');
  const cents = text.trim() === '' ? 0 : readEuro(text.trim().replace(/^-/, ''));
  return cents !== null && isBelow ? -cents : cents;
}
