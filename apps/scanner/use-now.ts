/** The time as React state, for ages on the screen: by the phone's own clock, or by the server's for what scans carry. */
import { useEffect, useState } from 'react';
import { now as serverNow } from './phone.ts';

const everyMs = 10_000;

export function useNow(): number {
  return useTime(Date.now);
}

/** As far as the phone knows it. */
export function useServerNow(): number {
  return useTime(serverNow);
}

function useTime(read: () => number): number {
  const [now, setNow] = useState(read);
  useEffect(() => {
    const timer = setInterval(() => setNow(read()), everyMs);
    return () => clearInterval(timer);
  }, [read]);
  return now;
}
