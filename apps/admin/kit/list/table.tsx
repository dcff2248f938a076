/** A table of the office; with `cards` its rows become cards on a narrow screen. */
import type { ComponentProps, ReactNode } from 'react';
import { joinClasses } from '#apps/admin/kit/join-classes.ts';
import { Scroller } from '#apps/admin/kit/page/scroller.tsx';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './table.module.css';

/** `rem` is a column's width; a `late` column is hidden first when the table is narrow. */
interface Room {
  rem?: number;
  late?: boolean;
}

/** A column by its heading: `number` is aligned right, `hidden` is for screen readers only. */
type Column =
  | string
  | ({ name: string } & Room)
  | ({ number: string } & Room)
  | ({ hidden: string } & Room);

interface TableProps extends ComponentProps<'table'> {
  cards?: boolean;
  columns: readonly (Column | false)[];
}

/** Columns without a width share the remaining one. */
export function Table({ cards = false, columns, className, children, ...rest }: TableProps) {
  const shown = columns.filter((column) => column !== false).map(roomOf);
  const late = shown.flatMap((column, at) => (column.late === true ? [at + 1] : []));
  return (
    <table
      {...rest}
      data-late={late.length > 0 ? late.join(' ') : undefined}
      className={joinClasses(
        styles.table,
        cards && styles.cards,
        shown.some(({ rem }) => rem !== undefined) && styles.fixed,
        className,
      )}
    >
      <thead>
        <tr>{shown.map(headOf)}</tr>
      </thead>
      {children}
    </table>
  );
}

interface WideTableProps extends Omit<TableProps, 'cards'> {
  /** The label of the scrolling box. */
  name: string;
}

/** A table of many numbers whose first column stays while the rest scrolls, also by keys. */
export function WideTable({ name, className, ...table }: WideTableProps) {
  return (
    <Scroller
      as="section"
      className={joinClasses(styles.wide, className)}
      aria-label={`Tabella: ${name}`}
    >
      <Table {...table} />
    </Scroller>
  );
}

function roomOf(column: Column): Exclude<Column, string> {
  return typeof column === 'string' ? { name: column } : column;
}

function headOf(column: Exclude<Column, string>) {
  const style = column.rem === undefined ? undefined : { width: `${column.rem}rem` };
  if ('number' in column)
    return (
      <th key={column.number} scope="col" style={style} className={styles.number}>
        {column.number}
      </th>
    );
  if ('name' in column)
    return (
      <th key={column.name} scope="col" style={style}>
        {column.name}
      </th>
    );
  return (
    <th key={column.hidden} scope="col" style={style}>
      <span className="visually-hidden">{column.hidden}</span>
    </th>
  );
}

/** A smaller second line in a cell. */
export function SecondLine({ children }: { children: ReactNode }) {
  return <span className={`${textStyles.soft} ${styles.under}`}>{children}</span>;
}
