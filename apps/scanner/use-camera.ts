/** The camera as long as a screen shows it: off while the page is hidden, screen kept awake meanwhile. */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { CameraError, makeViewFilter, startCamera, type Camera, type CameraTrouble } from './camera.ts';

export interface CameraView {
  /** For the element that holds the picture; React must put nothing into it. */
  elementId: string;
  state: 'starting' | 'running' | 'trouble' | 'paused';
  trouble: CameraTrouble | null;
  decoder: string;
  torch: ((on: boolean) => Promise<void>) | null;
  retry: () => void;
}

const elementId = 'camera-picture';
const busyRetryMs = 3_000;

/** Starting and stopping wait for each other: the browser hands out the camera once. */
let turn: Promise<unknown> = Promise.resolve();

/** `onCode` gets each code once, also while it stays in view; in another `question` (in or out) the same code is new again. */
export function useCamera(onCode: (text: string) => void, question = ''): CameraView {
  const [tries, setTries] = useState(0);
  const [isVisible, setVisible] = useState(document.visibilityState === 'visible');
  const [running, setRunning] = useState<Camera | null>(null);
  const [trouble, setTrouble] = useState<CameraTrouble | null>(null);
  const [decoder, setDecoder] = useState('');
  const handler = useRef({ onCode, question });
  useLayoutEffect(() => {
    handler.current = { onCode, question };
  });

  useEffect(() => {
    const look = () => setVisible(document.visibilityState === 'visible');
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);

  useEffect(() => {
    if (!isVisible) return undefined;
    let wanted = true;
    const isNew = makeViewFilter();
    const camera = turn.then(async () => {
      if (!wanted) return null;
      const started = await startCamera(elementId, {
        onText: (text, name) => {
          setDecoder(name);
          if (wanted && isNew(`${handler.current.question} ${text}`, performance.now())) handler.current.onCode(text);
        },
        onLost: () => {
          if (!wanted) return;
          setRunning(null);
          setTrouble('busy');
        },
      });
      if (wanted) setRunning(started);
      return started;
    }).catch((error: unknown) => {
      if (wanted) setTrouble(error instanceof CameraError ? error.trouble : 'broken');
      return null;
    });
    turn = camera;
    const sleepless = keepAwake();
    return () => {
      wanted = false;
      setRunning(null);
      setTrouble(null);
      void sleepless.then((lock) => lock?.release().catch(() => {}));
      turn = camera.then((started) => started?.stop().catch(() => {}));
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a retry is a new start
  }, [isVisible, tries]);

  const retry = useCallback(() => setTries((n) => n + 1), []);
  // Who took the camera gives it back without telling us.
  useEffect(() => {
    if (trouble !== 'busy') return undefined;
    const timer = setTimeout(retry, busyRetryMs);
    return () => clearTimeout(timer);
  }, [trouble, retry]);
  const state = trouble ? 'trouble' : running ? 'running' : isVisible ? 'starting' : 'paused';
  return { elementId, state, trouble, decoder, torch: running?.torch ?? null, retry };
}

/** The browser takes the lock back by itself when the page is hidden. */
async function keepAwake(): Promise<WakeLockSentinel | null> {
  return await navigator.wakeLock?.request('screen').catch(() => null) ?? null;
}
