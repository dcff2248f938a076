/** What stands around the map in each mode, on several floors, and where there is no canvas at all. */
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventParams, uploadDrawing } from '#tests/standins/seatsio/start.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { buildScripts, openTheatre } from './theatre.ts';

let browser: Browser;
beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), buildScripts()]);
});
afterAll(() => browser.close());

test('without a canvas the list stands there by itself and sells', async () => {
  await using theatre = await openTheatre(browser);
  const { page, hears } = await theatre.enter({
    prepare: (page) => page.addInitScript('HTMLCanvasElement.prototype.getContext = () => null'),
  });
  await hears('rendered');
  await page.getByRole('region', { name: 'Scegli da un elenco' }).waitFor();
  expect(await page.evaluate('document.activeElement === document.body')).toBe(true);
  await page.getByRole('button', { name: /^Palchi I ordine/ }).click();
  await page.getByRole('button', { name: /^Palco 4/ }).click();
  await page.getByRole('button', { name: /^Palco 4, posto 2,/ }).press('Enter');
  await hears('held Palchi I ordine-4-2');
  await page.keyboard.press('Escape');
  expect(await page.getByRole('region', { name: 'Scegli da un elenco' }).isVisible()).toBe(true);
});

test('for print there is the drawing and nothing to press; a chart to look at has no list and no search', async () => {
  await using theatre = await openTheatre(browser);
  const print = await theatre.enter({ chart: { mode: 'print' } });
  await print.hears('rendered');
  expect(await print.page.getByRole('button').count()).toBe(0);
  const still = await theatre.enter({ chart: { mode: 'static' } });
  await still.hears('rendered');
  expect(
    await still.page
      .getByRole('button')
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? one.textContent)),
  ).toEqual(['Ingrandisci', 'Riduci', 'Mostra tutta la sala']);
});

test('a chart without a session offers the list but searches nothing', async () => {
  await using theatre = await openTheatre(browser);
  const { page, hears } = await theatre.enter({ chart: { session: 'none' } });
  await hears('rendered');
  expect(await page.getByRole('button', { name: /Scegli da un elenco/ }).isVisible()).toBe(true);
  expect(await page.getByRole('button', { name: 'Scegli per me' }).isVisible()).toBe(false);
});

function twoFloors(): object {
  const floor = (name: string) => ({
    floorName: name,
    floorDisplayName: name,
    width: 300,
    height: 100,
    focalPoint: null,
    tables: [],
    booths: [],
    generalAdmissionAreas: [],
    shapes: [],
    texts: [],
    rows: [],
    sections: [
      {
        uuid: name,
        label: `${name} A`,
        categoryKey: 1,
        topLeft: { x: 0, y: 0 },
        points: [
          [0, 0],
          [300, 0],
          [300, 100],
          [0, 100],
        ].map(([x, y]) => ({ x: x!, y: y! })),
        subChart: {
          width: 300,
          height: 100,
          rows: [
            {
              uuid: `${name}r`,
              label: '1',
              seats: Array.from({ length: 8 }, (_, at) => ({
                uuid: `${name}${at}`,
                label: String(at + 1),
                x: 40 + at * 30,
                y: 50,
                categoryKey: 1,
              })),
            },
          ],
        },
      },
    ],
  });
  return {
    name: 'Due piani',
    version: 1,
    venueType: 'WITH_SECTIONS_AND_FLOORS',
    categories: {
      list: [{ key: 1, label: 'Unica', color: '#4f8ef7', accessible: false }],
      maxCategoryKey: 1,
    },
    subChartFloors: [floor('Terra'), floor('Primo')],
  };
}

test('the floors of a hall are buttons that say which one is shown', async () => {
  await using theatre = await openTheatre(browser);
  expect(await uploadDrawing(theatre, { key: 'due-piani', drawing: twoFloors() })).toBeLessThan(
    300,
  );
  await theatre.client.events.create('due-piani', eventParams({ key: 'conferenza' }));
  const { page, hears } = await theatre.enter({
    chart: { event: 'conferenza', pricing: [{ category: 'Unica', price: 10 }] },
  });
  await hears('rendered');
  const floors = page.getByRole('group', { name: 'Piani' });
  expect(await floors.getByRole('button', { pressed: true }).allInnerTexts()).toEqual(['Terra']);
  await floors.getByRole('button', { name: 'Primo' }).click();
  expect(await floors.getByRole('button', { pressed: true }).allInnerTexts()).toEqual(['Primo']);
  // The list knows no floors: every section is in it.
  await page.getByRole('button', { name: /Scegli da un elenco/ }).click();
  expect(
    (await page.locator('.bsc-opener').allInnerTexts()).map((text) => text.split('\n')[0]),
  ).toEqual(['Terra A', 'Primo A']);
});
