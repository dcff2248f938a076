/** How long the selected seats are still held. */
import { useEffect, useState } from 'react';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { sayMinutes } from './say-minutes.ts';

/** From here on the clock is told aloud once and shown in amber. */
const soonMs = 120_000;

export function HoldClock({ deadline }: { deadline: number }) {
  const left = useTimeLeft(deadline);
  const soon = left <= soonMs;
  return (
    <>
      <span className={soon ? 'hold hold-soon' : 'hold'} role="timer"><Icon name="clock" size={18} /> I posti sono tuoi per {sayMinutes(left)}</span>
      <output className="visually-hidden">{soon ? 'Il tempo sta per scadere: mancano meno di due minuti.' : ''}</output>
    </>
  );
}

function useTimeLeft(deadline: number): number {
  const [left, setLeft] = useState(() => deadline - Date.now());
  useEffect(() => {
    const tick = () => setLeft(deadline - Date.now());
    tick();
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [deadline]);
  return left;
}
