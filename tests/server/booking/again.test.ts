/** The same hold token once more: a repeated call is answered with its order, a second purchase is a purchase. */
import { expect } from 'vitest';
import { getOrder } from '#server/contract/order/orders.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { comeBack, payAs } from '#tests/support/buyer.ts';
import { sellGifts, setPolicy } from '#tests/support/refunds.ts';
import {
  holdSeats,
  tryBook,
  type Held,
  ask,
  callOk,
  demoEvent,
  holdObjects,
  makeAdmin,
  makeOrder,
  type Booked,
} from '#tests/support/make.ts';
import type { TestServer } from '#tests/support/server.ts';
import { bookStanding, bookedStanding } from '#tests/support/standing.ts';
import { refundTickets, sellTo } from '#tests/support/till.ts';

async function pay(server: TestServer, order: Booked): Promise<void> {
  await payAs(server, order);
  expect(await comeBack(server, order)).toEqual({ confirmed: true });
}

async function bookAgain(server: TestServer, held: Held) {
  const answer = await tryBook(server, held);
  return {
    status: answer.status,
    ...(answer.body as { order_id?: string; code?: string; checkout_url?: string }),
  };
}

test('standing places held again after the payment are a second order', async (server) => {
  const first = await bookStanding(server, 2);
  await pay(server, first);
  const second = await bookStanding(server, 2, first.hold_token);
  expect(second.order_id).not.toBe(first.order_id);
  expect(second.checkout_url).not.toBe(first.checkout_url);
  await pay(server, second);
  expect(await bookedStanding(server)).toBe(4);
  const pages = await Promise.all(
    [first, second].map(({ order_id }) =>
      callOk(server, getOrder, { params: { orderId: order_id } }),
    ),
  );
  const tickets = pages.flatMap((page) => page.tickets);
  expect(tickets.map(({ seat }) => seat)).toEqual(Array(4).fill('Loggione, posto unico'));
  expect(new Set(tickets.map(({ code }) => code)).size).toBe(4);
  expect(server.logged).toEqual([]);
});

test('the call repeated after the payment is answered with the order that is paid, also after the end of the sale', async (server) => {
  const [places, seats] = [await bookStanding(server, 2), await makeOrder(server)];
  for (const order of [places, seats]) {
    await pay(server, order);
    const again = await Promise.all([1, 2, 3].map(() => bookAgain(server, order)));
    for (const answer of again)
      expect(answer).toEqual({
        status: 200,
        order_id: order.link_key,
        checkout_url: `${server.url}/orders/${order.link_key}`,
      });
  }
  const { db } = server.house.ctx;
  expect(await db('orders').pluck('state')).toEqual(['confirmed', 'confirmed']);
  await setPolicy(server, { sales_closes_at: server.clock.now() - 1 }, demoEvent);
  expect(await bookAgain(server, seats)).toMatchObject({ status: 200, order_id: seats.link_key });
});

test('seats that came back by a refund are sold anew to the same visitor, and not claimed for him when another has them', async (server) => {
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
});

let dies = false;
it(
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

test('free standing places booked by the same call ten times at once are one order', async (server) => {
  await sellGifts(server, 'Galleria');
  const selected_objects = [{ object_id: 'Loggione', ticket_type: 'intero', quantity: 2 }];
  const held = await holdSeats(server, { selected_objects });
  const answers = await Promise.all(Array.from({ length: 10 }, () => bookAgain(server, held)));
  expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200));
  expect(new Set(answers.map((answer) => answer.order_id)).size).toBe(1);
  expect(await bookedStanding(server)).toBe(2);
  expect(await server.house.ctx.db('orders').pluck('state')).toEqual(['confirmed']);
});
