/** Says what leaves in a moment, counts the seconds, and takes it back at a click. */
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Notice } from './page/notice.tsx';
import { formatSpan, useNow } from './clock.ts';
import styles from './undo-strip.module.css';

interface UndoStripProps {
  /** What happened, as in "Evento rinviato". */ what: string;
  /** What leaves, as in "le e-mail a 23 acquirenti partono". */ leaves: string;
  /** By this computer's clock, in milliseconds. */ until: number;
  undoLabel: string;
  /** Left out: this person may not. */ onUndo?: () => Promise<unknown>;
}

export function UndoStrip({ what, leaves, until, undoLabel, onUndo }: UndoStripProps) {
  return (
    <Notice tone="warn" icon="clock" as="div" role="status">
      <div className={styles.strip}>
        <span>
          <strong>{what}</strong>: {leaves} <SecondsLeft until={until} />.
        </span>
        {onUndo && <AsyncButton onClick={onUndo}>{undoLabel}</AsyncButton>}
      </div>
    </Notice>
  );
}

/** "tra 43 s", renewed each second; a screen reader hears only the first. */
export function SecondsLeft({ until }: { until: number }) {
  const left = until - useNow(1_000);
  return (
    <b className={styles.left} aria-live="off">
      {left > 0 ? `tra ${formatSpan(Math.max(1_000, left))}` : 'ora'}
    </b>
  );
}
