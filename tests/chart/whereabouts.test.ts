/** The map says where one is: rows at the edge of the view, sections and boxes by name at every width, the seat in question, signs in the legend. */
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { choiceFaults } from '#server/domain/seat/seating-words.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { buildScripts, openTheatre } from './theatre.ts';

let browser: Browser;
beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), buildScripts()]);
});
afterAll(() => browser.close());

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

const painted = (page: Page) =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');

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

const phone = { hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
const screens = [
  { viewport: { width: 390, height: 640 }, ...phone },
  { viewport: { width: 844, height: 320 }, ...phone },
  { viewport: { width: 768, height: 800 } },
  { viewport: { width: 900, height: 650 } },
];

test('in the middle of a long row its letter stands at both edges of the view', async () => {
  await using theatre = await openTheatre(browser);
  const { page, ask, hears } = await theatre.enter({
    context: screens[0]!,
    prepare: noteWords,
    chart: { session: 'none' },
  });
  await hears('rendered');
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

test('at every width the whole hall is seen with the names of its sections and the orders of its boxes', async () => {
  await using theatre = await openTheatre(browser);
  for (const context of screens) {
    const { page, hears } = await theatre.enter({
      context,
      prepare: noteWords,
      chart: { session: 'none' },
    });
    await hears('rendered');
    const map = (await page.locator('.bsc-map').boundingBox())!;
    const seen = (await wordsOf(page)).filter(
      ({ x, y }) => x > 0 && y > 0 && x < map.width && y < map.height,
    );
    const names = seen.map(({ text }) => text);
    expect([context.viewport.width, names]).toEqual([
      context.viewport.width,
      expect.arrayContaining([
        'Platea',
        expect.stringMatching(/^(Palchi )?I ordine$/),
        expect.stringMatching(/^(Palchi )?II ordine$/),
        'Galleria',
        'Loggione',
      ]),
    ]);
  }
});

test('near by a box is called a box, and the section that fills the view is named on top of it', async () => {
  await using theatre = await openTheatre(browser);
  const { page, ask, hears } = await theatre.enter({
    context: screens[0]!,
    prepare: noteWords,
    chart: { session: 'none' },
  });
  await hears('rendered');
  await ask('chart.zoomToObjects(["Palchi II ordine-3-2"])');
  const words = await wordsOf(page);
  expect(words.map(({ text }) => text)).toContain('Palco 3');
  const heads = words.filter(({ y }) => y > 0 && y < 60).map(({ text }) => text);
  expect(heads).toContain('Palchi II ordine');
});

test('while its question is open a seat is marked on the map and stays in sight; afterwards it is not', async () => {
  await using theatre = await openTheatre(browser);
  const { page, ask, hears } = await theatre.enter({ context: screens[0]! });
  await hears('rendered');
  await ask('chart.zoomToObjects(["Platea-H-5"])');
  const map = (await page.locator('.bsc-map').boundingBox())!;
  /** More white than the words that come and go: the ring alone is about 2,900 pixels. */
  const ringed = (await whiteOf(page)).length + 1_500;
  await page.touchscreen.tap(map.x + map.width / 2, map.y + map.height / 2);
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
});

test('the list says where an aisle lies, and no button moves when one is chosen or taken', async () => {
  await using theatre = await openTheatre(browser);
  const { page, hears, openRow } = await theatre.enter({ context: screens[0]! });
  await hears('rendered');
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
  await theatre.client.events.book('serata', 'Platea-C-7');
  await page.getByRole('button', { name: /^Fila C, posto 7,.*occupato/ }).waitFor();
  expect(await boxes()).toEqual(before);
});

test('a seat left alone is told with the sentence of the page and the server, and found in the list', async () => {
  await using theatre = await openTheatre(browser);
  const { page, ask, hears, openRow } = await theatre.enter({
    chart: { selectionValidators: [{ type: 'noOrphanSeats' }], session: 'none' },
  });
  await hears('rendered');
  await ask('chart.trySelectObjects([{ label: "Platea-C-2", ticketType: "intero" }])');
  await page.locator('.bsc-note').waitFor();
  expect(await page.locator('.bsc-note').innerText()).toBe(choiceFaults.noOrphanSeats);
  await openRow(/^Platea/, /^Fila C/);
  await page
    .getByRole('button', { name: /^Fila C, posto 1,.*libero, resterebbe isolato$/ })
    .waitFor();
});

test('buttons lie beside the map at every width, and the hall stands in its middle', async () => {
  await using theatre = await openTheatre(browser);
  for (const context of screens) {
    const { page, hears } = await theatre.enter({ context, chart: { session: 'none' } });
    await hears('rendered');
    await painted(page);
    const [map, tools] = [
      (await page.locator('.bsc-map').boundingBox())!,
      (await page.locator('.bsc-tools').boundingBox())!,
    ];
    expect(tools.y).toBeGreaterThanOrEqual(map.y + map.height - 1);
    const off = await page.evaluate(() => {
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
      return ((left + right - map.width) / 2) * (map.clientWidth / map.width);
    });
    expect(Math.abs(off)).toBeLessThan(4);
  }
});
