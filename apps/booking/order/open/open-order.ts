/**
 * The one order of this browser that may still wait for its payment. Every tab knows it, even
 * while the first tab is at the checkout.
 */
import { useSyncExternalStore } from 'react';
import { keptText } from '#apps/booking/shell/kept-text.ts';

/** The key of the order's id, which is removed once the order is known to have ended. */
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

/** Listens to this tab's changes, and by the storage event to other tabs'. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** Null: no such order, or drawn on the server. */
export function useOpenOrder(): string | null {
  return useSyncExternalStore(subscribe, kept.read, () => null);
}
