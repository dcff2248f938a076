/** The chart's life on a page: the vendor's React component, sessions, reloads, expiry, and leaving without a trace. */
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateParams } from '#tests/standins/seatsio/start.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { buildScripts, EVENT, openTheatre } from './theatre.ts';

let browser: Browser;
beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), buildScripts()]);
});
afterAll(() => browser.close());

test('the vendor’s React component shows one chart in strict mode and is always called back fresh', async () => {
  await using theatre = await openTheatre(browser);
  const { page, ask, heard, hears } = await theatre.enter();
  await hears('rendered');
  expect(await page.locator('.bsc').count()).toBe(1);
  expect((await heard()).filter((line) => line === 'started')).toHaveLength(1);
  const chart = await ask('globalThis.before = chart, chart.state');
  expect(chart).toBe('RENDERED');
  for (const seat of [1, 2, 3]) await ask(`chart.trySelectObjects(["Palchi I ordine-4-${seat}"])`);
  expect((await heard()).filter((line) => line.startsWith('selected'))).toEqual(
    [1, 2, 3].map((seat) => `selected Palchi I ordine-4-${seat} palco after ${seat - 1}`),
  );
  expect(await ask('before === chart')).toBe(true);
});

test('destroying leaves nothing on the page and ends all calls', async () => {
  await using theatre = await openTheatre(browser);
  const { page, ask, hears } = await theatre.enter();
  await hears('rendered');
  const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('/stream'));
  await ask('hideChart()');
  await ended;
  expect(
    await ask(
      '[document.querySelector("#page").innerHTML, document.adoptedStyleSheets.length, chart.state]',
    ),
  ).toEqual(['', 0, 'DESTROYED']);
  const refused =
    '["destroy", "render"].map((act) => { try { chart[act](); return "allowed"; } catch (error) { return error.name; } })';
  expect(await ask(refused)).toEqual(['Error', 'Error']);
});

test('seats that were held stay chosen after a reload, with the same token', async () => {
  await using theatre = await openTheatre(browser);
  const { page, ask, hears, heard } = await theatre.enter();
  await hears('rendered');
  await ask(
    'chart.trySelectObjects([{ label: "Platea-C-5", ticketType: "ridotto" }, { label: "Loggione", ticketType: "intero", amount: 2 }])',
  );
  const token = await ask('chart.holdToken');
  await page.reload();
  await hears('rendered');
  expect(await ask('chart.holdToken')).toBe(token);
  expect(
    await ask(
      'chart.listSelectedObjects().then((all) => all.map((one) => [one.label, one.selectedTicketType, one.numSelected ?? 1]).sort())',
    ),
  ).toEqual([
    ['Loggione', 'intero', 2],
    ['Platea-C-5', 'ridotto', 1],
  ]);
  expect((await heard()).filter((line) => line.startsWith('selected'))).toHaveLength(2);
  await ask('chart.deselectObjects(["Platea-C-5"])');
  expect((await theatre.client.events.retrieveObjectInfo(EVENT, 'Platea-C-5')).status).toBe('free');
});

test('when the time is over the seats go, the visitor is told and may start again', async () => {
  await using theatre = await openTheatre(browser);
  const { page, ask, hears, heard } = await theatre.enter();
  await hears('rendered');
  await ask('chart.trySelectObjects(["Palchi I ordine-4-1"])');
  const token = await ask<string>('chart.holdToken');
  theatre.clock.now += 16 * 60_000;
  await hears('expired');
  const told = page.getByRole('dialog', {
    name: 'Tempo scaduto: i posti sono tornati disponibili.',
  });
  await told.waitFor();
  expect(await ask('chart.selectedObjects')).toEqual([]);
  await told.getByRole('button', { name: 'Ricomincia' }).click();
  await page.waitForFunction(
    `chart.holdToken !== '' && chart.holdToken !== ${JSON.stringify(token)}`,
  );
  await ask('chart.trySelectObjects(["Palchi I ordine-4-1"])');
  expect(
    (await theatre.client.events.retrieveObjectInfo(EVENT, 'Palchi I ordine-4-1')).holdToken,
  ).toBe(await ask('chart.holdToken'));
  expect((await heard()).filter((line) => line === 'expired')).toHaveLength(1);
});

test('a chart whose time is over never sells without holding: Escape begins again, and a token that cannot be had is asked for at the next seat', async () => {
  await using theatre = await openTheatre(browser);
  let refusing = false;
  const { page, ask, hears } = await theatre.enter({
    prepare: (page) =>
      page.route('**/hold-tokens', (route) => (refusing ? route.abort() : route.continue())),
  });
  await hears('rendered');
  await ask('chart.trySelectObjects(["Palchi I ordine-4-1"])');
  refusing = true;
  theatre.clock.now += 16 * 60_000;
  const told = page.getByRole('dialog', {
    name: 'Tempo scaduto: i posti sono tornati disponibili.',
  });
  await told.waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('Non riesco ad aprire una nuova sessione. Riprova.').first().waitFor();
  await ask('chart.trySelectObjects(["Palchi I ordine-4-1"])');
  expect(await ask('[chart.holdToken, chart.selectedObjects]')).toEqual(['', []]);
  refusing = false;
  await ask('chart.trySelectObjects(["Palchi I ordine-4-1", "Palchi I ordine-4-2"])');
  const held = await theatre.client.events.retrieveObjectInfos(EVENT, [
    'Palchi I ordine-4-1',
    'Palchi I ordine-4-2',
  ]);
  const token = await ask('chart.holdToken');
  expect(token).not.toBe('');
  expect(Object.values(held).map(({ holdToken }) => holdToken)).toEqual([token, token]);
  theatre.clock.now += 16 * 60_000;
  await told.waitFor();
  await page.keyboard.press('Escape');
  await page.waitForFunction(
    `chart.holdToken !== '' && chart.holdToken !== ${JSON.stringify(token)}`,
  );
});

test('a visitor who has chosen nothing gets a new token without a word', async () => {
  await using theatre = await openTheatre(browser);
  const { page, ask, hears } = await theatre.enter();
  await hears('rendered');
  const token = await ask<string>('chart.holdToken');
  theatre.clock.now += 16 * 60_000;
  // As when a phone wakes up: its clock is further on.
  await page.evaluate(
    '{ const { now } = Date; Date.now = () => now() + 16 * 60_000; document.dispatchEvent(new Event("visibilitychange")); }',
  );
  await hears('expired');
  await page.waitForFunction(
    `chart.holdToken !== '' && chart.holdToken !== ${JSON.stringify(token)}`,
  );
  expect(await page.getByRole('dialog').count()).toBe(0);
  await ask('chart.trySelectObjects(["Palchi I ordine-4-1"])');
  expect(await ask('chart.selectedObjects')).toEqual(['Palchi I ordine-4-1']);
});

test('a hold whose answer is lost is found again: the seat is its owner’s, not blocked for everybody', async () => {
  await using theatre = await openTheatre(browser);
  let lost = 0;
  let deaf = 0;
  const { page, ask, hears } = await theatre.enter({
    async prepare(page) {
      // As on an iPhone before iOS 17.4.
      await page.addInitScript('delete AbortSignal.any');
      await page.route(
        '**/actions/hold',
        async (route) => {
          lost += 1;
          await route.fetch();
          await route.abort();
        },
        { times: 1 },
      );
      // The line is not back at once.
      await page.route('**/hold-tokens/*', (route) =>
        lost > 0 && deaf++ < 1 ? route.abort() : route.continue(),
      );
    },
  });
  await hears('rendered');
  await ask('chart.trySelectObjects(["Palchi I ordine-4-1"])');
  await hears('not held Palchi I ordine-4-1');
  await page.waitForFunction('chart.selectedObjects.includes("Palchi I ordine-4-1")');
  expect(
    (await theatre.client.events.retrieveObjectInfo(EVENT, 'Palchi I ordine-4-1')).holdToken,
  ).toBe(await ask('chart.holdToken'));
  await ask('chart.deselectObjects(["Palchi I ordine-4-1"])');
  expect(
    (await theatre.client.events.retrieveObjectInfo(EVENT, 'Palchi I ordine-4-1')).status,
  ).toBe('free');
});

test('a page that nobody sees gives its line back, and hears what it missed when it is seen again', async () => {
  await using theatre = await openTheatre(browser);
  const { page, hears } = await theatre.enter();
  await hears('rendered');
  const show = (hidden: boolean) =>
    page.evaluate(
      `Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))`,
    );
  const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('/stream'));
  await show(true);
  await ended;
  await theatre.client.events.book(EVENT, 'Galleria-A-3');
  await show(false);
  await hears('status Galleria-A-3 booked');
});

test('a chart that may not keep its line asks now and then, and hears all the same', async () => {
  await using theatre = await openTheatre(browser);
  let asked = 0;
  const { hears } = await theatre.enter({
    prepare: (page) =>
      page.route('**/stream**', (route) => {
        asked += 1;
        return route.continue({ url: `${route.request().url()}&once=1` });
      }),
  });
  await hears('rendered');
  await theatre.client.events.book(EVENT, 'Galleria-A-3');
  await hears('status Galleria-A-3 booked');
  await theatre.client.events.book(EVENT, 'Galleria-A-4');
  await hears('status Galleria-A-4 booked');
  // Every five seconds or so, not as often as a line that is broken.
  expect(asked).toBeLessThanOrEqual(4);
});

test('statuses that have to be read anew are asked for until they come', async () => {
  await using theatre = await openTheatre(browser);
  let failures = 0;
  const { page, hears } = await theatre.enter();
  await hears('rendered');
  await page.route('**/rendering-info**', (route) =>
    failures++ < 2 ? route.abort() : route.continue(),
  );
  await theatre.client.events.update(
    EVENT,
    updateParams({ objectCategories: { 'Palchi I ordine-4-2': 3 } }),
  );
  await hears('rerendering');
  expect(failures).toBeGreaterThan(2);
});

test('a chart that is drawn anew in the middle of a hold says that its calls are over', async () => {
  await using theatre = await openTheatre(browser);
  const { page, ask, hears, heard } = await theatre.enter();
  await hears('rendered');
  await page.route('**/actions/hold', () => {});
  await ask('void chart.trySelectObjects(["Palchi I ordine-4-1"])');
  await hears('calls begin');
  await ask('chart.rerender()');
  await hears('calls end');
  expect((await heard()).filter((line) => line.startsWith('calls'))).toEqual([
    'calls begin',
    'calls end',
  ]);
});

test('a broken line is taken up again and what was missed arrives', async () => {
  await using theatre = await openTheatre(browser);
  let broken = 0;
  const { ask, hears } = await theatre.enter({
    prepare: (page) =>
      page.route('**/stream**', async (route) => {
        broken += 1;
        if (broken > 1) return route.continue();
        await theatre.client.events.book(EVENT, 'Galleria-A-3');
        return route.abort();
      }),
  });
  await hears('status Galleria-A-3 booked');
  expect(broken).toBe(2);
  expect(await ask('chart.findObject("Galleria-A-3").then((object) => object.selectable)')).toBe(
    false,
  );
});

test('the page’s own booking of a chosen seat is told without an alarm', async () => {
  await using theatre = await openTheatre(browser);
  const { page, ask, hears, heard } = await theatre.enter();
  await hears('rendered');
  await ask('chart.trySelectObjects(["Palchi I ordine-4-1"])');
  await theatre.client.events.book(
    EVENT,
    'Palchi I ordine-4-1',
    await ask<string>('chart.holdToken'),
    'order-1',
  );
  await hears('booked Palchi I ordine-4-1');
  expect(await ask('chart.selectedObjects')).toEqual([]);
  expect((await heard()).filter((line) => line.startsWith('deselected'))).toEqual([]);
  expect(await page.getByText('non è più disponibile').count()).toBe(0);
});

test('an event that is told other categories is drawn anew, and what was held stays', async () => {
  await using theatre = await openTheatre(browser);
  const { ask, hears } = await theatre.enter();
  await hears('rendered');
  await ask('chart.trySelectObjects(["Palchi I ordine-4-1"])');
  await theatre.client.events.update(
    EVENT,
    updateParams({ objectCategories: { 'Palchi I ordine-4-2': 3 } }),
  );
  await hears('rerendering');
  expect(
    await ask('chart.findObject("Palchi I ordine-4-2").then((object) => object.category.label)'),
  ).toBe('Galleria');
  expect(await ask('[chart.state, chart.selectedObjects]')).toEqual([
    'RENDERED',
    ['Palchi I ordine-4-1'],
  ]);
  expect(
    (await theatre.client.events.retrieveObjectInfo(EVENT, 'Palchi I ordine-4-1')).holdToken,
  ).toBe(await ask('chart.holdToken'));
});

test('seats that are taken off sale close while the chart stands', async () => {
  await using theatre = await openTheatre(browser);
  const { ask, hears, heard } = await theatre.enter();
  await hears('rendered');
  await theatre.client.events.editForSaleConfig(EVENT, undefined, [
    { object: 'Palchi I ordine-4-2' },
  ]);
  await expect
    .poll(() =>
      ask(
        'chart.findObject("Palchi I ordine-4-2").then(({ forSale, selectable }) => [forSale, selectable])',
      ),
    )
    .toEqual([false, false]);
  await ask('chart.trySelectObjects(["Palchi I ordine-4-2"])');
  expect(await ask('chart.selectedObjects')).toEqual([]);
  expect(await heard()).not.toContain('rerendering');
});

test('an event that does not exist is told in Italian and to the page', async () => {
  await using theatre = await openTheatre(browser);
  const { page, hears } = await theatre.enter({ chart: { event: 'nowhere' } });
  await hears('failed');
  await page
    .getByText('La pianta dei posti non si è caricata. Controlla la connessione e riprova.')
    .waitFor();
  await page.getByRole('button', { name: 'Riprova' }).waitFor();
});

test('prices may change while the chart stands', async () => {
  await using theatre = await openTheatre(browser);
  const { page, ask, hears } = await theatre.enter();
  await hears('rendered');
  const legend = page.getByRole('list', { name: 'Legenda' });
  await legend.getByText('40,00 €').waitFor();
  await ask('chart.changeConfig({ pricing: [{ category: "Palchi", price: 55 }] })');
  await legend.getByText('55,00 €').waitFor();
  expect(
    await ask('chart.listCategories().then((all) => all.map((one) => one.pricing?.price ?? null))'),
  ).toEqual([null, 55, null]);
});

test('manager and designer are true classes with the same life', async () => {
  await using theatre = await openTheatre(browser);
  const { page, ask, hears } = await theatre.enter();
  await hears('rendered');
  await ask('hideChart()');
  const home = 'container: document.body.appendChild(document.createElement("div"))';
  await ask(
    `new Promise((done) => { globalThis.manager = new seatsio.EventManager({ ${home}, workspaceKey: ask.chart.workspaceKey, event: ask.chart.event, mode: "manageObjectStatuses", onChartRendered: done }).render(); }).then(() => 0)`,
  );
  await ask('manager.destroy()');
  await ask(
    `globalThis.designer = new seatsio.SeatingChartDesigner({ ${home}, secretKey: "none" }).render(), 0`,
  );
  await page.getByText('La pianta dei posti non si è caricata. Controlla la connessione').waitFor();
  await ask('designer.destroy()');
  expect(
    await ask('[manager.state, designer.state, document.querySelectorAll(".bsc").length]'),
  ).toEqual(['DESTROYED', 'DESTROYED', 0]);
});
