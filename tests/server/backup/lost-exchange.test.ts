/** An exchange whose new order is lost with the database: Stripe still says which tickets it replaced. */
import { expect } from 'vitest';
import { recoverOrders } from '#server/services/backup/recover.ts';
import { writeRestored } from '#server/services/kit/restored.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { allowExchange, begun, exchangeOf, type Begun } from '#tests/support/exchange.ts';
import { payOrder } from '#tests/support/make.ts';
import {
  expectSoundBooks,
  makePaid,
  passTime,
  refundByOffice,
  stateOf,
} from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';

/** The copy was made before the new order, which was paid since. */
async function loseNewOrder(server: TestServer, { order_id, checkout_url }: Begun) {
  const { db } = server.house.ctx;
  server.house.standins!.stripe!.deliveries.pause();
  await payOrder(server, checkout_url);
  for (const table of ['exchange_tickets', 'exchanges']) await db(table).delete();
  for (const table of ['checkout_sessions', 'order_lines'])
    await db(table).where({ order_id }).delete();
  await db('outbox').where({ subject: order_id }).delete();
  await db('orders').where({ id: order_id }).delete();
}

async function recover(server: TestServer, copied_at: number) {
  const { ctx } = server.house;
  await writeRestored(ctx.db, { id: 'r', copied_at, restored_at: ctx.now(), recovered_at: null });
  return recoverOrders(ctx, new AbortController().signal);
}

test('it is written again, and the old tickets end with its payment', async (server) => {
  await allowExchange(server);
  const old = await makePaid(server);
  const copied_at = server.house.ctx.now();
  const order = await begun(server, old);
  await loseNewOrder(server, order);
  expect(await recover(server, copied_at)).toMatchObject({ orders: [{ state: 'confirmed' }] });
  expect(await exchangeOf(server)).toMatchObject({ state: 'done', credit_cents: 5_600 });
  expect(await stateOf(server, order)).toMatchObject({
    paid_cents: 6_400,
    tickets: ['valid', 'valid'],
  });
  expect((await stateOf(server, old)).tickets).toEqual(['refunded', 'refunded']);
  await expectSoundBooks(server);
});

test('if an old ticket has been given back since, its money goes back', async (server, admin) => {
  await allowExchange(server);
  const old = await makePaid(server);
  const copied_at = server.house.ctx.now();
  const order = await begun(server, old);
  await loseNewOrder(server, order);
  await refundByOffice(server, admin, old, { ticket_ids: [old.tickets[0]!] });
  expect(await recover(server, copied_at)).toMatchObject({ orders: [{ state: 'deleted' }] });
  await passTime(server, 60_000);
  expect(await stateOf(server, order)).toMatchObject({ paid_cents: 800, refunded_cents: 800 });
  expect((await stateOf(server, old)).tickets.toSorted()).toEqual(['refunded', 'valid']);
  await expectSoundBooks(server);
});
