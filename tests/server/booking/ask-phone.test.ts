/** Buyers whose event asks for a telephone number: at Stripe's page, or in our form where nothing is paid. */
import { expect } from 'vitest';
import { addressOf } from '#server/contract/endpoint.ts';
import { exportOrders, listOrders, readOrder } from '#server/contract/order/orders.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import {
  aBuyer,
  aRefusal,
  ask,
  callOk,
  demoEvent,
  holdSeats,
  makeOrder,
  payOrder,
  tryBook,
} from '#tests/support/make.ts';
import { sellGifts, setPolicy } from '#tests/support/refunds.ts';

const phone = '+39 347 5550123';

test('the checkout asks for the number where the event does, and the office finds the order by it', async (server, admin) => {
  const unasked = await makeOrder(server);
  const sold = await payOrder(server, unasked.checkout_url);
  expect(sold.body).toMatchObject({ phone_number_collection: { enabled: false } });
  await setPolicy(server, { ask_phone: 1 }, demoEvent);
  const { order_id, checkout_url } = await makeOrder(server, { nth: 1 });
  expect((await payOrder(server, checkout_url)).body).toMatchObject({ error: { param: 'phone' } });
  expect((await payOrder(server, checkout_url, 'pm_card_visa', { phone })).status).toBe(200);
  await server.runDue();
  const params = { orderId: order_id };
  expect(await callOk(server, readOrder, { params }, admin)).toMatchObject({ buyer_phone: phone });
  const { items } = await callOk(server, listOrders, { query: { q: '5550123' } }, admin);
  expect(items).toMatchObject([{ order_id }]);
  const file = addressOf(exportOrders, undefined, { format: 'plain' });
  expect((await ask(server, 'GET', file, { headers: admin })).body).toContain(phone);
});

test('a free booking tells the number in our form, and one that was not asked for is not kept', async (server) => {
  await sellGifts(server, 'Platea');
  const { db } = server.house.ctx;
  const told = { ...aBuyer, phone };
  const phones = () => db('orders').orderBy('created_at').pluck('buyer_phone');
  expect((await tryBook(server, { ...(await holdSeats(server)), buyer: told })).status).toBe(200);
  expect(await phones()).toEqual([null]);
  await setPolicy(server, { ask_phone: 1 }, demoEvent);
  const held = await holdSeats(server, { nth: 2 });
  for (const buyer of [aBuyer, { ...aBuyer, phone: ' ' }, { ...aBuyer, phone: 'dopo le 18' }])
    expect(await tryBook(server, { ...held, buyer })).toMatchObject(aRefusal(422, 'phone_needed'));
  const long = { ...aBuyer, phone: '1'.repeat(41) };
  expect((await tryBook(server, { ...held, buyer: long })).status).toBe(400);
  expect((await tryBook(server, { ...held, buyer: told })).status).toBe(200);
  expect((await phones()).filter((one) => one !== null)).toEqual([phone]);
});
