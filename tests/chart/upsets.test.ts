/** What goes wrong around a chart: refusals that say nothing, answers that come late, seats that somebody was faster at, settings that are not there. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { box, EVENT, testTheatre as test } from './theatre.ts';

const start = { session: 'start' };
const [first, second, third] = [box(1), box(2), box(3)];
const named = (label: string) => JSON.stringify(label);

test('a shop that has another address than the chart server shows, chooses and follows like any other', async (theatre) => {
  const shop = createServer((_, answer) =>
    answer.setHeader('Content-Type', 'text/html')
      .end(`<!doctype html><div id="chart" style="height:500px"></div><script src="${theatre.url}/chart.js"></script>
    <script>chart = new seatsio.SeatingChart({ divId: 'chart', workspaceKey: '${theatre.workspaceKey}', event: '${EVENT}', session: 'start' }).render()</script>`),
  );
  await new Promise<void>((resolve) => {
    shop.listen(0, '127.0.0.1', resolve);
  });
  const page = await theatre.browser.newPage();
  try {
    await page.goto(`http://127.0.0.1:${(shop.address() as AddressInfo).port}/`);
    await page.evaluate(`chart.trySelectObjects([${named(first)}])`);
    expect((await theatre.client.events.retrieveObjectInfo(EVENT, first)).holdToken).toBe(
      await page.evaluate('chart.holdToken'),
    );
    await theatre.client.events.book(EVENT, second);
    await expect
      .poll(() => page.evaluate(`chart.findObject(${named(second)}).then(({ status }) => status)`))
      .toBe('booked');
  } finally {
    await page.close();
    shop.closeAllConnections();
    shop.close();
  }
  const upload = await fetch(`${theatre.url}/system/public/charts/any`, { method: 'OPTIONS' });
  expect(upload.headers.get('access-control-allow-origin')).toBe(null);
});

test('settings that are null count as not given, and a place of which no ticket type can be had is closed until one can', async (theatre) => {
  const nothing = Object.fromEntries(
    'messages selectedObjects objectPopover selectionValidators legend categoryFilter colors style channels maxSelectedObjects priceFormatter activeFloor tooltipInfo objectColor onObjectClicked mode'
      .split(' ')
      .map((name) => [name, null]),
  );
  const { ask, choose, chosen, show } = await theatre.enter({ chart: { ...start, ...nothing } });
  expect(await ask('chart.state')).toBe('RENDERED');
  await choose(first);
  expect(await chosen()).toEqual([first]);

  const pricing = (unavailable: boolean) => {
    const type = { ticketType: 'palco', price: 40, unavailable, unavailableReason: 'soldOut' };
    return [{ category: 'Palchi', ticketTypes: [type] }];
  };
  const price = (unavailable: boolean) =>
    ask(`chart.changeConfig({ pricing: ${JSON.stringify(pricing(unavailable))} })`);
  await show({ chart: { ...start, pricing: pricing(true) } });
  await choose(first);
  expect(await chosen()).toEqual([]);
  await price(false);
  await choose(first);
  expect(await chosen()).toEqual([first]);
  await price(true);
  expect(await chosen()).toEqual([]);
});

test('an answer that says nothing of the seat leaves it free for another try, a choice stays while nobody says that it was given back, and a new session leaves nothing chosen all the same', async (theatre) => {
  const { ask, choose, chosen, page, read, refused, told, infoOf, show } = await theatre.enter({
    chart: start,
  });
  for (const status of [401, 404, 500]) {
    await page.route('**/actions/hold', (route) => route.fulfill({ status, body: 'no' }), {
      times: 1,
    });
    await choose(first);
    expect(await read(first, 'selected', 'selectable', 'status')).toEqual([false, true, 'free']);
  }
  await told(`HoldFailed ${first}`);
  await choose(first, second);
  const lose = (status?: number) =>
    page.route(
      '**/actions/release',
      (route) => (status ? route.fulfill({ status, body: 'no' }) : route.abort()),
      { times: 1 },
    );
  for (const status of [404, undefined]) {
    await lose(status);
    expect(await refused('chart.clearSelection()')).toBe('Error');
    expect(await chosen()).toEqual([first, second]);
  }
  await ask('chart.clearSelection()');
  for (const seat of [first, second]) expect((await infoOf(seat)).status).toBe('free');

  await choose(first);
  const token = await ask('chart.holdToken');
  await lose();
  await ask('chart.startNewSession()');
  expect(await ask('chart.holdToken')).not.toBe(token);
  expect(await chosen()).toEqual([]);

  // More places than a token may hold are refused as that, and the seat is not shown as taken.
  await show({ chart: { event: 'ev', ...start, pricing: null } });
  await choose({ label: 'GA1', amount: 100 });
  await choose('A-1');
  expect(await chosen()).toEqual(['GA1']);
  await page.getByText('Non puoi prenderne altri.').first().waitFor();
  expect(await read('A-1', 'status', 'selectable')).toEqual(['free', true]);
  // So are more than a network may hold, whoever holds them.
  const json = { errors: [{ code: 'TOO_MANY_HELD_AT_ONCE' }] };
  await page.route('**/actions/hold', (route) => route.fulfill({ status: 429, json }));
  await choose('A-1');
  expect(await chosen()).toEqual(['GA1']);
  await page
    .getByText('Da questa rete si stanno già scegliendo moltissimi posti')
    .first()
    .waitFor();
  expect(await read('A-1', 'status', 'selectable')).toEqual(['free', true]);
});

test('a seat that was taken a moment ago, or while its question is open, is given up with a sentence, and of several wishes that one alone', async (theatre) => {
  const { events } = theatre.client;
  // This visitor hears nothing of the others.
  const { choose, chosen, hears, page, pressSeat, read, said, show } = await theatre.enter({
    chart: start,
    prepare: (page) => page.route('**/stream**', (route) => route.abort()),
  });
  const sorry = page.getByText('Questo posto è stato appena preso. Scegline un altro.').first();
  await events.book(EVENT, second);
  await pressSeat(second);
  await hears(`not held ${second}`);
  await sorry.waitFor();
  expect(await chosen()).toEqual([]);
  expect(await read(second, 'selectable')).toEqual([false]);

  const evening = await show({ chart: start });
  await events.book(evening, second);
  await choose(first, second, third);
  expect(await chosen()).toEqual([first, third]);
  expect((await said()).filter((line) => /^Hold(Failed|Succeeded)/.test(line)).toSorted()).toEqual([
    `HoldFailed ${second} palco`,
    `HoldSucceeded ${first} palco`,
    `HoldSucceeded ${third} palco`,
  ]);

  await page.unroute('**/stream**');
  const later = await show({ chart: start });
  await pressSeat('Platea-C-5');
  const question = page.getByRole('dialog', { name: 'Platea, fila C, posto 5' });
  await question.waitFor();
  await events.book(later, 'Platea-C-5');
  await hears('status Platea-C-5 booked');
  await question.getByRole('button', { name: /Ridotto/ }).click();
  await sorry.waitFor();
  expect(await chosen()).toEqual([]);
});

test('a refusal that arrives after the news that the seat is free again does not close it, and channels changed in the middle of a hold wait for it', async (theatre) => {
  const { events, holdTokens } = theatre.client;
  const { ask, choose, chosen, hears, page, read, said, told, show } = await theatre.enter({
    chart: start,
  });
  const { holdToken } = await holdTokens.create();
  await page.route(
    '**/actions/hold',
    async (route) => {
      await events.hold(EVENT, first, holdToken);
      const refusal = await route.fetch();
      await hears(`status ${first} reservedByToken`);
      await events.release(EVENT, first, holdToken);
      await hears(`status ${first} free`);
      await route.fulfill({ response: refusal });
    },
    { times: 1 },
  );
  await choose(first);
  await told(`HoldFailed ${first}`);
  expect(await read(first, 'status', 'selectable')).toEqual(['free', true]);

  await show({ chart: start });
  const { promise: asked, resolve: report } = Promise.withResolvers<void>();
  const { promise: open, resolve: letGo } = Promise.withResolvers<void>();
  await page.route('**/actions/hold', async (route) => {
    report();
    await open;
    await route.continue();
  });
  await ask(
    `globalThis.both = Promise.all([chart.trySelectObjects([${named(first)}]), chart.changeConfig({ channels: ['NO_CHANNEL'] })]); undefined`,
  );
  await asked;
  letGo();
  await ask('both');
  expect(await chosen()).toEqual([first]);
  const lines = await said();
  expect(lines.indexOf('ChartRerenderingStarted')).toBeGreaterThan(
    lines.indexOf('HoldCallsComplete'),
  );
  expect(lines).toContain(`HoldSucceeded ${first} palco`);
});

test('a change that is refused leaves nothing behind: a wrong type, a function of the page that throws, channels that cannot be read or drawn', async (theatre) => {
  const { ask, choose, chosen, page, refused, said } = await theatre.enter({ chart: start });
  await choose(first);
  const one = 'maxSelectedObjects: 1';
  for (const change of [
    '7',
    `{ ${one}, filteredCategories: 'Platea' }`,
    `{ ${one}, objectColor: 5 }`,
    `{ ${one}, objectColor() { throw new RangeError() } }`,
    `{ ${one}, pricing: { prices: [{ category: 'Palchi', price: 5 }], priceFormatter() { throw new RangeError() } } }`,
  ])
    expect([change, await refused(`chart.changeConfig(${change})`)]).toEqual([
      change,
      expect.stringMatching(/^(Type|Range)Error$/),
    ]);
  await page.route('**/rendering-info*', (route) => route.abort());
  expect(await refused(`chart.changeConfig({ ${one}, channels: ['press'] })`)).not.toBe('done');
  expect([await ask('chart.state'), await said()]).toEqual([
    'RENDERED',
    expect.not.arrayContaining(['ChartRerenderingStarted']),
  ]);
  await page.unroute('**/rendering-info*');
  await choose(second);
  expect(await chosen()).toEqual([first, second]);
  // The chart is read, but cannot be drawn a moment later.
  let reads = 0;
  await page.route('**/rendering-info*', (route) =>
    (reads += 1) === 2 ? route.abort() : route.continue(),
  );
  expect(await refused(`chart.changeConfig({ ${one}, channels: ['press'] })`)).not.toBe('done');
  expect([await ask('chart.state'), (await chosen()).toSorted()]).toEqual([
    'RENDERED',
    [first, second].toSorted(),
  ]);
  expect(await refused('chart.changeConfig({ numberOfPlacesToSelect: null })')).toBe('done');
  await choose(third);
  expect((await chosen()).toSorted()).toEqual([first, second, third].toSorted());
});

test('when the page’s own token is over the chart still sells nothing without holding it, and one that could not be loaded begins no session afterwards', async (theatre) => {
  const { holdTokens } = theatre.client;
  const { holdToken } = await holdTokens.create();
  const { ask, choose, chosen, infoOf, page, said, show } = await theatre.enter({
    chart: { session: 'manual', holdToken },
  });
  await choose(first);
  await holdTokens.expiresInMinutes(holdToken, 0);
  await page
    .getByRole('dialog', { name: 'Tempo scaduto: i posti sono tornati disponibili.' })
    .waitFor();
  await page.keyboard.press('Escape');
  await choose(second);
  expect(await chosen()).toEqual([second]);
  const { status, holdToken: holder } = await infoOf(second);
  expect([status, holder]).toEqual(['reservedByToken', await ask('chart.holdToken')]);

  const { promise: failed, resolve: fail } = Promise.withResolvers<void>();
  await page.route('**/hold-tokens', async (route) => {
    await failed;
    await route.continue();
  });
  const given = page.waitForEvent('requestfailed', (request) =>
    request.url().endsWith('/hold-tokens'),
  );
  await show({ chart: { ...start, event: 'nessuno' } });
  fail();
  await given;
  expect([await said(), await ask('chart.holdToken')]).toEqual([['ChartRenderingFailed'], '']);
});
