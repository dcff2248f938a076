/**
 * How many codes the door's eye reads, and how fast, beside other decoders on the same pictures: `node tests/bench/door-decode.ts [per condition]`.
 * All get the camera's full frame, also html5-qrcode's decoder, which by itself would see it at the size of its element. Figures, no verdict.
 */
import { createRequire } from 'node:module';
import jsQR from 'jsqr';
import { readBarcodes } from 'zxing-wasm/reader';
import {
  decodeFrame,
  decodeStill,
  filmLength,
  type Pixels,
} from '#apps/scanner/camera/decode-frame.ts';
import { openEye } from '#tests/support/door/eye.ts';
import {
  makePictures,
  type Condition,
  type PayloadKind,
  type Picture,
  type PictureAsk,
} from '#tests/support/door/qr-pictures.ts';
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
  'html5-qrcode': makeZxingJs(),
};

export interface DecoderFigures {
  read: Map<Condition | PayloadKind | 'all', { right: number; of: number }>;
  /** A text that is not the picture's, or any text where there is no code. */ misreads: string[];
  foundMs: number[];
  emptyMs: number[];
}

/** Every decoder on every picture, each time beginning with another one. */
export async function measureDecoders(ask: PictureAsk): Promise<Map<string, DecoderFigures>> {
  await openEye();
  const figures = new Map<string, DecoderFigures>(
    [...Object.keys(decoders), 'ours, film'].map((name) => [
      name,
      { read: new Map(), misreads: [], foundMs: [], emptyMs: [] },
    ]),
  );
  const names = Object.keys(decoders);
  let turn = 0;
  for await (const picture of makePictures(ask)) {
    for (let i = 0; i < names.length; i += 1) {
      const name = names[(turn + i) % names.length]!;
      const began = performance.now();
      const texts = await decoders[name]!(picture);
      note(figures.get(name)!, picture, texts);
      (texts.length > 0 ? figures.get(name)!.foundMs : figures.get(name)!.emptyMs).push(
        performance.now() - began,
      );
    }
    await film(figures.get('ours, film')!, picture, turn);
    turn += 1;
  }
  return figures;
}

/** The picture held before the camera: read as soon as any frame is; each frame's time counts by itself. */
async function film(figures: DecoderFigures, picture: Picture, from: number): Promise<void> {
  let texts: readonly string[] = [];
  for (let n = 0; n < filmLength && texts.length === 0; n += 1) {
    const began = performance.now();
    texts = await decodeFrame(picture, from + n);
    (texts.length > 0 ? figures.foundMs : figures.emptyMs).push(performance.now() - began);
  }
  note(figures, picture, texts);
}

function note(
  { read, misreads }: DecoderFigures,
  { name, condition, kind, text }: Picture,
  texts: readonly string[],
): void {
  for (const wrong of texts.filter((found) => found !== text))
    misreads.push(`${name}: ${JSON.stringify(wrong)}`);
  if (text === null) return;
  for (const key of ['all', kind, condition] as const) {
    const cell = read.get(key) ?? { right: 0, of: 0 };
    read.set(key, { right: cell.right + (texts.includes(text) ? 1 : 0), of: cell.of + 1 });
  }
}

/** The part of the pictures that was read, 0 to 1. */
export function rateOf({ read }: DecoderFigures, key: Condition | PayloadKind | 'all'): number {
  const { right, of } = read.get(key) ?? { right: 0, of: 0 };
  return of === 0 ? 0 : right / of;
}

export async function benchDecoders(perCondition = 16): Promise<void> {
  const figures = await measureDecoders({ perCondition, seed: 20_261_122 });
  const names = [...figures.keys()];
  const line = (title: string, cells: readonly string[]) =>
    console.log(title.padEnd(14) + cells.map((cell) => cell.padStart(14)).join(''));
  line(`${perCondition} pictures`, names);
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
  console.log(
    '(median / p95; a film’s time is that of one frame, a miss of a whole film is eight of them)',
  );
}

if (import.meta.main) await benchDecoders(Number(process.argv[2] ?? 16));
