/** At the office's screen of moves a ticket gets another type, and changes seats with another order's, at every width. */
import { expect } from 'vitest';
import { demoEvent, findSeats } from '#tests/support/make.ts';
import { makeSold, soldOf } from '#tests/support/move.ts';
import { expectGood, see, testOffice as test } from './office.ts';

test('Intero becomes Ridotto and the difference goes back; then the ticket changes seats with another order’s, named by typed words', async (office) => {
  const { server } = office;
  const { db } = server.house.ctx;
  const sold = await makeSold(server, { count: 1 });
  const [seat] = await findSeats(server, { count: 1, nth: 4 });
  const other = await makeSold(server, {
    selected_objects: [{ object_id: seat!, ticket_type: 'ridotto' }],
  });
  const page = await office.open(`/orders/${sold.order_id}`);
  await page.getByRole('link', { name: 'Sposta…' }).click();
  await page.getByRole('button', { name: 'Cambia tariffa…' }).click();
  await see(page.getByLabel('Ridotto')).toBeChecked();
  await see(page.getByText(/Differenza da restituire: /)).toBeVisible();
  await expectGood(page, [1280, 390]);
  await page.getByRole('button', { name: 'Cambia tariffa', exact: true }).click();
  await see(page.getByText('ora Ridotto.')).toBeVisible();
  const { price_cents } = (await db('order_lines').where({ order_id: other.order_id }).first()) as {
    price_cents: number;
  };
  expect(
    await db('order_lines').where({ order_id: sold.order_id }).first('type_label', 'price_cents'),
  ).toEqual({ type_label: 'Ridotto', price_cents });

  const place = (await db('places').where({ event_id: demoEvent, place: seat! }).first()) as {
    section: string;
    row: string;
    seat: string;
  };
  await page.getByRole('button', { name: 'Scambia con…' }).click();
  const field = page.getByRole('textbox', { name: 'Altro posto' });
  await field.fill('Platea ZZ99');
  await see(page.getByText('Nessun biglietto valido')).toBeVisible();
  await field.fill(`${place.section.split(' ')[0]} ${place.row}${place.seat}`);
  const button = page.getByRole('button', { name: 'Scambia i posti' });
  await see(button).toBeEnabled();
  await expectGood(page, [1280, 390]);
  await button.click();
  await see(page.getByText('Fatto.')).toBeVisible();
  expect((await soldOf(server, sold.order_id)).seats).toEqual([seat]);
  expect((await soldOf(server, other.order_id)).seats).toEqual(sold.seats);
  expect(server.logged).toEqual([]);
});
