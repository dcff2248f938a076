/** The buyer's link in the browser: the office looks at the page without it, and a new one ends the old one in every browser. */
import { expect } from 'vitest';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { expectGood, phone, see, testOffice as test } from './office.ts';

test('the office sees the buyer’s page and can press nothing; a new link, asked for first, ends the old one and saved copies go', async (office) => {
  const { server } = office;
  const { order_id, link_key } = await makePaidOrder(server, { email: 'eva@example.it' });
  const desk = await office.open(`/orders/${order_id}`);
  const path = await desk
    .getByRole('link', { name: /Come lo vede l’acquirente/ })
    .getAttribute('href');
  await desk.goto(server.url + path!);
  await see(desk.getByText('solo da guardare')).toBeVisible();
  await see(desk.getByText('Ordine confermato!')).toBeVisible();
  await see(desk.locator('main button:not([inert] *)')).toHaveCount(0);
  await see(desk.locator('[inert]').getByRole('button', { name: 'Nuovo link' })).toHaveCount(1);
  expect(await desk.content()).not.toContain(link_key);
  await expectGood(desk);

  const buyer = await office.visit(`/orders/${link_key}`, { size: phone });
  const saved = () =>
    buyer.evaluate(() => Object.keys(localStorage).filter((key) => /order\.2/.test(key)));
  await see.poll(saved).toHaveLength(1);
  const list = await buyer.context().newPage();
  await list.goto(`${server.url}/i-miei-biglietti`);
  await see(list.getByRole('link', { name: /La locandiera/ })).toBeVisible();

  await desk.goto(`${server.url}/admin/orders/${order_id}`);
  await desk.getByRole('button', { name: 'Nuovo link…' }).click();
  await expectGood(desk);
  await desk.getByRole('button', { name: 'Manda a eva@example.it' }).click();
  await see(desk.getByText('Link dell’acquirente sostituito')).toBeVisible();
  await list.reload();
  await see(list.getByRole('link', { name: /La locandiera/ })).toHaveCount(0);
  await see.poll(saved).toEqual([]);
  await buyer.reload();
  await see(buyer.getByRole('heading', { name: 'Link sostituito' })).toBeVisible();
  await expectGood(buyer);

  const { link_key: next } = await server.house.ctx.db('orders').where({ id: order_id }).first();
  await buyer.goto(`${server.url}/orders/${next}`);
  await buyer.getByRole('button', { name: 'Nuovo link' }).click();
  await expectGood(buyer);
  await buyer.getByRole('button', { name: 'Sì, mandami il nuovo link' }).click();
  await see(buyer.getByRole('heading', { name: 'Link sostituito' })).toBeVisible();
});
