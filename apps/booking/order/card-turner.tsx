/** The two arrows under a reel of tickets, and which of them is shown. */
import { Icon } from '#apps/shared/ui/icon.tsx';

export interface CardTurnerProps {
  shown: number;
  count: number;
  turnTo: (index: number) => void;
  className: string;
}

/** Nothing where there is nothing to turn. */
export function CardTurner({ shown, count, turnTo, className }: CardTurnerProps) {
  if (count < 2) return null;
  return (
    <div className={className}>
      <button
        type="button"
        className="round"
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
        className="round"
        aria-label="Biglietto successivo"
        disabled={shown === count - 1}
        onClick={() => turnTo(shown + 1)}
      >
        <Icon name="forward" />
      </button>
    </div>
  );
}
