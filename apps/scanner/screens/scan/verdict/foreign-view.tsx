/** Says that the code in view is of another ticket system; such a code is not a scan. */
import { foreignCodeWords, type ForeignCode } from '#server/domain/door/foreign-text.ts';
import { verdictWords } from '#apps/shared/verdict-words.ts';
import { BigWord, VerdictFrame, VerdictIcon } from './verdict-parts.tsx';
import styles from './verdict.module.css';

export function ForeignView({ code, onClose }: { code: ForeignCode; onClose: () => void }) {
  const { big, icon, tone } = verdictWords.invalid;
  return (
    <VerdictFrame
      name="foreign"
      counts={false}
      tone={tone}
      stays={null}
      closeLabel="Chiudi ed esamina il prossimo"
      onClose={onClose}
    >
      <VerdictIcon path={icon} />
      <BigWord text={big} />
      <p className={styles.reason}>{foreignCodeWords(code)}</p>
    </VerdictFrame>
  );
}
