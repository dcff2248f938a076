/** Shows what was counted beside what was expected, and signs the sheet. */
import { useState } from 'react';
import { signDaySheet } from '#server/contract/days.ts';
import { isDayEven } from '#server/domain/counter/day-sheet.ts';
import { formatListDate } from '#apps/shared/format.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { useAct } from '#apps/admin/kit/session/session.ts';
import type { DaySheet } from './sheet.ts';
import { DayTables } from './day-tables.tsx';
import styles from '#apps/admin/sell/sell.module.css';

interface SignDayProps {
  day: string;
  counted: NonNullable<DaySheet['counted']>;
  onAgain: () => void;
  onSigned: () => void;
}

export function SignDay({ day, counted, onAgain, onSigned }: SignDayProps) {
  const act = useAct();
  const [bearer, setBearer] = useState('');
  const [reason, setReason] = useState('');
  const { cash, pos } = counted.reckoning;
  const isEven = isDayEven(counted.reckoning);
  const { busy, failure, submit } = useSubmit(async () => {
    const body = {
      day,
      expected: { cash_cents: cash.expected_cents, pos_cents: pos.expected_cents },
      handed_to: bearer.trim(),
      ...(!isEven && { difference_reason: reason.trim() }),
    };
    await act(signDaySheet, { body });
    onSigned();
  });
  const isReady = bearer.trim().length >= 2 && (isEven || reason.trim().length >= 3);
  return (
    <>
      <p className={styles.actions}>
        <span>
          Contato da {counted.counted_by} il {formatListDate(counted.counted_at)}, non ancora
          firmato.
        </span>
        <Button small icon="refresh" onClick={onAgain} label="Conta di nuovo" />
      </p>
      <DayTables sheet={counted} />
      <Panel>
        <h2>Firma</h2>
        <form className={formStyles.stack} onSubmit={submit}>
          {!isEven && (
            <TextField
              label="Perché non torna"
              value={reason}
              onChange={setReason}
              maxLength={400}
              required
            />
          )}
          <TextField
            label="Consegnato per la banca a"
            hint="Il nome della persona che porta il contante."
            value={bearer}
            onChange={setBearer}
            maxLength={200}
            required
          />
          <p>Dopo la firma il foglio non cambia più: una correzione è un foglio nuovo.</p>
          <FormActions
            busy={busy}
            failure={failure}
            submitLabel="Firma la chiusura"
            disabled={!isReady}
          />
        </form>
      </Panel>
    </>
  );
}
