/** The waiting room in a real browser, on the whole product: from the first sight of it to the seats, and what goes wrong on the way. */
import type { Browser, Page } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pauseQueue, setQueue, tellQueue } from '#server/contract/queue.ts';
import { auditPage } from '#tests/chart/audit.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { callOk, demoEvent, makeAdmin } from '#tests/support/make.ts';
import { entrants, openNow, openRoom, params, passTime, plainRoom } from '#tests/support/queue.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { eventPage, visit, within } from '#tests/support/visit.ts';
import { chooseSeats } from '#tests/support/visitor.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const titled = (page: Page, name: string | RegExp) => page.getByRole('heading', { name });

/** The page looks again as it does when somebody comes back to its tab. */
async function look(page: Page): Promise<void> {
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
}

async function saleIn(server: TestServer, hours: number): Promise<void> {
  const sales_opens_at = server.clock.now() + hours * 3_600_000;
  await server.house.ctx.db('events').where({ id: demoEvent }).update({ sales_opens_at });
}

async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env['SHOTS'];
  if (folder === undefined) return;
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    for (const width of [390, 768, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: `${folder}/${name}-${width}-${theme}.png`, fullPage: true });
    }
  }
  await page.setViewportSize({ width: 390, height: 844 });
}

test('a visitor enters before the opening, is drawn, told the number and the wait, goes in and books', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  await saleIn(server, 1);
  await openRoom(server, admin, { fixed_per_minute: 60 });
  await using visitor = await visit(browser, server.url, { viewport: { width: 390, height: 844 } });
  const { page } = visitor;
  await page.goto(eventPage);
  await see(titled(page, 'Si entra dalla sala d’attesa')).toBeVisible(within);
  await shot(page, 'outside');
  expect(await auditPage(page)).toEqual([]);
  await page.getByRole('button', { name: 'Entra in sala d’attesa' }).click();
  await see(titled(page, 'Sei in sala d’attesa')).toBeVisible(within);
  expect(await page.title()).toMatch(/^In sala d’attesa · /);
  await page.getByText('Come si estrae l’ordine').click();
  await shot(page, 'gathering');
  expect(await auditPage(page)).toEqual([]);

  await page.reload();
  await see(titled(page, 'Sei in sala d’attesa')).toBeVisible(within);
  const second = await page.context().newPage();
  await second.goto(server.url + eventPage);
  await see(titled(second, 'Sei in sala d’attesa')).toBeVisible(within);
  await second.close();
  const { db } = server.house.ctx;
  expect(await db('queue_places')).toHaveLength(1);

  await page.getByLabel('Avvisami quando si avvicina il turno').fill('eva@example.it');
  await page.getByRole('button', { name: 'Avvisami' }).click();
  await see(page.getByText('Ti scriviamo un’e-mail quando')).toBeVisible(within);
  await page.getByLabel('Suona quando tocca a me').check();

  await entrants(server, 60);
  server.clock.advance(3_600_000);
  await openNow(server);
  await look(page);
  await see(titled(page, /^Il tuo numero è \d+$/)).toBeVisible(within);
  await shot(page, 'waiting');
  expect(await auditPage(page)).toEqual([]);

  await callOk(
    server,
    tellQueue,
    { params, body: { message: 'Restano posti in galleria.' } },
    admin,
  );
  await callOk(server, pauseQueue, { params }, admin);
  await look(page);
  await see(titled(page, 'La sala d’attesa è in pausa')).toBeVisible(within);
  await see(page.getByText('Restano posti in galleria.')).toBeVisible();
  await shot(page, 'paused');
  await callOk(
    server,
    setQueue,
    { params, body: { ...plainRoom, fixed_per_minute: 6_000 } },
    admin,
  );
  await server.house.ctx.db('queues').update({ paused: 0 });
  await passTime(server, 2);
  await look(page);
  await see(titled(page, 'È il tuo turno')).toBeVisible(within);
  expect(await page.title()).toMatch(/^È il tuo turno! · /);
  await shot(page, 'called');
  expect(await auditPage(page)).toEqual([]);

  await page.getByRole('button', { name: 'Entra e scegli i posti' }).click();
  await see(page.getByText('È il tuo turno: hai')).toBeVisible(within);
  await chooseSeats(page, { row: 'C', seats: ['1', '2'] });
  await shot(page, 'inside');
  await page
    .getByRole('button', { name: /^(Paga|Procedi al pagamento)/ })
    .last()
    .click();
  await page.waitForURL(/\/pay\//, within);
  await page.goto(eventPage);
  await see(page.getByText('Hai un ordine in sospeso')).toBeVisible(within);
  expect(visitor.troubles).toEqual([]);
});
