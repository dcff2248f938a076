/** A row of tickets that scrolls sideways: which one is shown, and two arrows below. */
import { useEffect, useState, type RefObject } from 'react';
import { Icon } from '#apps/shared/ui/icon.tsx';
import styles from './reel.module.css';

/** The card in the middle of the row, and a function to turn to another. */
export function useShownCard(row: RefObject<HTMLElement | null>, count: number) {
  const [shown, setShown] = useState(0);
  useEffect(() => {
    const list = row.current;
    if (!list) return undefined;
    const look = () => {
      const middle = list.scrollLeft + list.clientWidth / 2;
      const passed = [...list.children].findIndex(
        (card) => (card as HTMLElement).offsetLeft + (card as HTMLElement).offsetWidth > middle,
      );
      setShown(passed === -1 ? count - 1 : passed);
    };
    list.addEventListener('scroll', look, { passive: true });
    return () => list.removeEventListener('scroll', look);
  }, [row, count]);
  return { shown, turnTo: (index: number) => scrollToCard(row.current, index, 'smooth') };
}

/** Scrolls only the list; scrollIntoView would scroll the page too. */
export function scrollToCard(
  list: HTMLElement | null,
  index: number,
  behavior: ScrollBehavior,
): void {
  const card = list?.children[index] as HTMLElement | undefined;
  if (!list || !card) return;
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  list.scrollTo({
    left: card.offsetLeft - (list.clientWidth - card.offsetWidth) / 2,
    behavior: calm ? 'instant' : behavior,
  });
}

interface CardTurnerProps {
  shown: number;
  count: number;
  turnTo: (index: number) => void;
  className: string | undefined;
}

/** Renders nothing for a single card. */
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
