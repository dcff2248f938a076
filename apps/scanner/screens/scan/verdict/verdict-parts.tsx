/** The parts of every full-screen verdict: frame with timer, icon, huge word, seat. */
import { Fragment, useContext, useEffect, type CSSProperties, type ReactNode } from 'react';
import type { VerdictTone } from '#apps/shared/verdict-words.ts';
import { Rehearsal } from '#apps/scanner/screens/rehearsal-banner.tsx';
import parts from '#apps/scanner/screens/parts.module.css';
import styles from './verdict.module.css';

interface VerdictFrameProps {
  /** Rendered as `data-verdict`; `counts` as `data-counts`. */
  name: string;
  counts: boolean;
  tone: VerdictTone;
  /** Milliseconds; null: until it is tapped away or the next code comes. */
  stays: number | null;
  closeLabel: string;
  onClose: () => void;
  children: ReactNode;
  /** Shown above the last line: badges and possible acts. */
  actions?: ReactNode;
}

export function VerdictFrame({
  name,
  counts,
  tone,
  stays,
  closeLabel,
  onClose,
  children,
  actions,
}: VerdictFrameProps) {
  const isRehearsal = useContext(Rehearsal);
  useEffect(() => {
    if (stays === null) return undefined;
    const timer = setTimeout(onClose, stays);
    return () => clearTimeout(timer);
  }, [stays, onClose]);
  return (
    <section
      className={styles[tone]}
      aria-label="Esito della lettura"
      data-verdict={name}
      data-counts={counts}
    >
      <button type="button" className={styles.close} aria-label={closeLabel} onClick={onClose} />
      {isRehearsal && <p className={styles.rehearsal}>PROVA</p>}
      <div className={styles.body} role="alert">
        {children}
      </div>
      <div className={styles.foot}>
        {actions}
        {stays === null ? (
          <span className={styles.hint} aria-hidden="true">
            Tocca per continuare
          </span>
        ) : (
          <span
            className={styles.timer}
            style={{ animationDuration: `${stays}ms` }}
            aria-hidden="true"
          />
        )}
      </div>
    </section>
  );
}

export function VerdictIcon({
  path,
  className = styles.icon,
}: {
  path: string;
  className?: string;
}) {
  return (
    <svg
      className={className}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  );
}

/** Breaks lines between section, row and seat, never inside one. */
export function SeatWords({ seat }: { seat: string }) {
  return seat.split(', ').map((part, index, all) => (
    <Fragment key={part}>
      <span className={parts.unbroken}>
        {part}
        {index < all.length - 1 && ','}
      </span>{' '}
    </Fragment>
  ));
}

/** The longest word sets the font size; it must be legible at arm's length, in the rain. */
export function BigWord({ text }: { text: string }) {
  const style = {
    '--letters': Math.max(...text.split(' ').map(({ length }) => length), 5),
  } as CSSProperties;
  return (
    <p className={styles.word}>
      <span className={styles.fit} style={style}>
        {text}
      </span>
    </p>
  );
}
