/** Oggi and what lies over every screen: the first glance, the search of everything, the keys. */
import type { Browser } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditPage } from '#tests/chart/audit.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { desk, openDesk, phone, within } from '#tests/support/door/desk.ts';
import { demoEvent, makeAdmin } from '#tests/support/make.ts';
import { asRole } from '#tests/support/roles.ts';
import { startServer } from '#tests/support/server.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

for (const [where, size] of [
  ['at a desk', desk],
  ['on a phone', phone],
] as const)
  test(`Oggi says this evening, today’s sales and what waits at one glance (${where})`, async () => {
    await using server = await startServer();
    const admin = await makeAdmin(server);
    const { order_id } = await makePaidOrder(server, { email: 'eva@example.it' });
    const { db } = server.house.ctx;
    await db('events')
      .where({ id: demoEvent })
      .update({ starts_at: server.clock.now() + 60_000, doors_at: server.clock.now() - 60_000 });
    await db('orders').where({ id: order_id }).update({ needs_attention: 'amount_differs' });
    const page = await openDesk(browser, server, admin, { path: '/', size });
    const tonight = page.getByRole('region', { name: 'Stasera' });
    await see(tonight).toContainText('2 venduti', within);
    await see(page.getByRole('region', { name: 'Venduto oggi' })).toContainText(
      '2 biglietti in 1 ordine',
    );
    await see(page.getByRole('region', { name: 'Da sistemare' })).toContainText('1 ordine');
    await see(page.getByRole('region', { name: 'Servizi e posta' })).toContainText(
      'Posta non configurata',
    );
    await see(page.getByRole('region', { name: 'I prossimi sette giorni' })).toBeVisible();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await auditPage(page)).toEqual([]);
    }
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
    ).toBe(true);
    await tonight.getByRole('link', { name: 'La locandiera' }).click();
    await see(page).toHaveURL(/\/events\/la-locandiera$/);
    await page.context().close();
  });

test('whatever is looked for is found by keyboard alone, from any screen', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const { order_id } = await makePaidOrder(server, { email: 'eva@example.it' });
  const page = await openDesk(browser, server, admin, { path: '/' });
  await see(page.getByRole('heading', { level: 1, name: 'Oggi' })).toBeVisible(within);
  await page.keyboard.press('/');
  const dialog = page.getByRole('dialog', { name: 'Cerca in tutto l’ufficio' });
  await see(dialog.getByRole('combobox')).toBeFocused(within);
  await page.keyboard.type('e');
  await see(dialog).toContainText('Scrivi almeno due lettere');
  await page.keyboard.type('va neri');
  await see(dialog.getByRole('option')).toHaveCount(1, within);
  expect(await auditPage(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await see(page).toHaveURL(new RegExp(`/orders/${order_id}$`), within);
  await see(dialog).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('la', { delay: 20 });
  await see(dialog.getByRole('option').first()).toHaveAttribute('aria-selected', 'true', within);
  await page.keyboard.press('Escape');
  await see(dialog).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('nessuno così');
  await see(dialog).toContainText('Niente con queste parole', within);
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await see(page.getByRole('dialog', { name: 'Tasti' })).toContainText('Ctrl K');
  await page.keyboard.press('Escape');
  // On a screen with a field of its own "/" is that field's.
  await page.getByRole('link', { name: 'Spettacoli' }).click();
  await see(page.getByRole('searchbox')).toBeVisible(within);
  await page.keyboard.press('/');
  await see(page.getByRole('searchbox')).toBeFocused();
  await page.context().close();
});

test('the door has neither Oggi nor the search', async () => {
  await using server = await startServer();
  await makeAdmin(server);
  const page = await openDesk(browser, server, await asRole(server, 'door'), { path: '/' });
  await see(page).toHaveURL(/\/door\/scans$/, within);
  await see(page.getByRole('button', { name: 'Cerca' })).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await see(page.getByRole('dialog')).toHaveCount(0);
  await page.context().close();
});
