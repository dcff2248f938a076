/** In print, pictures are light and as wide as the sheet, and all tables are open. */
import { useLayoutEffect, useState, useSyncExternalStore, type RefObject } from 'react';
import { requireValue } from '#server/domain/require-value.ts';

/** The width of A4 without margins, in CSS pixels. */
export const paperWidth = 680;

const paper = matchMedia('print');
let asked = false;
let before: string | undefined;
const listeners = new Set<() => void>();

/** Sets the light theme for the print, and restores the user's theme afterwards. */
function tell(next: boolean): void {
  if (next === asked) return;
  asked = next;
  const { dataset } = document.documentElement;
  if (next) {
    before = dataset['theme'];
    dataset['theme'] = 'light';
  } else dataset['theme'] = before;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    addEventListener('beforeprint', begin);
    addEventListener('afterprint', end);
    paper.addEventListener('change', follow);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    removeEventListener('beforeprint', begin);
    removeEventListener('afterprint', end);
    paper.removeEventListener('change', follow);
  };
}

const begin = () => tell(true);
const end = () => tell(false);
const follow = () => tell(paper.matches);

/** React applies a store's change synchronously, before the browser lays out the paper. */
export function usePrinting(): boolean {
  return useSyncExternalStore(subscribe, () => asked);
}

/** Prints a little later, because the pictures need a frame to be drawn. */
export function printReport(): void {
  tell(true);
  setTimeout(() => window.print(), 100);
}

/** The element's present width in pixels; 0: not measured yet. */
export function useWidth(frame: RefObject<HTMLDivElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const observer = new ResizeObserver((entries) => {
      for (const { contentRect } of entries) setWidth(Math.floor(contentRect.width));
    });
    observer.observe(requireValue(frame.current, 'frame'));
    return () => observer.disconnect();
  }, [frame]);
  return width;
}
