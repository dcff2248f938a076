/**
 * Takes the place of html5-qrcode's bundled decoder (vite.config.ts sends its import here). The library hands over a canvas of the
 * element's CSS size, too coarse for a small code; the camera's full frame goes to our port instead.
 */
import { decodeFilm } from './decode.ts';

/** What the library's shim expects of a decoder; its own types are not exported. */
interface FrameReading { text: string; debugData: { decoderName: string } }

export const decoderName = 'zxing-wasm';

/** After this long without a code the camera is looked at less often: the battery must last the evening. */
const idleAfterMs = 30_000;
const idlePauseMs = 120;
let lastCodeAt = 0;

/** Somebody has just switched the camera on: full speed. */
export function beginHunt(): void {
  lastCodeAt = performance.now();
}

// The name is the library's.
export class ZXingHtml5QrcodeDecoder {
  async decodeAsync(): Promise<FrameReading> {
    if (performance.now() - lastCodeAt > idleAfterMs) await new Promise((resolve) => { setTimeout(resolve, idlePauseMs); });
    const video = document.querySelector<HTMLVideoElement>('[data-camera] video');
    // A camera that is still starting has no picture yet: a missed frame, nothing more.
    const text = video && video.videoWidth > 0 ? await decodeFilm(video).catch(() => null) : null;
    if (!text) throw new Error('NotFound');
    lastCodeAt = performance.now();
    return { text, debugData: { decoderName } };
  }
}
