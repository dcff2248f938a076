/** The chart's life on a page: the vendor's React component, sessions, reloads, expiry, the line to the server, and leaving without a trace. */
import path from 'node:path';
import { expect } from 'vitest';
import { updateParams } from '#tests/standins/seatsio/start.ts';
import { bundle } from './bundle.ts';
import { box, EVENT, pricing, testTheatre as test } from './theatre.ts';

const MINUTES = 60_000;
const expired = { name: 'Tempo scaduto: i posti sono tornati disponibili.' };

test('the vendor’s React component shows one chart in strict mode, is always called back fresh, and leaves nothing behind', async (theatre) => {
  const script = await bundle(path.join(import.meta.dirname, 'react-page.js'));
  const page = await theatre.browser.newPage();
  const ask = <T>(expression: string) => page.evaluate<T>(expression);
  const settings = {
    workspaceKey: theatre.workspaceKey,
    event: EVENT,
    session: 'continue',
    pricing,
  };
  const html = `<!doctype html><title>Serata</title><div id="page" style="height:100vh"></div><script>ask = ${JSON.stringify(settings)}</script><script type="module" src="/react.js"></script>`;
  await page.route(`${theatre.url}/react*`, (route) =>
    route.fulfill(
      route.request().url().endsWith('.js')
        ? { contentType: 'text/javascript', body: script }
        : { contentType: 'text/html', body: html },
    ),
  );
  await page.goto(`${theatre.url}/react`);
  await page.waitForFunction('heard.includes("rendered")');
  expect(await page.locator('.bsc').count()).toBe(1);
  await ask('globalThis.before = chart, 0');
  for (const seat of [1, 2, 3]) await ask(`chart.trySelectObjects([${JSON.stringify(box(seat))}])`);
  expect(await ask('heard')).toEqual([
    'started',
    'rendered',
    ...[1, 2, 3].map((seat) => `selected ${box(seat)} after ${seat - 1}`),
  ]);
  expect(await ask('before === chart')).toBe(true);
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
  await page.close();
});

test('seats that were held stay chosen after a reload, with the same token', async (theatre) => {
  const { page, ask, choose, chosen, heard, hears, infoOf } = await theatre.enter();
  await choose(
    { label: 'Platea-C-5', ticketType: 'ridotto' },
    { label: 'Loggione', ticketType: 'intero', amount: 2 },
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
  expect((await infoOf('Platea-C-5')).status).toBe('free');
  expect(await chosen()).toEqual(['Loggione']);
});

test('when the time is over the seats go and the visitor may start again; without a token nothing is sold, and one is asked for at the next seat; who has chosen nothing gets a new token without a word', async (theatre) => {
  let refusing = false;
  const { page, show, ask, choose, chosen, heard, hears, infoOf } = await theatre.enter({
    prepare: (page) =>
      page.route('**/hold-tokens', (route) => (refusing ? route.abort() : route.continue())),
  });
  const told = page.getByRole('dialog', expired);
  const tokenAfter = async (old: string) => {
    await page.waitForFunction(
      `chart.holdToken !== '' && chart.holdToken !== ${JSON.stringify(old)}`,
    );
    return ask<string>('chart.holdToken');
  };
  await choose(box(1));
  const first = await ask<string>('chart.holdToken');
  theatre.clock.now += 16 * MINUTES;
  await hears('expired');
  await told.waitFor();
  expect(await chosen()).toEqual([]);
  await told.getByRole('button', { name: 'Ricomincia' }).click();
  const second = await tokenAfter(first);
  await choose(box(1));
  expect((await infoOf(box(1))).holdToken).toBe(second);
  expect((await heard()).filter((line) => line === 'expired')).toHaveLength(1);

  refusing = true;
  theatre.clock.now += 16 * MINUTES;
  await told.waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('Non riesco ad aprire una nuova sessione. Riprova.').first().waitFor();
  await choose(box(1));
  expect(await ask('[chart.holdToken, chart.selectedObjects]')).toEqual(['', []]);
  refusing = false;
  await choose(box(1), box(2));
  const third = await tokenAfter('');
  for (const seat of [box(1), box(2)]) expect((await infoOf(seat)).holdToken).toBe(third);

  await show();
  const unused = await ask<string>('chart.holdToken');
  theatre.clock.now += 16 * MINUTES;
  // As when a phone wakes up: its clock is further on.
  await ask(
    '{ const { now } = Date; Date.now = () => now() + 16 * 60_000; document.dispatchEvent(new Event("visibilitychange")); }',
  );
  await hears('expired');
  await tokenAfter(unused);
  expect(await page.getByRole('dialog').count()).toBe(0);
  await choose(box(1));
  expect(await chosen()).toEqual([box(1)]);
});

test('a hold whose answer is lost is found again: the seat is its owner’s, not blocked for everybody', async (theatre) => {
  let lost = 0;
  let deaf = 0;
  const { page, ask, choose, hears, infoOf } = await theatre.enter({
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
  await choose(box(1));
  await hears(`not held ${box(1)}`);
  await page.waitForFunction(`chart.selectedObjects.includes(${JSON.stringify(box(1))})`);
  expect((await infoOf(box(1))).holdToken).toBe(await ask('chart.holdToken'));
  await ask(`chart.deselectObjects([${JSON.stringify(box(1))}])`);
  expect((await infoOf(box(1))).status).toBe('free');
});

test('a line that breaks, that nobody sees or that may not be kept is taken up again, and what was missed is heard', async (theatre) => {
  const { events } = theatre.client;
  let broken = 0;
  const { page, show, hears, read } = await theatre.enter({
    prepare: (page) =>
      page.route('**/stream**', async (route) => {
        broken += 1;
        if (broken > 1) return route.continue();
        await events.book(EVENT, 'Galleria-A-3');
        return route.abort();
      }),
  });
  await hears('status Galleria-A-3 booked');
  expect(broken).toBe(2);
  expect(await read('Galleria-A-3', 'selectable')).toEqual([false]);

  const see = (hidden: boolean) =>
    page.evaluate(
      `Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))`,
    );
  const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('/stream'));
  await see(true);
  await ended;
  await events.book(EVENT, 'Galleria-A-4');
  await see(false);
  await hears('status Galleria-A-4 booked');

  let asked = 0;
  await page.route('**/stream**', (route) => {
    asked += 1;
    return route.continue({ url: `${route.request().url()}&once=1` });
  });
  const evening = await show();
  await events.book(evening, 'Galleria-A-3');
  await hears('status Galleria-A-3 booked');
  // Every five seconds or so, not as often as a line that is broken.
  expect(asked).toBeLessThanOrEqual(3);
});

test('while a chart stands its seats may be booked by the page itself, closed, priced anew and put into other categories; what is held stays', async (theatre) => {
  const { events } = theatre.client;
  const { page, ask, choose, chosen, read, heard, hears, infoOf } = await theatre.enter();
  await choose(box(1), box(4));
  await events.book(EVENT, box(1), await ask<string>('chart.holdToken'), 'order-1');
  await hears(`booked ${box(1)}`);
  expect(await chosen()).toEqual([box(4)]);
  expect((await heard()).filter((line) => line.startsWith('deselected'))).toEqual([]);
  expect(await page.getByText('non è più disponibile').count()).toBe(0);

  await events.editForSaleConfig(EVENT, undefined, [{ object: box(2) }]);
  await expect.poll(() => read(box(2), 'forSale', 'selectable')).toEqual([false, false]);
  await choose(box(2));
  expect(await chosen()).toEqual([box(4)]);
  expect(await heard()).not.toContain('rerendering');

  const legend = page.getByRole('list', { name: 'Legenda' });
  await legend.getByText('40,00 €').waitFor();
  await ask('chart.changeConfig({ pricing: [{ category: "Palchi", price: 55 }] })');
  await legend.getByText('55,00 €').waitFor();
  expect(
    await ask('chart.listCategories().then((all) => all.map((one) => one.pricing?.price ?? null))'),
  ).toEqual([null, 55, null]);

  // Statuses that have to be read anew are asked for until they come.
  let failures = 0;
  await page.route('**/rendering-info**', (route) =>
    failures++ < 2 ? route.abort() : route.continue(),
  );
  await events.update(EVENT, updateParams({ objectCategories: { [box(3)]: 3 } }));
  await hears('rerendering');
  expect(failures).toBeGreaterThan(2);
  expect(await read(box(3), 'category')).toMatchObject([{ label: 'Galleria' }]);
  expect(await ask('[chart.state, chart.selectedObjects]')).toEqual(['RENDERED', [box(4)]]);
  expect((await infoOf(box(4))).holdToken).toBe(await ask('chart.holdToken'));
});
