/** What only somebody who runs the server or speaks with a provider needs to read: folded away until it is asked for. */
import { useState, type ReactNode } from 'react';
import styles from './technical-details.module.css';

interface TechnicalDetailsProps {
  /** Something in it has to be looked at. */ open?: boolean;
  /** Holds fields, which are there only while they can be seen. */ fields?: boolean;
  children: ReactNode;
}

export function TechnicalDetails({ open, fields = false, children }: TechnicalDetailsProps) {
  const [unfolded, setUnfolded] = useState(false);
  return (
    <details
      className={styles.details}
      open={open || undefined}
      onToggle={(event) => setUnfolded(event.currentTarget.open)}
    >
      <summary>Dettagli tecnici</summary>
      {(!fields || open || unfolded) && children}
    </details>
  );
}
