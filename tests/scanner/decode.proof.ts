/** The door's eye on pictures of every condition, beside other decoders, and on the hardest; decode.test.ts has a few of each. */
import { beforeAll, expect, test } from 'vitest';
import { readBarcodes } from 'zxing-wasm/reader';
import { decodeStill, filmLength, makeFilmReader } from '#apps/scanner/camera/decode-frame.ts';
import { measureDecoders, rateOf } from '#tests/bench/door-decode.ts';
import { openEye } from '#tests/support/door/eye.ts';
import { makeHardPicture } from '#tests/support/door/hard-pictures.ts';
import { conditions, makePicture, makePictures } from '#tests/support/door/qr-pictures.ts';

beforeAll(openEye);

test('on tickets in every condition the door reads at least what html5-qrcode, jsQR and zxing-wasm read, and nothing wrong', async () => {
  const figures = await measureDecoders({ perCondition: 1, kinds: ['ticket'], seed: 5 });
  const [still, film] = [figures.get('ours, still')!, figures.get('ours, film')!];
  expect([still.misreads, film.misreads]).toEqual([[], []]);
  for (const condition of conditions) {
    if (condition === 'none') continue;
    const best = Math.max(
      ...['html5-qrcode', 'jsQR', 'zxing-wasm'].map((name) =>
        rateOf(figures.get(name)!, condition),
      ),
    );
    expect(rateOf(still, condition), condition).toBeGreaterThanOrEqual(best);
  }
  for (const easy of [
    'tilt',
    'dark',
    'small',
    'moire',
    'covered',
    'low_contrast',
    'low_light',
  ] as const)
    expect([easy, rateOf(still, easy), rateOf(film, easy)]).toEqual([easy, 1, 1]);
  expect(rateOf(still, 'all')).toBeGreaterThanOrEqual(0.85);
  // A film that never looks thoroughly must not be much blinder than a thorough look.
  expect(rateOf(film, 'all')).toBeGreaterThanOrEqual(rateOf(still, 'all') - 0.05);
}, 180_000);

test('damaged, worn, dazzled, streaked and very oblique tickets that the bare engine gives up are read', async () => {
  for (const [kind, n] of [
    ['finders', 6],
    ['finders', 8],
    ['eroded', 0],
    ['eroded', 3],
    ['streaks', 1],
    ['glare', 3],
    ['glare', 22],
    ['perspective', 13],
    ['perspective', 26],
  ] as const) {
    const picture = await makeHardPicture({ kind, n, seed: 7 });
    const image = { ...picture, colorSpace: 'srgb' } as unknown as ImageData;
    expect([picture.name, await readBarcodes(image, { formats: ['QRCode'] })]).toEqual([
      picture.name,
      [],
    ]);
    expect([picture.name, await decodeStill(picture)]).toEqual([picture.name, [picture.text]]);
  }
}, 120_000);

test('what one frame read is looked for in the same way in the next, until it reads nothing', async () => {
  const [address, nothing] = await Promise.all([
    makePicture({ condition: 'tilt', kind: 'address', n: 0, seed: 2 }),
    makePicture({ condition: 'none', kind: 'ticket', n: 0, seed: 2 }),
  ]);
  for (let lookedBefore = 0; lookedBefore < filmLength; lookedBefore += 2) {
    const read = makeFilmReader();
    for (let n = 0; n < lookedBefore; n += 1) await read(nothing);
    let first: string[] = [];
    for (let n = 0; n < filmLength && first.length === 0; n += 1)
      ({ texts: first } = await read(address));
    expect([first, (await read(address)).texts]).toEqual([[address.text], [address.text]]);
  }
});

test('where there is no code nothing is seen, however long the camera looks', async () => {
  for await (const picture of makePictures({ only: ['none'], perCondition: 2, seed: 11 })) {
    expect([picture.name, await decodeStill(picture)]).toEqual([picture.name, []]);
    const read = makeFilmReader();
    for (let n = 0; n < filmLength; n += 1)
      expect(await read(picture)).toEqual({ texts: [], foreign: null });
  }
}, 60_000);
