/** Whether the page is on its way to paper: then pictures are drawn in light colours and as wide as a sheet, and every table is shown. */
import { useSyncExternalStore } from 'react';

const paper = matchMedia('print');
let asked = false;
const listeners = new Set<() => void>();

function tell(next: boolean): void {
  asked = next;
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

/** React takes in what such a store says at once, before the browser lays out the paper. */
export function usePrinting(): boolean {
  return useSyncExternalStore(subscribe, () => asked);
}

/** The pictures have had a frame to be drawn anew before the browser asks for them. */
export function printReport(): void {
  tell(true);
  setTimeout(() => window.print(), 100);
}
