/**
 * Finds QR codes in a grey picture with zxing as WebAssembly. Runs in the worker and in Node; the
 * caller says where the wasm file is.
 */
import {
  prepareZXingModule,
  readBarcodes,
  type Position,
  type ReaderOptions,
  type ReadResult,
} from 'zxing-wasm/reader';
import type { ForeignCode } from '#server/domain/door/foreign-text.ts';
import { toFile, type Grey } from './grey.ts';

/** A code of another ticket system. */
export interface ForeignRead {
  kind: ForeignCode;
  text: string;
}

export type EngineOptions = Pick<ReaderOptions, 'binarizer' | 'tryDenoise' | 'tryDownscale'>;

/**
 * Sets from where the engine is loaded: bytes in Node, our own address in a browser. By default
 * the library would ask a CDN, which an offline phone cannot reach.
 */
type EngineSource = { wasmBinary: ArrayBuffer } | { locateFile: () => string };

/** Rejects when the engine cannot be loaded. */
export async function startEngine(source: EngineSource): Promise<void> {
  await prepareZXingModule({ overrides: source, fireImmediately: true });
}

/** The smallest code has this many modules a side; the engine fails on smaller pictures. */
export const fewestPixels = 21;

/** The most codes to find, so that the intended one is among them when tickets are crowded. */
const mostCodes = 4;

/** The texts in the picture, the nearest to its middle first; empty when there is none. */
export async function read(picture: Grey, options: EngineOptions): Promise<string[]> {
  if (picture.width < fewestPixels || picture.height < fewestPixels) return [];
  const file = toFile(picture);
  const first = await ask(file, { ...options, maxNumberOfSymbols: 1 });
  // A code that covers the middle is the intended one, and looking for all codes takes longer.
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
  // Rotated codes are found without this option; light on dark, as phones show tickets at night,
  // is tried separately.
  const found = await readBarcodes(file, {
    // The small kinds (Micro, rMQR) are left out: a damaged ticket may look like one, and they
    // detect no errors.
    formats: ['QRCodeModel1', 'QRCodeModel2'],
    textMode: 'Plain',
    tryRotate: false,
    ...options,
  });
  return found.filter(({ isValid, text }) => isValid && text !== '');
}

/**
 * The code of one of these kinds in the picture, or null. A short text of bars may be a shirt or a
 * grid, so it does not count.
 */
export async function readForeign(
  picture: Grey,
  kinds: readonly ForeignCode[],
  options: ReaderOptions,
): Promise<ForeignRead | null> {
  if (picture.width < fewestPixels || picture.height < fewestPixels) return null;
  const found = await readBarcodes(toFile(picture), {
    formats: [...kinds],
    textMode: 'Plain',
    maxNumberOfSymbols: 1,
    tryInvert: false,
    tryDownscale: false,
    ...options,
  });
  for (const { isValid, symbology, text } of found) {
    const kind = kinds.find((wanted) => wanted === symbology);
    if (isValid && kind && text.length >= fewestLetters[kind]) return { kind, text };
  }
  return null;
}

const fewestLetters: Record<ForeignCode, number> = {
  Aztec: 1,
  PDF417: 1,
  DataMatrix: 1,
  Code128: 5,
  ITF: 8,
};

/** The distance from the picture's middle to the code's, in pixels. */
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
