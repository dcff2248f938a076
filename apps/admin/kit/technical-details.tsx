/** What only somebody who runs the server or speaks with a provider needs to read: folded away until it is asked for. */
import type { ReactNode } from 'react';
import styles from './technical-details.module.css';

interface TechnicalDetailsProps {
  /** Something in it has to be looked at. */ open?: boolean;
  children: ReactNode;
}

export function TechnicalDetails({ open, children }: TechnicalDetailsProps) {
  return (
    <details className={styles.details} open={open || undefined}>
      <summary>Dettagli tecnici</summary>
      {children}
    </details>
  );
}
