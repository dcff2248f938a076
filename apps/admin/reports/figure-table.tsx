/** The rows of a figure as a table, for paper, screen readers and people who want numbers. */
import type { Cell, Column, Figure } from '#server/domain/report/figure.ts';
import { WideTable } from '#apps/admin/kit/list/table.tsx';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import { areWithinADay, tellCell } from './cells.ts';
import styles from './report.module.css';

export function FigureTable({ figure }: { figure: Figure }) {
  const { title, columns, rows, total } = figure;
  const evenings = columns.map((_, at) => areWithinADay(rows.map((row) => row[at] ?? null)));
  return (
    <WideTable
      name={title}
      className={styles.table}
      columns={columns.map(({ label, unit }) => (isNumber(unit) ? { number: label } : label))}
    >
      <tbody>
        {rows.map((row, nth) => (
          // oxlint-disable-next-line react/no-array-index-key -- rows may repeat and never move
          <TableRow key={nth} cells={row} columns={columns} evenings={evenings} />
        ))}
      </tbody>
      {total !== null && (
        <tfoot>
          <TableRow cells={total} columns={columns} evenings={evenings} />
        </tfoot>
      )}
    </WideTable>
  );
}

interface TableRowProps {
  cells: readonly Cell[];
  columns: readonly Column[];
  evenings: readonly boolean[];
}

function TableRow({ cells, columns, evenings }: TableRowProps) {
  return (
    <tr>
      {columns.map(({ key, unit }, at) => {
        const cell = cells[at] ?? null;
        // The total row has a word in the column of days.
        const isWord = typeof cell === 'string' && !/^\d{4}-\d\d-\d\d$/.test(cell);
        const told = tellCell(cell, isWord ? 'text' : unit, evenings[at]);
        const className = isNumber(unit) ? tableStyles.number : undefined;
        return at === 0 ? (
          <th key={key} scope="row" className={className}>
            {told}
          </th>
        ) : (
          <td key={key} className={className}>
            {told}
          </td>
        );
      })}
    </tr>
  );
}

function isNumber(unit: Column['unit']): boolean {
  return unit === 'cents' || unit === 'count' || unit === 'percent' || unit === 'minutes';
}
