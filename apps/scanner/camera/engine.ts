/** The engine that finds QR codes in a grey picture: zxing as WebAssembly. Runs in the worker and in Node alike; the caller says where the wasm lies. */
import {
  prepareZXingModule,
  readBarcodes,
  type Position,
  type ReaderOptions,
  type ReadResult,
} from 'zxing-wasm/reader';
import { toFile, type Grey } from './grey.ts';

export type EngineOptions = Pick<ReaderOptions, 'binarizer' | 'tryDenoise' | 'tryDownscale'>;

/** Where the engine comes from: bytes in Node, an address of ours in a browser. Left to itself the library asks a CDN: dead at a door without signal. */
type EngineSource = { wasmBinary: ArrayBuffer } | { locateFile: () => string };

/** Rejects when the engine cannot be had. */
export async function startEngine(source: EngineSource): Promise<void> {
  await prepareZXingModule({ overrides: source, fireImmediately: true });
}

/** The smallest code has so many modules a side. The engine fails on pictures of a few pixels. */
export const fewestPixels = 21;

/** Two tickets on one sheet, or a poster behind the guest: the one that is aimed at is meant. */
const mostCodes = 4;

/** The texts in the picture, nearest to its middle first; empty: none. */
export async function read(picture: Grey, options: EngineOptions): Promise<string[]> {
  if (picture.width < fewestPixels || picture.height < fewestPixels) return [];
  const file = toFile(picture);
  const first = await ask(file, { ...options, maxNumberOfSymbols: 1 });
  // To look for all takes longer; a code that the middle lies in is the one that is meant.
  const [nearest] = first;
  const others =
    !nearest || isAimedAt(nearest.position, picture)
      ? []
      : await ask(file, { ...options, maxNumberOfSymbols: mostCodes });
  const texts = [...first, ...others]
    .toSorted((a, b) => distance(a.position, picture) - distance(b.position, picture))
    .map(({ text }) => text);
  return [...new Set(texts)];
}

async function ask(file: Uint8Array, options: ReaderOptions): Promise<ReadResult[]> {
  // Turned codes are found anyway; light on dark, as phones at night show tickets, is tried by itself.
  const found = await readBarcodes(file, {
    // Without the small kinds (Micro, rMQR): what is left of a damaged ticket looks like one of them, and nothing in it detects the fault.
    formats: ['QRCodeModel1', 'QRCodeModel2'],
    textMode: 'Plain',
    tryRotate: false,
    ...options,
  });
  return found.filter(({ isValid, text }) => isValid && text !== '');
}

/** From the picture's middle to the code's, in pixels. */
function distance({ topLeft, bottomRight }: Position, { width, height }: Grey): number {
  return Math.hypot(
    (topLeft.x + bottomRight.x - width) / 2,
    (topLeft.y + bottomRight.y - height) / 2,
  );
}

function isAimedAt(position: Position, picture: Grey): boolean {
  const { topLeft, bottomRight } = position;
  return (
    distance(position, picture) <
    Math.hypot(topLeft.x - bottomRight.x, topLeft.y - bottomRight.y) / 2
  );
}
