/** The decoder's port: an image in, text or null out; the engine behind it lives in a worker. */
import type { DecodeAnswer, DecodeAsk } from './decode-worker.ts';

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
    waiting.set(ask.id, resolve);
    worker!.postMessage(ask, [frame]);
  });
}

function startWorker(): Worker {
  const started = new Worker(new URL('./decode-worker.ts', import.meta.url), { type: 'module' });
  started.addEventListener('message', ({ data: { id, text } }: MessageEvent<DecodeAnswer>) => {
    waiting.get(id)?.(text);
    waiting.delete(id);
  });
  // A worker that dies takes no frame with it for ever: the next frame starts another.
  started.addEventListener('error', () => {
    started.terminate();
    worker = undefined;
    for (const resolve of waiting.values()) resolve(null);
    waiting.clear();
  });
  return started;
}
