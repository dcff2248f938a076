/** What goes wrong around a chart: refusals that say nothing, answers that come late, settings that are not there, halls chosen as a whole. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventParams, uploadDrawing } from '#tests/standins/seatsio/start.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { openPlainChart } from './plain-chart.ts';
import { buildScripts, EVENT, openTheatre, type Theatre } from './theatre.ts';

let browser: Browser;
beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), buildScripts()]);
});
afterAll(() => browser.close());

const [first, second, third] = [
  'Palchi I ordine-4-1',
  'Palchi I ordine-4-2',
  'Palchi I ordine-4-3',
] as const;

async function enter(theatre: Theatre, settings: string) {
  const visitor = await theatre.enter({});
  await visitor.hears('rendered');
  await openPlainChart(visitor, settings);
  return {
    ...visitor,
    said: () => visitor.ask<string[]>('said'),
    told: (line: string) =>
      visitor.page.waitForFunction(`said.some((one) => one.startsWith(${JSON.stringify(line)}))`),
    sees: (label: string, status: string) =>
      expect
        .poll(() =>
          visitor.ask(`chart.findObject(${JSON.stringify(label)}).then((object) => object.status)`),
        )
        .toBe(status),
  };
}

test('a shop that has another address than the chart server shows, chooses and follows like any other', async () => {
  await using theatre = await openTheatre(browser);
  const shop = createServer((_, answer) =>
    answer.setHeader('Content-Type', 'text/html')
      .end(`<!doctype html><div id="chart" style="height:500px"></div><script src="${theatre.url}/chart.js"></script>
    <script>chart = new seatsio.SeatingChart({ divId: 'chart', workspaceKey: '${theatre.workspaceKey}', event: '${EVENT}', session: 'start' }).render()</script>`),
  );
  await new Promise<void>((resolve) => {
    shop.listen(0, '127.0.0.1', resolve);
  });
  const page = await browser.newPage();
  try {
    await page.goto(`http://127.0.0.1:${(shop.address() as AddressInfo).port}/`);
    await page.evaluate(`chart.trySelectObjects([${JSON.stringify(first)}])`);
    expect((await theatre.client.events.retrieveObjectInfo(EVENT, first)).holdToken).toBe(
      await page.evaluate('chart.holdToken'),
    );
    await theatre.client.events.book(EVENT, second);
    await expect
      .poll(() =>
        page.evaluate(`chart.findObject(${JSON.stringify(second)}).then(({ status }) => status)`),
      )
      .toBe('booked');
  } finally {
    await page.close();
    shop.closeAllConnections();
    shop.close();
  }
  const upload = await fetch(`${theatre.url}/system/public/charts/any`, { method: 'OPTIONS' });
  expect(upload.headers.get('access-control-allow-origin')).toBe(null);
});

test('settings that are null count as not given', async () => {
  await using theatre = await openTheatre(browser);
  const { ask } = await enter(
    theatre,
    `{
    session: 'start', showLegend: true, messages: null, selectedObjects: null, objectPopover: null, selectionValidators: null, legend: null, categoryFilter: null,
    colors: null, style: null, channels: null, maxSelectedObjects: null, priceFormatter: null, activeFloor: null, tooltipInfo: null, objectColor: null, onObjectClicked: null, mode: null,
  }`,
  );
  expect(await ask('chart.state')).toBe('RENDERED');
  await ask(`chart.trySelectObjects([${JSON.stringify(first)}])`);
  expect(await ask('chart.selectedObjects')).toEqual([first]);
});

test('where no ticket type can be had the place is closed, and open again when one can', async () => {
  await using theatre = await openTheatre(browser);
  const prices = (unavailable: boolean) =>
    `[{ category: 'Palchi', ticketTypes: [{ ticketType: 'palco', price: 40, unavailable: ${unavailable}, unavailableReason: 'soldOut' }] }]`;
  const { ask } = await enter(theatre, `{ session: 'start', pricing: ${prices(true)} }`);
  await ask(`chart.trySelectObjects([${JSON.stringify(first)}])`);
  expect(await ask('chart.selectedObjects')).toEqual([]);
  await ask(`chart.changeConfig({ pricing: ${prices(false)} })`);
  await ask(`chart.trySelectObjects([${JSON.stringify(first)}])`);
  expect(await ask('chart.selectedObjects')).toEqual([first]);
  await ask(`chart.changeConfig({ pricing: ${prices(true)} })`);
  expect(await ask('chart.selectedObjects')).toEqual([]);
});

test('the page hears once what its rules say of a choice, and again only when somebody else makes it another verdict', async () => {
  await using theatre = await openTheatre(browser);
  const { ask, said, told, sees } = await enter(
    theatre,
    '{ session: "start", selectionValidators: [{ type: "noOrphanSeats" }], onObjectStatusChanged: ({ label }) => said.push("status " + label) }',
  );
  const verdicts = async () => (await said()).filter((line) => line.startsWith('Selection'));
  await ask(`chart.trySelectObjects([${JSON.stringify(first)}])`);
  await told(`status ${first}`);
  await theatre.client.events.book(EVENT, 'Galleria-A-1');
  await sees('Galleria-A-1', 'booked');
  expect(await verdicts()).toEqual(['SelectionValid']);
  await theatre.client.events.book(EVENT, third);
  await told('SelectionInvalid noOrphanSeats');
  expect(await verdicts()).toEqual(['SelectionValid', 'SelectionInvalid noOrphanSeats']);
});

test('a new session leaves nothing chosen, also when the old choice could not be given back', async () => {
  await using theatre = await openTheatre(browser);
  const { ask, page } = await enter(theatre, '{ session: "start" }');
  await ask(`chart.trySelectObjects([${JSON.stringify(first)}])`);
  const token = await ask('chart.holdToken');
  await page.route('**/actions/release', (route) => route.abort(), { times: 1 });
  await ask('chart.startNewSession()');
  expect(await ask('chart.holdToken')).not.toBe(token);
  expect(await ask('chart.selectedObjects')).toEqual([]);
});

test('a chart that could not be loaded begins no session afterwards', async () => {
  await using theatre = await openTheatre(browser);
  const { promise: failed, resolve: fail } = Promise.withResolvers<void>();
  const visitor = await theatre.enter();
  await visitor.hears('rendered');
  const { page, ask } = visitor;
  await page.route('**/hold-tokens', async (route) => {
    await failed;
    await route.continue();
  });
  const given = page.waitForEvent('requestfailed', (request) =>
    request.url().endsWith('/hold-tokens'),
  );
  await openPlainChart(visitor, '{ session: "start", event: "nessuno" }');
  fail();
  await given;
  expect(await ask('[said, chart.holdToken]')).toEqual([['ChartRenderingFailed'], '']);
});

test('an answer that says nothing of the seat leaves it free for another try, and a choice stays while nobody says that it was given back', async () => {
  await using theatre = await openTheatre(browser);
  const { ask, page, told } = await enter(theatre, '{ session: "start" }');
  for (const status of [401, 404, 500]) {
    await page.route('**/actions/hold', (route) => route.fulfill({ status, body: 'no' }), {
      times: 1,
    });
    await ask(`chart.trySelectObjects([${JSON.stringify(first)}])`);
    expect(
      await ask(
        `chart.findObject(${JSON.stringify(first)}).then(({ selected, selectable, status }) => [selected, selectable, status])`,
      ),
    ).toEqual([false, true, 'free']);
  }
  await told(`HoldFailed ${first}`);
  await ask(`chart.trySelectObjects([${JSON.stringify(first)}])`);
  await page.route('**/actions/release', (route) => route.fulfill({ status: 404, body: 'no' }), {
    times: 1,
  });
  expect(await ask('chart.clearSelection().then(() => "given back", () => "kept")')).toBe('kept');
  expect(await ask('chart.selectedObjects')).toEqual([first]);
});

test('more places than a token may hold are refused as that, and the seat is not shown as taken', async () => {
  await using theatre = await openTheatre(browser);
  const { ask, page } = await enter(
    theatre,
    '{ event: "ev", session: "start", pricing: undefined }',
  );
  await ask('chart.trySelectObjects([{ label: "GA1", amount: 100 }])');
  await ask('chart.trySelectObjects(["A-1"])');
  expect(await ask('chart.selectedObjects')).toEqual(['GA1']);
  await page.getByText('Non puoi prenderne altri.').first().waitFor();
  expect(
    await ask('chart.findObject("A-1").then(({ status, selectable }) => [status, selectable])'),
  ).toEqual(['free', true]);
});

test('a refusal that arrives after the news that the seat is free again does not close it', async () => {
  await using theatre = await openTheatre(browser);
  const { ask, page, sees, told } = await enter(theatre, '{ session: "start" }');
  const { holdToken } = await theatre.client.holdTokens.create();
  await page.route(
    '**/actions/hold',
    async (route) => {
      await theatre.client.events.hold(EVENT, first, holdToken);
      const refusal = await route.fetch();
      await sees(first, 'reservedByToken');
      await theatre.client.events.release(EVENT, first, holdToken);
      await sees(first, 'free');
      await route.fulfill({ response: refusal });
    },
    { times: 1 },
  );
  await ask(`chart.trySelectObjects([${JSON.stringify(first)}])`);
  await told(`HoldFailed ${first}`);
  expect(
    await ask(
      `chart.findObject(${JSON.stringify(first)}).then(({ status, selectable }) => [status, selectable])`,
    ),
  ).toEqual(['free', true]);
});

test('a seat that is taken while its question is open is told to whoever answers', async () => {
  await using theatre = await openTheatre(browser);
  const { ask, page, pressSeat, sees } = await enter(theatre, '{ session: "start" }');
  await pressSeat('Platea-C-5');
  const question = page.getByRole('dialog', { name: 'Platea, fila C, posto 5' });
  await question.waitFor();
  await theatre.client.events.book(EVENT, 'Platea-C-5');
  await sees('Platea-C-5', 'booked');
  await question.getByRole('button', { name: /Ridotto/ }).click();
  await page.getByText('Questo posto è stato appena preso. Scegline un altro.').first().waitFor();
  expect(await ask('chart.selectedObjects')).toEqual([]);
});

test('when the page’s own token is over the chart still sells nothing without holding it', async () => {
  await using theatre = await openTheatre(browser);
  const { holdToken } = await theatre.client.holdTokens.create();
  const { ask, page } = await enter(theatre, `{ session: 'manual', holdToken: '${holdToken}' }`);
  await ask(`chart.trySelectObjects([${JSON.stringify(first)}])`);
  await theatre.client.holdTokens.expiresInMinutes(holdToken, 0);
  await page
    .getByRole('dialog', { name: 'Tempo scaduto: i posti sono tornati disponibili.' })
    .waitFor();
  await page.keyboard.press('Escape');
  await ask(`chart.trySelectObjects([${JSON.stringify(second)}])`);
  expect(await ask('chart.selectedObjects')).toEqual([second]);
  const { status, holdToken: holder } = await theatre.client.events.retrieveObjectInfo(
    EVENT,
    second,
  );
  expect([status, holder]).toEqual(['reservedByToken', await ask('chart.holdToken')]);
});

test('channels changed in the middle of a hold wait for it, so that the seat stays chosen', async () => {
  await using theatre = await openTheatre(browser);
  const { ask, page, said } = await enter(theatre, '{ session: "start" }');
  const { promise: asked, resolve: report } = Promise.withResolvers<void>();
  const { promise: open, resolve: letGo } = Promise.withResolvers<void>();
  await page.route('**/actions/hold', async (route) => {
    report();
    await open;
    await route.continue();
  });
  await ask(
    `globalThis.both = Promise.all([chart.trySelectObjects([${JSON.stringify(first)}]), chart.changeConfig({ channels: ['NO_CHANNEL'] })]); undefined`,
  );
  await asked;
  letGo();
  await ask('both');
  expect(await ask('chart.selectedObjects')).toEqual([first]);
  const lines = await said();
  expect(lines.indexOf('ChartRerenderingStarted')).toBeGreaterThan(
    lines.indexOf('HoldCallsComplete'),
  );
  expect(lines).toContain(`HoldSucceeded ${first} palco`);
});

test('a hall of 20,000 is chosen and given back as a whole, also against a limit, and nobody is read 20,000 names', async () => {
  await using theatre = await openTheatre(browser);
  const rows = Array.from({ length: 200 }, (_, r) => ({
    uuid: `r${r}`,
    label: `R${r}`,
    seats: Array.from({ length: 100 }, (_seat, n) => ({
      uuid: `${r}-${n}`,
      label: String(n + 1),
      x: n * 20,
      y: r * 20,
      categoryKey: 1,
    })),
  }));
  await uploadDrawing(theatre, {
    key: 'ventimila',
    drawing: {
      name: 'Ventimila',
      version: 1,
      venueType: 'SIMPLE',
      categories: {
        list: [{ key: 1, label: 'Unica', color: '#a00000', accessible: false }],
        maxCategoryKey: 1,
      },
      subChart: {
        width: 2000,
        height: 4000,
        focalPoint: { x: 1000, y: 0 },
        rows,
        tables: [],
        booths: [],
        shapes: [],
        texts: [],
        sections: [],
        generalAdmissionAreas: [],
      },
    },
  });
  await theatre.client.events.create('ventimila', eventParams({ key: 'folla' }));
  const { ask, page } = await enter(theatre, '{ event: "folla", pricing: undefined }');
  await ask('chart.selectCategories(["Unica"])');
  expect(await ask('chart.selectedObjects.length')).toBe(20_000);
  expect((await page.locator('.bsc [role=status]').last().textContent())!.length).toBeLessThan(
    1000,
  );
  await ask('chart.deselectCategories(["Unica"])');
  expect(await ask('chart.selectedObjects.length')).toBe(0);
  await ask('chart.changeConfig({ maxSelectedObjects: 1000 })');
  // Work that grows with the square of the hall took eleven seconds here.
  const took = await ask<number>(
    '(async () => { const began = performance.now(); await chart.selectCategories(["Unica"]); return performance.now() - began; })()',
  );
  expect(await ask('chart.selectedObjects.length')).toBe(1000);
  expect(took).toBeLessThan(4000);
});
