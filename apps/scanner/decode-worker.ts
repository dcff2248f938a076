/** Reads QR codes off frames in its own thread, so that a hard frame never delays a verdict. */
/// <reference types="vite/client" />
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url';

export interface DecodeAsk { id: number; frame: ImageBitmap }
export interface DecodeAnswer { id: number; text: string | null }

// Without an address of ours the library fetches its wasm from a CDN: dead at a door without signal.
prepareZXingModule({ overrides: { locateFile: () => wasmUrl }, fireImmediately: true });

const canvas = new OffscreenCanvas(1, 1);
const pen = canvas.getContext('2d', { willReadFrequently: true })!;
let frames = 0;

addEventListener('message', ({ data: { id, frame } }: MessageEvent<DecodeAsk>) => {
  void read(frame).then((text) => postMessage({ id, text } satisfies DecodeAnswer), () => postMessage({ id, text: null } satisfies DecodeAnswer));
});

/** Two settings in turn find more than either alone: shaky hands show the same code in several frames. */
async function read(frame: ImageBitmap): Promise<string | null> {
  const { width, height } = frame;
  const isOdd = frames % 2 === 1;
  frames += 1;
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  pen.drawImage(frame, 0, 0);
  frame.close();
  const found = await readBarcodes(pen.getImageData(0, 0, width, height), {
    formats: ['QRCode'], maxNumberOfSymbols: 1, textMode: 'Plain', tryDenoise: !isOdd, binarizer: isOdd ? 'GlobalHistogram' : 'LocalAverage',
  });
  return found.find(({ isValid }) => isValid)?.text ?? null;
}
