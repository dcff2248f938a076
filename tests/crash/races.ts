/** Visitors who cancel and pay at the same moment. */
import { expect } from 'vitest';
import { invariants } from '#db/reconcile/invariants.ts';
import { cancelCheckout } from '#server/contract/order/orders.ts';
import { compareBooks } from '#server/services/reconcile/comparison.ts';
import {
  ask,
  callOk,
  demoEvent,
  makeOrder,
  payOrder,
  sessionIn,
  until,
  type Booked,
} from '#tests/support/make.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

export async function expectHealthy(server: TestServer): Promise<void> {
  const { db, now } = server.house.ctx;
  for (const { name, find } of invariants)
    expect([name, await find(db, now())]).toEqual([name, []]);
}

const atOnce = 6;

/**
 * The page pays and the button cancels: the more often the visitor reads first, the later the
 * button is pressed.
 */
async function payAndCancel(server: TestServer, order: Booked, nth: number): Promise<void> {
  const pay = () => payOrder(server, order.checkout_url);
  const cancel = async () => {
    for (let read = 0; read < nth; read += 1) await ask(server, 'GET', '/healthz');
    await ask(server, 'DELETE', `/api/orders/${order.order_id}/checkout_session`);
  };
  // The first race surely cancels before the payment, and the last one surely pays first.
  if (nth === 0) await cancel().then(pay);
  else if (nth === atOnce - 1) await pay().then(cancel);
  else await Promise.all([pay(), cancel()]);
}

/**
 * The order is paid with its tickets or deleted with its seats free, also at Stripe and at the
 * seat map.
 */
async function endOf(server: TestServer, order: Booked): Promise<'confirmed' | 'deleted'> {
  const { db, payments, seats } = server.house.ctx;
  let state = '';
  await until(async () => {
    await callOk(server, cancelCheckout, { params: { orderId: order.order_id } });
    ({ state } = await db('orders').where({ id: order.order_id }).first('state'));
    return state === 'confirmed' || state === 'deleted';
  });
  const isPaid = state === 'confirmed';
  const { status, paid } = await payments.read(sessionIn(order.checkout_url));
  expect([status, paid]).toEqual(isPaid ? ['complete', true] : ['expired', false]);
  const labels = order.selected_objects.map(({ object_id }) => object_id);
  const objects = [...(await seats.read(demoEvent, labels)).values()];
  expect(objects.map((object) => object.status)).toEqual(Array(2).fill(isPaid ? 'booked' : 'free'));
  return isPaid ? 'confirmed' : 'deleted';
}

export async function raceToPay(races: number): Promise<void> {
  await using server = await startServer({ worker: true });
  const { ctx, standins } = server.house;
  const ends = { confirmed: 0, deleted: 0 };
  for (let done = 0; done < races; done += atOnce) {
    const orders: Booked[] = [];
    while (orders.length < atOnce) orders.push(await makeOrder(server));
    await Promise.all(orders.map((order, nth) => payAndCancel(server, order, nth)));
    for (const order of orders) {
      const end = await endOf(server, order);
      ends[end] += 1;
      if (end === 'confirmed') await freeAgain(server, order);
    }
  }
  expect(Math.min(ends.confirmed, ends.deleted)).toBeGreaterThan(0);
  await standins!.stripe!.tick();
  await expectHealthy(server);
  server.clock.advance(60_000);
  expect(await compareBooks(ctx, new AbortController().signal)).toBe(0);
  console.log(`${races} races: ${ends.confirmed} paid, ${ends.deleted} cancelled`);
}

/** The hall has fewer seats than there are races, so the office frees the seats again. */
async function freeAgain(server: TestServer, order: Booked): Promise<void> {
  const { db, seats, now } = server.house.ctx;
  const taken = order.selected_objects.map(({ object_id }) => ({
    label: object_id,
    quantity: null,
    ticket_type: 'intero',
  }));
  await seats.release(demoEvent, taken, order.order_id);
  await db('tickets')
    .where({ order_id: order.order_id })
    .update({ state: 'void', ended_at: now() });
  await db('order_lines').where({ order_id: order.order_id }).update({ released_at: now() });
  // A row here tells the stored figures about the change, as for any other change.
  await db('figure_changes').insert({ id: `left:${order.order_id}`, event_id: demoEvent });
}
