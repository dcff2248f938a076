/**
 * Opens the camera: html5-qrcode asks for permission and holds the stream; our decoder reads its
 * frames.
 */
import type { Html5Qrcode } from 'html5-qrcode';
import { withTimeout } from '#apps/shared/timeout.ts';
import type { FilmReading } from './decode-frame.ts';
import { warmUpDecoder } from './decode.ts';
import { beginHunt, framesPerSecond, holdLooks, watchLooks } from './frame-decoder.ts';

/** The reason why there is no picture. */
export type CameraTrouble = 'denied' | 'none' | 'busy' | 'insecure' | 'broken';

export interface Zoom {
  min: number;
  max: number;
  step: number;
  value: number;
  /** Values outside `min` and `max` are clamped. Rejects when the camera refuses. */
  set: (value: number) => Promise<void>;
}

export interface Camera {
  stop(): Promise<void>;
  /** Null where the camera has no lamp. */
  torch: ((on: boolean) => Promise<void>) | null;
  /** Null where the camera has no lens to move. */
  zoom: Zoom | null;
  /** The id of the device that delivers the picture; null when the browser does not tell it. */
  cameraId: string | null;
}

/** Thrown by startCamera. */
export class CameraError extends Error {
  readonly trouble: CameraTrouble;

  constructor(trouble: CameraTrouble) {
    super(trouble);
    this.name = 'CameraError';
    this.trouble = trouble;
  }
}

/**
 * A camera that was permitted and shows nothing for this long has failed: the phone does not play
 * video by itself, or the driver hangs.
 */
const firstPictureMs = 10_000;
/**
 * A picture that freezes for this long does not recover; a turned phone or an incoming call
 * freezes it for less.
 */
const longestMuteMs = 3_000;

interface CameraListener {
  /**
   * Called for every frame with a code; `decoderName` is the engine that read it. The next frame
   * waits for the returned promise, but only for a limited time.
   */
  onText: (text: string, decoderName: string) => Promise<void>;
  /** Called for every frame that was read, with all codes in it; before `onText`. */
  onLook: (reading: FilmReading) => void;
  /** Called when the system has taken the camera away and no more pictures come. */
  onLost: () => void;
  /**
   * Aborted when the picture is no longer needed: a camera that is still being opened is closed
   * again, and startCamera throws.
   */
  unwanted: AbortSignal;
}

/** Enough pixels for a small code, few enough for the worker to decode in time. */
const pictureSize = { width: { ideal: 1280 }, height: { ideal: 720 } };

/**
 * Shows the picture in the element with this id; resolves at the first picture. `cameraId` is the
 * chosen camera; the back camera is used when it is null or no longer exists.
 * @throws CameraError
 */
export async function startCamera(
  elementId: string,
  listener: CameraListener,
  cameraId: string | null = null,
): Promise<Camera> {
  if (!navigator.mediaDevices?.getUserMedia)
    throw new CameraError(isSecureContext ? 'none' : 'insecure');
  warmUpDecoder();
  try {
    return await openCamera(
      elementId,
      listener,
      cameraId === null ? { facingMode: 'environment' } : { deviceId: { exact: cameraId } },
    );
  } catch (error) {
    const trouble = troubleOf(error);
    // Ids change when a browser forgets its permissions, so a choice that fits no device is
    // ignored.
    if (cameraId !== null && (trouble === 'none' || trouble === 'broken'))
      return startCamera(elementId, listener);
    throw new CameraError(trouble);
  }
}

async function openCamera(
  elementId: string,
  { onText, onLook, onLost, unwanted }: CameraListener,
  which: MediaTrackConstraints,
): Promise<Camera> {
  const { Html5Qrcode, Html5QrcodeScannerState, Html5QrcodeSupportedFormats } =
    await import('html5-qrcode');
  unwanted.throwIfAborted();
  const reader: Html5Qrcode = new Html5Qrcode(elementId, {
    verbose: false,
    formatsToSupport: [Html5QrcodeSupportedFormats.QR_CODE],
    useBarCodeDetectorIfSupported: false,
  });
  // The element may be removed from the page while the phone still asks for permission; the
  // library's video stays inside that element.
  const holder = document.getElementById(elementId);
  const unwatchLooks = watchLooks(onLook);
  await reader.start(
    which,
    { fps: framesPerSecond, disableFlip: true, videoConstraints: { ...which, ...pictureSize } },
    (text, { result }) => holdLooks(onText(text, result.debugData?.decoderName ?? '')),
    () => {},
  );
  const video = holder?.querySelector('video') ?? null;
  const tracks = video?.srcObject instanceof MediaStream ? video.srcObject.getVideoTracks() : [];
  const giveBack = async () => {
    unwatchLooks();
    // The library holds the camera from here on, but until the first picture it reports that it
    // is not scanning, and its stop() throws.
    if (tracks.length > 0 && reader.getState() !== Html5QrcodeScannerState.NOT_STARTED)
      await reader.stop().catch(() => {});
    for (const track of tracks) track.stop();
  };
  try {
    unwanted.throwIfAborted();
    if (video && !reader.isScanning) await waitForPicture(video, unwanted);
  } catch (error) {
    await giveBack();
    throw error;
  }
  beginHunt();
  const [track] = tracks;
  const unwatch = track ? watchTrack(track, onLost) : () => {};
  const adjust = makeAdjuster(track);
  const lens = track ? lensOf(track, adjust) : null;
  if (lens?.canFocus) void adjust({ focusMode: 'continuous' }).catch(() => {});
  return {
    stop: async () => {
      unwatch();
      await giveBack();
    },
    torch: lens?.hasTorch ? (on) => adjust({ torch: on }) : null,
    zoom: lens?.zoom ?? null,
    cameraId: track?.getSettings().deviceId ?? null,
  };
}

/** Rejects when the picture is no longer needed, or when no picture comes. */
async function waitForPicture(video: HTMLVideoElement, unwanted: AbortSignal): Promise<void> {
  const timeout = withTimeout(unwanted, firstPictureMs);
  await new Promise<void>((resolve, reject) => {
    const fail = () => reject(unwanted.aborted ? unwanted.reason : new CameraError('broken'));
    video.addEventListener('playing', () => resolve(), { once: true, signal: timeout });
    if (timeout.aborted) fail();
    else timeout.addEventListener('abort', fail, { once: true });
  });
}

/** Watches until the returned function is called. */
function watchTrack(track: MediaStreamTrack, onLost: () => void): () => void {
  const watch = new AbortController();
  const { signal } = watch;
  let mute: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    watch.abort();
    clearTimeout(mute);
  };
  const lose = () => {
    stop();
    onLost();
  };
  track.addEventListener('ended', lose, { signal });
  track.addEventListener(
    'mute',
    () => {
      clearTimeout(mute);
      mute = setTimeout(lose, longestMuteMs);
    },
    { signal },
  );
  track.addEventListener('unmute', () => clearTimeout(mute), { signal });
  return stop;
}

/**
 * New constraints replace the earlier ones, so lamp and zoom are always sent together; wishes
 * that come during a running call are merged into the next call.
 */
function makeAdjuster(track: MediaStreamTrack | undefined): (wish: LensWishes) => Promise<void> {
  let granted: LensWishes = {};
  let wished: LensWishes = {};
  let current = Promise.resolve();
  let next: Promise<void> | null = null;
  const apply = async () => {
    const asked = { ...granted, ...wished };
    wished = {};
    next = null;
    await track?.applyConstraints({ advanced: [asked as MediaTrackConstraintSet] });
    // A refused wish does not come here, so it is not sent again with the next one.
    granted = asked;
  };
  return (wish) => {
    wished = { ...wished, ...wish };
    next ??= current = current.catch(() => {}).then(apply);
    return next;
  };
}

/** The DOM's types lack these properties of a lens. */
interface LensWishes {
  torch?: boolean;
  zoom?: number;
  focusMode?: string;
}
interface LensCapabilities {
  torch?: boolean;
  zoom?: { min: number; max: number; step?: number };
  focusMode?: string[];
}

function lensOf(track: MediaStreamTrack, adjust: (wish: LensWishes) => Promise<void>) {
  const can = (track.getCapabilities?.() ?? {}) as LensCapabilities;
  const { min, max, step } = can.zoom ?? { min: 0, max: 0 };
  const { zoom: value = min } = track.getSettings() as { zoom?: number };
  const zoom: Zoom = {
    min,
    max,
    step: step || 0.1,
    value,
    set: (wanted) => adjust({ zoom: Math.max(min, Math.min(max, wanted)) }),
  };
  return {
    hasTorch: can.torch === true,
    zoom: max > min ? zoom : null,
    canFocus: can.focusMode?.includes('continuous') === true,
  };
}

/**
 * Classifies what getUserMedia throws; html5-qrcode rejects with a sentence that contains the
 * DOM’s error name.
 */
export function troubleOf(error: unknown): CameraTrouble {
  const text = String(error);
  if (/NotAllowedError|PermissionDenied|SecurityError/.test(text)) return 'denied';
  if (/NotFoundError|DevicesNotFound|OverconstrainedError/.test(text)) return 'none';
  if (/NotReadableError|TrackStartError|AbortError/.test(text)) return 'busy';
  return 'broken';
}

/** The sentence for the screen, and what the person can do. */
export const troubleWords: Record<CameraTrouble, { title: string; help: string }> = {
  denied: {
    title: 'Fotocamera bloccata',
    help: 'Consenti la fotocamera a questo sito nelle impostazioni del telefono, poi tocca «Riprova». Intanto puoi inserire i codici a mano.',
  },
  none: {
    title: 'Nessuna fotocamera',
    help: 'Questo dispositivo non ha una fotocamera che si possa usare. Inserisci i codici a mano o con un lettore.',
  },
  busy: {
    title: 'Fotocamera occupata',
    help: 'Un’altra app sta usando la fotocamera: chiudila e tocca «Riprova».',
  },
  insecure: {
    title: 'Fotocamera non disponibile',
    help: 'La fotocamera funziona solo con un indirizzo https. Intanto puoi inserire i codici a mano.',
  },
  broken: {
    title: 'La fotocamera non parte',
    help: 'Tocca «Riprova». Se non basta, chiudi e riapri l’app; intanto puoi inserire i codici a mano.',
  },
};

/** The words for a camera that runs while the decoder does not. */
export const blindWords = {
  title: 'Il lettore dei codici non parte',
  help: 'La fotocamera funziona, ma non legge. Scrivi i codici con «Codice» o usa un lettore; l’app riprova da sola. Se non basta, ricaricala.',
};
