/** Tickets of one evening are exchanged for another at the till, by keyboard. */
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { tillIsReady, typeSeats } from '#tests/support/browsers/till-page.ts';
import { openDrawer, sellAtCounter } from '#tests/support/counter.ts';
import { demoEvent } from '#tests/support/make.ts';
import { asRole } from '#tests/support/roles.ts';
import { feeEvent } from '#tests/support/refunds.ts';
import { expectGood, see, testOffice as it } from './office.ts';

const desk = { width: 1280, height: 900 };

/** From the order's page to the till of the first other evening, by keyboard. */
async function beginExchange(page: Page) {
  await page.getByRole('link', { name: 'Cambia data' }).focus();
  await page.keyboard.press('Enter');
  await see(page.getByText(/biglietti valgono/)).toBeVisible();
  await expectGood(page, [390]);
  await page.keyboard.press('1');
  await tillIsReady(page);
  await typeSeats(page, '2');
  await see(page.getByLabel('Conto del cambio')).toBeVisible();
}

it('two tickets become two of another evening by keyboard: the rest goes back from the drawer; dearer ones are paid, equal ones are confirmed', async (office) => {
  const { server } = office;
  const { db } = server.house.ctx;
  const seller = await asRole(server, 'cassa');
  await openDrawer(server, seller);
  const sale = await sellAtCounter(server, seller);
  const page = await office.open(`/orders/${sale.order_id}`, { as: seller, size: desk });
  await beginExchange(page);
  await see(page.getByText(`Cambio di ${sale.number}: 2 biglietti`)).toBeVisible();
  await see(page.getByText(/valgono 64,00\s€/)).toBeVisible();
  await see(page.getByLabel('Conto del cambio')).toContainText('Da restituire');
  await expectGood(page, [1024]);
  await page.keyboard.press('F2');
  await see(page.getByRole('button', { name: 'Conferma il cambio (Invio)' })).toBeFocused();
  await page.keyboard.press('Enter');
  await see(page.getByText(`Cambiati i biglietti di ${sale.number} con`)).toBeVisible();
  await see(page.getByText(/dalla tua cassa/)).toBeVisible();
  await expectGood(page);
  const [made] = await db('exchanges').select();
  expect(made).toMatchObject({ from_order_id: sale.order_id, state: 'done' });
  expect(made.credit_cents + made.back_cents).toBe(6_400);
  const states = async (order_id: string) =>
    (await db('tickets').where({ order_id })).map(({ state }) => state);
  expect(await states(sale.order_id)).toEqual(['refunded', 'refunded']);
  expect(await states(made.to_order_id)).toEqual(['valid', 'valid']);

  await page.goto(`${server.url}/admin/orders/${sale.order_id}`);
  await see(page.getByText(/2 biglietti: cambio fatto con /)).toBeVisible();
  await see(page.getByText('Cambiato e rimborsato', { exact: true })).toBeVisible();
  await see(page.getByText('Cambiato con un’altra data').first()).toBeVisible();
  await expectGood(page, [390]);
  const { number } = await db('orders').where({ id: made.to_order_id }).first();
  await page.getByRole('link', { name: number, exact: true }).first().click();
  await see(page.getByText(/Al posto di .*, ordine/)).toBeVisible();
  await see(page.getByText(`Al posto di biglietti dell’ordine ${sale.number}`)).toBeVisible();
  await expectGood(page, [390]);
  await beginExchange(page);
  await see(page.getByLabel('Conto del cambio')).toContainText('Da pagare');
  await page.keyboard.press('F2');
  await see(page.getByLabel('Ricevuti')).toBeFocused();
  await page.keyboard.press('Enter');
  await see(page.getByText(/^Differenza pagata: /)).toBeVisible();
  expect(await db('exchanges').where({ state: 'done' })).toHaveLength(2);
  const events = await db('orders').orderBy('created_at').pluck('event_id');
  expect(events).toEqual([demoEvent, feeEvent, demoEvent]);
  expect(server.logged).toEqual([]);
}, 240_000);
