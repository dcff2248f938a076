/** An order as the server tells it, or as this browser saved it when the server does not answer. */
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
import { forgetOrder, keepOrder, savedOrder } from './saved-orders.ts';

/**
 * `saved` is null for news from the server; otherwise when it was kept, and whether the line or
 * the server failed.
 */
export interface ShownOrder {
  order: OrderReply;
  saved: { at: number; offline: boolean } | null;
}

/** With saved tickets to show instead, the page waits no longer. */
const timeoutMs = 5_000;
const lookAgainMs = 15_000;
/** The page itself comes first. */
const keepAfterMs = 1_500;

export function useOrder(
  order_id: string,
  { returned, since }: { returned: boolean; since: number },
) {
  const { order } = useDrawnPage().data;
  const drawn = order?.order_id === order_id ? order : undefined;
  const found = useQuery<ShownOrder, Error>({
    // The order that came with the page is as old as the page: it is shown, and asked for again
    // at once.
    ...(drawn === undefined
      ? {}
      : { initialData: { order: drawn, saved: null }, initialDataUpdatedAt: 0 }),
    queryKey: [...keyOf(getOrder, { params: { orderId: order_id } }), 'or saved'],
    queryFn: ({ signal }) => readOrder(order_id, signal),
    // Without signal the saved order is the answer.
    networkMode: 'always',
    refetchInterval: ({ state: { data } }) => {
      if (data === undefined) return false;
      if (data.saved !== null) return lookAgainMs;
      return askAgainMs(data.order, returned, Date.now() - since);
    },
  });
  // The page has brought the tickets even if the line breaks right afterwards.
  useEffect(() => {
    if (keepsOrders && drawn !== undefined) keepOrder(drawn);
  }, [drawn]);
  const isFresh = found.data?.saved === null && found.data.order.state === 'confirmed';
  useEffect(() => {
    if (!isFresh) return undefined;
    const timer = setTimeout(() => {
      keepOrderPages().catch(() => {});
    }, keepAfterMs);
    return () => clearTimeout(timer);
  }, [isFresh]);
  return found;
}

async function readOrder(order_id: string, signal: AbortSignal): Promise<ShownOrder> {
  const saved = savedOrder(order_id);
  try {
    const order = await call(
      getOrder,
      { params: { orderId: order_id } },
      { signal: saved === null ? signal : withTimeout(signal, timeoutMs) },
    );
    if (keepsOrders) keepOrder(order);
    return { order, saved: null };
  } catch (error) {
    if (error instanceof CallError && error.code === 'order_not_found') forgetOrder(order_id);
    if (saved === null || !(error instanceof CallError) || isSettled(error)) throw error;
    return { order: saved.order, saved: { at: saved.at, offline: error.code === networkError } };
  }
}
