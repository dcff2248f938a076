/** Giving money back in a real browser: the sum and the seats are seen before the button; what failed can be mended; a cancelled event shows how far it is. */
import type { Browser } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditPage } from '#tests/chart/audit.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { openDesk, within } from '#tests/support/door/desk.ts';
import { makeAdmin, makeOrder } from '#tests/support/make.ts';
import { startServer } from '#tests/support/server.ts';
import { refundTickets, sellTo, settle } from '#tests/support/till.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test('two tickets of three are refunded after sum and seats were shown, and the third stays valid', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const order = await sellTo(
    server,
    { name: 'Conte d’Albafiorita' },
    { seats: ['Platea-C-1', 'Platea-C-2', 'Platea-C-3'] },
  );
  const page = await openDesk(browser, server, admin, { path: `/orders/${order.order_id}` });
  await page.getByRole('checkbox', { name: 'Platea, fila C, posto 1' }).check(within);
  await page.getByRole('checkbox', { name: 'Platea, fila C, posto 3' }).check();
  await page.getByRole('button', { name: 'Rimborsa 2 biglietti…' }).click();
  const dialog = page.getByRole('alertdialog');
  const preview = dialog.locator('.kit-form-named-seats_preview');
  await see(preview).toContainText('64,00', within);
  await see(preview).toContainText('Platea, fila C, posto 1');
  await see(preview).toContainText('Platea, fila C, posto 3');
  await see(preview).not.toContainText('Platea, fila C, posto 2');
  const button = dialog.getByRole('button', { name: /^Rimborsa 64,00/ });
  await see(button).toBeDisabled();
  await dialog.getByLabel('Perché').fill('Un amico malato');
  expect(await auditPage(page)).toEqual([]);
  await button.click();
  await see(page.getByText('Rimborsato in parte').first()).toBeVisible(within);
  await see(page.getByText('«Un amico malato»').first()).toBeVisible();
  await server.runDue();
  await page.reload();
  await see(page.getByText(/Rimborso di 64,00\s€ riuscito/)).toBeVisible(within);
  await see(page.locator('tr').filter({ hasText: 'Platea, fila C, posto 2' })).toContainText(
    'Valido',
  );
  await see(page.locator('tr').filter({ hasText: 'Platea, fila C, posto 1' })).toContainText(
    'Rimborsato',
  );
  await page.context().close();
});

test('a sum may be given back without touching a ticket, never more than is left', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const order = await sellTo(server);
  const page = await openDesk(browser, server, admin, { path: `/orders/${order.order_id}` });
  await page.getByRole('button', { name: 'Rimborsa…' }).click(within);
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Una somma' }).click(within);
  await dialog.getByLabel('Perché').fill('Guardaroba chiuso');
  await dialog.getByLabel('Quanto').fill('64,01');
  await see(dialog.getByText('L’importo supera quanto resta da rimborsare.')).toBeVisible(within);
  await see(dialog.getByRole('button', { name: /^Rimborsa 64,01/ })).toBeDisabled();
  await dialog.getByLabel('Quanto').fill('dieci');
  await see(dialog.getByText('Scrivi una somma, per esempio 12,50.')).toBeVisible();
  await dialog.getByLabel('Quanto').fill('10,5');
  await dialog.getByRole('button', { name: /^Rimborsa 10,50/ }).click(within);
  await see(page.getByText('Rimborsato in parte').first()).toBeVisible(within);
  await see(page.locator('.order-places_tickets').getByText('Valido')).toHaveCount(2);
  await page.context().close();
});

test('a refund that failed is first on the page, and is settled by hand', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const order = await sellTo(
    server,
    { method: 'pm_card_refundFail' },
    { seats: ['Platea-C-1', 'Platea-C-2'] },
  );
  await refundTickets(server, admin, order);
  await settle(server, order);
  const page = await openDesk(browser, server, admin, { path: `/orders/${order.order_id}` });
  const card = page.getByRole('region', { name: 'Rimborso da decidere' });
  await see(card).toContainText(/Il rimborso di 64,00\s€ non è riuscito\./, within);
  await see(
    page.getByText(/^Tutti i biglietti annullati il .* Nessun rimborso: restano 64,00\s€/),
  ).toBeVisible();
  await see(page.getByText(/rimborsat[oi]/i)).toHaveCount(0);
  const buyers = await page.context().newPage();
  await buyers.goto(`${server.url}/orders/${order.order_id}`);
  await see(buyers.getByRole('heading', { name: 'Biglietti annullati' })).toBeVisible(within);
  await see(buyers.getByText(/rimborsat[oi]/i)).toHaveCount(0);
  await card.getByRole('button', { name: /^Restituiti a mano/ }).click();
  const dialog = page.getByRole('alertdialog');
  await see(dialog).toContainText('Platea, fila C, posto 2');
  await dialog.getByLabel('Come e quando (facoltativo)').fill('Contanti, sabato');
  await dialog.getByRole('button', { name: /^Restituiti a mano/ }).click();
  await see(card).toHaveCount(0, within);
  await see(page.getByText('Da sistemare', { exact: true })).toHaveCount(1);
  await page.context().close();
});

test('an event is cancelled only after its title was typed; the progress survives a reload', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  await sellTo(server, { name: 'Mirandolina Fiorentini' });
  await sellTo(server, { name: 'Otto Rossi', email: 'otto@example.it' }, { nth: 3 });
  await makeOrder(server, { nth: 4 });
  const page = await openDesk(browser, server, admin, { path: '/events/la-locandiera' });
  await page.getByRole('link', { name: 'Annulla l’evento…' }).click(within);
  const facts = page.locator('.kit-page-panel_panel').filter({ hasText: 'Che cosa succede' });
  await see(facts).toContainText('128,00', within);
  await see(facts).toContainText('4 biglietti');
  await see(facts).toContainText('1 ordine finisce senza incasso');
  const button = page.getByRole('button', { name: /^Annulla l’evento e rimborsa 128,00/ });
  await page.getByLabel('Perché viene annullato').fill('La protagonista è malata');
  await page.getByLabel(/Scrivi il titolo/).fill('La locand');
  await see(button).toBeDisabled();
  await page.getByLabel(/Scrivi il titolo/).fill('la LOCANDIERA');
  expect(await auditPage(page)).toEqual([]);
  await button.click();
  await see(page.getByRole('heading', { name: 'La locandiera: evento annullato' })).toBeVisible(
    within,
  );
  await page.reload();
  for (let look = 0; look < 4; look += 1) {
    await server.runDue();
    server.clock.advance(60_000);
  }
  await see(page.getByText('Tutto rimborsato')).toBeVisible(within);
  await see(page.getByText(/2 di 2 · 128,00\s€ di 128,00/)).toBeVisible();
  expect(await auditPage(page)).toEqual([]);
  await page.goto(`${server.url}/admin/events/la-locandiera`);
  await see(page.getByRole('link', { name: 'Segui i rimborsi' })).toBeVisible(within);
  await page.context().close();
});
