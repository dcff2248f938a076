/** A verdict as a coloured word with an icon. */
import type { Verdict } from '#server/domain/door/admission.ts';
import { verdictWords } from '#apps/shared/verdict-words.ts';
import { joinClasses } from './join-classes.ts';
import styles from './verdict-mark.module.css';

export function VerdictMark({ verdict, big = false }: { verdict: Verdict; big?: boolean }) {
  const words = verdictWords[verdict];
  const tone = words.tone === 'info' ? 'primary' : words.tone;
  const size = big ? 40 : 18;
  return (
    <span className={joinClasses(styles.verdict, `ui-badge-${tone}`, big && styles.big)}>
      <svg
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.4"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        <path d={words.icon} />
      </svg>
      {words.big}
    </span>
  );
}
