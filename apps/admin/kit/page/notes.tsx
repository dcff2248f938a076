/** A short list of remarks with icons; false ones are left out. */
import type { ReactNode } from 'react';
import { Icon, type IconName } from '#apps/shared/ui/icon.tsx';
import styles from './text.module.css';

export interface Note {
  tone?: 'bad' | 'warn' | 'good';
  icon: IconName;
  text: ReactNode;
}

export function Notes({ notes }: { notes: readonly (Note | false)[] }) {
  return (
    <ul className={styles.notes}>
      {notes.map(
        (note, index) =>
          note && (
            // oxlint-disable-next-line react/no-array-index-key -- the remarks never move
            <li key={index} className={note.tone && styles[note.tone]}>
              <Icon name={note.icon} size={15} /> <span>{note.text}</span>
            </li>
          ),
      )}
    </ul>
  );
}
