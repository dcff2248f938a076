/** The time as React state, for ages on the screen. */
import { useEffect, useState } from 'react';

const everyMs = 10_000;

export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}
