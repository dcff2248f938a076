/** What only somebody who runs the server or speaks with a provider needs to read: folded away until it is asked for. */
import type { ReactNode } from 'react';
import styles from './technical-details.module.css';

export function TechnicalDetails({ children }: { children: ReactNode }) {
  return (
    <details className={styles.details}>
      <summary>Dettagli tecnici</summary>
      {children}
    </details>
  );
}
