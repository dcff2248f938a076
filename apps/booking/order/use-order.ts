/** An order from the server, or as this browser saved it if the server does not answer. */
import { useEffect } from 'react';
import { useQuery } from '@tanstack/react-query';
import { call, CallError, networkError } from '#apps/shared/api.ts';
import { isSettled, keyOf } from '#apps/shared/query.ts';
import { withTimeout } from '#apps/shared/timeout.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import { keepOrderPages } from './offline-pages.ts';
import { keepsOrders } from '#apps/booking/shell/offline-switch.ts';
import { useDrawnPage } from '#apps/booking/shell/page/page-data.ts';
import { askAgainMs } from './stage.ts';
import type { OrderReply } from '#apps/booking/shell/replies.ts';
import { forgetIfGone, keepOrder, savedOrder, type SavedPage } from './saved-orders.ts';

/**
 * `saved` is null for an order from the server; otherwise when it was saved, and whether signal
 * is missing.
 */
export interface ShownOrder {
  order: OrderReply;
  saved: { at: number; offline: boolean } | null;
}

/** Saved tickets are shown if the server has not answered by then. */
const timeoutMs = 5_000;
const lookAgainMs = 15_000;
/** Order pages are stored only after this time, so that the page's own requests come first. */
const keepAfterMs = 1_500;

export function useOrder(
  order_id: string,
  { returned, since }: { returned: boolean; since: number },
) {
  const { order } = useDrawnPage().data;
  const drawn = order?.order_id === order_id ? order : undefined;
  const found = useQuery<ShownOrder, Error>({
    // The order in the page's HTML counts as stale: it is shown and refetched immediately.
    ...(drawn === undefined
      ? {}
      : { initialData: { order: drawn, saved: null }, initialDataUpdatedAt: 0 }),
    queryKey: [...keyOf(getOrder, { params: { orderId: order_id } }), 'or saved'],
    queryFn: ({ signal }) =>
      freshOrSaved<OrderReply>(order_id, signal, (until) =>
        call(getOrder, { params: { orderId: order_id } }, { signal: until }),
      ),
    // Runs the query even without signal, to find the saved order.
    networkMode: 'always',
    refetchInterval: ({ state: { data } }) =>
      askAgainWhileSaved(data) ||
      (data === undefined ? false : askAgainMs(data.order, returned, Date.now() - since)),
  });
  // Saves the order from the page's HTML, in case the connection breaks right afterwards.
  useEffect(() => {
    if (keepsOrders && drawn !== undefined) keepOrder(drawn);
  }, [drawn]);
  useKeptPages(found.data?.saved === null && found.data.order.state === 'confirmed');
  return found;
}

/** In how many ms to ask again while a saved order is shown; false: the server has answered. */
export function askAgainWhileSaved(shown: Pick<ShownOrder, 'saved'> | undefined): number | false {
  return shown?.saved ? lookAgainMs : false;
}

/** Stores the empty order pages for use without signal, once the server has answered. */
export function useKeptPages(isFresh: boolean): void {
  useEffect(() => {
    if (!isFresh) return undefined;
    const timer = setTimeout(() => {
      keepOrderPages().catch(() => {});
    }, keepAfterMs);
    return () => clearTimeout(timer);
  }, [isFresh]);
}

/** The server's answer, or what this browser saved under that key if there is none. */
export async function freshOrSaved<Page extends SavedPage>(
  key: string,
  signal: AbortSignal,
  ask: (signal: AbortSignal) => Promise<Page>,
): Promise<{ order: Page; saved: ShownOrder['saved'] }> {
  const saved = savedOrder<Page>(key);
  try {
    const order = await ask(saved === null ? signal : withTimeout(signal, timeoutMs));
    if (keepsOrders) keepOrder(order);
    return { order, saved: null };
  } catch (error) {
    forgetIfGone(key, error);
    if (saved === null || !(error instanceof CallError) || isSettled(error)) throw error;
    return { order: saved.order, saved: { at: saved.at, offline: error.code === networkError } };
  }
}
