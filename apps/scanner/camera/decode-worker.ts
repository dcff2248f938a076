/** Reads QR codes in its own thread, so that a hard frame never delays a verdict. */
/// <reference types="vite/client" />
import { requireValue } from '#server/domain/require-value.ts';
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url';
import { decodeStill, makeFilmReader, type FilmReading } from './decode-frame.ts';
import { startEngine, type ForeignRead } from './engine.ts';

/** `still`: take as long as needed. `film`: the next frame comes immediately. */
export interface DecodeAsk {
  id: number;
  frame: ImageBitmap | VideoFrame;
  effort: 'still' | 'film';
}
/** `failed`: the engine failed, so nothing is known about the picture. */
export interface DecodeAnswer {
  id: number;
  /** The texts of QR codes, the nearest to the middle first. */
  texts: string[];
  foreign: ForeignRead | null;
  failed: boolean;
}

const engine = startEngine({ locateFile: () => wasmUrl });
// A failed start is reported with the first frame, because nothing listens before that.
engine.catch(() => {});

const canvas = new OffscreenCanvas(1, 1);
const pen = requireValue(canvas.getContext('2d', { willReadFrequently: true }), 'canvas');
const readFilm = makeFilmReader();

addEventListener('message', ({ data: { id, frame, effort } }: MessageEvent<DecodeAsk>) => {
  void read(frame, effort).then(
    (reading) => postMessage({ id, ...reading, failed: false } satisfies DecodeAnswer),
    () => postMessage({ id, texts: [], foreign: null, failed: true } satisfies DecodeAnswer),
  );
});

/** iPhones draw nothing on a canvas of more than 16.7 million pixels. */
const longestSide = 4_096;

async function read(frame: DecodeAsk['frame'], effort: DecodeAsk['effort']): Promise<FilmReading> {
  const pixels = await draw(frame).finally(() => frame.close());
  if (effort === 'film') return readFilm(pixels);
  return { texts: await decodeStill(pixels), foreign: null };
}

/** A frame that stays open occupies a buffer that the camera needs. */
async function draw(frame: DecodeAsk['frame']): Promise<ImageData> {
  await engine;
  const [wide, high] =
    frame instanceof ImageBitmap
      ? [frame.width, frame.height]
      : [frame.displayWidth, frame.displayHeight];
  const scale = Math.min(1, longestSide / Math.max(wide, high));
  const [width, height] = [
    Math.max(1, Math.round(wide * scale)),
    Math.max(1, Math.round(high * scale)),
  ];
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  // A picture may be transparent: the previous one must not show through.
  pen.clearRect(0, 0, width, height);
  pen.drawImage(frame, 0, 0, width, height);
  return pen.getImageData(0, 0, width, height);
}
