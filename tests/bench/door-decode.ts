/**
 * How many codes the door's eye reads, and how fast, beside other decoders on the same pictures:
 * `npm run bench -- decode [hard ones per kind] [per condition] [seed]`. All get the camera's full frame, also html5-qrcode's decoder,
 * which by itself would see it at the size of its element. Times are the processor's, because a busy machine's clock tells of its
 * neighbours. Figures, no verdict.
 */
import { createRequire } from 'node:module';
import jsQR from 'jsqr';
import { decodeQR } from 'qr/decode.js';
import { readBarcodes } from 'zxing-wasm/reader';
import { decodeStill, filmLength, makeFilmReader } from '#apps/scanner/camera/decode-frame.ts';
import type { Pixels } from '#apps/scanner/camera/grey.ts';
import { openEye } from '#tests/support/door/eye.ts';
import { makeHardPictures } from '#tests/support/door/hard-pictures.ts';
import { makePicture, makePictures, type PictureAsk } from '#tests/support/door/qr-pictures.ts';
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

interface DecoderFigures {
  /** By kind of picture, and for `all`. */ read: Map<string, { right: number; of: number }>;
  /** Texts that are not the picture's, or any text where there is no code. */ misreads: string[];
  foundMs: number[];
  emptyMs: number[];
  /** Codes of other ticket systems; where none is shown they are phantoms. */ foreign: string[];
  /** The frame of a film in which each picture was read; the first is 1. */ frames: number[];
}

/** The processor time of this process so far, in milliseconds. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Every decoder on our pictures of every condition. */
export function measureDecoders(ask: PictureAsk): Promise<Map<string, DecoderFigures>> {
  return measureOn(makePictures(ask), ({ kind, condition }) => ['all', kind, condition]);
}

/** Every decoder on the hard pictures of every kind. */
function measureHard(
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
      { read: new Map(), misreads: [], foundMs: [], emptyMs: [], foreign: [], frames: [] },
    ]),
  );
  const film = await makeFilmShow();
  let turn = 0;
  for await (const picture of pictures) {
    const groups = groupsOf(picture);
    const reading = new Map<string, readonly string[]>();
    for (let i = 0; i < names.length; i += 1) {
      const name = names[(turn + i) % names.length]!;
      const began = processorMs();
      const texts = await decoders[name]!(picture);
      reading.set(name, texts);
      note(figures.get(name)!, picture, groups, texts);
      (texts.length > 0 ? figures.get(name)!.foundMs : figures.get(name)!.emptyMs).push(
        processorMs() - began,
      );
    }
    const [ours, ...others] = names.map((name) => reading.get(name)!);
    const isReadable = picture.text !== null && others.flat().includes(picture.text);
    note(figures.get(union)!, picture, groups, isReadable ? [picture.text!] : []);
    if (isReadable) note(figures.get(shared)!, picture, groups, ours!);
    await film(figures.get('ours, film')!, picture, groups);
    turn += 1;
  }
  return figures;
}

/** Holds one picture after the other before the camera, each until it is read, and in between nothing; each frame's time counts by itself. */
async function makeFilmShow() {
  const room = await makePicture({ condition: 'none', kind: 'ticket', n: 0, seed: 1 });
  const read = makeFilmReader(processorMs);
  for (let n = 0; n < filmLength; n += 1) await read(room);
  return async (
    figures: DecoderFigures,
    picture: Labelled,
    groups: readonly string[],
  ): Promise<void> => {
    let texts: readonly string[] = [];
    let n = 0;
    while (n < filmLength && texts.length === 0) {
      n += 1;
      const began = processorMs();
      const reading = await read(picture);
      ({ texts } = reading);
      if (reading.foreign !== null)
        figures.foreign.push(`${picture.name}: ${reading.foreign.kind}`);
      (texts.length > 0 ? figures.foundMs : figures.emptyMs).push(processorMs() - began);
    }
    if (texts.length > 0) figures.frames.push(n);
    note(figures, picture, groups, texts);
    await read(room);
  };
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

/** The share of the pictures that was read, 0 to 1. */
export function rateOf({ read }: DecoderFigures, key: string): number {
  const { right, of } = read.get(key) ?? { right: 0, of: 0 };
  return of === 0 ? 0 : right / of;
}

async function benchDecoders(perKind = 50, perCondition = 0, seed = 7): Promise<void> {
  if (perCondition > 0)
    print(`${perCondition} pictures`, await measureDecoders({ perCondition, seed }));
  if (perKind > 0) print(`${perKind} hard ones`, await measureHard({ perKind, seed }));
  console.log('(ms of the processor, median / p95; of a film: of one frame)');
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
  const bare = quantile(timesOf(figures.get('zxing-wasm')!), 0.5);
  for (const [head, pick] of [
    ['ms found', ({ foundMs }: DecoderFigures) => foundMs],
    ['ms empty', ({ emptyMs }: DecoderFigures) => emptyMs],
    ['ms all', timesOf],
  ] as const)
    line(
      head,
      names.map((name) => spread(pick(figures.get(name)!), 1)),
    );
  line(
    'in bare looks',
    names.map((name) => spread(timesOf(figures.get(name)!), bare)),
  );
  line(
    'misreads',
    names.map((name) => String(figures.get(name)!.misreads.length)),
  );
  const { frames, foreign } = figures.get('ours, film')!;
  const within = (most: number) =>
    `${((100 * frames.filter((n) => n <= most).length) / frames.length).toFixed(1)} % in ${most}`;
  console.log(`Of what the film reads, frames needed: ${[1, 2, 4, 8].map(within).join(', ')}`);
  console.log(`Codes of other systems, by the film: ${[...new Set(foreign)].join(', ') || 'none'}`);
  for (const name of names)
    for (const misread of figures.get(name)!.misreads) console.log(`  ${name} misread ${misread}`);
}

function timesOf({ foundMs, emptyMs }: DecoderFigures): number[] {
  return [...foundMs, ...emptyMs];
}

/** Median and 95th percentile as multiples of `unit`. */
function spread(ms: number[], unit: number): string {
  if (ms.length === 0) return '–';
  return [0.5, 0.95].map((part) => (quantile(ms, part) / unit).toFixed(1)).join(' / ');
}

if (import.meta.main) await benchDecoders(...process.argv.slice(2).map(Number));
