/** The decoder's port: an image in, text or null out; the engine behind it lives in a worker. */
import type { DecodeAnswer, DecodeAsk } from './decode-worker.ts';

/** A frame takes some ms, the first one waits for the wasm; the camera loop must never wait for ever. */
const patienceMs = 8_000;

let worker: Worker | undefined;
let asked = 0;
const waiting = new Map<number, (text: string | null) => void>();

/** Starts the engine before it is needed: its first frame should not wait for the wasm. */
export function warmUpDecoder(): void {
  worker ??= startWorker();
}

/** Any image: a video frame, a photo, a canvas. */
export async function decodeImage(source: ImageBitmapSource): Promise<string | null> {
  const frame = await createImageBitmap(source);
  worker ??= startWorker();
  asked += 1;
  const ask: DecodeAsk = { id: asked, frame };
  return new Promise((resolve) => {
    const giveUp = setTimeout(restart, patienceMs);
    waiting.set(ask.id, (text) => {
      clearTimeout(giveUp);
      resolve(text);
    });
    worker!.postMessage(ask, [frame]);
  });
}

function startWorker(): Worker {
  const started = new Worker(new URL('./decode-worker.ts', import.meta.url), { type: 'module' });
  started.addEventListener('message', ({ data: { id, text } }: MessageEvent<DecodeAnswer>) => {
    waiting.get(id)?.(text);
    waiting.delete(id);
  });
  started.addEventListener('error', restart);
  return started;
}

/** A worker that dies or hangs takes no frame with it for ever: the next frame starts another. */
function restart(): void {
  worker?.terminate();
  worker = undefined;
  for (const resolve of waiting.values()) resolve(null);
  waiting.clear();
}
