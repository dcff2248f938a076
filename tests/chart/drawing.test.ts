/** What the map shows, looked at where it is painted: the built chart in a real browser. */
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { drawStadium } from '#server/standins/seatsio/draw/stadium.ts';
import { uploadDrawing } from '#tests/standins/seatsio/start.ts';
import { hallOfTwoFloors } from './halls.ts';
import {
  box,
  EVENT,
  middleOf,
  painted,
  type Theatre,
  type Visitor,
  testTheatre as test,
} from './theatre.ts';

const BLUE = '#4f8ef7';
const WHITE = '#f2f4f8';
const FLOOR = '#12151b';

type Way = readonly [dx: number, dy: number];

/** `#rrggbb` on the map, so far from its middle each. */
async function colorsAt(page: Page, ways: readonly Way[]): Promise<string[]> {
  await painted(page);
  return page.evaluate((ways) => {
    const map = document.querySelector<HTMLCanvasElement>('.bsc-map')!;
    const context = map.getContext('2d')!;
    const ratio = map.width / map.clientWidth;
    return ways.map(([dx, dy]) => {
      const [x, y] = [map.width / 2 + dx * ratio, map.height / 2 + dy * ratio];
      const { data } = context.getImageData(Math.round(x), Math.round(y), 1, 1);
      const parts = [...data].slice(0, 3).map((part) => part.toString(16).padStart(2, '0'));
      return `#${parts.join('')}`;
    });
  }, ways);
}

const colorAt = async (page: Page, dx: number, dy: number) => (await colorsAt(page, [[dx, dy]]))[0];

/** How much of the map has this colour. */
async function countColor(page: Page, color: string): Promise<number> {
  await painted(page);
  return page.evaluate(
    (wanted) => {
      const map = document.querySelector<HTMLCanvasElement>('.bsc-map')!;
      const { data } = map.getContext('2d')!.getImageData(0, 0, map.width, map.height);
      let count = 0;
      for (let at = 0; at < data.length; at += 4)
        if (((data[at]! << 16) | (data[at + 1]! << 8) | data[at + 2]!) === wanted) count += 1;
      return count;
    },
    Number.parseInt(color.slice(1), 16),
  );
}

/** Where on the page the middle of all that has this colour lies. */
async function middleOfColor(page: Page, color: string): Promise<{ x: number; y: number }> {
  await painted(page);
  return page.evaluate(
    (wanted) => {
      const map = document.querySelector<HTMLCanvasElement>('.bsc-map')!;
      const { data } = map.getContext('2d')!.getImageData(0, 0, map.width, map.height);
      const [sum, box] = [{ x: 0, y: 0, count: 0 }, map.getBoundingClientRect()];
      for (let at = 0; at < data.length; at += 4) {
        if (((data[at]! << 16) | (data[at + 1]! << 8) | data[at + 2]!) !== wanted) continue;
        sum.x += (at / 4) % map.width;
        sum.y += Math.floor(at / 4 / map.width);
        sum.count += 1;
      }
      const ratio = map.width / box.width;
      return { x: box.left + sum.x / sum.count / ratio, y: box.top + sum.y / sum.count / ratio };
    },
    Number.parseInt(color.slice(1), 16),
  );
}

/** Brings a place to the middle, where its circle is 17 pixels wide to each side. */
async function lookAt({ ask, page }: Visitor, label: string): Promise<void> {
  await ask(`chart.zoomToObjects([${JSON.stringify(label)}])`);
  await painted(page);
}

/** The pure colours on the way from a seat's fill up to beyond its ring. */
async function outwards(page: Page): Promise<string[]> {
  const ways = Array.from({ length: 14 }, (_, at): Way => [0, -12 - at]);
  const colors = new Set(await colorsAt(page, ways));
  return [...colors].filter((color) => [BLUE, FLOOR, WHITE].includes(color));
}

/** An evening in a hall of this drawing. */
async function draw(theatre: Theatre, key: string, drawing: object): Promise<string> {
  expect(await uploadDrawing(theatre, { key, drawing })).toBe(201);
  return theatre.stage(key);
}

const none = { session: 'none' };

test('a free seat is filled, a taken one hollow and hatched, a chosen one ringed and checked in a colour that no category has', async (theatre) => {
  await theatre.client.events.book(EVENT, ['Platea-F-5']);
  const visitor = await theatre.enter({ chart: { colors: { colorSelected: BLUE }, ...none } });
  const { page, ask, choose } = visitor;
  await lookAt(visitor, 'Platea-F-3');
  expect(await colorAt(page, 0, -13)).toBe(BLUE);
  expect(await outwards(page)).toEqual([BLUE]);
  await choose({ label: 'Platea-F-3', ticketType: 'intero' });
  // The page's colour is that of the stalls: the chosen seat wears another. Its ring, and between the two the floor.
  expect(await colorAt(page, 0, -13)).toBe('#ffffff');
  expect(await outwards(page)).toEqual([FLOOR, WHITE]);
  await ask('chart.changeConfig({ colors: { colorSelected: "#c2185b" } })');
  expect(await colorAt(page, 0, -13)).toBe('#c2185b');
  await lookAt(visitor, 'Platea-F-5');
  expect(await colorAt(page, 0, -12)).not.toBe(BLUE);
  // Along the middle from top left to bottom right the hatching is crossed three times.
  const across = Array.from({ length: 19 }, (_, at): Way => [at - 9, at - 9]);
  expect(new Set(await colorsAt(page, across)).size).toBeGreaterThan(2);
});

test('a page may let places beat and stand out, and take it back; a filter dims the other categories; the page’s own colours and signs are on the seats', async (theatre) => {
  const visitor = await theatre.enter({ chart: none });
  const { page, ask } = visitor;
  await lookAt(visitor, 'Platea-F-3');
  await ask('chart.pulse(["Platea-F-3"])');
  expect(await outwards(page)).toEqual([BLUE, WHITE]);
  await ask('chart.unpulse(["Platea-F-3"])');
  expect(await outwards(page)).toEqual([BLUE]);
  await ask('chart.setSpotlightObjects(["Platea-F-2"])');
  expect(await colorAt(page, 0, -13)).not.toBe(BLUE);
  await ask('chart.setSpotlightObjects(["Platea-F-3"])');
  expect(await colorAt(page, 0, -13)).toBe(BLUE);
  await ask('chart.clearSpotlightObjects()');
  await ask('chart.changeConfig({ filteredCategories: ["Palchi"] })');
  expect(await colorAt(page, 0, -13)).not.toBe(BLUE);
  await ask('chart.changeConfig({ filteredCategories: ["Platea"] })');
  expect(await colorAt(page, 0, -13)).toBe(BLUE);
  const functions =
    'objectColor: (o, color) => o.label === "Platea-F-3" ? "#ff00ff" : color, objectIcon: (o, icon) => o.label === "Platea-F-3" ? "star" : icon';
  await ask(
    `Object.assign(chart.config, { ${functions} }), chart.changeConfig({ extraConfig: 1 })`,
  );
  expect(await colorAt(page, 0, -13)).toBe('#ff00ff');
  // The star's point stands where a number has nothing.
  expect(await colorAt(page, 0, -10)).not.toBe('#ff00ff');
});

test('the map has the screen’s own pixels, and follows when it comes into view later; without a canvas the list stands there by itself and sells', async (theatre) => {
  const { page, ask, hears, show } = await theatre.enter({
    context: { viewport: { width: 500, height: 600 }, deviceScaleFactor: 3 },
  });
  await ask('document.querySelector("#page").style.display = "none"');
  await show({ chart: none });
  const size = () =>
    page.evaluate(
      '(({ width, height, clientWidth, clientHeight }) => ({ width, height, clientWidth, clientHeight }))(document.querySelector(".bsc-map"))',
    );
  expect(await size()).toMatchObject({ clientWidth: 0 });
  await ask('document.querySelector("#page").style.display = ""');
  await expect.poll(() => countColor(page, BLUE)).toBeGreaterThan(1000);
  const { width, height, clientWidth, clientHeight } = (await size()) as Record<string, number>;
  expect([width, height]).toEqual([clientWidth! * 3, clientHeight! * 3]);

  await ask('HTMLCanvasElement.prototype.getContext = () => null, document.activeElement.blur()');
  await show();
  const list = page.getByRole('region', { name: 'Scegli da un elenco' });
  await list.waitFor();
  expect(await ask('document.activeElement === document.body')).toBe(true);
  await page.getByRole('button', { name: /^Palchi I ordine/ }).click();
  await page.getByRole('button', { name: /^Palco 4/ }).click();
  await page.getByRole('button', { name: /^Palco 4, posto 2,/ }).press('Enter');
  await hears(`held ${box(2)}`);
  await page.keyboard.press('Escape');
  expect(await list.isVisible()).toBe(true);
});

test('from afar a large hall shows its sections, near by its seats; a page may always have the seats, a press on a section goes there, and one of which nothing is for sale is hatched or hidden', async (theatre) => {
  const stadium = await draw(theatre, 'stadio', drawStadium({ seats: 12_000, sections: 8 }));
  const GREEN = '#00ff00';
  const chart = {
    ...none,
    pricing: [{ category: '1', price: 10 }],
    colors: { availableObjectColor: GREEN },
  };
  const visitor = await theatre.enter({ chart: { ...chart, event: stadium } });
  const { page, ask, chosen, show } = visitor;
  const home = page.getByRole('button', { name: 'Mostra tutta la sala' });
  const isWhole = () => home.getAttribute('aria-disabled');
  expect(await countColor(page, GREEN)).toBe(0);
  await ask('chart.zoomToSection("Settore 103")');
  expect(await isWhole()).toBe('false');
  expect(await countColor(page, GREEN)).toBeGreaterThan(2000);
  await show({ chart: { ...chart, event: stadium, showSectionContents: 'always' } });
  expect(await countColor(page, GREEN)).toBeGreaterThan(500);
  // A function of the page that fails for one section is asked about the others all the same.
  const sectionColor = '({ label }) => (globalThis.seen ??= new Set()).add(label).x.y';
  await show({ chart: { ...chart, event: stadium, sectionColor } });
  await painted(page);
  expect(await ask('seen.size')).toBe(8);

  const afar = { ...chart, event: EVENT, showSectionContents: 'onlyAfterZoom' };
  await show({ chart: afar });
  const { x, y } = await middleOf(page);
  // In the stalls, which lie above the middle.
  await page.mouse.click(x - 30, y - 80);
  await expect.poll(isWhole).toBe('false');
  expect(await chosen()).toEqual([]);
  await lookAt(visitor, 'Platea-F-3');
  expect(await colorAt(page, 0, -13)).toBe(GREEN);

  const orders = ['Palchi I ordine', 'Palchi II ordine'];
  await theatre.client.events.markAsNotForSale(EVENT, orders, null, null);
  await show({ chart: { ...afar, pricing: null, colors: null } });
  const gray = '#5d6675';
  // Thin lines, of which few pixels are of the pure colour.
  expect(await countColor(page, gray)).toBeGreaterThan(5);
  await show({ chart: { ...afar, pricing: null, colors: null, hideSectionsNotForSale: true } });
  expect(await countColor(page, gray)).toBe(0);
});

test('each floor is seen alone: the one the page names first, another by the floor bar or by going to a seat on it; the list knows no floors', async (theatre) => {
  const { page, ask, hears, show } = await theatre.enter();
  const event = await draw(theatre, 'piani', hallOfTwoFloors);
  const pricing = [1, 2].map((category) => ({ category, price: 10 }));
  await show({ chart: { ...none, event, pricing, activeFloor: 'primo' } });
  const [below, above] = ['#ff0000', '#0000ff'];
  const seen = async () => [
    (await countColor(page, below!)) > 0,
    (await countColor(page, above!)) > 0,
  ];
  expect(await seen()).toEqual([false, true]);
  await ask('chart.zoomToObjects(["Sterra-A-2"])');
  expect(await seen()).toEqual([true, false]);
  const floors = page.getByRole('group', { name: 'Piani' });
  const pressed = () => floors.getByRole('button', { pressed: true }).allInnerTexts();
  expect(await pressed()).toEqual(['Piano terra']);
  await floors.getByRole('button', { name: 'Piano primo' }).click();
  expect(await pressed()).toEqual(['Piano primo']);
  expect(await seen()).toEqual([false, true]);
  // A press finds only what is on the floor that is seen.
  const { x, y } = await middleOfColor(page, above!);
  await page.mouse.click(x, y);
  await hears('selected Sprimo-A-2');
  await page.getByRole('button', { name: /Scegli da un elenco/ }).click();
  expect(
    (await page.locator('.bsc-opener').allInnerTexts()).map((text) => text.split('\n')[0]),
  ).toEqual(['Sterra', 'Sprimo']);
});

test('on paper there is the whole hall on white and nothing to press; a chart to look at has no list, one without a session searches nothing, and a hall of two seats is not blown up', async (theatre) => {
  const { page, show } = await theatre.enter({ chart: { mode: 'print', ...none } });
  expect(await colorAt(page, -490, 0)).toBe('#ffffff');
  expect(await page.getByRole('button').count()).toBe(0);
  const before = await countColor(page, BLUE);
  await page.mouse.move(400, 400);
  await page.mouse.wheel(0, -600);
  await painted(page);
  expect(await countColor(page, BLUE)).toBe(before);

  const buttons = () =>
    page
      .getByRole('button')
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? one.textContent));
  const tools = ['Ingrandisci', 'Riduci', 'Mostra tutta la sala'];
  await show({ chart: { mode: 'static' } });
  expect(await buttons()).toEqual(tools);
  await show({ chart: none });
  expect(await page.getByRole('button', { name: /Scegli da un elenco/ }).isVisible()).toBe(true);
  expect(await page.getByRole('button', { name: 'Scegli per me' }).isVisible()).toBe(false);

  const seats = [10, 40].map((x, at) => ({ label: String(at + 1), x, y: 10, categoryKey: 1 }));
  const event = await draw(theatre, 'due', {
    categories: { list: [{ key: 1, label: 'Uno', color: '#ff0000' }] },
    subChart: { rows: [{ label: 'A', seats }] },
  });
  await show({ chart: { event, ...none } });
  const red = await countColor(page, '#ff0000');
  expect(red).toBeGreaterThan(400);
  expect(red).toBeLessThan(2 * Math.PI * 24 ** 2);
});
