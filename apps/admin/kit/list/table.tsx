/** A table of the office; with `cards` its rows become cards where the screen is narrow. */
import type { ComponentProps, ReactNode } from 'react';
import { joinClasses } from '#apps/admin/kit/join-classes.ts';
import textStyles from '#apps/admin/kit/text.module.css';
import styles from './table.module.css';

/** A column by its name: one of numbers stands to the right, a hidden name is for screen readers only. */
export type Column = string | { number: string } | { hidden: string };

export interface TableProps extends ComponentProps<'table'> {
  cards?: boolean;
  columns: readonly (Column | false)[];
}

export function Table({ cards = false, columns, className, children, ...rest }: TableProps) {
  return (
    <table {...rest} className={joinClasses(styles.table, cards && styles.cards, className)}>
      <thead>
        <tr>{columns.map((column) => column !== false && headOf(column))}</tr>
      </thead>
      {children}
    </table>
  );
}

function headOf(column: Column) {
  if (typeof column === 'string')
    return (
      <th key={column} scope="col">
        {column}
      </th>
    );
  if ('number' in column)
    return (
      <th key={column.number} scope="col" className={styles.number}>
        {column.number}
      </th>
    );
  return (
    <th key={column.hidden} scope="col">
      <span className="visually-hidden">{column.hidden}</span>
    </th>
  );
}

/** A second, smaller line of a cell. */
export function Under({ children }: { children: ReactNode }) {
  return <span className={`${textStyles.soft} ${styles.under}`}>{children}</span>;
}
