/** A text that is shown to be copied: a link, a key. */
import { useRef, useState } from 'react';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import textStyles from './text.module.css';
import styles from './copy-field.module.css';

export function CopyField({ text, label }: { text: string; label: string }) {
  const field = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState<'yes' | 'by_hand' | null>(null);

  /** The clipboard exists only on secure origins: elsewhere the text is left selected. */
  async function copy() {
    field.current?.select();
    const done = await navigator.clipboard?.writeText(text).then(
      () => 'yes' as const,
      () => 'by_hand' as const,
    );
    setCopied(done ?? 'by_hand');
  }

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
      <AsyncButton onClick={copy}>
        <Icon name="copy" /> {copied === 'yes' ? 'Copiato' : 'Copia'}
      </AsyncButton>
      {copied === 'by_hand' && (
        <output className={textStyles.soft} aria-label="Copia">
          È selezionato: copialo con Ctrl + C.
        </output>
      )}
    </div>
  );
}
