/**
 * Takes the place of html5-qrcode's bundled decoder (vite.config.ts sends its import here). The library hands over a canvas of the
 * element's CSS size, too coarse for a small code; the camera's full frame goes to our port instead.
 */
import { decodeFilm } from './decode.ts';

/** What the library's shim expects of a decoder; its own types are not exported. */
interface FrameReading {
  text: string;
  debugData: { decoderName: string };
}

export const decoderName = 'zxing-wasm';

/**
 * So long after a code the next guest is near: every picture counts. Then hunting goes on at 10 to 12 pictures a second, and where nobody
 * comes at 4 to 5: the battery must last the evening.
 */
const paces = [
  { untilMs: 6_000, pauseMs: 0 },
  { untilMs: 30_000, pauseMs: 70 },
  { untilMs: Infinity, pauseMs: 190 },
] as const;
/** The shell asks again at once: the camera sets the pace, one look at each picture that it delivers. */
export const framesPerSecond = 1_000;
/** When a camera delivers nothing there is another look all the same; sooner where the browser does not tell that it does. */
const longestWaitMs = 100;
const untoldWaitMs = 40;
/** Something is wrong elsewhere when a verdict takes so long; the camera must not go blind of it. */
const longestHoldMs = 1_000;

let lastCodeAt = 0;
/** When there is something new to look at. */
let nextLook: Promise<unknown> = Promise.resolve();

/** Somebody has just switched the camera on: full speed. */
export function beginHunt(): void {
  lastCodeAt = performance.now();
}

/** The phone's whole strength is for what comes of the code that was just read: the next look waits until that is settled and painted. */
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

/** Text or null of what the camera shows now. */
async function look(): Promise<string | null> {
  const video = document.querySelector<HTMLVideoElement>('[data-camera] video');
  const tells = video !== null && 'requestVideoFrameCallback' in video;
  const delivered = tells
    ? new Promise<void>((resolve) => {
        video.requestVideoFrameCallback(() => resolve());
      })
    : wait(untoldWaitMs);
  nextLook = Promise.race([delivered, wait(longestWaitMs)]);
  // A camera that is still starting has no picture yet: a missed one, nothing more.
  return video && video.videoWidth > 0 ? decodeFilm(video).catch(() => null) : null;
}

// The name is the library's.
export class ZXingHtml5QrcodeDecoder {
  async decodeAsync(shellsPicture: HTMLCanvasElement): Promise<FrameReading> {
    // Nobody looks at it, and to draw it would cost the page's thread as much as our own look.
    if (shellsPicture.width > 0) shellsPicture.width = 0;
    const { pauseMs } = paces.find(({ untilMs }) => performance.now() - lastCodeAt < untilMs)!;
    if (pauseMs > 0) await wait(pauseMs);
    await nextLook;
    const text = await look();
    if (!text) throw new Error('NotFound');
    lastCodeAt = performance.now();
    return { text, debugData: { decoderName } };
  }
}
