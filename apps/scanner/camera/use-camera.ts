/**
 * Runs the camera while a screen shows it: off while the page is hidden or unused, and restarted
 * after any trouble.
 */
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import type { ForeignCode } from '#server/domain/door/foreign-text.ts';
import { useAwake } from '#apps/shared/awake.ts';
import { CameraError, startCamera, type Camera, type CameraTrouble, type Zoom } from './camera.ts';
import { listCameras, recallCamera, rememberCamera, type CameraChoice } from './cameras.ts';
import { isDecoderDead, watchDecoder } from './decode.ts';
import type { FilmReading } from './decode-frame.ts';
import { makeForeignFilter } from './foreign-filter.ts';
import { makeViewFilter } from './view-filter.ts';

export interface CameraView {
  /** The ref of the element that holds the picture; React must render nothing into it. */
  elementId: string;
  /**
   * `resting`: switched off because the page was unused; any touch, or `retry`, switches it on
   * again. `blind`: the picture runs but no engine reads it.
   */
  state: 'starting' | 'running' | 'blind' | 'trouble' | 'paused' | 'resting';
  trouble: CameraTrouble | null;
  decoder: string;
  torch: ((on: boolean) => Promise<void>) | null;
  /**
   * Null where the lens cannot move. `set` stops at the ends of the range; a camera that refuses
   * keeps its zoom.
   */
  zoom: (Omit<Zoom, 'set'> & { set: (value: number) => void }) | null;
  /** Empty until the first start, because a browser does not name cameras before it. */
  cameras: CameraChoice[];
  /** The id of the camera in use; null when it does not run or the browser does not tell it. */
  cameraId: string | null;
  /** Stored on this phone. */
  chooseCamera: (id: string) => void;
  retry: () => void;
  /** Makes the code count as new when it is next seen, even if it was in view all the time. */
  forgetCode: (text: string) => void;
}

const elementId = 'camera-picture';
/** How often a new start is tried, because no event tells that another app is finished. */
const retryMs = 3_000;
/** After this long without a code or a touch the camera rests to save the battery. */
const restAfterMs = 120_000;

/**
 * `onCode` is called once for each code in view, and again if it resolved to false because the
 * code was not taken. In another `mode` (in or out) the same code is new again. `onForeign` is
 * called for a code of another ticket system, and again if it returned false.
 */
export function useCamera(
  onCode: (text: string) => void | Promise<boolean>,
  mode = '',
  onForeign: (kind: ForeignCode) => boolean = () => true,
): CameraView {
  const [chosenId, setChosenId] = useState(recallCamera);
  const [decoder, setDecoder] = useState('');
  const [view] = useState(makeViewFilter);
  const [foreign] = useState(makeForeignFilter);
  const isBlind = useSyncExternalStore(watchDecoder, isDecoderDead);
  const { running, trouble, cameras, startOver, ...attention } = useRunning(chosenId, {
    onStart: view.forgetAll,
    onLook: (reading) => {
      const now = performance.now();
      view.look(reading.texts, now);
      const other = foreign.look(reading, now);
      if (other !== null && !onForeign(other.kind)) foreign.forget();
    },
    onText: async (text, decoderName) => {
      setDecoder(decoderName);
      if (!view.isNew(text, mode)) return;
      if ((await onCode(text)) === false) view.forget(text, mode);
    },
  });
  const zoom = useZoom(running);
  useAwake();

  return {
    elementId,
    state: stateOf({ trouble, running, isBlind, ...attention }),
    trouble,
    decoder,
    torch: running?.torch ?? null,
    zoom,
    cameras,
    cameraId: running?.cameraId ?? null,
    chooseCamera: (id) => {
      rememberCamera(id);
      setChosenId(id);
      // A camera that was lost may run again under the same id.
      startOver();
    },
    retry: () => {
      attention.wake();
      startOver();
    },
    forgetCode: (text) => view.forget(text, mode),
  };
}

/** Runs the camera while it is wanted, and reports why it does not run. */
function useRunning(chosenId: string | null, listener: Listener) {
  const [tries, setTries] = useState(0);
  /**
   * Each failed start makes a new object, so that the effect sets a new wait after each. The
   * message stays on the screen until the picture is back, so that a screen reader does not repeat
   * it every few seconds.
   */
  const [trouble, setTrouble] = useState<{ what: CameraTrouble } | null>(null);
  const tryAgain = () => setTries((n) => n + 1);
  const attention = useAttention((isSeen) => {
    setTrouble(null);
    // React may not notice that a page was hidden and shown again, so the camera is restarted
    // here.
    if (isSeen) tryAgain();
  });
  const picture = usePicture({ isWanted: attention.isWanted, chosenId, tries }, listener, (what) =>
    setTrouble(what === null ? null : { what }),
  );
  useEffect(
    () =>
      trouble === null ? undefined : listenForRelief(trouble.what, () => setTries((n) => n + 1)),
    [trouble],
  );

  const startOver = () => {
    setTrouble(null);
    tryAgain();
  };
  return { ...attention, ...picture, trouble: trouble?.what ?? null, startOver };
}

interface Listener extends Pick<RunListener, 'onLook' | 'onText'> {
  onStart: () => void;
}

/** One run of the camera for each set of wishes; `onTrouble` gets null when a picture is there. */
function usePicture(
  { isWanted, chosenId, tries }: { isWanted: boolean; chosenId: string | null; tries: number },
  { onStart, onLook, onText }: Listener,
  onTrouble: (what: CameraTrouble | null) => void,
) {
  const [running, setRunning] = useState<Camera | null>(null);
  const [cameras, setCameras] = useState<CameraChoice[]>([]);
  const see = useEffectEvent(async (text: string, decoderName: string) => {
    noteUse();
    await onText(text, decoderName);
  });
  const look = useEffectEvent(onLook);
  const begin = useEffectEvent(onStart);
  const tell = useEffectEvent(onTrouble);
  useEffect(() => {
    if (!isWanted) return undefined;
    noteUse();
    begin();
    const stop = runCamera(chosenId, {
      onLook: (reading) => look(reading),
      onText: (text, name) => see(text, name),
      onPicture: (camera) => {
        tell(null);
        setRunning(camera);
      },
      onCameras: setCameras,
      onTrouble: (what) => {
        setRunning(null);
        tell(what);
      },
    });
    return () => {
      setRunning(null);
      stop();
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a retry is a new start
  }, [isWanted, chosenId, tries]);
  return { running, cameras };
}

/** The lens keeps its starting zoom until it is moved. */
function useZoom(camera: Camera | null): CameraView['zoom'] {
  const [moved, setMoved] = useState<{ camera: Camera; value: number } | null>(null);
  const zoom = camera?.zoom;
  if (!zoom) return null;
  return {
    ...zoom,
    value: moved?.camera === camera ? moved.value : zoom.value,
    set: (value) => {
      setMoved({ camera, value });
      zoom.set(value).catch(() => {});
    },
  };
}

/** When the last code or touch came. */
let lastUse = 0;

function noteUse(): void {
  lastUse = performance.now();
}

/**
 * Whether the page is visible and was used lately; otherwise the camera may rest. `onChange` is
 * called when the page is shown or hidden, and with false when the camera starts to rest.
 */
function useAttention(onChange: (isSeen: boolean) => void) {
  const [isVisible, setVisible] = useState(document.visibilityState === 'visible');
  const [isResting, setResting] = useState(false);
  const change = useEffectEvent(onChange);
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const look = () => {
      const isSeen = document.visibilityState === 'visible';
      setVisible(isSeen);
      change(isSeen);
    };
    const wake = () => {
      noteUse();
      setResting(false);
    };
    document.addEventListener('visibilitychange', look, { signal });
    document.addEventListener('pointerdown', wake, { signal });
    return () => listening.abort();
  }, []);
  const isWanted = isVisible && !isResting;
  useEffect(() => {
    if (!isWanted) return undefined;
    const idle = setInterval(() => {
      if (performance.now() - lastUse <= restAfterMs) return;
      setResting(true);
      change(false);
    }, 1_000);
    return () => clearInterval(idle);
  }, [isWanted]);
  return { isVisible, isResting, isWanted, wake: () => setResting(false) };
}

interface RunListener {
  /** As in startCamera() (camera.ts). */
  onLook: (reading: FilmReading) => void;
  onText: (text: string, decoderName: string) => Promise<void>;
  onPicture: (camera: Camera) => void;
  onCameras: (cameras: CameraChoice[]) => void;
  onTrouble: (what: CameraTrouble) => void;
}

/** Starts and stops run one after the other, because the browser gives the camera only once. */
let turn: Promise<unknown> = Promise.resolve();

/** Runs the camera until the returned function is called; after that no listener is called. */
function runCamera(chosenId: string | null, listener: RunListener): () => void {
  const wanted = new AbortController();
  const unwanted = wanted.signal;
  const start = async () => {
    if (unwanted.aborted) return null;
    const started = await startCamera(
      elementId,
      {
        onLook: (reading) => {
          if (!unwanted.aborted) listener.onLook(reading);
        },
        onText: async (text, name) => {
          if (!unwanted.aborted) await listener.onText(text, name);
        },
        onLost: () => {
          if (!unwanted.aborted) listener.onTrouble('busy');
        },
        unwanted,
      },
      chosenId,
    );
    if (unwanted.aborted) return started;
    listener.onPicture(started);
    const found = await listCameras();
    if (!unwanted.aborted) listener.onCameras(found);
    return started;
  };
  const camera = turn.then(start).catch((error: unknown) => {
    if (!unwanted.aborted)
      listener.onTrouble(error instanceof CameraError ? error.trouble : 'broken');
    return null;
  });
  turn = camera;
  return () => {
    wanted.abort();
    turn = camera.then((started) => started?.stop().catch(() => {}));
  };
}

interface Conditions {
  trouble: CameraTrouble | null;
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

/** Calls `retry` when a start may succeed without a tap; the returned function ends it. */
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

/** Firefox cannot report the camera's permission; there the person uses the button. */
async function listenToPermission(retry: () => void, signal: AbortSignal): Promise<void> {
  try {
    const permission = await navigator.permissions.query({ name: 'camera' });
    if (!signal.aborted)
      permission.addEventListener('change', () => permission.state === 'granted' && retry(), {
        signal,
      });
  } catch {
    // This browser reports no such change.
  }
}
