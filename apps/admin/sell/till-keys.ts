/** The keys of the till that work with any focus, and the caret's way back into the line. */
import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import { ways as allWays, type PayWay, type Way } from './ways.ts';

interface TillKeys {
  /** No dialog is open and no sale is on its way. */
  open: boolean;
  /** The possible ways now. */
  ways: readonly PayWay[];
  onWay: (way: Way) => void;
  onClear: () => void;
  onBuyer: () => void;
}

/** Beside the ways to pay. */
export const buyerKey = 'F6';

export function useTillKeys(ask: TillKeys): void {
  const latest = useRef(ask);
  // Before the first paint, because a fast seller presses the key as soon as the seats appear.
  useLayoutEffect(() => {
    latest.current = ask;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { open, ways, onWay, onClear, onBuyer } = latest.current;
      if (event.key === 'Escape' && open) return onClear();
      const way = allWays.find(({ key }) => key === event.key);
      if (way === undefined && event.key !== buyerKey) return;
      event.preventDefault();
      if (!open || event.repeat) return;
      if (way === undefined) onBuyer();
      else if (ways.some((possible) => possible === way)) onWay(way.way);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}

/** A field that gets the focus back from a dialog has no caret in Chromium. */
export function useCaret(line: RefObject<HTMLInputElement | null>, isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted) return undefined;
    const timer = setTimeout(() => {
      line.current?.blur();
      line.current?.focus();
      line.current?.select();
    });
    return () => clearTimeout(timer);
  }, [line, isWanted]);
}
