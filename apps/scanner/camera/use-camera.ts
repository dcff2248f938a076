/** Runs the camera while a screen shows it: off while the page is hidden or nobody comes, on again by itself after any trouble. */
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { useAwake } from '#apps/scanner/device/awake.ts';
import { CameraError, startCamera, type Camera, type CameraTrouble, type Zoom } from './camera.ts';
import { listCameras, recallCamera, rememberCamera, type CameraChoice } from './cameras.ts';
import { isDecoderDead, watchDecoder } from './decode.ts';
import { makeViewFilter } from './view-filter.ts';

export interface CameraView {
  /** For the element that holds the picture; React must put nothing into it. */
  elementId: string;
  /** `resting`: switched off because nobody came; any touch, or `retry`, switches it on again. `blind`: the picture runs and nothing reads it. */
  state: 'starting' | 'running' | 'blind' | 'trouble' | 'paused' | 'resting';
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
  /** The code counts as new at its next sighting, even if it has been in view all the time. */
  forgetCode: (text: string) => void;
}

const elementId = 'camera-picture';
/** Another app that took the camera gives it back without any event. */
const retryMs = 3_000;
/** After so long without a code or a touch the camera rests, to save the battery. */
const restAfterMs = 120_000;

/** Starting and stopping wait for each other: the browser hands out the camera once. */
let turn: Promise<unknown> = Promise.resolve();

/** `onCode` gets each code once while it stays in view, and again if it resolves to false: it was not taken. In another `mode` (in or out) the same code is new again. */
export function useCamera(
  onCode: (text: string) => void | Promise<boolean>,
  mode = '',
): CameraView {
  const [tries, setTries] = useState(0);
  const [isVisible, setVisible] = useState(document.visibilityState === 'visible');
  const [isResting, setResting] = useState(false);
  const [chosenId, setChosenId] = useState(recallCamera);
  const [running, setRunning] = useState<Camera | null>(null);
  const [zoomValue, setZoomValue] = useState(0);
  const [cameras, setCameras] = useState<CameraChoice[]>([]);
  /** A new object for each start that failed: each is followed by its own wait. */
  const [trouble, setTrouble] = useState<{ what: CameraTrouble } | null>(null);
  const [decoder, setDecoder] = useState('');
  const lastUse = useRef(0);
  const [view] = useState(makeViewFilter);
  const isBlind = useSyncExternalStore(watchDecoder, isDecoderDead);
  const handler = useRef({ onCode, mode });
  useLayoutEffect(() => {
    handler.current = { onCode, mode };
  });

  useEffect(() => {
    const look = () => {
      const isSeen = document.visibilityState === 'visible';
      setVisible(isSeen);
      setTrouble(null);
      // Hidden and back before anything was drawn is no change, but what was wrong is forgotten: it is tried again.
      if (isSeen) setTries((n) => n + 1);
    };
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

  useAwake();

  const isWanted = isVisible && !isResting;
  useEffect(() => {
    if (!isWanted) return undefined;
    let wanted = true;
    const unwanted = new AbortController();
    lastUse.current = performance.now();
    const idle = setInterval(() => {
      if (performance.now() - lastUse.current <= restAfterMs) return;
      setResting(true);
      setTrouble(null);
    }, 1_000);
    const camera = turn
      .then(async () => {
        if (!wanted) return null;
        const started = await startCamera(
          elementId,
          {
            onText: async (text, name) => {
              lastUse.current = performance.now();
              setDecoder(name);
              const sighting = `${handler.current.mode} ${text}`;
              if (!wanted || !view.isNew(sighting, performance.now())) return;
              const isTaken = await handler.current.onCode(text);
              if (isTaken === false) view.forget(sighting);
            },
            onLost: () => {
              if (!wanted) return;
              setRunning(null);
              setTrouble({ what: 'busy' });
            },
            unwanted: unwanted.signal,
          },
          chosenId,
        );
        if (!wanted) return started;
        setTrouble(null);
        setZoomValue(started.zoom?.value ?? 0);
        setRunning(started);
        const found = await listCameras();
        if (wanted) setCameras(found);
        return started;
      })
      .catch((error: unknown) => {
        if (wanted) setTrouble({ what: error instanceof CameraError ? error.trouble : 'broken' });
        return null;
      });
    turn = camera;
    return () => {
      wanted = false;
      unwanted.abort();
      clearInterval(idle);
      setRunning(null);
      turn = camera.then((started) => started?.stop().catch(() => {}));
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a retry is a new start
  }, [isWanted, chosenId, tries, view]);

  /** By itself: the message stays on the screen until the picture is back, so that a screen reader does not repeat it every few seconds. */
  const tryAgain = useCallback(() => setTries((n) => n + 1), []);
  const retry = useCallback(() => {
    setResting(false);
    setTrouble(null);
    tryAgain();
  }, [tryAgain]);
  useEffect(
    () => (trouble === null ? undefined : listenForRelief(trouble.what, tryAgain)),
    [trouble, tryAgain],
  );

  const chooseCamera = useCallback((id: string) => {
    rememberCamera(id);
    setTrouble(null);
    setChosenId(id);
    // Perhaps the same one again, after it was lost.
    setTries((n) => n + 1);
  }, []);
  const forgetCode = useCallback((text: string) => view.forget(`${mode} ${text}`), [view, mode]);
  const setZoom = useCallback(
    (value: number) => {
      setZoomValue(value);
      running?.setZoom(value).catch(() => {});
    },
    [running],
  );

  const state = stateOf({ trouble, running, isBlind, isResting, isVisible });
  return {
    elementId,
    state,
    trouble: trouble?.what ?? null,
    decoder,
    torch: running?.torch ?? null,
    zoom: running?.zoom ? { ...running.zoom, value: zoomValue, set: setZoom } : null,
    cameras,
    cameraId: running?.cameraId ?? null,
    chooseCamera,
    retry,
    forgetCode,
  };
}

interface Conditions {
  trouble: object | null;
  running: object | null;
  isBlind: boolean;
  isResting: boolean;
  isVisible: boolean;
}

function stateOf({
  trouble,
  running,
  isBlind,
  isResting,
  isVisible,
}: Conditions): CameraView['state'] {
  if (trouble) return 'trouble';
  if (running) return isBlind ? 'blind' : 'running';
  if (isResting) return 'resting';
  return isVisible ? 'starting' : 'paused';
}

/** Calls back when it is worth trying again without anybody's finger. Until the returned function is called. */
function listenForRelief(trouble: CameraTrouble, retry: () => void): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  if (trouble === 'busy' || trouble === 'broken') {
    const timer = setTimeout(retry, retryMs);
    signal.addEventListener('abort', () => clearTimeout(timer));
  }
  if (trouble === 'none')
    navigator.mediaDevices?.addEventListener('devicechange', retry, { signal });
  if (trouble === 'denied') void listenToPermission(retry, signal);
  return () => listening.abort();
}

/** Firefox cannot be asked about the camera: there the button remains. */
async function listenToPermission(retry: () => void, signal: AbortSignal): Promise<void> {
  try {
    const permission = await navigator.permissions.query({ name: 'camera' });
    if (!signal.aborted)
      permission.addEventListener('change', () => permission.state === 'granted' && retry(), {
        signal,
      });
  } catch {
    // Nothing to listen to.
  }
}
