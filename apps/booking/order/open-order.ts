/**
 * The one order of this browser that may still wait for its payment: known in every tab, also while
 * the tab that began it stands at the checkout.
 */
import { useSyncExternalStore } from 'react';
import { keptText } from '#apps/booking/shell/kept-text.ts';

/** Version 1. Only its id; it goes as soon as anybody sees that the order has ended. */
const key = 'botteghino.open-order.1';
const kept = keptText('localStorage', key);
const listeners = new Set<() => void>();

function write(id: string | null): void {
  kept.write(id);
  for (const listener of listeners) listener();
}

export function tellOpenOrder(id: string): void {
  write(id);
}

export function forgetOpenOrder(id: string): void {
  if (kept.read() === id) write(null);
}

/** The browser tells the other tabs by an event of its own. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** Null: none that this browser knows of. A page drawn by the server knows no browser. */
export function useOpenOrder(): string | null {
  return useSyncExternalStore(subscribe, kept.read, () => null);
}
