/**
 * The pages on which the visitor has put the overlay of an unpaid order aside; there a bar says
 * the same. A reload brings the overlay back.
 */
import { useSyncExternalStore } from 'react';

const aside = new Set<string>();
const listeners = new Set<() => void>();

const nameOf = (orderId: string, path: string) => `${orderId} ${path}`;

export function setAside(orderId: string, path: string): void {
  aside.add(nameOf(orderId, path));
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useSetAside(orderId: string, path: string): boolean {
  return useSyncExternalStore(
    subscribe,
    () => aside.has(nameOf(orderId, path)),
    () => false,
  );
}
