/** The exchange in the till's address: what its old tickets are worth, and how it ends. */
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { quoteExchange } from '#server/contract/order/exchanges.ts';
import { readOrder } from '#server/contract/order/orders.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { givenIn } from './given.ts';
import type { Exchange } from './sums.ts';

export interface Exchanging {
  exchange: Exchange | null;
  /** The number of the old order of the exchange that was made last. */ madeFrom: string | null;
  onMade: () => void;
  onGiveUp: () => void;
  onRefused: () => void;
}

export function useExchange(): Exchanging {
  const [search, setSearch] = useSearchParams();
  const [madeFrom, setMadeFrom] = useState<string | null>(null);
  const given = givenIn(search);
  const params = { orderId: given?.orderId ?? '' };
  const enabled = given !== null;
  const order = useEndpoint(readOrder, { params }, { enabled, staleTime: 60_000 });
  const quote = useEndpoint(
    quoteExchange,
    { params, body: { ticket_ids: given?.ticketIds ?? [] } },
    { enabled, retry: false, refetchOnWindowFocus: false },
  );
  const number = order.data?.number ?? null;
  return {
    exchange: given && { given, number, quote: quote.data ?? null, failure: quote.error },
    madeFrom,
    onMade() {
      if (given === null) return;
      setMadeFrom(number);
      setSearch({}, { replace: true });
    },
    onGiveUp: () => setSearch({}, { replace: true }),
    onRefused: () => void (enabled && quote.refetch()),
  };
}
