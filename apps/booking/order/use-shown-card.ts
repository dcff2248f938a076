/** Which card of a row that scrolls sideways stands in its middle, by a thumb or by arrows. */
import { useCallback, useEffect, useState, type RefObject } from 'react';

export interface ShownCard {
  shown: number;
  turnTo: (index: number) => void;
  /** Without a movement. */ jumpTo: (index: number) => void;
}

export function useShownCard(row: RefObject<HTMLElement | null>, count: number): ShownCard {
  const [shown, setShown] = useState(0);
  useEffect(() => {
    const list = row.current!;
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
  const turnTo = useCallback((index: number) => scrollToCard(row.current!, index, 'smooth'), [row]);
  const jumpTo = useCallback(
    (index: number) => scrollToCard(row.current!, index, 'instant'),
    [row],
  );
  return { shown, turnTo, jumpTo };
}

/** The list moves, not the page: scrollIntoView would pull the whole page along. */
function scrollToCard(list: HTMLElement, index: number, behavior: ScrollBehavior): void {
  const card = list.children[index] as HTMLElement | undefined;
  if (card === undefined) return;
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  list.scrollTo({
    left: card.offsetLeft - (list.clientWidth - card.offsetWidth) / 2,
    behavior: calm ? 'instant' : behavior,
  });
}
