/**
 * Takes the place of html5-qrcode's bundled decoder (vite.config.ts sends its import here). The library hands over a canvas of the
 * element's CSS size, too coarse for a small code; the camera's full frame goes to our port instead.
 */
import { decodeFilm } from './decode.ts';

/** What the library's shim expects of a decoder; its own types are not exported. */
interface FrameReading { text: string; debugData: { decoderName: string } }

export const decoderName = 'zxing-wasm';

/**
 * So long after a code the next guest is near: every moment counts. Then hunting goes on at 10 to 12 frames a second, and where nobody
 * comes at 4 to 5: the battery must last the evening.
 */
const paces = [
  { untilMs: 10_000, pauseMs: 0 },
  { untilMs: 30_000, pauseMs: 35 },
  { untilMs: Infinity, pauseMs: 155 },
] as const;
/** How often the shell hands over a frame when we do not pause. */
export const framesPerSecond = 20;
let lastCodeAt = 0;

/** Somebody has just switched the camera on: full speed. */
export function beginHunt(): void {
  lastCodeAt = performance.now();
}

// The name is the library's.
export class ZXingHtml5QrcodeDecoder {
  async decodeAsync(): Promise<FrameReading> {
    const { pauseMs } = paces.find(({ untilMs }) => performance.now() - lastCodeAt < untilMs)!;
    if (pauseMs > 0) await new Promise((resolve) => { setTimeout(resolve, pauseMs); });
    const video = document.querySelector<HTMLVideoElement>('[data-camera] video');
    // A camera that is still starting has no picture yet: a missed frame, nothing more.
    const text = video && video.videoWidth > 0 ? await decodeFilm(video).catch(() => null) : null;
    if (!text) throw new Error('NotFound');
    lastCodeAt = performance.now();
    return { text, debugData: { decoderName } };
  }
}
