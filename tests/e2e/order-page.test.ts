/**
 * The order page in a real browser: its first HTML, what of it is kept for an evening without
 * signal, and the list of one's orders.
 */
import type { Page } from 'playwright';
import { see } from '#tests/support/browsers/see.ts';
import { expect } from 'vitest';
import { getOrder } from '#server/contract/order/orders.ts';
import { testOnce as test } from '#tests/support/both.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { expectNoFaults } from '#tests/support/faults.ts';
import { callOk } from '#tests/support/make.ts';
import { type TestServer } from '#tests/support/server.ts';
import { startLine } from '#tests/support/silent-line.ts';
import { untilTakenOver, testVisit as it } from '#tests/support/browsers/start-visit.ts';
import { screens, visit, within } from '#tests/support/visit.ts';

async function ticketsOf(server: TestServer, order_id: string) {
  return (await callOk(server, getOrder, { params: { orderId: order_id } })).tickets;
}

it('the order page stands in its first HTML, and its script takes it over without a word; both order routes are the same page (§2); code and seat fill the first screen of any phone, held either way', async (at) => {
  const { page, server, browser } = at;
  const { order_id, link_key } = await makePaidOrder(server);
  const [first] = await ticketsOf(server, order_id);
  const order = `/orders/${link_key}`;
  await using unscripted = await visit(browser, server.url, { javaScriptEnabled: false });
  for (const [path, title] of [
    ['/i-miei-biglietti', 'I miei biglietti'],
    [`${order}/from_stripe_cs/complete`, 'Ordine confermato!'],
    [order, 'Ordine confermato!'],
  ] as const) {
    await unscripted.page.goto(path);
    await see(unscripted.page.getByRole('heading', { level: 1 })).toHaveText(title);
  }
  const code = (on: Page) => on.getByRole('img', { name: new RegExp(first!.seat) });
  await see(code(unscripted.page)).toBeVisible();
  await see(unscripted.page.getByText(first!.code_for_people)).toBeVisible();

  const said: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) said.push(message.text());
  });
  const shown: string[] = [];
  for (const path of ['', '/from_stripe_cs/complete', '/from_stripe_cs/una-parola']) {
    await page.goto(order + path);
    await untilTakenOver(page);
    await see(page.getByRole('heading', { name: 'Ordine confermato!' })).toBeAttached();
    await see(page.getByRole('img', { name: /Codice QR/ })).toHaveCount(2);
    // The last part to come, as its rules are asked for by themselves.
    await see(
      page.getByText('L’evento è troppo vicino: il rimborso non si può più chiedere.'),
    ).toBeVisible();
    await see(page.getByRole('button', { name: 'Chiedi un rimborso' })).toHaveCount(0);
    shown.push(await page.locator('main').innerText());
  }
  expect(shown).toEqual(shown.map(() => shown[0]));
  // A later visit: the tickets come before the words of thanks.
  server.clock.advance(3_600_000);
  await page.goto(order);
  await see(page.getByRole('img', { name: /Codice QR/ })).toHaveCount(2);
  for (const viewport of [...screens, { width: 360, height: 640 }, { width: 844, height: 390 }]) {
    await page.setViewportSize(viewport);
    await page.evaluate(() => scrollTo(0, 0));
    const seat = page.getByRole('heading', { level: 3, name: first!.seat });
    for (const part of [page.locator('.ui-qr').first(), seat]) {
      const { y, height } = (await part.boundingBox())!;
      expect([viewport, y + height <= viewport.height]).toEqual([viewport, true]);
    }
  }
  expect([said, at.troubles]).toEqual([[], []]);
});

/** Files that one opened order has put away, and whose workers are at work. */
async function untilKept(page: Page): Promise<void> {
  const isKept = () =>
    page.evaluate(async () => {
      const workers = await navigator.serviceWorker.getRegistrations();
      return (
        (await caches.match('/orders/frame')) !== undefined &&
        (await caches.match('/i-miei-biglietti')) !== undefined &&
        workers.length === 3 &&
        workers.every(({ active }) => active?.state === 'activated')
      );
    });
  await expect.poll(isKept, within).toBe(true);
}

/** Paths of the workers' scopes. */
const scopes = (page: Page) =>
  page.evaluate(async () =>
    (await navigator.serviceWorker.getRegistrations())
      .map(({ scope }) => new URL(scope).pathname)
      .toSorted(),
  );

test('an order that was opened once opens without signal and over a line that says nothing, says so and since when, as does "I miei biglietti"; the worker sees those pages only, keeps nothing of the API, and an order that is gone is forgotten', async (server) => {
  await using line = await startLine(server.url);
  const browser = await launchBrowser();
  await using visitor = await visit(browser, line.url);
  const { page } = visitor;
  const context = page.context();
  const { order_id, link_key } = await makePaidOrder(server);
  const other = await makePaidOrder(server, {}, { nth: 0 });
  const [first] = await ticketsOf(server, order_id);
  const heading = page.getByRole('heading', { level: 1 });
  await page.goto('/');
  await see(heading).toBeVisible();
  expect(await scopes(page)).toEqual([]);
  await page.goto(`/orders/${link_key}`);
  await see(page.getByText('Scarica il PDF')).toBeVisible();
  await untilKept(page);
  expect(await scopes(page)).toEqual(['/', '/i-miei-biglietti', '/orders/']);
  const [kept, frame] = await page.evaluate(async () => [
    (await (await caches.open('botteghino-orders-1')).keys()).map(
      ({ url }) => new URL(url).pathname,
    ),
    await (await caches.match('/orders/frame'))!.text(),
  ]);
  const files =
    /^\/assets\/|^\/images\/logo\.svg$|^\/favicon\.svg$|^\/orders\/frame$|^\/i-miei-biglietti$/;
  expect((kept as string[]).filter((path) => !files.test(path))).toEqual([]);
  // One frame serves every order: it must hold none.
  expect(frame).not.toContain(link_key);
  await page.getByRole('banner').getByRole('link', { name: 'I miei biglietti' }).click(within);
  const listed = page.getByRole('main').getByRole('link', { name: /La locandiera.*2 biglietti/ });
  await see(listed).toBeVisible();

  await context.setOffline(true);
  await page.goto('/i-miei-biglietti');
  await see(heading).toHaveText('I miei biglietti');
  await listed.click(within);
  const saved = page.getByRole('status').filter({ hasText: 'Sei offline' });
  const expectSaved = async () => {
    await see(saved).toHaveText(
      /^ ?Sei offline: questi sono i biglietti salvati alle \d\d:\d\d\.$/,
    );
    await see(
      page.getByRole('img', {
        name: new RegExp(`Codice QR del biglietto 1 di 2: ${first!.seat}`),
      }),
    ).toBeVisible();
    await see(page.getByText(first!.code_for_people)).toBeVisible();
  };
  await expectSaved();
  await page.goto(`/orders/${link_key}/from_stripe_cs/complete`);
  await expectSaved();
  // What asks the server is not offered.
  for (const name of [/Scarica il PDF/, /Chiedi un rimborso/, /calendario/])
    expect(await page.getByText(name).count()).toBe(0);
  await expectNoFaults(page, 'saved tickets');
  await page.goto(`/orders/${other.link_key}`);
  await see(page.getByText('Oops... Si è verificato un errore')).toBeVisible();

  await page.goto(`/orders/${link_key}`);
  await expectSaved();
  await context.setOffline(false);
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await see(page.getByText('Scarica il PDF')).toBeVisible();
  await see(saved).toHaveCount(0);
  const savedIds = () =>
    page.evaluate(() =>
      Object.keys(localStorage).filter((key) => key.startsWith('botteghino.order.')),
    );
  await page.evaluate(() => {
    localStorage['botteghino.order.2.nobody'] =
      '{"at":1,"order":{"order_id":"nobody","tickets":[],"event":{"starts_at":"2020-01-01T00:00:00.000Z"}}}';
    localStorage['botteghino.order.2.broken'] = '{"at":';
  });
  await page.goto('/orders/nobody');
  await see(page.getByText('Ordine non trovato')).toBeVisible();
  await page.goto(`/orders/${link_key}`);
  await see.poll(savedIds, within).toEqual([`botteghino.order.2.${link_key}`]);

  line.silence();
  const began = performance.now();
  await page.goto(`/orders/${link_key}`, { waitUntil: 'commit' });
  await see(page.getByText(/questi sono i biglietti salvati/)).toBeVisible();
  expect(performance.now() - began).toBeLessThan(15_000);
  expect(visitor.troubles).toEqual([]);
}, 90_000);
