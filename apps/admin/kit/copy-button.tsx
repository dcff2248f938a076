/** Copies a text; without a clipboard it selects the text and asks the user to copy it. */
import { useState } from 'react';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import textStyles from '#apps/admin/kit/page/text.module.css';

export function CopyButton({ text, select }: { text: string; select: () => void }) {
  const [copied, setCopied] = useState<'yes' | 'by_hand' | null>(null);

  /** The clipboard exists only on secure origins. */
  async function copy() {
    select();
    const done = await navigator.clipboard?.writeText(text).then(
      () => 'yes' as const,
      () => 'by_hand' as const,
    );
    setCopied(done ?? 'by_hand');
  }

  return (
    <>
      <AsyncButton onClick={copy}>
        <Icon name="copy" /> {copied === 'yes' ? 'Copiato' : 'Copia'}
      </AsyncButton>
      {copied === 'by_hand' && (
        <output className={textStyles.soft} aria-label="Copia">
          È selezionato: copialo con Ctrl + C.
        </output>
      )}
    </>
  );
}
