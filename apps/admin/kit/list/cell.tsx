/** A table cell that shows its label when the row becomes a card. */
import type { ReactNode } from 'react';
import tableStyles from './table.module.css';

interface CellProps {
  name: string;
  /** Aligned right. */
  number?: boolean;
  children: ReactNode;
}

export function Cell({ name, number = false, children }: CellProps) {
  return (
    <td className={number ? tableStyles.number : undefined}>
      <span className={tableStyles.label}>{name}: </span>
      {children}
    </td>
  );
}
