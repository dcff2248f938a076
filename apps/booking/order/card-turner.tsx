/** The two arrows under a reel of tickets, and which of them is shown. */
import { Icon } from '#apps/shared/ui/icon.tsx';
import styles from './card-turner.module.css';

export interface CardTurnerProps {
  shown: number;
  count: number;
  turnTo: (index: number) => void;
  className: string | undefined;
}

/** Nothing where there is nothing to turn. */
export function CardTurner({ shown, count, turnTo, className }: CardTurnerProps) {
  if (count < 2) return null;
  return (
    <div className={`${styles.turner} ${className}`}>
      <button
        type="button"
        className={styles.round}
        aria-label="Biglietto precedente"
        disabled={shown === 0}
        onClick={() => turnTo(shown - 1)}
      >
        <Icon name="back" />
      </button>
      <span aria-live="polite">
        {shown + 1} di {count}
      </span>
      <button
        type="button"
        className={styles.round}
        aria-label="Biglietto successivo"
        disabled={shown === count - 1}
        onClick={() => turnTo(shown + 1)}
      >
        <Icon name="forward" />
      </button>
    </div>
  );
}
