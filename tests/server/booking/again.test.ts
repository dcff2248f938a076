/** The same hold token once more: a repeated call is answered with its order, a second purchase is a purchase. */
import { expect } from 'vitest';
import { getOrder, orderStatus } from '#server/contract/order/orders.ts';
import { testOnBoth } from '#tests/support/both.ts';
import {
  ask,
  callOk,
  demoEvent,
  holdObjects,
  makeAdmin,
  makeHoldToken,
  makeOrder,
  payOrder,
  type Booked,
} from '#tests/support/make.ts';
import type { TestServer } from '#tests/support/server.ts';
import { bookStanding, bookedStanding } from '#tests/support/standing.ts';
import { refundTickets, sellTo } from '#tests/support/till.ts';

async function pay(server: TestServer, order: Booked): Promise<void> {
  expect((await payOrder(server, order.checkout_url)).status).toBe(200);
  server.clock.advance(3_000);
  expect(
    (await callOk(server, orderStatus, { params: { orderId: order.order_id } })).order_confirmed_at,
  ).not.toBeNull();
}

async function bookAgain(server: TestServer, { hold_token, selected_objects }: Booked) {
  const answer = await ask(server, 'POST', `/api/event/${demoEvent}/book`, {
    body: { hold_token, selected_objects },
  });
  return {
    status: answer.status,
    ...(answer.body as { order_id?: string; code?: string; checkout_url?: string }),
  };
}

async function sellNothingButGifts(server: TestServer): Promise<void> {
  const { db, payments } = server.house.ctx;
  const price_id = await payments.ensurePrice({
    lookup_key: 'omaggio',
    product: 'Omaggio',
    unit_amount: 0,
  });
  const seat_pricing = JSON.stringify([
    { category: 'Galleria', ticketTypes: [{ price_id, ticketType: 'intero', label: 'Omaggio' }] },
  ]);
  await db('events').where({ id: demoEvent }).update({ seat_pricing });
}

testOnBoth('standing places held again after the payment are a second order', async (server) => {
  const first = await bookStanding(server, 2);
  await pay(server, first);
  const second = await bookStanding(server, 2, first.hold_token);
  expect(second.order_id).not.toBe(first.order_id);
  expect(second.checkout_url).not.toBe(first.checkout_url);
  await pay(server, second);
  expect(await bookedStanding(server)).toBe(4);
  const codes = await Promise.all(
    [first, second].map(async ({ order_id }) =>
      (await callOk(server, getOrder, { params: { orderId: order_id } })).tickets.map(
        (ticket) => ticket.code,
      ),
    ),
  );
  expect(new Set(codes.flat()).size).toBe(4);
  expect(server.logged).toEqual([]);
});

testOnBoth(
  'the call repeated after the payment is answered with the order that is paid',
  async (server) => {
    for (const order of [await bookStanding(server, 2), await makeOrder(server)]) {
      await pay(server, order);
      const again = await Promise.all([1, 2, 3].map(() => bookAgain(server, order)));
      for (const answer of again)
        expect(answer).toEqual({
          status: 200,
          order_id: order.order_id,
          checkout_url: `${server.url}/orders/${order.order_id}`,
        });
    }
    expect(await server.house.ctx.db('orders').pluck('state')).toEqual(['confirmed', 'confirmed']);
  },
);

testOnBoth(
  'the call repeated after the end of the sale is still answered with the order that has the seats',
  async (server) => {
    const order = await makeOrder(server);
    await pay(server, order);
    await server.house.ctx
      .db('events')
      .where({ id: demoEvent })
      .update({ sales_closes_at: server.clock.now() - 1 });
    expect(await bookAgain(server, order)).toMatchObject({ status: 200, order_id: order.order_id });
  },
);

testOnBoth(
  'seats that came back by a refund are sold anew to the same visitor, and not claimed for him when another has them',
  async (server) => {
    const admin = await makeAdmin(server);
    const first = await sellTo(server);
    await refundTickets(server, admin, first);
    await server.runDue();
    expect((await holdObjects(server, first.hold_token, first.selected_objects)).status).toBe(200);
    const second = await bookAgain(server, first);
    expect(second.status).toBe(200);
    expect(second.order_id).not.toBe(first.order_id);
    await ask(server, 'DELETE', `/api/orders/${second.order_id}/checkout_session`);
    await makeOrder(server, { seats: first.selected_objects.map((object) => object.object_id) });
    expect(await bookAgain(server, first)).toMatchObject({ status: 409, code: 'seats_taken' });
  },
);

let dies = false;
testOnBoth(
  'a second purchase of standing places that ends without them is told so, and is not mistaken for the first',
  async (server) => {
    const first = await bookStanding(server, 2);
    await pay(server, first);
    expect((await holdObjects(server, first.hold_token, first.selected_objects)).status).toBe(200);
    dies = true;
    expect((await bookAgain(server, first)).status).toBe(500);
    dies = false;
    // The hold runs out before he tries again.
    server.clock.advance(20 * 60_000);
    expect(await bookAgain(server, first)).toMatchObject({ status: 409, code: 'hold_expired' });
    expect(await bookedStanding(server)).toBe(2);
  },
  {
    fault(point) {
      if (dies && point === 'order_stored') throw new Error('the process dies');
    },
  },
);

testOnBoth(
  'free standing places booked by the same call ten times at once are one order',
  async (server) => {
    await sellNothingButGifts(server);
    for (let round = 0; round < 3; round += 1) {
      const hold_token = await makeHoldToken(server);
      const selected_objects = [{ object_id: 'Loggione', ticket_type: 'intero', quantity: 2 }];
      await holdObjects(server, hold_token, selected_objects);
      const answers = await Promise.all(
        Array.from({ length: 10 }, () =>
          bookAgain(server, { hold_token, selected_objects, order_id: '', checkout_url: '' }),
        ),
      );
      expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200));
      expect(new Set(answers.map((answer) => answer.order_id)).size).toBe(1);
      expect(await bookedStanding(server)).toBe((round + 1) * 2);
    }
    expect(
      await server.house.ctx.db('orders').where({ state: 'confirmed' }).count({ n: '*' }).first(),
    ).toMatchObject({ n: 3 });
  },
);
