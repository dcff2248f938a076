/** Details for people who run the server or speak with a provider: folded away until opened. */
import { useState, type ReactNode } from 'react';
import styles from './technical-details.module.css';

interface TechnicalDetailsProps {
  /** Open from the start, because something in it needs attention. */ open?: boolean;
  /** Holds fields, which exist only while they are visible. */ fields?: boolean;
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
