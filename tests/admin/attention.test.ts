/** The office's inbox in a real browser: what waits, what each choice will do, and that it is gone once decided. */
import type { Browser } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditPage } from '#tests/chart/audit.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { payAs } from '#tests/support/buyer.ts';
import { desk, openDesk, phone, within } from '#tests/support/door/desk.ts';
import { makeAdmin, makeOrder } from '#tests/support/make.ts';
import { startServer } from '#tests/support/server.ts';
import { sellTo, settle } from '#tests/support/till.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test('an order with another sum is taken as it came, after sum and seats were named; the mark in the navigation goes', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const order = await makeOrder(server, { seats: ['Platea-C-1', 'Platea-C-2'] });
  await server.house.ctx.db('orders').where({ id: order.order_id }).update({ total_cents: 7_000 });
  await payAs(server, order);
  await settle(server, order);
  const page = await openDesk(browser, server, admin, { path: '/orders' });
  await page.getByRole('link', { name: 'Da sistemare 1 in attesa' }).click(within);
  await see(page.getByText('L’importo pagato su Stripe non è quello dell’ordine')).toBeVisible(
    within,
  );
  await see(page.getByText('L’ordine viene confermato con la somma arrivata')).toBeVisible();
  await page.getByRole('button', { name: 'Accetta l’importo…' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Accetta l’importo' });
  await see(dialog).toContainText('64,00');
  await see(dialog).toContainText('Platea, fila C, posto 2');
  await see(dialog.getByRole('button', { name: 'Accetta l’importo' })).toBeDisabled();
  await dialog.getByLabel('Perché').fill('Sconto concordato');
  await dialog.getByRole('button', { name: 'Accetta l’importo' }).click();
  await see(page.getByText('Niente da sistemare.')).toBeVisible(within);
  await see(page.getByRole('link', { name: 'Da sistemare', exact: true })).toBeVisible(within);
  await page.context().close();
});

for (const [where, size] of [
  ['at a desk', desk],
  ['on a phone', phone],
] as const) {
  test(`disputes and mails that were refused stand in the inbox, and both accessibility engines find nothing (${where})`, async () => {
    await using server = await startServer();
    const admin = await makeAdmin(server);
    await sellTo(server, { name: 'Otto Rossi', method: 'pm_card_createDispute' });
    const unsent = await sellTo(server, { name: 'Eva Neri' }, { nth: 3 });
    await server.house.ctx
      .db('mails')
      .where({ order_id: unsent.order_id })
      .update({ state: 'failed', last_error: 'rejected: 550' });
    const page = await openDesk(browser, server, admin, { path: '/attention', size });
    await see(page.getByText('Stripe aspetta le prove')).toBeVisible(within);
    await see(page.getByText('Il server di posta ha rifiutato il messaggio.')).toBeVisible();
    expect(await auditPage(page)).toEqual([]);
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
    ).toBe(true);
    await page.getByRole('button', { name: 'Invia di nuovo…' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Invia di nuovo' }).click();
    await see(page.getByText('Il server di posta ha rifiutato il messaggio.')).toHaveCount(
      0,
      within,
    );
    await page.context().close();
  });
}
