/** The till's keys, which work wherever the focus is, and the caret's return to the seat line. */
import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import { ways as allWays, type PayWay, type Way } from './ways.ts';

interface TillKeys {
  /** False while a dialog is open or a sale is being sent. */
  open: boolean;
  /** The ways to pay that are possible now. */
  ways: readonly PayWay[];
  onWay: (way: Way) => void;
  onClear: () => void;
  onBuyer: () => void;
}

/** Opens the buyer's fields. */
export const buyerKey = 'F6';

export function useTillKeys(ask: TillKeys): void {
  const latest = useRef(ask);
  // Runs before the first paint, because a fast seller presses a key once the seats appear.
  useLayoutEffect(() => {
    latest.current = ask;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { open, ways, onWay, onClear, onBuyer } = latest.current;
      if (event.key === 'Escape' && open) return onClear();
      const isBuyer = event.key === buyerKey;
      if (!isBuyer && !allWays.some(({ key }) => key === event.key)) return;
      event.preventDefault();
      if (!open || event.repeat) return;
      if (isBuyer) return onBuyer();
      const way = ways.find(({ key }) => key === event.key);
      if (way !== undefined) onWay(way.way);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}

/** In Chromium a field has no caret when a dialog gives the focus back. */
export function useCaret(line: RefObject<HTMLInputElement | null>, isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted) return undefined;
    const before = line.current?.value;
    const timer = setTimeout(() => {
      line.current?.blur();
      line.current?.focus();
      // The next key would replace what was typed meanwhile if it were selected.
      if (line.current?.value === before) line.current?.select();
    });
    return () => clearTimeout(timer);
  }, [line, isWanted]);
}
