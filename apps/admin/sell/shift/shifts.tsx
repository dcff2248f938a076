/** Shifts, newest first: the user's own, or all users' for the office. */
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { listShifts } from '#server/contract/shifts.ts';
import { formatEuro, formatListDate } from '#apps/shared/format.ts';
import { PagedList, usePages } from '#apps/admin/kit/list/paged-list.tsx';
import { Cell } from '#apps/admin/kit/list/cell.tsx';
import { Table, SecondLine } from '#apps/admin/kit/list/table.tsx';
import { Empty } from '#apps/admin/kit/page/loaded.tsx';
import { BackLink, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { useMay } from '#apps/admin/kit/session/session.ts';

type Head = ReplyOf<typeof listShifts>['items'][number];

export function ShiftsScreen() {
  const pages = usePages(listShifts, {}, 30_000);
  const mayCloseDays = useMay('close_days');
  return (
    <>
      <BackLink to="/sell">Vendi</BackLink>
      <PageTitle title="Turni di cassa">
        {mayCloseDays && <Link to="/reports/days">Chiusure di giornata</Link>}
      </PageTitle>
      <PagedList pages={pages}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty icon="wallet" title="Nessun turno, finora." />
          ) : (
            <Table
              cards
              columns={['Aperto', 'Cassa', 'Chi', { number: 'Contato' }, { number: 'Differenza' }]}
            >
              <tbody>
                {(rows as Head[]).map((shift) => (
                  <ShiftLine key={shift.shift_id} shift={shift} />
                ))}
              </tbody>
            </Table>
          )
        }
      </PagedList>
    </>
  );
}

function ShiftLine({ shift }: { shift: Head }) {
  const { counted_cents, expected_cents } = shift;
  const isOpen = counted_cents === null || expected_cents === null;
  return (
    <tr>
      <td>
        <Link to={`/sell/shifts/${shift.shift_id}`}>{formatListDate(shift.opened_at)}</Link>
        {isOpen && <SecondLine>ancora aperto</SecondLine>}
      </td>
      <td>{shift.till_name}</td>
      <td>{shift.user_name}</td>
      <Cell name="Contato" number>
        {isOpen ? '–' : formatEuro(counted_cents)}
      </Cell>
      <Cell name="Differenza" number>
        {isOpen ? '–' : formatEuro(counted_cents - expected_cents)}
      </Cell>
    </tr>
  );
}
