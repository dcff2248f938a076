/** A text to copy: a link, a key. */
import { useRef } from 'react';
import { CopyButton } from './copy-button.tsx';
import styles from './copy-field.module.css';

export function CopyField({ text, label }: { text: string; label: string }) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <div className={styles.copy}>
      <input
        ref={field}
        className="ui-input"
        readOnly
        value={text}
        aria-label={label}
        onFocus={(event) => event.target.select()}
      />
      <CopyButton text={text} select={() => field.current?.select()} />
    </div>
  );
}
