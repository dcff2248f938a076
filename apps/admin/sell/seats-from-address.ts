/** Chooses the seats that another screen passes to the till in the address, once. */
import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { TillChart } from './use-till-chart.ts';

/** `say` gets a sentence about seats that are no longer free. */
export function useSeatsFromAddress(map: TillChart, say: (text: string | null) => void): void {
  const [params, setParams] = useSearchParams();
  const begun = useRef(false);
  useEffect(() => {
    const objects = params.getAll('posti');
    if (!map.ready || begun.current || objects.length === 0) return;
    begun.current = true;
    setParams({}, { replace: true });
    void map.choose(objects).then((taken) => {
      say(taken.length === 0 ? null : `Non è libero: ${taken.join(', ')}.`);
    });
  });
}
