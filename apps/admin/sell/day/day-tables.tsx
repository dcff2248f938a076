/** The figures of a day in tables: cash for the bank, tills, card terminals, takings. */
import { expectedCash } from '#server/domain/counter/counter.ts';
import { methodName } from '#server/domain/order/order-words.ts';
import { formatEuro, formatListDate } from '#apps/shared/format.ts';
import { Cell } from '#apps/admin/kit/list/cell.tsx';
import { SecondLine, Table } from '#apps/admin/kit/list/table.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { Sums } from '#apps/admin/sell/shift/sums.tsx';
import type { DaySheet } from './sheet.ts';

type Sheet = NonNullable<DaySheet['counted']>;

export function DayTables({ sheet }: { sheet: Sheet }) {
  const { cash } = sheet.reckoning;
  return (
    <>
      <Sums
        title="Contante per la banca"
        rows={[
          ['Atteso', cash.expected_cents],
          ['Secondo la conta dei turni', cash.found_cents],
          ['Contato per la banca', cash.banked_cents],
          ['Differenza', cash.difference_cents],
          ['Resta nelle casse', cash.left_cents],
        ]}
      />
      {sheet.figures.shifts.length > 0 && <Tills sheet={sheet} />}
      <Takings sheet={sheet} />
    </>
  );
}

function Tills({ sheet: { figures, reckoning } }: { sheet: Sheet }) {
  return (
    <Panel wide>
      <h2>Le casse</h2>
      <Table
        cards
        columns={[
          'Cassa',
          { number: 'Contante atteso' },
          { number: 'Contato' },
          { number: 'Differenza' },
          { number: 'POS atteso' },
          { number: 'Terminale' },
          { number: 'Differenza POS' },
        ]}
      >
        <tbody>
          {figures.shifts.map((shift) => {
            const pos = reckoning.terminals.find(({ shift_id }) => shift_id === shift.shift_id);
            const expected = expectedCash(shift);
            return (
              <tr key={shift.shift_id}>
                <th scope="row">
                  {shift.till_name}
                  <SecondLine>
                    {shift.user_name}, dal {formatListDate(shift.opened_at)}
                  </SecondLine>
                </th>
                <Euro name="Contante atteso" cents={expected} />
                <Euro name="Contato" cents={shift.counted_cents} />
                <Euro name="Differenza" cents={shift.counted_cents - expected} />
                <Euro name="POS atteso" cents={pos?.expected_cents ?? 0} />
                <Euro name="Terminale" cents={pos?.typed_cents ?? 0} />
                <Euro name="Differenza POS" cents={pos?.difference_cents ?? 0} />
              </tr>
            );
          })}
        </tbody>
      </Table>
    </Panel>
  );
}

function Euro({ name, cents }: { name: string; cents: number }) {
  return (
    <Cell name={name} number>
      {formatEuro(cents)}
    </Cell>
  );
}

function Takings({ sheet: { figures, reckoning } }: { sheet: Sheet }) {
  const { takings } = reckoning;
  const { online, outside } = figures;
  return (
    <Sums
      title="Incasso del giorno, tolti i rimborsi"
      rows={[
        ['Contanti alle casse', takings.cash_cents],
        ['POS', takings.pos_cents],
        ...outside.map(
          ({ method, taken_cents, given_cents }) =>
            [`${methodName(method)}, fuori dalle casse`, taken_cents - given_cents] as const,
        ),
        [`Online, incassi (${online.payments})`, online.taken_cents],
        [`Online, rimborsi (${online.refunds})`, -online.given_cents],
        ['Totale', takings.total_cents],
      ]}
    />
  );
}
