/** The door's eye on our own pictures with exact labels: what it must read, what it must not see, and that nothing reads more. */
import * as fc from 'fast-check';
import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import { readBarcodes } from 'zxing-wasm/reader';
import { decodeStill, filmLength, makeFilmReader } from '#apps/scanner/camera/decode-frame.ts';
import type { ForeignRead } from '#apps/scanner/camera/engine.ts';
import { makeForeignFilter } from '#apps/scanner/camera/foreign-filter.ts';
import { foreignLooks, makeForeignLooks } from '#apps/scanner/camera/foreign-looks.ts';
import type { Pixels } from '#apps/scanner/camera/grey.ts';
import {
  enlarge,
  flatten,
  halve,
  lightAround,
  meanAround,
  middleOf,
  sharpen,
  soften,
  squeeze,
  thicken,
  toFile,
  toGrey,
  type Grey,
} from '#apps/scanner/camera/grey.ts';
import { writeTicketCode } from '#server/domain/door/ticket-code.ts';
import { modulesOf } from '#tests/support/door/camera.ts';
import { openEye, readPixels } from '#tests/support/door/eye.ts';
import { makeForeignCodes } from '#tests/support/door/foreign-codes.ts';
import { makeHardPicture } from '#tests/support/door/hard-pictures.ts';
import { microQrRows } from '#tests/support/door/micro-qr.ts';
import { makePicture } from '#tests/support/door/qr-pictures.ts';

beforeAll(openEye);

/** Eight pixels a module, red, green, blue and alpha of each kind, four modules of light around. */
function drawModules(
  rows: boolean[][],
  { dark, light }: Record<'dark' | 'light', readonly number[]>,
): Pixels {
  const width = 8 * (rows.length + 8);
  const data = new Uint8ClampedArray(width * width * 4);
  for (let i = 0; i < width * width; i += 1) {
    const [row, column] = [Math.floor(i / width / 8) - 4, Math.floor((i % width) / 8) - 4];
    data.set(rows[row]?.[column] ? dark : light, 4 * i);
  }
  return { width, height: width, data };
}

const blackOnWhite = { dark: [0, 0, 0, 255], light: [255, 255, 255, 255] };

/** The code of another system that one of all looks for such codes finds. */
async function foreignIn(picture: Pixels): Promise<ForeignRead | null> {
  const { take } = makeForeignLooks(() => 0);
  const grey = toGrey(picture);
  for (let n = 0; n < foreignLooks; n += 1) {
    const found = await take(grey);
    if (found !== null) return found;
  }
  return null;
}

/** What a film that stands still reads, however long it must look. */
async function filmOf(picture: Pixels): Promise<string[]> {
  const read = makeFilmReader();
  let texts: string[] = [];
  for (let n = 0; n < filmLength && texts.length === 0; n += 1) ({ texts } = await read(picture));
  return texts;
}

test('easy tickets are read in a picture and in a film, hard ones by the looks that are made for them, and where there is no code nothing is seen', async () => {
  for (const condition of ['tilt', 'dark', 'small', 'low_light'] as const) {
    const picture = await makePicture({ condition, kind: 'ticket', n: 0, seed: 5 });
    expect([picture.name, await decodeStill(picture)]).toEqual([picture.name, [picture.text]]);
    expect([picture.name, await filmOf(picture)]).toEqual([picture.name, [picture.text]]);
  }
  for (const [kind, n] of [
    ['finders', 6],
    ['eroded', 0],
    ['glare', 3],
  ] as const) {
    const picture = await makeHardPicture({ kind, n, seed: 7 });
    expect([picture.name, await decodeStill(picture)]).toEqual([picture.name, [picture.text]]);
  }
  const nothing = await makePicture({ condition: 'none', kind: 'ticket', n: 0, seed: 11 });
  expect(await decodeStill(nothing)).toEqual([]);
  expect(await filmOf(nothing)).toEqual([]);
});

test('a Micro QR code, in which nothing corrects a fault, is nobody’s ticket', async () => {
  const picture = drawModules(microQrRows('812'), blackOnWhite);
  const image = { ...picture, colorSpace: 'srgb' } as unknown as ImageData;
  const engine = await readBarcodes(image, { formats: ['QRCode'] });
  expect(engine.map(({ text, format }) => [text, format])).toEqual([['812', 'MicroQRCode']]);
  expect(await decodeStill(picture)).toEqual([]);
  expect(await filmOf(picture)).toEqual([]);
});

test('an rMQR code, however clear, is nobody’s ticket', async () => {
  for (const { name, rows } of await makeForeignCodes()) {
    if (name !== 'rmqrcode') continue;
    const picture = drawModules(rows, blackOnWhite);
    const image = { ...picture, colorSpace: 'srgb' } as unknown as ImageData;
    expect(await readBarcodes(image, { formats: ['QRCode'] })).toMatchObject([{ isValid: true }]);
    expect(await decodeStill(picture)).toEqual([]);
    expect(await filmOf(picture)).toEqual([]);
  }
});

test('a code of another ticket system is named, and nothing in a room is taken for one', async () => {
  const seen = new Map<string, string>();
  for (const foreign of await makeForeignCodes()) {
    if (foreign.text !== null || seen.has(foreign.name)) continue;
    const picture = await makeHardPicture({ kind: 'foreign', n: 5, seed: 3, foreign });
    const read = await foreignIn(picture);
    seen.set(foreign.name, read?.kind ?? 'nothing');
  }
  expect(Object.fromEntries(seen)).toEqual({
    micro: 'nothing',
    rmqrcode: 'nothing',
    ean13: 'nothing',
    code128: 'Code128',
    itf: 'ITF',
    datamatrix: 'DataMatrix',
    aztec: 'Aztec',
    pdf417: 'PDF417',
  });
  const room = await makePicture({ condition: 'none', kind: 'ticket', n: 0, seed: 11 });
  const stripes = drawModules(
    Array.from({ length: 60 }, () => Array.from({ length: 60 }, (_, x) => x % 3 === 0)),
    blackOnWhite,
  );
  for (const scene of [room, stripes]) expect(await foreignIn(scene)).toBeNull();
});

test('other codes are looked for while no QR code is in view, in a sixth of the time', async () => {
  let now = 0;
  const looks = makeForeignLooks(() => now);
  const due = (at: number) => {
    now = at;
    return looks.costOfDue(at) !== null;
  };
  expect([due(499), due(500)]).toEqual([false, true]);
  looks.seeQr();
  expect([due(999), due(1_000)]).toEqual([false, true]);
  await looks.take({ width: 0, height: 0, grey: new Uint8ClampedArray() });
  expect([due(1_099), due(1_100)]).toEqual([false, true]);
  // A slow phone rests for longer.
  let took = 0;
  const slow = makeForeignLooks(() => (took += 50));
  await slow.take({ width: 0, height: 0, grey: new Uint8ClampedArray() });
  expect([slow.costOfDue(499), slow.costOfDue(551)]).toEqual([null, 0]);
});

test('a code of another system counts after 1.5 seconds in view without a QR code, once', () => {
  const aztec = { kind: 'Aztec', text: 'A1' } as const;
  type Frame = ForeignRead | 'qr' | null;
  const times = (count: number, frame: Frame) => Array.from({ length: count }, () => frame);
  const show = (frames: readonly Frame[], ms = 250) => {
    const filter = makeForeignFilter();
    return frames.map((frame, n) => {
      const texts = frame === 'qr' ? ['812'] : [];
      return filter.look({ texts, foreign: frame === 'qr' ? null : frame }, n * ms) !== null;
    });
  };
  const told = (frames: readonly Frame[], ms?: number) => show(frames, ms).indexOf(true);
  expect(told(times(12, aztec))).toBe(6);
  expect(show(times(40, aztec)).filter(Boolean)).toHaveLength(1);
  // Not every frame is looked at for it.
  expect(told([aztec, null, null, aztec, null, null, aztec, null])).toBe(6);
  expect(told([aztec, ...times(20, null), aztec])).toBe(-1);
  expect(told([aztec, aztec, aztec, 'qr', aztec, aztec, aztec, aztec, aztec, aztec])).toBe(-1);
  expect(told([aztec, aztec, { ...aztec, text: 'A2' }, aztec, aztec, aztec, aztec])).toBe(-1);
  // Two looks are not enough, however long they are apart.
  expect(told([aztec, aztec], 1_499)).toBe(-1);
  const again = [...times(8, aztec), ...times(14, null), ...times(8, aztec)];
  expect(show(again).filter(Boolean)).toHaveLength(2);
  const filter = makeForeignFilter();
  const at = (now: number) => filter.look({ texts: [], foreign: aztec }, now);
  for (const now of [0, 700, 1_400]) expect(at(now)).toBeNull();
  expect(at(1_600)).toEqual(aztec);
  filter.forget();
  expect(at(1_700)).toEqual(aztec);
});

test('a transparent picture is read whether its code is dark, light or both on what is not there', async () => {
  const text = writeTicketCode('7K2Q', new Uint8Array(16));
  const [black, white, clear] = [
    [0, 0, 0, 255],
    [255, 255, 255, 255],
    [0, 0, 0, 0],
  ] as const;
  for (const inks of [
    { dark: black, light: clear },
    { dark: clear, light: white },
    { dark: white, light: clear },
    { dark: [40, 40, 40, 160], light: clear },
    { dark: [230, 230, 230, 160], light: clear },
  ] as const)
    expect([inks, await decodeStill(drawModules(modulesOf(text), inks))]).toEqual([inks, [text]]);
});

test('of several codes the one that is aimed at comes first', async () => {
  const pictures = await Promise.all(
    [1, 2].map((seed) => makePicture({ condition: 'small', kind: 'ticket', n: 0, seed })),
  );
  const halves = await Promise.all(
    pictures.map(({ jpeg }) =>
      sharp(jpeg).extract({ left: 320, top: 100, width: 640, height: 520 }).toBuffer(),
    ),
  );
  for (const [left, right] of [
    [0, 1],
    [1, 0],
  ] as const) {
    // The right one fills the middle; the left one is at the edge.
    const sheet = sharp({
      create: { width: 1_600, height: 520, channels: 3, background: '#888' },
    }).composite([
      { input: halves[left]!, left: 0, top: 0 },
      { input: halves[right]!, left: 640, top: 0 },
    ]);
    const texts = await decodeStill(await readPixels(await sheet.png().toBuffer()));
    expect(texts[0]).toBe(pictures[right]!.text);
  }
});

test('a photo of twelve megapixels and a thumbnail are read like a frame', async () => {
  const { jpeg, text } = await makePicture({
    condition: 'defocus',
    kind: 'address',
    n: 1,
    seed: 21,
  });
  expect(await decodeStill(await readPixels(jpeg, 4_032))).toEqual([text]);
  const clear = await makePicture({ condition: 'tilt', kind: 'ticket', n: 0, seed: 21 });
  expect(await decodeStill(await readPixels(clear.jpeg, 320))).toEqual([clear.text]);
});

test('a small code in a very large photo is found where the first, smaller look cannot see it', async () => {
  const { jpeg, text } = await makePicture({ condition: 'small', kind: 'ticket', n: 0, seed: 3 });
  const photo = sharp({
    create: { width: 4_000, height: 3_000, channels: 3, background: '#777' },
  }).composite([
    { input: await sharp(jpeg).resize({ width: 1_000 }).toBuffer(), left: 2_500, top: 300 },
  ]);
  expect(await decodeStill(await readPixels(await photo.png().toBuffer()))).toEqual([text]);
});

test('pictures of any size, the emptiest too, are looked at without an error', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 40 }),
      fc.integer({ min: 0, max: 40 }),
      fc.nat({ max: 15 }),
      async (width, height, n) => {
        const data = Uint8ClampedArray.from(
          { length: width * height * 4 },
          (_, i) => (i * 7_919 + n * 31) % 256,
        );
        expect(await decodeStill({ width, height, data })).toEqual([]);
        const read = makeFilmReader();
        for (let frame = 0; frame < 3; frame += 1)
          expect(await read({ width, height, data })).toEqual({ texts: [], foreign: null });
      },
    ),
    { numRuns: 60 },
  );
  for (const [width, height] of [
    [3_000, 1],
    [1, 3_000],
    [2_500, 7],
    [5_000, 21],
    [21, 5_000],
    [21, 21],
  ] as const)
    expect(
      await decodeStill({ width, height, data: new Uint8ClampedArray(width * height * 4) }),
    ).toEqual([]);
});

test('preparing a picture keeps what is even even, and the other sizes are what they say', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 24 }),
      fc.integer({ min: 2, max: 24 }),
      fc.nat({ max: 255 }),
      (width, height, level) => {
        const even = draw(width, height, () => level);
        const data = new Uint8ClampedArray(width * height * 4).fill(level);
        for (const step of [1, 2, 3]) {
          const grey = toGrey({ width, height, data }, step);
          expect([grey.width, grey.height, grey.grey.every((value) => value === level)]).toEqual([
            Math.floor(width / step),
            Math.floor(height / step),
            true,
          ]);
        }
        for (const [made, factor] of [
          [halve(even), 0.5],
          [enlarge(even), 1.5],
          [sharpen(even), 1],
          [soften(even), 1],
        ] as const) {
          expect([made.width, made.height]).toEqual([
            Math.floor(width * factor),
            Math.floor(height * factor),
          ]);
          expect(made.grey).toHaveLength(made.width * made.height);
          expect([...made.grey].filter((value) => Math.abs(value - level) > 1)).toEqual([]);
        }
        for (const direction of [0, 1, 2, 3].map((n) => (n * Math.PI) / 4)) {
          const narrow = squeeze(even, direction);
          const side = Math.min(width, height);
          expect([narrow.width, narrow.height]).toEqual([side >> 1, side]);
          expect([...narrow.grey].every((value) => value === level)).toBe(true);
        }
        const file = toFile(even);
        const head = new TextDecoder().decode(file.subarray(0, -even.grey.length));
        expect([head, [...file.subarray(-even.grey.length)]]).toEqual([
          `P5\n${width} ${height}\n255\n`,
          [...even.grey],
        ]);
      },
    ),
  );
});

/** A grey picture, pixel by pixel. */
function draw(width: number, height: number, level: (x: number, y: number) => number): Grey {
  const at = (i: number) => level(i % width, Math.floor(i / width));
  const grey = Uint8ClampedArray.from({ length: width * height }, (_, i) => at(i));
  return { width, height, grey };
}

test('the mean around a pixel is that of what is there; flattened, a step of light is gone and what is drawn in it stays', () => {
  const picture = draw(
    200,
    60,
    (x, y) => (x < 100 ? 60 : 180) - (x % 50 === 25 && y === 30 ? 40 : 0),
  );
  const means = meanAround(picture, 3);
  expect([means[0], means[97], means[100], means[199], means[11_999]]).toEqual([
    60, 77, 128, 180, 180,
  ]);
  const flat = flatten(picture, { far: 24, gain: 2 }).grey;
  expect([0, 20, 180, 199].map((x) => flat[x])).toEqual([128, 128, 128, 128]);
  expect([25, 175].map((x) => 128 - flat[30 * 200 + x]!).every((depth) => depth > 70)).toBe(true);
});

test('the light around, from a quarter of the rows and columns, is almost the mean around each pixel', () => {
  const chess = (x: number, y: number) => ((Math.floor(x / 6) + Math.floor(y / 6)) % 2) * 50;
  const picture = draw(203, 121, (x, y) => 60 + x / 2 + chess(x, y));
  const [exact, quick] = [meanAround(picture, 24), lightAround(picture, 24)];
  expect(Math.max(...exact.map((value, i) => Math.abs(value - quick[i]!)))).toBeLessThan(12);
});

test('squeezed in one direction only, a stretched code gets its shape back; the middle is two thirds', () => {
  const chess = (x: number, y: number) =>
    (Math.floor(x / 4) + Math.floor(y / 4)) % 2 === 0 ? 20 : 220;
  // Bars of eight columns and four rows: a chessboard of four when its length is halved.
  const { width, height, grey } = squeeze(
    draw(64, 64, (x, y) => chess(Math.floor(x / 2), y)),
    0,
  );
  expect([width, height]).toEqual([32, 64]);
  const wrong = [...grey].filter(
    (value, i) => Math.abs(value - chess(i % 32, Math.floor(i / 32))) > 100,
  );
  expect(wrong).toEqual([]);
  const middle = middleOf(draw(60, 30, () => 0));
  expect([middle.width, middle.height]).toEqual([40, 20]);
});

test('thickening gives a broken stroke its pixels back and lets no light between', () => {
  const row = [200, 200, 40, 200, 40, 200, 200, 200];
  const stroke = draw(8, 8, (x) => row[x]!);
  expect(Array.from(thicken(stroke).grey.subarray(24, 32))).toEqual([
    200, 40, 40, 40, 40, 40, 200, 200,
  ]);
});

test('softening takes a thin crack away and leaves what is wide', () => {
  const cracked = draw(20, 20, (x) => (x === 4 ? 250 : x < 10 ? 20 : 220));
  const row = soften(cracked).grey.slice(200, 220);
  expect([row[4]! < 100, row[0], row[15], row[19]]).toEqual([true, 20, 220, 220]);
});

test('sharpening moves the two sides of an edge apart, and enlarging keeps them in their place', () => {
  const edge = draw(10, 10, (x) => (x < 5 ? 50 : 150));
  const sharp = sharpen(edge).grey.slice(50, 60);
  expect([sharp[0], sharp[4]! < 50, sharp[5]! > 150, sharp[9]]).toEqual([50, true, true, 150]);
  const large = Array.from(enlarge(edge).grey.slice(0, 15));
  expect([large.slice(0, 7), large.slice(8)]).toEqual([Array(7).fill(50), Array(7).fill(150)]);
});
