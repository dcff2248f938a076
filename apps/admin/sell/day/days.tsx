/** The last days on which a till was open: which are closed, and which still have to be. */
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { listDays } from '#server/contract/days.ts';
import { formatCount, formatDate, formatEuro } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Cell } from '#apps/admin/kit/list/cell.tsx';
import { SecondLine, Table } from '#apps/admin/kit/list/table.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { Intro, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import styles from './day.module.css';

type Day = ReplyOf<typeof listDays>['items'][number];

export function DaysScreen() {
  const days = useEndpoint(listDays, {}, { refetchInterval: 30_000 });
  return (
    <>
      <PageTitle title="Chiusure di giornata" />
      <Intro>
        Tutte le casse di un giorno in un foglio solo, con i POS e l’online: prima si conta, poi si
        confronta, poi si firma.
      </Intro>
      <Loaded query={days}>
        {({ items }) => (
          <Table
            cards
            className={styles.days}
            columns={[
              'Giorno',
              'Stato',
              { number: 'Alla banca' },
              { number: 'Differenza contanti' },
              { number: 'Differenza POS' },
              { number: 'Incasso' },
            ]}
          >
            <tbody>
              {items.map((day) => (
                <DayLine key={day.day} {...day} />
              ))}
            </tbody>
          </Table>
        )}
      </Loaded>
    </>
  );
}

function DayLine({ day, shifts, open_shifts, sheet }: Day) {
  const sum = (cents: number | undefined) => (cents === undefined ? '–' : formatEuro(cents));
  const reckoning = sheet?.reckoning;
  return (
    <tr>
      <td>
        <Link to={`/reports/days/${day}`}>{formatDate(day)}</Link>
        <SecondLine>
          {shifts === 0 ? 'nessun turno' : formatCount(shifts, 'turno', 'turni')}
        </SecondLine>
      </td>
      <Cell name="Stato">
        {stateOf({ open_shifts, sheet })}
        {sheet !== null && <SecondLine>da {sheet.signed_by}</SecondLine>}
      </Cell>
      <Cell name="Alla banca" number>
        {sum(reckoning?.cash.banked_cents)}
      </Cell>
      <Cell name="Differenza contanti" number>
        {sum(reckoning?.cash.difference_cents)}
      </Cell>
      <Cell name="Differenza POS" number>
        {sum(reckoning?.pos.difference_cents)}
      </Cell>
      <Cell name="Incasso" number>
        {sum(reckoning?.takings.total_cents)}
      </Cell>
    </tr>
  );
}

function stateOf({ open_shifts, sheet }: Pick<Day, 'open_shifts' | 'sheet'>): string {
  if (sheet !== null) return sheet.corrects === null ? 'Firmata' : `Firmata, foglio ${sheet.nth}`;
  return open_shifts > 0
    ? formatCount(open_shifts, 'turno ancora aperto', 'turni ancora aperti')
    : 'Da chiudere';
}
