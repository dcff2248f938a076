/**
 * The one order of this browser that may still wait for its payment: known in every tab, also
 * while the tab that began it stands at the checkout.
 */
import { useSyncExternalStore } from 'react';
import { keptText } from '#apps/booking/shell/kept-text.ts';

/** Version 1. Only its id, which is removed as soon as the order is seen to have ended. */
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

/** Null: this browser knows of none, as does a page drawn by the server. */
export function useOpenOrder(): string | null {
  return useSyncExternalStore(subscribe, kept.read, () => null);
}
