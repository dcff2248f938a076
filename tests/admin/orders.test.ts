/** The office's order screens in a real browser: found, looked at, confirmed at the till, ended, sent again. */
import type { Browser } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditPage } from '#tests/chart/audit.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { desk, openDesk, phone, within } from '#tests/support/door/desk.ts';
import { makeAdmin, makeOrder } from '#tests/support/make.ts';
import { asRole } from '#tests/support/roles.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { refundTickets, sellTo } from '#tests/support/till.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

async function numberOf(server: TestServer, order: { order_id: string }): Promise<string> {
  return (await server.house.ctx.db('orders').where({ id: order.order_id }).first('number')).number;
}

test('a receipt number and Enter open the order, also when only Stripe knows the number yet', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const order = await sellTo(server, { name: 'Mirandolina Fiorentini' });
  await sellTo(server, { name: 'Otto Rossi' }, { nth: 3 });
  const { db } = server.house.ctx;
  const { receipt_number } = await db('payments').where({ order_id: order.order_id }).first();
  await db('payments').update({ receipt_number: null });
  await db('orders').update({ receipt_number: null });
  const page = await openDesk(browser, server, admin, { path: '/orders' });
  await see(page.getByText('2 ordini · incassati 128,00')).toBeVisible(within);
  await page.keyboard.press('/');
  await page.keyboard.type(receipt_number.replace('-', ' '));
  await page.keyboard.press('Enter');
  await see(
    page.getByRole('heading', { name: `Ordine ${await numberOf(server, order)}` }),
  ).toBeVisible(within);
  await see(page.getByText('Mirandolina Fiorentini').first()).toBeVisible();
  await page.context().close();
});

test('filters stand in the address, sums follow them, and the file is of the same orders', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const paid = await sellTo(server, { name: 'Mirandolina Fiorentini' });
  await makeOrder(server, { nth: 3 });
  const page = await openDesk(browser, server, admin, { path: '/orders' });
  await see(page.getByText('2 ordini · incassati 64,00')).toBeVisible(within);
  await page.getByRole('combobox', { name: 'Pagamento' }).selectOption({ label: 'Pagato' });
  await see(page.getByText('1 ordine · incassati 64,00')).toBeVisible(within);
  expect(new URL(page.url()).searchParams.get('money')).toBe('paid');
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'CSV (Excel italiano)' }).click();
  expect((await download).suggestedFilename()).toMatch(/^ordini-.*\.csv$/);
  await page.reload();
  await see(page.getByRole('row').filter({ hasText: await numberOf(server, paid) })).toContainText(
    'Pagato',
    within,
  );
  await page.getByRole('checkbox', { name: 'Solo da sistemare' }).check();
  await see(page.getByText('Nessun ordine trovato.')).toBeVisible(within);
  await page.getByRole('button', { name: 'Mostra tutti gli ordini' }).click();
  await see(page.getByRole('row')).toHaveCount(3, within);
  await page.context().close();
});

test('an open order is confirmed in cash, after sum and seats were shown; its tickets are there at once', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const order = await makeOrder(server, { seats: ['Platea-C-1', 'Platea-C-2'] });
  const page = await openDesk(browser, server, admin, { path: `/orders/${order.order_id}` });
  await page.getByRole('button', { name: 'Conferma senza pagamento online…' }).click(within);
  const dialog = page.getByRole('alertdialog', { name: 'Conferma senza pagamento online' });
  await see(dialog).toContainText('64,00');
  await see(dialog).toContainText('Platea, fila C, posto 1');
  const button = dialog.getByRole('button', { name: /^Conferma: 64,00\s€ in contanti$/ });
  await see(button).toBeDisabled();
  await dialog.getByLabel('Perché').fill('Pagato alla cassa');
  await dialog.getByLabel('Invito').check();
  await see(dialog).toContainText('0,00');
  await dialog.getByLabel('Contanti').check();
  await button.click();
  await see(page.getByText('Pagato a mano')).toBeVisible(within);
  await see(page.getByText('«Pagato alla cassa»').first()).toBeVisible();
  await see(page.locator('.order-places_ticket-code')).toHaveCount(2, within);
  await see(page.getByRole('button', { name: 'Annulla l’ordine…' })).toHaveCount(0);
  await page.context().close();
});

test('an open order is ended after its seats were named', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const order = await makeOrder(server, { seats: ['Platea-C-1', 'Platea-C-2'] });
  const page = await openDesk(browser, server, admin, { path: `/orders/${order.order_id}` });
  await page.getByRole('button', { name: 'Annulla l’ordine…' }).click(within);
  const dialog = page.getByRole('alertdialog');
  await see(dialog).toContainText('Platea, fila C, posto 2');
  await dialog.getByRole('button', { name: 'Torna indietro' }).click();
  await see(dialog).toHaveCount(0);
  await page.getByRole('button', { name: 'Annulla l’ordine…' }).click();
  await page.getByLabel('Perché (facoltativo)').fill('Ha richiamato');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Annulla l’ordine' }).click();
  await see(page.getByText(/Ordine annullato e posti liberati: dall’ufficio/)).toBeVisible(within);
  await see(page.getByText('Liberato')).toHaveCount(2);
  await page.context().close();
});

test('the tickets are sent again to a corrected address, which stays with the order', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const order = await sellTo(server, { email: 'eva@exmaple.it' });
  const page = await openDesk(browser, server, admin, { path: `/orders/${order.order_id}` });
  await page.getByRole('button', { name: 'Rimanda i biglietti…' }).click(within);
  const dialog = page.getByRole('alertdialog', { name: 'Rimanda i biglietti' });
  await see(dialog.getByRole('button', { name: 'Manda a eva@exmaple.it' })).toBeEnabled();
  await dialog.getByLabel('Indirizzo').fill('eva@');
  await see(dialog.getByRole('button', { name: 'Manda', exact: true })).toBeDisabled();
  await dialog.getByLabel('Indirizzo').fill('eva@example.it');
  await dialog.getByRole('button', { name: 'Manda a eva@example.it' }).click();
  await see(page.getByText('Indirizzo e-mail corretto')).toBeVisible(within);
  await server.runDue();
  await page.reload();
  // No mail server stands here: it is told with the address to which it would have gone.
  const told = 'E-mail non spedita, la posta non è configurata: biglietti, a eva@example.it';
  await see(page.getByText(told)).toBeVisible(within);
  await see(page.getByRole('link', { name: 'eva@example.it' })).toBeVisible();
  await page.context().close();
});

const screens: [
  name: string,
  pathOf: (order_id: string, price_id: string) => string,
  seen: string,
][] = [
  ['the list', () => '/orders', '2 ordini'],
  ['the detail', (order_id) => `/orders/${order_id}`, 'Rimborso deciso: 32,00'],
  ['the prices', (_, price_id) => `/prices?ids=${price_id},price_nessuno`, 'Si può vendere'],
];
for (const [name, pathOf, seen] of screens) {
  test(`${name}: nothing is wider than the screen, and both accessibility engines find nothing, at a desk and on a phone`, async () => {
    await using server = await startServer();
    const admin = await makeAdmin(server);
    const order = await sellTo(server, { name: 'Mirandolina Fiorentini' });
    await makeOrder(server, { nth: 3 });
    await refundTickets(server, admin, order, 1);
    await server.runDue();
    const { seat_pricing } = await server.house.ctx
      .db('events')
      .where({ id: 'la-locandiera' })
      .first('seat_pricing');
    const page = await openDesk(browser, server, admin, {
      path: pathOf(order.order_id, JSON.parse(seat_pricing)[0].ticketTypes[0].price_id),
    });
    for (const size of [desk, phone]) {
      await page.setViewportSize(size);
      await see(page.getByText(seen).first()).toBeVisible(within);
      expect([size.width, await auditPage(page)]).toEqual([size.width, []]);
      expect([
        size.width,
        await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
      ]).toEqual([size.width, true]);
    }
    await page.context().close();
  });
}

test('the door sees none of it', async () => {
  await using server = await startServer();
  await makeAdmin(server);
  const order = await makeOrder(server);
  const door = await asRole(server, 'door');
  const page = await openDesk(browser, server, door, { path: `/orders/${order.order_id}` });
  await see(page.getByText('Questa pagina non è per il tuo ruolo.')).toBeVisible(within);
  await see(page.getByRole('link', { name: /Da sistemare/ })).toHaveCount(0);
  await page.context().close();
});
