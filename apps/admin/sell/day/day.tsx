/** The closing of one day: count, compare, sign; and its signed sheets. */
import { useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import { readDaySheet } from '#server/contract/days.ts';
import { formatDate, formatListDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { BackLink, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { CountDay } from './count-day.tsx';
import type { DaySheet } from './sheet.ts';
import { SignDay } from './sign-day.tsx';
import { SignedSheet } from './signed-sheet.tsx';
import styles from '#apps/admin/sell/sell.module.css';

export function DayScreen() {
  const { day } = useParams() as { day: string };
  const sheet = useEndpoint(readDaySheet, { query: { day } });
  return (
    <>
      <BackLink to="/reports/days">Chiusure</BackLink>
      <Loaded query={sheet}>
        {(data) => (
          <>
            <PageTitle title={`Chiusura di giornata: ${formatDate(data.day)}`} />
            <Day sheet={data} onChanged={() => void sheet.refetch()} />
          </>
        )}
      </Loaded>
    </>
  );
}

function Day({ sheet, onChanged }: { sheet: DaySheet; onChanged: () => void }) {
  const [isCounting, setCounting] = useState(false);
  const open = sheet.shifts.filter(({ closed_at }) => closed_at === null);
  const [last] = sheet.signed;
  const done = () => {
    setCounting(false);
    onChanged();
  };
  if (open.length > 0 && last === undefined) return <OpenShifts shifts={open} />;
  const mustCount = isCounting || (last === undefined && sheet.counted === null);
  return (
    <>
      {sheet.changed && sheet.counted === null && (
        <Notice tone="warn">
          Dopo la firma sono entrati o usciti altri soldi: se serve, fai un foglio nuovo che
          corregge questo.
        </Notice>
      )}
      {open.length > 0 && <OpenShifts shifts={open} />}
      {mustCount && (
        <CountDay
          sheet={sheet}
          onCancel={isCounting ? () => setCounting(false) : undefined}
          onCounted={done}
        />
      )}
      {!mustCount && sheet.counted !== null && (
        <SignDay
          day={sheet.day}
          counted={sheet.counted}
          onAgain={() => setCounting(true)}
          onSigned={done}
        />
      )}
      {!mustCount && sheet.counted === null && open.length === 0 && (
        <p className={styles.actions}>
          <Button
            icon="edit"
            onClick={() => setCounting(true)}
            label="Correggi con un foglio nuovo"
          />
        </p>
      )}
      {sheet.signed.map((one) => (
        <SignedSheet key={one.nth} day={sheet.day} sheet={one} />
      ))}
    </>
  );
}

function OpenShifts({ shifts }: { shifts: DaySheet['shifts'] }) {
  return (
    <Notice as="div" tone="warn">
      Prima di contare la giornata vanno chiusi tutti i turni. Ancora aperti:
      <ul>
        {shifts.map(({ shift_id, till_name, user_name, opened_at }) => (
          <li key={shift_id}>
            <Link to={`/sell/shifts/${shift_id}`}>
              {till_name}, {user_name}, dal {formatListDate(opened_at)}
            </Link>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
