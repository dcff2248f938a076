/** The change of date that this tab is at; what it needs is fetched late, because few change. */
import { useEffect, useState } from 'react';
import { keptText } from '#apps/booking/shell/kept-text.ts';
import type { Deal } from './deal.tsx';

export const keptExchange = keptText('sessionStorage', 'botteghino.exchange.1');

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
