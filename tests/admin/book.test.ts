/** Libro in a real browser: the key, the book of an evening, and the name of one order for whoever checks it. */
import type { Browser } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepBooks } from '#server/services/book/keep.ts';
import { sealRegistry } from '#server/services/reconcile/registry-seals.ts';
import { auditPage } from '#tests/chart/audit.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { desk, openDesk, phone, within } from '#tests/support/door/desk.ts';
import { makeAdmin } from '#tests/support/make.ts';
import { makePaid } from '#tests/support/refunds.ts';
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
  test(`the book of an evening is taken away, and one name of it is opened (${where})`, async () => {
    await using server = await startServer();
    const { ctx } = server.house;
    await makeAdmin(server);
    const headers = await asRole(server, 'office');
    const { order_id } = await makePaid(server);
    server.clock.advance(11 * 60_000);
    const { signal } = new AbortController();
    await sealRegistry(ctx, signal);
    await keepBooks(ctx, signal);
    const page = await openDesk(browser, server, headers, { path: '/reports/book', size });
    await see(page.getByRole('heading', { name: 'Chiave di firma' })).toBeVisible(within);
    const row = page.getByRole('row').filter({ hasText: 'Concerto di Natale' });
    await see(row).toContainText(/\d+\srighe/, within);
    const download = page.waitForEvent('download');
    await row.getByRole('link', { name: 'Libro' }).click();
    expect((await download).suggestedFilename()).toMatch(/^bordero-.*\.json\.gz$/);
    const { number } = await ctx.db('orders').where({ id: order_id }).first('number');
    await page.getByLabel('Numero d’ordine').fill(number);
    await page.getByRole('button', { name: 'Mostra la chiave' }).click();
    await see(page.getByLabel(`Chiave dell’ordine ${number}`)).toBeVisible(within);
    expect(await auditPage(page)).toEqual([]);
    const fits = () => document.documentElement.scrollWidth <= window.innerWidth;
    expect(await page.evaluate(fits)).toBe(true);
    await page.getByLabel('Numero d’ordine').fill('ZZZZ-ZZZZ');
    await page.getByRole('button', { name: 'Mostra la chiave' }).click();
    await see(page.getByRole('alert')).toContainText('Ordine non trovato.', within);
    await page.goto(`${server.url}/chiave-del-libro`);
    await see(page.getByRole('heading', { name: 'Chiave del libro' })).toBeVisible(within);
    // A page too wide makes a phone's window wider: the screen stays as it is.
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(page.viewportSize()!.width);
    await page.context().close();
  });
