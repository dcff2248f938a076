/** Keeps the screen on with a wake lock, so that a phone is not unlocked for each guest. */
import { useEffect, useState } from 'react';

/** A system that has ended the lock to save its battery may grant it again later. */
const askAgainMs = 5_000;

/**
 * Keeps the screen on while the component is mounted. False: the phone refuses; null: unknown
 * yet.
 */
export function useAwake(): boolean | null {
  const [isLit, setLit] = useState<boolean | null>(null);
  useEffect(() => {
    let wanted = true;
    let isAsking = false;
    let lock: WakeLockSentinel | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      clearTimeout(timer);
      if (!wanted || isAsking || lock || document.visibilityState !== 'visible') return;
      isAsking = true;
      // Older phones have no wake lock.
      const given =
        (await (navigator.wakeLock as WakeLock | undefined)?.request('screen').catch(() => null)) ??
        null;
      isAsking = false;
      if (!wanted) return void given?.release().catch(() => {});
      lock = given;
      // On a hidden page the request fails without a refusal by the phone.
      if (given || document.visibilityState === 'visible') setLit(given !== null);
      given?.addEventListener(
        'release',
        () => {
          lock = null;
          if (wanted) timer = setTimeout(ask, askAgainMs);
        },
        { once: true },
      );
    };
    document.addEventListener('visibilitychange', ask);
    void ask();
    return () => {
      wanted = false;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', ask);
      void lock?.release().catch(() => {});
    };
  }, []);
  return isLit;
}
