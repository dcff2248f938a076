/** The change of date that this tab is at; what it needs is fetched late, because few change. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { keptExchange } from './kept-exchange.ts';
import type { Deal } from './deal.tsx';

/**
 * `deal`: null where the seats of this event replace no tickets. `blocked`: until the late part
 * tells that, nothing is sold; the buyer would pay the full price beside tickets that stay good.
 */
interface Wanted {
  deal: Deal | null;
  blocked: 'coming' | 'missing' | null;
}

const free: Wanted = { deal: null, blocked: null };

export function useDeal(eventId: string): Wanted {
  const [wanted, setWanted] = useState<Wanted>({ deal: null, blocked: 'coming' });
  const text = useSyncExternalStore(never, keptExchange.read, () => null);
  useEffect(() => {
    if (text === null) return;
    import('./deal.tsx').then(
      ({ startDeal }) => startDeal(text, eventId, (deal) => setWanted({ deal, blocked: null })),
      () => setWanted({ deal: null, blocked: 'missing' }),
    );
  }, [text, eventId]);
  return text === null ? free : wanted;
}

/** It is read at each render; this tab alone writes it. */
function never() {
  return () => {};
}
