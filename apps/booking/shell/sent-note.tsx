/** A line with a tick that says that a mail is on its way. */
import type { ReactNode } from 'react';
import { Icon } from '#apps/shared/ui/icon.tsx';
import styles from './sent-note.late.module.css';

export function SentNote({ children }: { children: ReactNode }) {
  return (
    <span className={styles.sent}>
      <Icon name="check" /> <span>{children}</span>
    </span>
  );
}
