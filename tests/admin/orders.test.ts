/**
 * The office's order screens in a real browser: found, looked at, confirmed at the till, ended,
 * sent again.
 */
import { expect } from 'vitest';
import { makeOrder } from '#tests/support/make.ts';
import { refundTickets, sellTo } from '#tests/support/till.ts';
import { expectGood, goTo, phone, see, testOffice as test } from './office.ts';

test('a receipt number opens its order, also when only Stripe knows it yet; filters stand in the address, fold away on a small screen, and sums and file follow them', async (office) => {
  const { server, admin } = office;
  const { db } = server.house.ctx;
  const order = await sellTo(server, { name: 'Mirandolina Fiorentini' });
  await makeOrder(server, { nth: 3 });
  const { receipt_number } = await db('payments').where({ order_id: order.order_id }).first();
  await db('payments').update({ receipt_number: null });
  await db('orders').update({ receipt_number: null });
  const { number } = await db('orders').where({ id: order.order_id }).first('number');
  const page = await office.open('/orders');
  await see(page.getByText('2 ordini · incassati 64,00')).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type(receipt_number.replace('-', ' '));
  await page.keyboard.press('Enter');
  await see(page.getByRole('heading', { name: `Ordine ${number}` })).toBeVisible();
  await see(page.getByText('Mirandolina Fiorentini').first()).toBeVisible();

  await goTo(page, '/orders');
  await page.getByRole('combobox', { name: 'Pagamento' }).selectOption({ label: 'Pagato' });
  await see(page.getByText('1 ordine · incassati 64,00')).toBeVisible();
  expect(new URL(page.url()).searchParams.get('money')).toBe('paid');
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'CSV (Excel italiano)' }).click();
  expect((await download).suggestedFilename()).toMatch(/^ordini-.*\.csv$/);
  await page.reload();
  await see(page.getByRole('row').filter({ hasText: number })).toContainText('Pagato');
  await page.getByRole('checkbox', { name: 'Solo da sistemare' }).check();
  await see(page.getByText('Nessun ordine trovato.')).toBeVisible();
  await page.getByRole('button', { name: 'Mostra tutti gli ordini' }).click();
  await see(page.getByRole('row')).toHaveCount(3);

  await refundTickets(server, admin, order, 1);
  await goTo(page, '/orders?state=confirmed');
  await page.setViewportSize({ width: 768, height: 1024 });
  const fold = page.getByRole('button', { name: 'Filtri (1)' });
  const choice = page.getByLabel('Stato', { exact: true });
  await see(choice).toBeHidden();
  await fold.focus();
  await page.keyboard.press('Enter');
  await see(fold).toHaveAttribute('aria-expanded', 'true');
  await expectGood(page);
  await choice.selectOption('deleted');
  await see(page).toHaveURL(/state=deleted/);
  await page.setViewportSize({ width: 1280, height: 900 });
  await see(page.getByRole('button', { name: /^Filtri/ })).toBeHidden();
  await see(choice).toBeVisible();

  await goTo(page, `/orders/${order.order_id}`);
  await page.setViewportSize(phone);
  await see(page.getByText('Rimborso deciso: 32,00').first()).toBeVisible();
  await expectGood(page, [1280]);
  const { seat_pricing } = await db('events').where({ id: 'la-locandiera' }).first('seat_pricing');
  const { price_id } = JSON.parse(seat_pricing)[0].ticketTypes[0];
  await goTo(page, `/prices?ids=${price_id},price_nessuno`);
  await see(page.getByText('Si può vendere').first()).toBeVisible();
  await expectGood(page, [1280]);
}, 90_000);

test('an open order is confirmed in cash or ended after sum and seats were named, and tickets are sent again to a corrected address', async (office) => {
  const { server } = office;
  const order = await makeOrder(server, { seats: ['Platea-C-1', 'Platea-C-2'] });
  const other = await makeOrder(server, { seats: ['Platea-D-1', 'Platea-D-2'] });
  const sold = await sellTo(server, { email: 'eva@exmaple.it' }, { nth: 3 });
  const page = await office.open(`/orders/${order.order_id}`);
  const dialog = page.getByRole('alertdialog');
  await page.getByRole('button', { name: 'Conferma senza pagamento online…' }).click();
  await see(dialog).toContainText('64,00');
  await see(dialog).toContainText('Platea, fila C, posto 1');
  const button = dialog.getByRole('button', { name: /^Conferma: 64,00\s€ in contanti$/ });
  await see(button).toBeDisabled();
  await dialog.getByLabel('Perché').fill('Pagato alla cassa');
  await dialog.getByLabel('Invito').check();
  await see(dialog).toContainText('0,00');
  await dialog.getByLabel('Contanti').check();
  await button.click();
  await see(page.getByText('Pagato a mano')).toBeVisible();
  await see(page.getByText('«Pagato alla cassa»').first()).toBeVisible();
  await see(page.locator('.order-places_ticket-code')).toHaveCount(2);
  await see(page.getByRole('button', { name: 'Annulla l’ordine…' })).toHaveCount(0);

  await page.goto(`${server.url}/admin/orders/${other.order_id}`);
  await page.getByRole('button', { name: 'Annulla l’ordine…' }).click();
  await see(dialog).toContainText('Platea, fila D, posto 2');
  await dialog.getByRole('button', { name: 'Torna indietro' }).click();
  await see(dialog).toHaveCount(0);
  await page.getByRole('button', { name: 'Annulla l’ordine…' }).click();
  await page.getByLabel('Perché (facoltativo)').fill('Ha richiamato');
  await dialog.getByRole('button', { name: 'Annulla l’ordine' }).click();
  await see(page.getByText(/Ordine annullato e posti liberati: dall’ufficio/)).toBeVisible();
  await see(page.getByText('Liberato')).toHaveCount(2);

  await page.goto(`${server.url}/admin/orders/${sold.order_id}`);
  await page.getByRole('button', { name: 'Rimanda i biglietti…' }).click();
  await see(dialog.getByRole('button', { name: 'Manda a eva@exmaple.it' })).toBeEnabled();
  await dialog.getByLabel('Indirizzo').fill('eva@');
  await see(dialog.getByRole('button', { name: 'Manda', exact: true })).toBeDisabled();
  await dialog.getByLabel('Indirizzo').fill('eva@example.it');
  await dialog.getByRole('button', { name: 'Manda a eva@example.it' }).click();
  await see(page.getByText('Indirizzo e-mail corretto')).toBeVisible();
  await server.runDue();
  await page.reload();
  // No mail server stands here: it is told with the address to which it would have gone.
  const told = 'E-mail non spedita, la posta non è configurata: biglietti, a eva@example.it';
  await see(page.getByText(told)).toBeVisible();
  await see(page.getByRole('link', { name: 'eva@example.it' })).toBeVisible();
});
