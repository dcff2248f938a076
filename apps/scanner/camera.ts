/** The camera: html5-qrcode asks for permission and keeps the stream, our decoder reads its frames. */
import type { Html5Qrcode } from 'html5-qrcode';
import { warmUpDecoder } from './decode.ts';

/** What stands in the way, in the door's words. */
export type CameraTrouble = 'denied' | 'none' | 'busy' | 'insecure' | 'broken';

export interface Camera {
  stop(): Promise<void>;
  /** Null where the camera has no lamp. */
  torch: ((on: boolean) => Promise<void>) | null;
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

/** A picture that stands still this long does not come back by itself; shorter ones do, when the phone turns or a call rings. */
const longestMuteMs = 3_000;

export interface CameraListener {
  /** For every frame with a code; names the engine that read it. */
  onText: (text: string, decoderName: string) => void;
  /** The system took the camera away from us: no picture comes any more. */
  onLost: () => void;
}

/** Draws into the element with this id. Throws a CameraError. */
export async function startCamera(elementId: string, { onText, onLost }: CameraListener): Promise<Camera> {
  if (!navigator.mediaDevices?.getUserMedia) throw new CameraError(isSecureContext ? 'none' : 'insecure');
  warmUpDecoder();
  const { Html5Qrcode, Html5QrcodeSupportedFormats } = await import('html5-qrcode');
  const shell: Html5Qrcode = new Html5Qrcode(elementId, { verbose: false, formatsToSupport: [Html5QrcodeSupportedFormats.QR_CODE], useBarCodeDetectorIfSupported: false });
  try {
    await shell.start(
      { facingMode: 'environment' },
      { fps: 12, disableFlip: true, videoConstraints: { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } } },
      (text, { result }) => onText(text, result.debugData?.decoderName ?? ''),
      () => {},
    );
  } catch (error) {
    throw new CameraError(troubleOf(error));
  }
  const track = trackOf(elementId);
  const unwatch = track ? watchTrack(track, onLost) : () => {};
  return {
    stop: async () => {
      unwatch();
      if (shell.isScanning) await shell.stop();
    },
    torch: track && hasTorch(track) ? (on) => track.applyConstraints({ advanced: [{ torch: on } as MediaTrackConstraintSet] }) : null,
  };
}

/** Until the returned function is called. */
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
  track.addEventListener('mute', () => {
    clearTimeout(mute);
    mute = setTimeout(lose, longestMuteMs);
  }, { signal });
  track.addEventListener('unmute', () => clearTimeout(mute), { signal });
  return stop;
}

function trackOf(elementId: string): MediaStreamTrack | undefined {
  const stream = document.querySelector<HTMLVideoElement>(`#${elementId} video`)?.srcObject;
  return stream instanceof MediaStream ? stream.getVideoTracks()[0] : undefined;
}

/** The lamp is newer than the DOM's types. */
function hasTorch(track: MediaStreamTrack): boolean {
  return (track.getCapabilities?.() as { torch?: boolean } | undefined)?.torch === true;
}

/** The shell rejects with a sentence that carries the DOM's error name. */
function troubleOf(error: unknown): CameraTrouble {
  const text = String(error);
  if (/NotAllowedError|PermissionDenied|SecurityError/.test(text)) return 'denied';
  if (/NotFoundError|DevicesNotFound|OverconstrainedError/.test(text)) return 'none';
  if (/NotReadableError|TrackStartError|AbortError/.test(text)) return 'busy';
  return 'broken';
}

/** What the doorman reads and what he can do about it. */
export const troubleWords: Record<CameraTrouble, { title: string; help: string }> = {
  denied: { title: 'Fotocamera bloccata', help: 'Consenti la fotocamera a questo sito nelle impostazioni del telefono, poi tocca «Riprova». Intanto puoi inserire i codici a mano.' },
  none: { title: 'Nessuna fotocamera', help: 'Questo dispositivo non ha una fotocamera che si possa usare. Inserisci i codici a mano o con un lettore.' },
  busy: { title: 'Fotocamera occupata', help: 'Un’altra app sta usando la fotocamera: chiudila e tocca «Riprova».' },
  insecure: { title: 'Fotocamera non disponibile', help: 'La fotocamera funziona solo con un indirizzo https. Intanto puoi inserire i codici a mano.' },
  broken: { title: 'La fotocamera non parte', help: 'Tocca «Riprova». Se non basta, chiudi e riapri l’app; intanto puoi inserire i codici a mano.' },
};

/** Tells whether a code that is still in view is new: the same text counts again only after it was out of sight this long. */
const sameCodeMs = 1_500;

export function makeViewFilter(): (text: string, now: number) => boolean {
  let last = { text: '', at: -Infinity };
  return (text, now) => {
    const isNew = text !== last.text || now - last.at > sameCodeMs;
    last = { text, at: now };
    return isNew;
  };
}
