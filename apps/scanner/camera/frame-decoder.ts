/**
 * Replaces html5-qrcode's bundled decoder (vite.config.ts sends its import here). The library
 * hands over a canvas of the element's CSS size, which is too coarse for a small code; our
 * decoder gets the camera's full frame instead.
 */
import type { FilmReading } from './decode-frame.ts';
import { decodeFilm } from './decode.ts';

/** What the library expects of a decoder; its own types are not exported. */
interface FrameReading {
  text: string;
  debugData: { decoderName: string };
}

const decoderName = 'zxing-wasm';

/**
 * How many pictures are decoded, by the time since the last code: all while the next guest is
 * near; then 10 to 12 a second; 4 to 5 when no guest comes, to spare the battery.
 */
const paces = [
  { untilMs: 6_000, pauseMs: 0 },
  { untilMs: 30_000, pauseMs: 70 },
  { untilMs: Infinity, pauseMs: 190 },
] as const;
/**
 * Makes the library ask again immediately, because the camera sets the pace: one attempt for each
 * picture that it delivers.
 */
export const framesPerSecond = 1_000;
/**
 * Without a new picture the next attempt starts after this time; sooner where the browser does
 * not report pictures.
 */
const longestWaitMs = 100;
const untoldWaitMs = 40;
/** The camera goes on reading after this time, because a verdict that takes longer is stuck. */
const longestHoldMs = 1_000;

let lastCodeAt = 0;
let tellLook: (reading: FilmReading) => void = () => {};
/** Resolves when the next picture may be decoded. */
let nextLook: Promise<unknown> = Promise.resolve();

/**
 * Calls the listener for each picture that was read, with all codes in it, before the library hears
 * of one; the returned function ends it.
 */
export function watchLooks(listener: typeof tellLook): () => void {
  tellLook = listener;
  return () => {
    if (tellLook === listener) tellLook = () => {};
  };
}

/** Decodes every picture for some seconds, because the camera was just switched on. */
export function beginHunt(): void {
  lastCodeAt = performance.now();
}

/**
 * Postpones the next picture until the verdict of the code just read is painted, so that the
 * processor is free for it.
 */
export function holdLooks(settled: Promise<unknown>): void {
  const painted = settled
    .catch(() => {})
    .then(
      () =>
        new Promise((resolve) => {
          requestAnimationFrame(() => requestAnimationFrame(resolve));
        }),
    );
  nextLook = Promise.race([painted, wait(longestHoldMs)]);
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** The text of the code that the camera shows now, or null. */
async function look(): Promise<string | null> {
  const video = document.querySelector<HTMLVideoElement>('[data-camera] video');
  const tells = video !== null && 'requestVideoFrameCallback' in video;
  const delivered = tells
    ? new Promise<void>((resolve) => {
        video.requestVideoFrameCallback(() => resolve());
      })
    : wait(untoldWaitMs);
  nextLook = Promise.race([delivered, wait(longestWaitMs)]);
  // A camera that is still starting has no picture; that counts as an attempt without a code.
  if (!video || video.videoWidth === 0) return null;
  const reading = await decodeFilm(video).catch(() => null);
  if (reading !== null) tellLook(reading);
  return reading?.texts[0] ?? null;
}

// The library requires this name.
export class ZXingHtml5QrcodeDecoder {
  async decodeAsync(canvas: HTMLCanvasElement): Promise<FrameReading> {
    // The library's canvas is not used; drawing it would cost the page's thread as much as our
    // own decoding.
    if (canvas.width > 0) canvas.width = 0;
    const pace = paces.find(({ untilMs }) => performance.now() - lastCodeAt < untilMs);
    if (pace && pace.pauseMs > 0) await wait(pace.pauseMs);
    await nextLook;
    const text = await look();
    if (!text) throw new Error('NotFound');
    lastCodeAt = performance.now();
    return { text, debugData: { decoderName } };
  }
}
