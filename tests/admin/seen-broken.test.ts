/** What was once seen broken in the office and stays mended: tables on a tablet, a line that breaks, mail that went nowhere, names that are missing, a search on the map, filters on a small screen. */
import type { Browser, Page } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditPage } from '#tests/chart/audit.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { openDesk, within } from '#tests/support/door/desk.ts';
import { makeEvening } from '#tests/support/door/door-evening.ts';
import { demoEvent, makeAdmin } from '#tests/support/make.ts';
import { setPolicy } from '#tests/support/refunds.ts';
import { startServer } from '#tests/support/server.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** Cells too narrow for their words, heads that run into the next one, and anything that has to be pushed sideways. */
function crampedParts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const told = (node: Element) => `${node.tagName} ${node.textContent?.trim().slice(0, 30)}`;
    const cells = [...document.querySelectorAll<HTMLElement>('main :is(td, th)')].filter(
      (cell) => cell.offsetHeight > 1 && (cell.textContent?.trim() ?? '').length > 6,
    );
    const heads = [...document.querySelectorAll<HTMLElement>('main thead th')];
    return [
      ...cells.filter((cell) => cell.offsetWidth > 1 && cell.offsetWidth < 56),
      ...heads.filter((head) => head.offsetHeight > 1 && head.scrollWidth > head.clientWidth + 1),
      ...[...document.querySelectorAll('html, main')].filter(
        (box) => box.scrollWidth > box.clientWidth,
      ),
    ].map(told);
  });
}

test('on every width of a desk and a tablet each table has room for its words, and nothing is pushed sideways', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const { tickets, one, two, admit } = await makeEvening(server, admin);
  await admit(one, tickets[0]!, { ago: 10 });
  await admit(two, tickets[0]!, { ago: 7 });
  await server.runDue();
  const { id } = await server.house.ctx.db('orders').first('id');
  const page = await openDesk(browser, server, admin, { path: '/orders' });
  for (const width of [1440, 1152, 1024, 768]) {
    await page.setViewportSize({ width, height: 800 });
    for (const path of [
      '/events',
      '/orders',
      `/orders/${id}`,
      `/events/${demoEvent}/seats`,
      `/events/${demoEvent}/prices`,
      '/settings/mail',
      '/door/phones',
      '/door/scans',
      '/door/presence',
    ]) {
      await page.goto(`${server.url}/admin${path}`);
      await see(page.locator('main :is(table, article)').first()).toBeVisible(within);
      expect([width, path, await crampedParts(page)]).toEqual([width, path, []]);
    }
  }
  await page.context().close();
}, 120_000);

test('without a line the office keeps what it has, says so on every screen, and comes back by itself', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  await makePaidOrder(server, { email: 'eva@example.it' });
  const page = await openDesk(browser, server, admin, { path: '/orders' });
  const row = page.getByRole('row').filter({ hasText: 'eva@example.it' });
  await see(row).toBeVisible(within);
  await page.getByRole('link', { name: 'Spettacoli' }).click();
  await see(page.getByRole('row').filter({ hasText: 'La locandiera' })).toBeVisible(within);
  await page.context().setOffline(true);
  await page.waitForFunction(() => !navigator.onLine);
  await page.getByRole('link', { name: 'Ordini' }).first().click();
  const said = page.getByText('Senza linea dalle');
  await see(said).toBeVisible(within);
  await see(row).toBeVisible();
  await see(page.getByText('Aggiornamento non riuscito')).toHaveCount(0);
  // What was never seen says why it cannot come, instead of loading for ever.
  await page.getByRole('link', { name: 'Da sistemare' }).click();
  await see(page.getByText('Il server non si raggiunge')).toBeVisible(within);
  await see(page.getByText(/Oops/)).toHaveCount(0);
  await page.context().setOffline(false);
  await see(page.getByText('Niente da sistemare.')).toBeVisible(within);
  await see(said).toHaveCount(0, within);
  await page.context().close();
}, 60_000);

test('mail that left for nowhere is not called sent, in the box, in the order, in Salute and in Da sistemare', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const { order_id } = await makePaidOrder(server, { email: 'eva@example.it' });
  await server.runDue();
  const page = await openDesk(browser, server, admin, { path: '/settings/mail' });
  const word = 'Non spedito: posta non configurata';
  await see(page.getByRole('row').filter({ hasText: 'eva@example.it' })).toContainText(
    word,
    within,
  );
  await page.goto(`${server.url}/admin/orders/${order_id}`);
  await see(page.getByText(word)).toBeVisible(within);
  await see(page.getByText('E-mail non spedita, la posta non è configurata')).toBeVisible();
  await page.goto(`${server.url}/admin/settings/health`);
  await see(page.getByText('Non spedite: posta non configurata')).toBeVisible(within);
  await see(page.getByText('non è una biglietteria automatizzata')).toBeVisible();
  await see(page.getByText('SECRETS_KEY')).toBeHidden();
  await page.getByText('Dettagli tecnici').first().click();
  await see(page.getByText('SECRETS_KEY')).toBeVisible();
  await page.goto(`${server.url}/admin/attention`);
  await see(page.getByText('Non è configurato nessun server di posta:')).toBeVisible(within);
  await see(page.getByText('SMTP_URL')).toBeHidden();
  await see(page.getByText('non è una biglietteria automatizzata')).toHaveCount(0);
  await page.context().close();
}, 60_000);

test('a ticket that waits for its name says so in the order, and no code stands there', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  await setPolicy(server, { nominative: 1, holder_change: 1 }, demoEvent);
  const { order_id } = await makePaidOrder(server, { email: 'eva@example.it' });
  const page = await openDesk(browser, server, admin, { path: `/orders/${order_id}` });
  await see(page.getByText('Manca il nome').first()).toBeVisible(within);
  await see(page.getByText('Il codice arriva con il nome').first()).toBeVisible();
  await see(page.getByText('Valido', { exact: true })).toHaveCount(0);
  expect(await auditPage(page)).toEqual([]);
  await page.context().close();
});

/** Points of the map that have exactly the colour of a free seat. */
function countFree(page: Page): Promise<number> {
  return page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('.seats-seat-map_chart canvas');
    if (!canvas) return 0;
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
    let points = 0;
    for (let at = 0; at < data.length; at += 4)
      if (data[at] === 0x55 && data[at + 1] === 0x63 && data[at + 2] === 0x7a) points += 1;
    return points;
  });
}

test('what a search finds on the map is bright, and the other seats stay as they were', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  await makePaidOrder(server, { email: 'eva@example.it' });
  const page = await openDesk(browser, server, admin, { path: `/events/${demoEvent}/seats` });
  await see.poll(() => countFree(page), within).toBeGreaterThan(500);
  await page.getByRole('searchbox').fill('Eva Neri');
  await see(page.getByText(/posti? trovat/)).toBeVisible(within);
  await see.poll(() => countFree(page), within).toBeGreaterThan(500);
  await page.context().close();
});

test('on a small screen the filters fold away, tell how many are set, and open by keyboard', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const page = await openDesk(browser, server, admin, {
    path: '/orders?state=confirmed',
    size: { width: 768, height: 1024 },
  });
  const fold = page.getByRole('button', { name: 'Filtri (1)' });
  await see(fold).toBeVisible(within);
  const choice = page.getByLabel('Stato', { exact: true });
  await see(choice).toBeHidden();
  await fold.focus();
  await page.keyboard.press('Enter');
  await see(fold).toHaveAttribute('aria-expanded', 'true');
  await choice.selectOption('deleted');
  await see(page).toHaveURL(/state=deleted/);
  expect(await auditPage(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
  await see(page.getByRole('button', { name: /^Filtri/ })).toBeHidden();
  await see(choice).toBeVisible();
  await page.context().close();
});
