/** The time left until a deadline. */
import { useEffect, useState } from 'react';

/** 872,000 ms is "14:32". */
export function sayMinutes(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Milliseconds, updated every second. */
export function useTimeLeft(deadline: number): number {
  const [left, setLeft] = useState(() => deadline - Date.now());
  useEffect(() => {
    const tick = () => setLeft(deadline - Date.now());
    tick();
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [deadline]);
  return left;
}
