/**
 * Decodes QR codes in a worker: takes an image, gives its texts; a worker that hangs or
 * dies is replaced.
 */
import { observable } from '#apps/scanner/kit/observable.ts';
import type { FilmReading } from './decode-frame.ts';
import type { DecodeAnswer, DecodeAsk } from './decode-worker.ts';

/**
 * The camera loop waits no longer than this: a frame takes some ms, but the first one also waits
 * for the wasm.
 */
const timeoutMs = 8_000;
/** After this many failures in a row (no wasm, or out of memory) the engine is restarted. */
const mostFailures = 3;
/**
 * After this many engines in a row without an answer the screen says so, so that no person waits
 * in front of a running picture.
 */
const mostRestarts = 3;
/** After that a new engine is tried only at this interval, to spare the battery. */
const restMs = 2_000;

let worker: Worker | undefined;
let asked = 0;
let failures = 0;
const restarts = observable(0);
let restUntil = 0;
/**
 * False once the worker could not read a frame: some browsers make frames that can be neither
 * sent to it nor drawn.
 */
let holdsFrames = true;
const waiting = new Map<number, (answer: Omit<DecodeAnswer, 'id'>) => void>();
const unread = () => ({ texts: [], foreign: null, failed: true });

/** Thrown when the engine did not read the picture, so whether it shows a code is unknown. */
export class DecoderError extends Error {}

/** Whether pictures come but no engine reads them; false again as soon as an engine answers. */
export function isDecoderDead(): boolean {
  return restarts.read() >= mostRestarts;
}

/** Calls the listener when `isDecoderDead` may have changed; the returned function ends it. */
export const watchDecoder = restarts.subscribe;

/** Starts the engine before it is needed, so that the first frame does not wait for the wasm. */
export function warmUpDecoder(): void {
  worker ??= startWorker();
}

/**
 * Reads one picture thoroughly: a photo, a screenshot or a canvas. Rejects when the source is not
 * a picture, and with a DecoderError.
 */
export async function decodeImage(source: ImageBitmapSource): Promise<string | null> {
  return (await ask(source, 'still')).texts[0] ?? null;
}

/**
 * Reads one of many frames quickly: all its codes, the nearest to the middle first. Rejects without
 * a video picture, and with a DecoderError.
 */
export function decodeFilm(source: ImageBitmapSource): Promise<FilmReading> {
  return ask(source, 'film');
}

async function ask(source: ImageBitmapSource, effort: DecodeAsk['effort']): Promise<FilmReading> {
  if (worker === undefined && performance.now() < restUntil)
    throw new DecoderError('The engine rests');
  const frame = holdFrame(source) ?? (await createImageBitmap(source));
  const reader = (worker ??= startWorker());
  asked += 1;
  const question: DecodeAsk = { id: asked, frame, effort };
  const isHeld = !(frame instanceof ImageBitmap);
  return new Promise((resolve, reject) => {
    const giveUp = setTimeout(restart, timeoutMs);
    waiting.set(question.id, ({ failed, ...reading }) => {
      clearTimeout(giveUp);
      if (failed && isHeld) holdsFrames = false;
      if (failed) reject(new DecoderError('The engine failed'));
      else resolve(reading);
    });
    try {
      reader.postMessage(question, [frame]);
    } catch {
      frame.close();
      waiting.get(question.id)?.(unread());
      waiting.delete(question.id);
    }
  });
}

/**
 * The video's current frame as a VideoFrame, which the worker turns into pixels: this costs the
 * page's thread half as much as a bitmap. Null when the browser cannot make one.
 */
function holdFrame(source: ImageBitmapSource): VideoFrame | null {
  if (!holdsFrames || !(source instanceof HTMLVideoElement) || typeof VideoFrame === 'undefined')
    return null;
  try {
    const frame = new VideoFrame(source);
    // Some WebKits ignore that the phone is held upright, which would squeeze the picture.
    if (frame.displayWidth === source.videoWidth && frame.displayHeight === source.videoHeight)
      return frame;
    frame.close();
    return null;
  } catch {
    return null;
  }
}

function startWorker(): Worker {
  const started = new Worker(new URL('./decode-worker.ts', import.meta.url), { type: 'module' });
  started.addEventListener('message', ({ data: { id, ...answer } }: MessageEvent<DecodeAnswer>) => {
    waiting.get(id)?.(answer);
    waiting.delete(id);
    failures = answer.failed ? failures + 1 : 0;
    if (!answer.failed) restarts.write(0);
    if (failures >= mostFailures && started === worker) restart();
  });
  started.addEventListener('error', restart);
  return started;
}

/**
 * The frame in a hanging or dead worker counts as failed; the next frame starts another worker.
 */
function restart(): void {
  worker?.terminate();
  worker = undefined;
  failures = 0;
  restarts.write(restarts.read() + 1);
  if (isDecoderDead()) restUntil = performance.now() + restMs;
  for (const answer of waiting.values()) answer(unread());
  waiting.clear();
}
