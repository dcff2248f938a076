/**
 * The orders begun in this tab, in session storage: `[{ id, discarded? }]`, oldest first (RULES
 * O12).
 */
import { useSyncExternalStore } from 'react';
import { keptText, parseKept } from '#apps/booking/shell/kept-text.ts';
import { forgetOpenOrder, tellOpenOrder } from './open-order.ts';

/** Use a new number if the shape changes; the old key ends with its tab. */
const kept = keptText('sessionStorage', 'botteghino.orders.1');
/** Older orders are dropped. */
const mostKept = 20;

type RecentOrders = {
  id: string;
  /** True once the visitor has closed that order's overlay. */ discarded?: boolean;
}[];

/**
 * Parses the list; empty for unreadable text, because it is only a reminder. It is checked by
 * hand, because a library would make the first script larger.
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

/** Makes an order the most recent one, no longer discarded. */
export function withOrder(orders: RecentOrders, id: string): RecentOrders {
  return [...orders.filter((order) => order.id !== id), { id }].slice(-mostKept);
}

export function withoutOrder(orders: RecentOrders, id: string): RecentOrders {
  return orders.map((order) => (order.id === id ? { id, discarded: true } : order));
}

/** The most recent order that was not discarded. */
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

/** This tab's last order; null: none. */
export function useLastOrder(): string | null {
  // On the server there is no tab.
  return useSyncExternalStore(
    subscribe,
    () => lastOrderOf(read()),
    () => null,
  );
}
