/** Folded details for people who run the server or talk to a provider. */
import { useState, type ReactNode } from 'react';
import styles from './technical-details.module.css';

interface TechnicalDetailsProps {
  /** Unfolded at first, because something needs attention. */ open?: boolean;
  /** The content has fields, which are mounted only while unfolded. */ fields?: boolean;
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
