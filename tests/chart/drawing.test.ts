/** What the map shows, looked at where it is painted: the built chart through the vendor's React component in a real browser. */
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawStadium } from '#server/standins/seatsio/draw/stadium.ts';
import { eventParams, uploadDrawing } from '#tests/standins/seatsio/start.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { buildScripts, EVENT, openTheatre, type Theatre, type Visitor } from './theatre.ts';

const BLUE = '#4f8ef7';
const WHITE = '#f2f4f8';
const FLOOR = '#12151b';

let browser: Browser;
beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), buildScripts()]);
});
afterAll(() => browser.close());

/** Once what was asked for has been painted. */
const painted = (page: Page) =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');

/** `#rrggbb` on the map, that far from its middle. */
async function colorAt(page: Page, dx = 0, dy = 0): Promise<string> {
  await painted(page);
  return page.evaluate(
    ([x, y]) => {
      const map = document.querySelector<HTMLCanvasElement>('.bsc-map')!;
      const ratio = map.width / map.clientWidth;
      const { data } = map
        .getContext('2d')!
        .getImageData(
          Math.round(map.width / 2 + x! * ratio),
          Math.round(map.height / 2 + y! * ratio),
          1,
          1,
        );
      return `#${[...data]
        .slice(0, 3)
        .map((part) => part.toString(16).padStart(2, '0'))
        .join('')}`;
    },
    [dx, dy],
  );
}

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
  const colors: string[] = [];
  for (let at = -12; at >= -25; at--) colors.push(await colorAt(page, 0, at));
  return [...new Set(colors)].filter((color) => [BLUE, FLOOR, WHITE].includes(color));
}

async function draw(theatre: Theatre, key: string, drawing: object): Promise<void> {
  expect(await uploadDrawing(theatre, { key, drawing })).toBe(204);
  await theatre.client.events.create(key, eventParams({ key }));
}

test('a free seat is filled, a taken one hollow and hatched, a chosen one ringed and checked in a colour that no category has', async () => {
  await using theatre = await openTheatre(browser);
  await theatre.client.events.book(EVENT, ['Platea-F-5']);
  const visitor = await theatre.enter({
    chart: { colors: { colorSelected: BLUE }, session: 'none' },
  });
  const { page, ask, hears } = visitor;
  await hears('rendered');
  await lookAt(visitor, 'Platea-F-3');
  expect(await colorAt(page, 0, -13)).toBe(BLUE);
  expect(await outwards(page)).toEqual([BLUE]);
  await ask('chart.trySelectObjects([{ label: "Platea-F-3", ticketType: "intero" }])');
  // The page's colour is that of the stalls: the chosen seat wears another. Its ring, and between the two the floor.
  expect(await colorAt(page, 0, -13)).toBe('#ffffff');
  expect(await outwards(page)).toEqual([FLOOR, WHITE]);
  await ask('chart.changeConfig({ colors: { colorSelected: "#c2185b" } })');
  expect(await colorAt(page, 0, -13)).toBe('#c2185b');
  await lookAt(visitor, 'Platea-F-5');
  expect(await colorAt(page, 0, -12)).not.toBe(BLUE);
  // Along the middle from top left to bottom right the hatching is crossed three times.
  const crossed = new Set<string>();
  for (let at = -9; at <= 9; at++) crossed.add(await colorAt(page, at, at));
  expect(crossed.size).toBeGreaterThan(2);
});

test('the map has the screen’s own pixels, and follows when it comes into view later', async () => {
  await using theatre = await openTheatre(browser);
  const visitor = await theatre.enter({
    context: { viewport: { width: 500, height: 600 }, deviceScaleFactor: 3 },
    prepare: (page) =>
      page.addInitScript(
        'addEventListener("DOMContentLoaded", () => { document.querySelector("#page").style.display = "none"; })',
      ),
  });
  const { page, hears } = visitor;
  await hears('rendered');
  const size = () =>
    page.evaluate(
      '(({ width, height, clientWidth, clientHeight }) => ({ width, height, clientWidth, clientHeight }))(document.querySelector(".bsc-map"))',
    );
  expect(await size()).toMatchObject({ clientWidth: 0 });
  await page.evaluate('document.querySelector("#page").style.display = ""');
  await expect.poll(() => countColor(page, BLUE)).toBeGreaterThan(1000);
  const { width, height, clientWidth, clientHeight } = (await size()) as Record<string, number>;
  expect([width, height]).toEqual([clientWidth! * 3, clientHeight! * 3]);
});

test('from afar a large hall shows its sections, near by its seats; a page may always have the seats, and a press on a section goes there', async () => {
  await using theatre = await openTheatre(browser);
  await draw(theatre, 'stadio', drawStadium({ seats: 12_000, sections: 8 }));
  const chart = {
    event: 'stadio',
    session: 'none',
    pricing: [{ category: '1', price: 10 }],
    colors: { availableObjectColor: '#00ff00' },
  };
  const { page, hears, ask } = await theatre.enter({ chart });
  await hears('rendered');
  const home = page.getByRole('button', { name: 'Mostra tutta la sala' });
  expect(await countColor(page, '#00ff00')).toBe(0);
  await ask('chart.zoomToSection("Settore 103")');
  expect(await home.getAttribute('aria-disabled')).toBe('false');
  expect(await countColor(page, '#00ff00')).toBeGreaterThan(2000);
  const always = await theatre.enter({ chart: { ...chart, showSectionContents: 'always' } });
  await always.hears('rendered');
  expect(await countColor(always.page, '#00ff00')).toBeGreaterThan(500);
  const late = await theatre.enter({
    chart: { ...chart, event: EVENT, showSectionContents: 'onlyAfterZoom' },
  });
  await late.hears('rendered');
  const map = (await late.page.locator('.bsc-map').boundingBox())!;
  // In the stalls, which lie above the middle.
  await late.page.mouse.click(map.x + map.width / 2 - 30, map.y + map.height / 2 - 80);
  await expect
    .poll(() =>
      late.page.getByRole('button', { name: 'Mostra tutta la sala' }).getAttribute('aria-disabled'),
    )
    .toBe('false');
  expect(await late.ask('chart.selectedObjects')).toEqual([]);
  await late.ask('chart.zoomToObjects(["Platea-F-3"])');
  expect(await colorAt(late.page, 0, -13)).toBe('#00ff00');
});

test('each floor is seen alone: the one the page names first, another by the floor bar or by going to a seat on it', async () => {
  await using theatre = await openTheatre(browser);
  const floor = (name: string, categoryKey: number) => ({
    floorName: name,
    floorDisplayName: `Piano ${name}`,
    width: 400,
    height: 300,
    rows: [
      {
        label: `${name}A`,
        seats: Array.from({ length: 3 }, (_, n) => ({
          label: String(n + 1),
          x: 60 + 50 * n,
          y: 100,
          categoryKey,
        })),
      },
    ],
  });
  await draw(theatre, 'piani', {
    name: 'Piani',
    venueType: 'WITH_SECTIONS_AND_FLOORS',
    categories: {
      list: [
        { key: 1, label: 'Sotto', color: '#ff0000' },
        { key: 2, label: 'Sopra', color: '#00ff00' },
      ],
    },
    subChartFloors: [floor('terra', 1), floor('primo', 2)],
  });
  const { page, hears, ask } = await theatre.enter({
    chart: {
      event: 'piani',
      session: 'none',
      activeFloor: 'primo',
      pricing: [
        { category: '1', price: 10 },
        { category: '2', price: 10 },
      ],
    },
  });
  await hears('rendered');
  const seen = async () => [
    (await countColor(page, '#ff0000')) > 0,
    (await countColor(page, '#00ff00')) > 0,
  ];
  expect(await seen()).toEqual([false, true]);
  await ask('chart.zoomToObjects(["terraA-2"])');
  expect(await seen()).toEqual([true, false]);
  await page.getByText('Piano primo').first().click();
  expect(await seen()).toEqual([false, true]);
  // A press finds only what is on the floor that is seen.
  const { x, y } = await middleOfColor(page, '#00ff00');
  await page.mouse.click(x, y);
  await hears('selected primoA-2');
});

test('on paper there is the whole hall on white with its numbers, and nothing to press', async () => {
  await using theatre = await openTheatre(browser);
  const { page, hears } = await theatre.enter({ chart: { mode: 'print', session: 'none' } });
  await hears('rendered');
  expect(await colorAt(page, -490, 0)).toBe('#ffffff');
  expect(await page.getByRole('button').count()).toBe(0);
  const before = await countColor(page, BLUE);
  await page.mouse.move(400, 400);
  await page.mouse.wheel(0, -600);
  await painted(page);
  expect(await countColor(page, BLUE)).toBe(before);
});

test('a hall of two seats is not blown up to fill the page', async () => {
  await using theatre = await openTheatre(browser);
  await draw(theatre, 'due', {
    categories: { list: [{ key: 1, label: 'Uno', color: '#ff0000' }] },
    subChart: {
      rows: [
        {
          label: 'A',
          seats: [
            { label: '1', x: 10, y: 10, categoryKey: 1 },
            { label: '2', x: 40, y: 10, categoryKey: 1 },
          ],
        },
      ],
    },
  });
  const { page, hears } = await theatre.enter({ chart: { event: 'due', session: 'none' } });
  await hears('rendered');
  const red = await countColor(page, '#ff0000');
  expect(red).toBeGreaterThan(400);
  expect(red).toBeLessThan(2 * Math.PI * 24 ** 2);
});

test('a page may let places beat and stand out, and take it back; a filter dims the other categories', async () => {
  await using theatre = await openTheatre(browser);
  const visitor = await theatre.enter({ chart: { session: 'none' } });
  const { page, hears, ask } = visitor;
  await hears('rendered');
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
});

test('the page’s own colours, names and signs are on the seats', async () => {
  await using theatre = await openTheatre(browser);
  const functions =
    'objectColor: (o, color) => o.label === "Platea-F-3" ? "#ff00ff" : color, objectIcon: (o, icon) => o.label === "Platea-F-3" ? "star" : icon';
  const visitor = await theatre.enter({ chart: { session: 'none' } });
  const { page, hears, ask } = visitor;
  await hears('rendered');
  await lookAt(visitor, 'Platea-F-3');
  expect(await colorAt(page, 0, -13)).toBe(BLUE);
  await ask(
    `Object.assign(chart.config, { ${functions} }), chart.changeConfig({ extraConfig: 1 })`,
  );
  expect(await colorAt(page, 0, -13)).toBe('#ff00ff');
  // The star's point stands where a number has nothing.
  expect(await colorAt(page, 0, -10)).not.toBe('#ff00ff');
});

test('a section of which nothing is for sale is hatched, or not there at all when the page wants it so', async () => {
  await using theatre = await openTheatre(browser);
  await theatre.client.events.markAsNotForSale(
    EVENT,
    ['Palchi I ordine', 'Palchi II ordine'],
    null,
    null,
  );
  const shown = await theatre.enter({
    chart: { session: 'none', showSectionContents: 'onlyAfterZoom' },
  });
  await shown.hears('rendered');
  const gray = '#5d6675';
  // Thin lines, of which few pixels are of the pure colour.
  expect(await countColor(shown.page, gray)).toBeGreaterThan(5);
  const hidden = await theatre.enter({
    chart: { session: 'none', showSectionContents: 'onlyAfterZoom', hideSectionsNotForSale: true },
  });
  await hidden.hears('rendered');
  expect(await countColor(hidden.page, gray)).toBe(0);
});
