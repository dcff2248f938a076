/** A few large numbers in a row, each with the number to compare with. */
import type { Cell, Column, Figure } from '#server/domain/report/figure.ts';
import { tellCell } from './cells.ts';
import styles from './report.module.css';

export function Numbers({ figure }: { figure: Figure }) {
  const [row = []] = figure.rows;
  const cells = figure.columns.map((column, at) => ({ column, cell: row[at] ?? null }));
  return (
    <dl className={styles.numbers}>
      {cells
        .filter(({ column }) => column.pale !== true)
        .map(({ column, cell }) => (
          <div key={column.key}>
            <dt>{column.label}</dt>
            <dd>
              {tellCell(cell, column.unit)}
              <Against cell={cell} other={cells.find((one) => isPairOf(one.column, column))} />
            </dd>
          </div>
        ))}
    </dl>
  );
}

/** The key of a comparison starts with the key of its number. */
function isPairOf(pale: Column, column: Column): boolean {
  return pale.pale === true && pale.key.startsWith(`${column.key}_`) && pale.unit === column.unit;
}

function Against({ cell, other }: { cell: Cell; other?: { column: Column; cell: Cell } }) {
  if (other === undefined) return null;
  return (
    <span className={styles.against}>
      confronto: {tellCell(other.cell, other.column.unit)}
      {tellChange(cell, other.cell)}
    </span>
  );
}

/** As in " (+12 %)"; empty without an earlier value or a change. */
function tellChange(now: Cell, before: Cell): string {
  if (typeof now !== 'number' || typeof before !== 'number' || before === 0) return '';
  const change = Math.round(((now - before) / Math.abs(before)) * 100);
  if (change === 0) return '';
  const sign = change < 0 ? '−' : '+';
  return ` (${sign}${Math.abs(change).toLocaleString('it-IT')} %)`;
}
