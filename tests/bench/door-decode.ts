/**
 * How many codes the door's eye reads, and how fast, beside other decoders on the same pictures: `npm run bench -- decode [per condition] [hard ones per kind]`.
 * All get the camera's full frame, also html5-qrcode's decoder, which by itself would see it at the size of its element. Figures, no verdict.
 */
import { createRequire } from 'node:module';
import jsQR from 'jsqr';
import { decodeQR } from 'qr/decode.js';
import { readBarcodes } from 'zxing-wasm/reader';
import {
  decodeFrame,
  decodeStill,
  filmLength,
  type Pixels,
} from '#apps/scanner/camera/decode-frame.ts';
import { openEye } from '#tests/support/door/eye.ts';
import { makeHardPictures } from '#tests/support/door/hard-pictures.ts';
import { makePictures, type PictureAsk } from '#tests/support/door/qr-pictures.ts';
import { quantile } from './quantile.ts';

type Decoder = (pixels: Pixels) => Promise<readonly string[]> | readonly string[];

const require = createRequire(import.meta.url);
/** What html5-qrcode draws on, as far as its decoder looks at it. */
function asCanvas({ width, height, data }: Pixels) {
  return { width, height, getContext: () => ({ getImageData: () => ({ data, width, height }) }) };
}

function makeZxingJs(): Decoder {
  interface Module {
    ZXingHtml5QrcodeDecoder: new (
      formats: number[],
      verbose: boolean,
      logger: object,
    ) => { decodeAsync(canvas: object): Promise<{ text: string }> };
  }
  const { ZXingHtml5QrcodeDecoder } =
    require('html5-qrcode/cjs/zxing-html5-qrcode-decoder.js') as Module;
  const decoder = new ZXingHtml5QrcodeDecoder([0], false, { logError: () => {} });
  return (pixels) =>
    decoder.decodeAsync(asCanvas(pixels)).then(
      ({ text }) => [text],
      () => [],
    );
}

const decoders: Record<string, Decoder> = {
  'ours, still': decodeStill,
  'zxing-wasm': async ({ width, height, data }) =>
    (
      await readBarcodes(
        { width, height, colorSpace: 'srgb', data: data as ImageData['data'] },
        { formats: ['QRCode'], maxNumberOfSymbols: 1, textMode: 'Plain' },
      )
    )
      .filter(({ isValid }) => isValid)
      .map(({ text }) => text),
  jsQR: ({ width, height, data }) => {
    const text = jsQR(new Uint8ClampedArray(data), width, height)?.data;
    return text ? [text] : [];
  },
  qr: ({ width, height, data }) => {
    try {
      return [decodeQR({ width, height, data: new Uint8Array(data) })];
    } catch {
      return [];
    }
  },
  'html5-qrcode': makeZxingJs(),
};
/** What any of the others reads, and how much of that is read by us. */
const union = 'any other';
const shared = 'ours of these';

/** A picture with its exact label; null: nothing may be read. */
interface Labelled extends Pixels {
  name: string;
  text: string | null;
}

export interface DecoderFigures {
  /** By kind of picture, and for `all`. */ read: Map<string, { right: number; of: number }>;
  /** A text that is not the picture's, or any text where there is no code. */ misreads: string[];
  foundMs: number[];
  emptyMs: number[];
}

/** Every decoder on our pictures of every condition. */
export function measureDecoders(ask: PictureAsk): Promise<Map<string, DecoderFigures>> {
  return measureOn(makePictures(ask), ({ kind, condition }) => ['all', kind, condition]);
}

/** Every decoder on the hard pictures of every kind. */
export function measureHard(
  ask: Parameters<typeof makeHardPictures>[0],
): Promise<Map<string, DecoderFigures>> {
  return measureOn(makeHardPictures(ask), ({ kind }) =>
    kind === 'foreign' ? [kind] : ['all', kind],
  );
}

/** Every decoder on every picture, each time beginning with another one; `groupsOf`: under what a picture counts. */
async function measureOn<P extends Labelled>(
  pictures: AsyncIterable<P>,
  groupsOf: (picture: P) => readonly string[],
): Promise<Map<string, DecoderFigures>> {
  await openEye();
  const names = Object.keys(decoders);
  const figures = new Map<string, DecoderFigures>(
    [...names, 'ours, film', union, shared].map((name) => [
      name,
      { read: new Map(), misreads: [], foundMs: [], emptyMs: [] },
    ]),
  );
  let turn = 0;
  for await (const picture of pictures) {
    const groups = groupsOf(picture);
    const reading = new Map<string, readonly string[]>();
    for (let i = 0; i < names.length; i += 1) {
      const name = names[(turn + i) % names.length]!;
      const began = performance.now();
      const texts = await decoders[name]!(picture);
      reading.set(name, texts);
      note(figures.get(name)!, picture, groups, texts);
      (texts.length > 0 ? figures.get(name)!.foundMs : figures.get(name)!.emptyMs).push(
        performance.now() - began,
      );
    }
    const [ours, ...others] = names.map((name) => reading.get(name)!);
    const isReadable = picture.text !== null && others.flat().includes(picture.text);
    note(figures.get(union)!, picture, groups, isReadable ? [picture.text!] : []);
    if (isReadable) note(figures.get(shared)!, picture, groups, ours!);
    await film(figures.get('ours, film')!, picture, groups, turn);
    turn += 1;
  }
  return figures;
}

/** The picture held before the camera: read as soon as any frame is; each frame's time counts by itself. */
async function film(
  figures: DecoderFigures,
  picture: Labelled,
  groups: readonly string[],
  from: number,
): Promise<void> {
  let texts: readonly string[] = [];
  for (let n = 0; n < filmLength && texts.length === 0; n += 1) {
    const began = performance.now();
    texts = await decodeFrame(picture, from + n);
    (texts.length > 0 ? figures.foundMs : figures.emptyMs).push(performance.now() - began);
  }
  note(figures, picture, groups, texts);
}

function note(
  { read, misreads }: DecoderFigures,
  { name, text }: Labelled,
  groups: readonly string[],
  texts: readonly string[],
): void {
  for (const wrong of texts.filter((found) => found !== text))
    misreads.push(`${name}: ${JSON.stringify(wrong)}`);
  if (text === null) return;
  for (const key of groups) {
    const cell = read.get(key) ?? { right: 0, of: 0 };
    read.set(key, { right: cell.right + (texts.includes(text) ? 1 : 0), of: cell.of + 1 });
  }
}

/** The part of the pictures that was read, 0 to 1. */
export function rateOf({ read }: DecoderFigures, key: string): number {
  const { right, of } = read.get(key) ?? { right: 0, of: 0 };
  return of === 0 ? 0 : right / of;
}

export async function benchDecoders(perCondition = 16, perKind = 50): Promise<void> {
  print(`${perCondition} pictures`, await measureDecoders({ perCondition, seed: 20_261_122 }));
  print(`${perKind} hard ones`, await measureHard({ perKind, seed: 7 }));
  console.log(
    `(median / p95; a film’s time is that of one frame, a miss of a whole film is ${filmLength} of them)`,
  );
}

function print(title: string, figures: ReadonlyMap<string, DecoderFigures>): void {
  const names = [...figures.keys()];
  const line = (head: string, cells: readonly string[]) =>
    console.log(head.padEnd(14) + cells.map((cell) => cell.padStart(14)).join(''));
  line(title, names);
  for (const key of figures.get(names[0]!)!.read.keys()) {
    line(
      key,
      names.map((name) => `${(100 * rateOf(figures.get(name)!, key)).toFixed(1)} %`),
    );
  }
  const times = (ms: number[]) =>
    ms.length === 0 ? '–' : `${quantile(ms, 0.5).toFixed(1)} / ${quantile(ms, 0.95).toFixed(1)}`;
  line(
    'ms found',
    names.map((name) => times(figures.get(name)!.foundMs)),
  );
  line(
    'ms empty',
    names.map((name) => times(figures.get(name)!.emptyMs)),
  );
  line(
    'misreads',
    names.map((name) => String(figures.get(name)!.misreads.length)),
  );
  for (const name of names)
    for (const misread of figures.get(name)!.misreads) console.log(`  ${name} misread ${misread}`);
}

if (import.meta.main)
  await benchDecoders(Number(process.argv[2] ?? 16), Number(process.argv[3] ?? 50));
