/** The camera as long as a screen shows it: off while the page is hidden or nobody comes, on again by itself after any trouble. */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { CameraError, startCamera, type Camera, type CameraTrouble, type Zoom } from './camera.ts';
import { listCameras, recallCamera, rememberCamera, type CameraChoice } from './cameras.ts';
import { makeViewFilter } from './view-filter.ts';

export interface CameraView {
  /** For the element that holds the picture; React must put nothing into it. */
  elementId: string;
  /** `resting`: switched off because nobody came; any touch, or `retry`, switches it on again. */
  state: 'starting' | 'running' | 'trouble' | 'paused' | 'resting';
  trouble: CameraTrouble | null;
  decoder: string;
  torch: ((on: boolean) => Promise<void>) | null;
  /** Null where the lens cannot move. Beyond its ends `set` goes to the end; a camera that refuses stays where it is. */
  zoom: (Zoom & { set: (value: number) => void }) | null;
  /** Empty until the first start: before that a browser names none. */
  cameras: CameraChoice[];
  /** The one that looks now; null: not running, or the browser does not say. */
  cameraId: string | null;
  /** Kept on this phone. */
  chooseCamera: (id: string) => void;
  retry: () => void;
}

const elementId = 'camera-picture';
/** Who took the camera gives it back without telling us. */
const retryMs = 3_000;
/** Nobody came for so long: a warm phone with an empty battery reads nothing. */
const restAfterMs = 120_000;

/** Starting and stopping wait for each other: the browser hands out the camera once. */
let turn: Promise<unknown> = Promise.resolve();

/** `onCode` gets each code once, also while it stays in view; in another `question` (in or out) the same code is new again. */
export function useCamera(onCode: (text: string) => void, question = ''): CameraView {
  const [tries, setTries] = useState(0);
  const [isVisible, setVisible] = useState(document.visibilityState === 'visible');
  const [isResting, setResting] = useState(false);
  const [chosenId, setChosenId] = useState(recallCamera);
  const [running, setRunning] = useState<Camera | null>(null);
  const [zoomValue, setZoomValue] = useState(0);
  const [cameras, setCameras] = useState<CameraChoice[]>([]);
  const [trouble, setTrouble] = useState<CameraTrouble | null>(null);
  const [decoder, setDecoder] = useState('');
  const lastUse = useRef(0);
  const isNew = useRef(makeViewFilter());
  const handler = useRef({ onCode, question });
  useLayoutEffect(() => {
    handler.current = { onCode, question };
  });

  useEffect(() => {
    const look = () => setVisible(document.visibilityState === 'visible');
    const wake = () => {
      lastUse.current = performance.now();
      setResting(false);
    };
    document.addEventListener('visibilitychange', look);
    document.addEventListener('pointerdown', wake);
    return () => {
      document.removeEventListener('visibilitychange', look);
      document.removeEventListener('pointerdown', wake);
    };
  }, []);

  useEffect(() => (isVisible ? keepAwake() : undefined), [isVisible]);

  const isWanted = isVisible && !isResting;
  useEffect(() => {
    if (!isWanted) return undefined;
    let wanted = true;
    lastUse.current = performance.now();
    const idle = setInterval(() => {
      if (performance.now() - lastUse.current > restAfterMs) setResting(true);
    }, 1_000);
    const camera = turn.then(async () => {
      if (!wanted) return null;
      const started = await startCamera(elementId, {
        onText: (text, name) => {
          lastUse.current = performance.now();
          setDecoder(name);
          if (wanted && isNew.current(`${handler.current.question} ${text}`, performance.now())) handler.current.onCode(text);
        },
        onLost: () => {
          if (!wanted) return;
          setRunning(null);
          setTrouble('busy');
        },
      }, chosenId);
      if (!wanted) return started;
      setZoomValue(started.zoom?.value ?? 0);
      setRunning(started);
      const found = await listCameras();
      if (wanted) setCameras(found);
      return started;
    }).catch((error: unknown) => {
      if (wanted) setTrouble(error instanceof CameraError ? error.trouble : 'broken');
      return null;
    });
    turn = camera;
    return () => {
      wanted = false;
      clearInterval(idle);
      setRunning(null);
      setTrouble(null);
      turn = camera.then((started) => started?.stop().catch(() => {}));
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a retry is a new start
  }, [isWanted, chosenId, tries]);

  const retry = useCallback(() => {
    setResting(false);
    setTries((n) => n + 1);
  }, []);
  useEffect(() => (trouble === null ? undefined : listenForRelief(trouble, retry)), [trouble, retry]);

  const chooseCamera = useCallback((id: string) => {
    rememberCamera(id);
    setChosenId(id);
  }, []);
  const setZoom = useCallback((value: number) => {
    setZoomValue(value);
    running?.setZoom(value).catch(() => {});
  }, [running]);

  const state = trouble ? 'trouble' : running ? 'running' : isResting ? 'resting' : isVisible ? 'starting' : 'paused';
  return {
    elementId, state, trouble, decoder, torch: running?.torch ?? null,
    zoom: running?.zoom ? { ...running.zoom, value: zoomValue, set: setZoom } : null,
    cameras, cameraId: running?.cameraId ?? null, chooseCamera, retry,
  };
}

/** Calls back when it is worth trying again without anybody's finger. Until the returned function is called. */
function listenForRelief(trouble: CameraTrouble, retry: () => void): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  if (trouble === 'busy' || trouble === 'broken') {
    const timer = setTimeout(retry, retryMs);
    signal.addEventListener('abort', () => clearTimeout(timer));
  }
  if (trouble === 'none') navigator.mediaDevices?.addEventListener('devicechange', retry, { signal });
  if (trouble === 'denied') void listenToPermission(retry, signal);
  return () => listening.abort();
}

/** Firefox does not know the question for the camera: there the button remains. */
async function listenToPermission(retry: () => void, signal: AbortSignal): Promise<void> {
  try {
    const permission = await navigator.permissions.query({ name: 'camera' });
    if (!signal.aborted) permission.addEventListener('change', () => permission.state === 'granted' && retry(), { signal });
  } catch {
    // Nothing to listen to.
  }
}

/** The browser takes the lock back by itself when the page is hidden. Until the returned function is called. */
function keepAwake(): () => void {
  const asked = navigator.wakeLock?.request('screen').catch(() => null) ?? Promise.resolve(null);
  return () => void asked.then((lock) => lock?.release().catch(() => {}));
}
