/** Moving tickets in a real browser: typed or pressed on the map, with the difference before and the way back after, at every width of the office. */
import type { Browser, Page } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditPage } from '#tests/chart/audit.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { demoEvent, findSeats, makeAdmin } from '#tests/support/make.ts';
import { makeSold, soldOf } from '#tests/support/move.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const within = { timeout: 20_000 };
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

async function enter(
  server: TestServer,
  path: string,
  admin: { cookie: string },
  viewport = { width: 1440, height: 900 },
): Promise<Page> {
  const context = await browser.newContext({ viewport, locale: 'it-IT' });
  const [name = '', value = ''] = admin.cookie.split('=');
  await context.addCookies([{ name, value, url: server.url }]);
  const page = await context.newPage();
  await page.goto(`${server.url}/admin${path}`);
  return page;
}

/** As the counter types it: "Platea B4 B5". */
async function typedAs(server: TestServer, labels: readonly string[]): Promise<string> {
  const rows: { place: string; section: string; row: string; seat: string }[] =
    await server.house.ctx
      .db('places')
      .where({ event_id: demoEvent })
      .whereIn('place', [...labels]);
  return labels
    .map((label) => rows.find(({ place }) => place === label)!)
    .map(({ section, row, seat }) => `${section.split(' ')[0]} ${row}${seat}`)
    .join(' ');
}

test('from the order to other seats by keyboard, one sentence before, done, and back with one press', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const sold = await makeSold(server, { count: 2 });
  const to = await findSeats(server, { count: 2, nth: 3 });
  const page = await enter(server, `/orders/${sold.order_id}`, admin);
  await page.getByRole('link', { name: 'Sposta…' }).press('Enter');
  const line = page.getByLabel('Posti nuovi');
  await see(line).toBeVisible(within);
  await line.fill('Platea ZZ99');
  await line.press('Enter');
  await see(page.getByText('Quale posto è ZZ99?')).toBeVisible(within);
  await page.getByRole('button', { name: 'Proponi posti' }).press('Enter');
  await see(page.getByRole('button', { name: 'Sposta 2 biglietti' })).toBeVisible(within);
  await line.fill(await typedAs(server, to));
  await line.press('Enter');
  await see(page.getByText('il prezzo non cambia')).toBeVisible(within);
  await see(page.getByText('i codici di prima non valgono più')).toBeVisible();
  expect(await auditPage(page)).toEqual([]);
  await page.getByRole('button', { name: 'Sposta 2 biglietti' }).press('Enter');
  await see(page.getByText('Fatto.')).toBeVisible(within);
  expect((await soldOf(server, sold.order_id)).seats).toEqual(to);
  await page.getByRole('button', { name: 'Rimetti com’era' }).press('Enter');
  await expect.poll(async () => (await soldOf(server, sold.order_id)).seats).toEqual(sold.seats);
  expect(server.logged).toEqual([]);
});

test('a dearer seat asks for the money, a cheaper one how it goes back, and nobody is moved before it is said', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const sold = await makeSold(server, { count: 1 });
  const [cheap] = await findSeats(server, { count: 1, category: 'Galleria' });
  const page = await enter(server, `/orders/${sold.order_id}/move`, admin);
  await page.getByLabel('Posto nuovo').fill(await typedAs(server, [cheap!]));
  await page.getByLabel('Posto nuovo').press('Enter');
  await see(page.getByText('Differenza da restituire: 14,00')).toBeVisible(within);
  await page.getByLabel('Senza differenza').check();
  const button = page.getByRole('button', { name: 'Sposta 1 biglietto' });
  await see(button).toBeDisabled();
  await page.getByLabel('Perché', { exact: true }).fill('Preferisce stare in alto');
  await page.getByLabel('Lascia bloccati i posti di prima').check();
  await see(button).toBeDisabled();
  await page.getByLabel('Perché restano bloccati').fill('Poltrona rotta');
  await button.click(within);
  await see(page.getByText('Fatto.')).toBeVisible(within);
  await see(page.getByRole('button', { name: 'Rimetti com’era' })).toHaveCount(0);
  const { db } = server.house.ctx;
  expect(await db('blocked_places').pluck('place')).toEqual(sold.seats);
  expect(await db('orders').first('total_cents', 'refunded_cents')).toEqual({
    total_cents: 3_200,
    refunded_cents: 0,
  });
});

test('at 1440, 1152, 1024 and 768 pixels nothing is cut, and the map shows the way by a press', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const sold = await makeSold(server, { count: 2 });
  for (const width of [1440, 1152, 1024, 768]) {
    const page = await enter(server, `/orders/${sold.order_id}/move`, admin, {
      width,
      height: 900,
    });
    await see(page.locator('[class*="move_map"] canvas').first()).toBeVisible(within);
    await see(page.getByLabel('Posti nuovi')).toBeVisible();
    const bright = await page.evaluate(() =>
      getComputedStyle(document.documentElement).getPropertyValue('--seat-found'),
    );
    expect(bright).not.toBe('');
    const wide = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect([width, wide]).toEqual([width, 0]);
    await page.context().close();
  }
});
