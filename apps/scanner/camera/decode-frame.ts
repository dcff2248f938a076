/**
 * Reads the QR codes in a picture's pixels with zxing. Runs in the worker and in Node alike; the caller says where the wasm lies.
 * One setting reads nine codes of ten; the others differ in which of the rest they read, so a still picture is tried with all of
 * them, and a film's frames with one after the other.
 */
import {
  prepareZXingModule,
  readBarcodes,
  type Position,
  type ReaderOptions,
  type ReadResult,
} from 'zxing-wasm/reader';
import { mendFinders } from './finders.ts';
import {
  enlarge,
  flatten,
  halve,
  isOpaque,
  layOn,
  sharpen,
  soften,
  thicken,
  toGrey,
  toPixels,
  type Grey,
  type Pixels,
} from './grey.ts';

export type { Pixels } from './grey.ts';

/** Where the engine comes from: bytes in Node, an address of ours in a browser. Left to itself the library asks a CDN: dead at a door without signal. */
export type EngineSource = { wasmBinary: ArrayBuffer } | { locateFile: () => string };

/** Rejects when the engine cannot be had. */
export async function startEngine(source: EngineSource): Promise<void> {
  await prepareZXingModule({ overrides: source, fireImmediately: true });
}

/** One attempt: what is made of the picture, one after the other until a code is found, null for the picture itself, and the engine's options. */
interface Look {
  prepare: ((picture: Grey) => Iterable<Grey>) | null;
  options: ReaderOptions;
}

const fine: ReaderOptions = { tryDownscale: false };
const plain: Look = { prepare: null, options: {} };
const globally: Look = { prepare: null, options: { binarizer: 'GlobalHistogram' } };
const denoised: Look = { prepare: null, options: { tryDenoise: true } };
const halved: Look = { prepare: (grey) => [halve(grey)], options: { tryDenoise: true } };
const softened: Look = { prepare: (grey) => [soften(halve(grey))], options: {} };
const sharpened: Look = { prepare: (grey) => [sharpen(grey)], options: fine };
const flattened: Look = { prepare: (grey) => [flatten(grey)], options: fine };
const thickened: Look = { prepare: (grey) => [thicken(grey)], options: fine };
const mended: Look = { prepare: mendFinders, options: fine };
const enlarged: Look = { prepare: (grey) => [enlarge(grey)], options: fine };
const middleEnlarged: Look = { prepare: (grey) => [enlarge(grey, 2 / 3)], options: fine };

/** The fast and successful first: most pictures need only one. */
const stillLooks: readonly Look[] = [
  plain,
  globally,
  mended,
  halved,
  softened,
  thickened,
  flattened,
  sharpened,
  denoised,
  enlarged,
];
/** The same code is in several frames; each of these costs a frame at most 20 ms. */
const filmLooks: readonly (readonly Look[])[] = [
  [plain],
  [globally, halved],
  [plain],
  [mended],
  [plain],
  [sharpened],
  [plain],
  [thickened],
  [plain],
  [denoised],
  [globally, softened],
  [flattened],
  [middleEnlarged],
];

/** In so many frames every attempt has had its turn. */
export const filmLength = filmLooks.length;

/** Beyond this many pixels along its longer side a still picture is first looked at smaller. */
const longestSide = 1_920;
/** What is left over of a very large picture's detail after the first look costs seconds, not milliseconds. */
const finestSide = 4_096;

/**
 * Everything that a still picture shows, nearest to the middle first; empty: no code. Takes as many looks as it needs, and none for a
 * picture of no pixels. A transparent one is laid on white, then on black: nobody knows on which its code stands out. The engine must
 * have been started.
 */
export async function decodeStill(pixels: Pixels): Promise<string[]> {
  const sheets = isOpaque(pixels)
    ? [() => pixels]
    : [255, 0].map((level) => () => layOn(pixels, level));
  for (const lay of sheets) {
    const found = await decodeSheet(lay());
    if (found.length > 0) return found;
  }
  return [];
}

async function decodeSheet(pixels: Pixels): Promise<string[]> {
  const side = Math.max(pixels.width, pixels.height);
  const step = Math.max(1, Math.ceil(side / longestSide));
  const found = await lookThrough(shrink(pixels, step), stillLooks);
  if (found.length > 0 || step === 1) return found;
  return lookThrough(shrink(pixels, Math.ceil(side / finestSide)), [plain, globally]);
}

/** The same for the `n`th frame of a film, counted from 0: one look or two, another one in every frame. */
export function decodeFrame(pixels: Pixels, n: number): Promise<string[]> {
  return lookThrough(pixels, filmLooks[n % filmLooks.length]!);
}

/** For the frames of one film, in their order: what one of them read is looked for in the same way in the next, because a second sighting counts more than one. */
export function makeFilmReader(): (pixels: Pixels) => Promise<string[]> {
  let n = 0;
  return async (pixels) => {
    const texts = await decodeFrame(pixels, n);
    if (texts.length === 0) n += 1;
    return texts;
  };
}

function shrink(pixels: Pixels, step: number): Pixels {
  return step === 1
    ? pixels
    : toPixels(
        toGrey(pixels, step),
        new Uint32Array(Math.floor(pixels.width / step) * Math.floor(pixels.height / step)),
      );
}

async function lookThrough(picture: Pixels, looks: readonly Look[]): Promise<string[]> {
  if (picture.width < fewestPixels || picture.height < fewestPixels) return [];
  let grey: Grey | undefined;
  for (const { prepare, options } of looks) {
    grey ??= prepare ? toGrey(picture) : undefined;
    for (const prepared of prepare?.(grey!) ?? [null]) {
      const found = await read(prepared ? toPixels(prepared, scratch(picture)) : picture, options);
      if (found.length > 0) return found;
    }
  }
  return [];
}

/** Two tickets on one sheet, or a poster behind the guest: the one that is aimed at is meant. */
const mostCodes = 4;

async function read(picture: Pixels, options: ReaderOptions): Promise<string[]> {
  const first = await ask(picture, { ...options, maxNumberOfSymbols: 1 });
  // To look for all takes longer; a code that the middle lies in is the one that is meant.
  const others =
    first.length === 0 || isAimedAt(first[0]!.position, picture)
      ? []
      : await ask(picture, { ...options, maxNumberOfSymbols: mostCodes });
  const texts = [...first, ...others]
    .toSorted((a, b) => distance(a.position, picture) - distance(b.position, picture))
    .map(({ text }) => text);
  return [...new Set(texts)];
}

/** The smallest code has so many modules a side. The engine fails on pictures of a few pixels. */
const fewestPixels = 21;

async function ask({ width, height, data }: Pixels, options: ReaderOptions): Promise<ReadResult[]> {
  if (width < fewestPixels || height < fewestPixels) return [];
  const image: ImageData = { width, height, colorSpace: 'srgb', data: data as ImageData['data'] };
  // Turned codes are found anyway; light on dark, as phones at night show tickets, is tried by itself.
  const found = await readBarcodes(image, {
    // Without the small kinds (Micro, rMQR): what is left of a damaged ticket looks like one of them, and nothing in it detects the fault.
    formats: ['QRCodeModel1', 'QRCodeModel2'],
    textMode: 'Plain',
    tryRotate: false,
    ...options,
  });
  return found.filter(({ isValid, text }) => isValid && text !== '');
}

/** From the picture's middle to the code's, in pixels. */
function distance({ topLeft, bottomRight }: Position, { width, height }: Pixels): number {
  return Math.hypot(
    (topLeft.x + bottomRight.x - width) / 2,
    (topLeft.y + bottomRight.y - height) / 2,
  );
}

function isAimedAt(position: Position, picture: Pixels): boolean {
  const { topLeft, bottomRight } = position;
  return (
    distance(position, picture) <
    Math.hypot(topLeft.x - bottomRight.x, topLeft.y - bottomRight.y) / 2
  );
}

/** The engine copies what it is given at once, so one piece of memory serves every look and frame: the largest picture is 1.5 × 1.5 the given. */
let memory = new Uint32Array(0);

function scratch({ width, height }: Pixels): Uint32Array<ArrayBuffer> {
  const most = Math.ceil(width * height * 2.25);
  if (memory.length < most) memory = new Uint32Array(most);
  return memory;
}
