/** The user's own shift: its figures, money put in or taken out, and the final count. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Navigate, useNavigate, useParams } from 'react-router-dom';
import { readCounter } from '#server/contract/counter.ts';
import { readShift } from '#server/contract/shifts.ts';
import { formatListDate } from '#apps/shared/format.ts';
import { keyOf, useEndpoint } from '#apps/shared/query.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { BackLink, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { useMay } from '#apps/admin/kit/session/session.ts';
import { MoveCash } from './move-cash.tsx';
import { CloseShift } from './shift-close.tsx';
import { ShiftReading, type Shift } from './shift-reading.tsx';
import styles from '#apps/admin/sell/sell.module.css';

/** The user's own open shift. */
export function ShiftScreen() {
  const counter = useEndpoint(readCounter, {});
  return (
    <>
      <BackLink to="/sell">Vendi</BackLink>
      <Loaded query={counter}>
        {({ shift }) => (shift === null ? <Navigate to="/sell" replace /> : <Own shift={shift} />)}
      </Loaded>
    </>
  );
}

/** Any user's shift, which can be closed after they went home. */
export function OldShiftScreen() {
  const { shiftId } = useParams() as { shiftId: string };
  const client = useQueryClient();
  const shift = useEndpoint(readShift, { params: { shiftId } });
  const mayClose = useMay('close_shifts');
  const [isClosing, setClosing] = useState(false);
  const leave = async () => {
    await client.invalidateQueries();
    setClosing(false);
  };
  return (
    <>
      <BackLink to="/sell/shifts">Turni</BackLink>
      <Loaded query={shift}>
        {(data) => (
          <>
            <PageTitle title={`Turno di ${data.user_name}, ${data.till_name}`}>
              {data.closed_at === null && mayClose && (
                <Button icon="lock" onClick={() => setClosing(true)} label="Chiudi il turno" />
              )}
              <Paper shift={data} />
            </PageTitle>
            <ShiftReading shift={data} />
            {isClosing && <CloseShift shift={data} onCancel={leave} onClosed={leave} />}
          </>
        )}
      </Loaded>
    </>
  );
}

function Own({ shift }: { shift: Shift }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [open, setOpen] = useState<'move' | 'close' | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: keyOf(readCounter, {}) });
  return (
    <>
      <PageTitle title={`Turno alla ${shift.till_name}`}>
        <Paper shift={shift} />
      </PageTitle>
      <p>Aperto il {formatListDate(shift.opened_at)}</p>
      <div className={styles.actions}>
        <Button icon="wallet" onClick={() => setOpen('move')} label="Versa o preleva" />
        <Button
          look="primary"
          icon="lock"
          onClick={() => setOpen('close')}
          label="Chiudi il turno"
        />
      </div>
      <ShiftReading shift={shift} />
      {open === 'move' && (
        <MoveCash
          expected_cents={shift.report.expected_cents}
          onClose={() => setOpen(null)}
          onDone={() => {
            setOpen(null);
            void refresh();
          }}
        />
      )}
      {open === 'close' && (
        <CloseShift
          shift={shift}
          onCancel={() => {
            setOpen(null);
            void refresh();
          }}
          onClosed={async () => {
            // Nothing is refetched yet: the reply "no open shift" would unmount this dialog too
            // early.
            await client.invalidateQueries({
              queryKey: keyOf(readCounter, {}),
              refetchType: 'none',
            });
            navigate(`/sell/shifts/${shift.shift_id}`);
          }}
        />
      )}
    </>
  );
}

function Paper({ shift }: { shift: Shift }) {
  return (
    <a className="ui-button" href={`/api/admin/counter/shifts/${shift.shift_id}/turno.pdf`}>
      {shift.closed_at === null ? 'Lettura X in PDF' : 'Chiusura in PDF'}
    </a>
  );
}
