/** Keeps the screen lit with a wake lock, so that a phone need not be unlocked for each guest. */
import { useEffect, useState } from 'react';

/** A system that takes the lock away, to save its battery, may grant it again later. */
const askAgainMs = 5_000;

/** Lit while a screen that uses this is in front. False: the phone refuses; null: not known yet. */
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
      // Older phones have none.
      const given =
        (await (navigator.wakeLock as WakeLock | undefined)?.request('screen').catch(() => null)) ??
        null;
      isAsking = false;
      if (!wanted) return void given?.release().catch(() => {});
      lock = given;
      // Hidden in the meantime, it was no refusal.
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
