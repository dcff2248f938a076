/**
 * The orders begun in this tab, in session storage: `[{ id, discarded? }]`, oldest first (RULES
 * O12).
 */
import { useSyncExternalStore } from 'react';
import { keptText, parseKept } from '#apps/booking/shell/kept-text.ts';
import { forgetOpenOrder, tellOpenOrder } from './open-order.ts';

/** Version 1: a change of shape gets a new key, the old one is left to die with its tab. */
const kept = keptText('sessionStorage', 'botteghino.orders.1');
/** A visitor who books again and again need not carry them all. */
const mostKept = 20;

type RecentOrders = {
  id: string;
  /** Absent until the visitor has closed the overlay of that order. */ discarded?: boolean;
}[];

/**
 * Unreadable text counts as nothing: the list is only a reminder. It is checked by hand, so that
 * the first script carries no library for two small shapes.
 */
export function parseRecentOrders(text: string | null): RecentOrders {
  const read = parseKept(text);
  return Array.isArray(read) &&
    read.every(
      (order) =>
        typeof order?.id === 'string' && ['undefined', 'boolean'].includes(typeof order.discarded),
    )
    ? read
    : [];
}

/** An order remembered again becomes the most recent one and is no longer discarded. */
export function withOrder(orders: RecentOrders, id: string): RecentOrders {
  return [...orders.filter((order) => order.id !== id), { id }].slice(-mostKept);
}

export function withoutOrder(orders: RecentOrders, id: string): RecentOrders {
  return orders.map((order) => (order.id === id ? { id, discarded: true } : order));
}

/** The most recent id that was not discarded. */
export function lastOrderOf(orders: RecentOrders): string | null {
  return orders.findLast((order) => order.discarded !== true)?.id ?? null;
}

const listeners = new Set<() => void>();

function read(): RecentOrders {
  return parseRecentOrders(kept.read());
}

function write(orders: RecentOrders): void {
  kept.write(JSON.stringify(orders));
  for (const listener of listeners) listener();
}

export function rememberOrder(id: string): void {
  write(withOrder(read(), id));
  tellOpenOrder(id);
}

export function discardOrder(id: string): void {
  write(withoutOrder(read(), id));
  forgetOpenOrder(id);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The last order of this tab, null when there is none. */
export function useLastOrder(): string | null {
  // A page drawn by the server knows no tab.
  return useSyncExternalStore(
    subscribe,
    () => lastOrderOf(read()),
    () => null,
  );
}
