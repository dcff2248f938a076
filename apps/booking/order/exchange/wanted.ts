/** The change of date that this tab is at; what it needs is fetched late, because few change. */
import { useEffect, useState } from 'react';
import { keptExchange } from './kept-exchange.ts';
import type { Deal } from './deal.tsx';

/** Null: the seats of this event replace no tickets. */
export function useDeal(eventId: string): Deal | null {
  const [deal, setDeal] = useState<Deal | null>(null);
  useEffect(() => {
    const text = keptExchange.read();
    if (text !== null)
      void import('./deal.tsx').then(({ startDeal }) => startDeal(text, eventId, setDeal));
  }, [eventId]);
  return deal;
}
