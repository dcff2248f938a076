/** The map says where one is: rows at the edge of the view, sections and boxes by name at every width, the seat in question, and nothing in its way. */
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { middleOf, painted, phone, testTheatre as test } from './theatre.ts';

interface Written {
  text: string;
  x: number;
  y: number;
}

/** Notes every word of the last picture and where on the map it stands. */
const noteWords = (page: Page) =>
  page.addInitScript(() => {
    const { fillRect, fillText } = CanvasRenderingContext2D.prototype;
    const isMap = ({ canvas }: CanvasRenderingContext2D) => canvas.className === 'bsc-map';
    const notes = globalThis as unknown as { written: Written[] };
    notes.written = [];
    CanvasRenderingContext2D.prototype.fillRect = function (x, y, width, height) {
      if (isMap(this) && x === 0 && y === 0) notes.written = [];
      fillRect.call(this, x, y, width, height);
    };
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
      const { a, b, c, d, e, f } = this.getTransform();
      const scale = this.canvas.width / this.canvas.clientWidth;
      if (isMap(this))
        notes.written.push({
          text,
          x: (a * x + c * y + e) / scale,
          y: (b * x + d * y + f) / scale,
        });
      fillText.call(this, text, x, y);
    };
  });

const wordsOf = async (page: Page) => {
  await painted(page);
  return page.evaluate<Written[]>('written');
};

/** Where on the map the chart's white of words and rings is: indices of its pixels. */
const whiteOf = async (page: Page) => {
  await painted(page);
  return page.evaluate(() => {
    const map = document.querySelector<HTMLCanvasElement>('.bsc-map')!;
    const { data } = map.getContext('2d')!.getImageData(0, 0, map.width, map.height);
    const white: number[] = [];
    for (let at = 0; at < data.length; at += 4)
      if (data[at] === 0xf2 && data[at + 1] === 0xf4 && data[at + 2] === 0xf8) white.push(at / 4);
    return white;
  });
};

const small = { ...phone, viewport: { width: 390, height: 640 } };
const none = { session: 'none' };

/** Those of which each device is asked: a phone upright and lying, a tablet and a narrow window. */
const screens = [
  {
    context: phone,
    sizes: [
      { width: 360, height: 640 },
      { width: 844, height: 320 },
    ],
  },
  {
    context: {},
    sizes: [
      { width: 768, height: 800 },
      { width: 900, height: 650 },
    ],
  },
];

/** What lies over the map where something is drawn. */
const coveredParts = (page: Page) =>
  page.evaluate(() => {
    const map = document.querySelector<HTMLCanvasElement>('.bsc-map')!;
    const box = map.getBoundingClientRect();
    const context = map.getContext('2d')!;
    const ratio = map.width / box.width;
    const floor = context.getImageData(1, 1, 1, 1).data.join();
    const isOver = (part: Element) => {
      const over = part.getBoundingClientRect();
      const [left, top] = [Math.max(over.left, box.left), Math.max(over.top, box.top)];
      const width = Math.min(over.right, box.right) - left;
      const height = Math.min(over.bottom, box.bottom) - top;
      if (width <= 0 || height <= 0) return false;
      const [x, y, w, h] = [left - box.left, top - box.top, width, height].map((n) => n * ratio);
      const { data } = context.getImageData(x!, y!, w!, h!);
      for (let at = 0; at < data.length; at += 4)
        if (data.slice(at, at + 4).join() !== floor) return true;
      return false;
    };
    const parts = document.querySelectorAll('.bsc-tools, .bsc-hint, .bsc-minimap, .bsc-floors');
    return [...parts].filter(isOver).map(({ className }) => className);
  });

/** How far the middle of the stage is from that of the map. */
const stageOff = (page: Page) =>
  page.evaluate(() => {
    const map = document.querySelector<HTMLCanvasElement>('.bsc-map')!;
    const { data } = map.getContext('2d')!.getImageData(0, 0, map.width, map.height);
    const isStage = (at: number) => data.slice(at, at + 3).join() === '42,48,59';
    let first = 0;
    while (first < data.length && !isStage(first)) first += 4;
    // Some lines below the stage's edge, where it is as wide as it gets.
    const line = (Math.floor(first / 4 / map.width) + 12) * map.width;
    const columns = Array.from({ length: map.width }, (_, x) => x);
    const stage = columns.filter((x) => isStage((line + x) * 4));
    const [left, right] = [stage[0]!, stage.at(-1)!];
    return Math.abs(((left + right - map.width) / 2) * (map.clientWidth / map.width));
  });

test('at every width the whole hall is seen in the middle with the names of its sections and the orders of its boxes, uncovered, and buttons lie beside it', async (theatre) => {
  for (const { context, sizes } of screens) {
    const visitor = await theatre.enter({ context, prepare: noteWords, chart: none });
    const { page, show } = visitor;
    for (const size of sizes) {
      await page.setViewportSize(size);
      await show({ chart: none });
      const map = (await page.locator('.bsc-map').boundingBox())!;
      const seen = (await wordsOf(page)).filter(
        ({ x, y }) => x > 0 && y > 0 && x < map.width && y < map.height,
      );
      expect([size.width, seen.map(({ text }) => text)]).toEqual([
        size.width,
        expect.arrayContaining([
          'Platea',
          expect.stringMatching(/^(Palchi )?I ordine$/),
          expect.stringMatching(/^(Palchi )?II ordine$/),
          'Galleria',
          'Loggione',
        ]),
      ]);
      expect(await coveredParts(page)).toEqual([]);
      const tools = (await page.locator('.bsc-tools').boundingBox())!;
      expect(tools.y).toBeGreaterThanOrEqual(map.y + map.height - 1);
      expect(await stageOff(page)).toBeLessThan(4);
    }
  }
});

test('near by the letter of a long row stands at both edges of the view, a box is called a box, and the section that fills the view is named in its upper part', async (theatre) => {
  const { page, ask } = await theatre.enter({ context: small, prepare: noteWords, chart: none });
  await ask('chart.zoomToObjects(["Palchi II ordine-3-2"])');
  const words = await wordsOf(page);
  expect(words.map(({ text }) => text)).toContain('Palco 3');
  const heads = words.filter(({ y }) => y > 0 && y < 200).map(({ text }) => text);
  expect(heads).toContain('Palchi II ordine');
  await ask('chart.zoomToObjects(["Platea-H-5"])');
  await page.getByRole('button', { name: 'Ingrandisci' }).click();
  const map = (await page.locator('.bsc-map').boundingBox())!;
  const letters = (await wordsOf(page)).filter(({ text }) => text === 'H');
  expect(letters).toHaveLength(2);
  const [left, right] = letters.sort((a, b) => a.x - b.x);
  expect(left!.x).toBeLessThan(30);
  expect(right!.x).toBeGreaterThan(map.width - 30);
  for (const { y } of letters) expect(Math.abs(y - map.height / 2)).toBeLessThan(40);
});

test('while its question is open a seat is marked on the map and stays in sight, afterwards it is not; the list says where an aisle lies, no button of it moves, and a seat that goes under the focus is told', async (theatre) => {
  const { page, ask, hears, openRow, show } = await theatre.enter({ context: small });
  await ask('chart.zoomToObjects(["Platea-H-5"])');
  const map = (await page.locator('.bsc-map').boundingBox())!;
  /** More white than the words that come and go: the ring alone is about 2,900 pixels. */
  const ringed = (await whiteOf(page)).length + 1_500;
  const { x, y } = await middleOf(page);
  await page.touchscreen.tap(x, y);
  const sheet = page.getByRole('dialog', { name: 'Platea, fila H, posto 5' });
  await sheet.waitFor();
  let during: number[] = [];
  await expect.poll(async () => (during = await whiteOf(page)).length).toBeGreaterThan(ringed);
  const { y: top } = (await sheet.boundingBox())!;
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  let after: number[] = [];
  await expect.poll(async () => (after = await whiteOf(page)).length).toBeLessThan(ringed);
  const others = new Set(after);
  const ring = during.filter((at) => !others.has(at));
  expect(ring.length).toBeGreaterThan(1_500);
  const lowest = Math.max(...ring.map((at) => Math.floor(at / (map.width * 2)) / 2));
  expect(map.y + lowest).toBeLessThan(top);

  const evening = await show();
  await openRow(/^Platea/, /^Fila C/);
  const row = page.getByRole('group', { name: 'Fila C' });
  const texts = await row.locator('> *').allInnerTexts();
  expect(texts.slice(7, 10)).toEqual(['8', 'corridoio', '9']);
  const boxes = () =>
    page
      .locator('.bsc-list button')
      .evaluateAll((all) =>
        all.map((one) => Object.values(one.getBoundingClientRect().toJSON()).slice(0, 4).join()),
      );
  const before = await boxes();
  await row.getByRole('button', { name: /^Fila C, posto 5,/ }).click();
  await page.getByRole('button', { name: /^Ridotto/ }).click();
  await hears('held Platea-C-5 ridotto');
  expect(await boxes()).toEqual(before);
  await row.getByRole('button', { name: /^Fila C, posto 7,/ }).focus();
  await theatre.client.events.book(evening, 'Platea-C-7');
  await page.getByRole('button', { name: /^Fila C, posto 7,.*occupato/ }).waitFor();
  expect(await boxes()).toEqual(before);
  await page.getByRole('alert').filter({ hasText: 'appena preso' }).waitFor({ state: 'attached' });
  // A phone at 400 %: the map keeps more than half of the window.
  await page.setViewportSize({ width: 320, height: 256 });
  expect((await page.locator('.bsc-stage').boundingBox())!.height).toBeGreaterThan(150);
});
