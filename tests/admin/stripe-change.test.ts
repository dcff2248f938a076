/** After a change of the Stripe keys the office makes lost prices again and removes orders of test money. */
import { expect } from 'vitest';
import { pricingOf } from '#server/domain/price/pricing.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { demoEvent } from '#tests/support/make.ts';
import { expectGood, goTo, see, testOffice as test } from './office.ts';

test('lost prices and test orders are seen and mended, at the desk and on a phone; the demo says that it is one', async (office) => {
  const { ctx } = office.server.house;
  await makePaidOrder(office.server);
  const visitor = await office.visit(`/event/${demoEvent}`);
  await see(visitor.getByText('DEMO').first()).toBeVisible();
  const event = await ctx.db('events').where({ id: demoEvent }).first();
  const [first] = pricingOf(event)[0]!.ticketTypes;
  const seat_pricing = event.seat_pricing.replace(first!.price_id, 'price_lost');
  for (const table of ['events', 'shows'])
    await ctx.db(table).where({ id: demoEvent }).update({ seat_pricing });
  const page = await office.open('/events');
  await see(page.getByText('DEMO').first()).toBeVisible();
  await goTo(page, '/settings/stripe');
  await see(page.getByRole('heading', { name: 'Prezzi da rifare' })).toBeVisible();
  await expectGood(page, [1280, 390]);
  const make = page.getByRole('button', { name: 'Crea di nuovo questi prezzi…' });
  await see(make).toBeDisabled();
  await page.getByLabel('Importo di La locandiera · Platea, Intero').fill('31,50');
  await make.click();
  await page.getByRole('button', { name: 'Crea di nuovo questi prezzi', exact: true }).click();
  await see(page.getByRole('heading', { name: 'Non resta niente da fare.' })).toBeVisible();
  const pricing = pricingOf(await ctx.db('events').where({ id: demoEvent }).first());
  const [made] = await ctx.payments.priceFacts([pricing[0]!.ticketTypes[0]!.price_id]);
  expect([made?.unit_amount, made?.product.name]).toEqual([
    3_150,
    'La locandiera · Platea, Intero',
  ]);

  ctx.payments.live = true;
  await page.reload();
  await see(page.getByRole('row', { name: /La locandiera/ })).toContainText('1 ordine, 2 posti');
  await expectGood(page, [1280, 390]);
  await page.getByRole('button', { name: 'Togli gli ordini di prova…' }).click();
  await page.getByRole('button', { name: 'Togli gli ordini di prova', exact: true }).click();
  await see(page.getByRole('row', { name: /La locandiera/ })).toBeHidden();
  expect(await ctx.db('orders')).toEqual([]);
});
