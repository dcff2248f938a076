/** From SQLite to PostgreSQL: every row arrives, the counts and the rules are the same, and whoever is not empty or still works is left alone. */
import { createHash } from 'node:crypto';
import { expect, inject, test } from 'vitest';
import { getOrder } from '#server/contract/order/orders.ts';
import { countTables } from '#db/engine/table-rows.ts';
import { connect } from '#db/engine/connect.ts';
import { moveHouse } from '#server/services/backup/move.ts';
import { placeOf } from '#tests/support/house.ts';
import { callOk, makeOrder, payOrder } from '#tests/support/make.ts';
import { makeDatabase } from '#tests/support/postgres.ts';
import { makeClock, openServer, startServer } from '#tests/support/server.ts';
import { sessionsAtStripe } from '#tests/support/stripe-desk.ts';

test('a house that has sold goes on in PostgreSQL with the same tickets', async () => {
  await using server = await startServer();
  const order = await makeOrder(server);
  await payOrder(server, order.checkout_url);
  server.clock.advance(3_000);
  const params = { orderId: order.order_id };
  const before = await callOk(server, getOrder, { params });
  const content = Buffer.from([0, 1, 2, 0xff, 0x5c]);
  const { db } = server.house.ctx;
  await db('images').insert({
    id: 'i',
    content_hash: 'h',
    shape: 'wide',
    width: 1,
    height: 1,
    created_at: 1,
  });
  await db('image_files').insert({ image_id: 'i', width: 1, format: 'webp', content });
  const made = await makeDatabase(inject('postgresUrl'));
  const house = placeOf(server);
  const now = server.clock.now();
  const settings = { ...server.settings, DATABASE_URL: made.address };
  // Who still works is left alone.
  await expect(moveHouse(house, { to: made.address, now })).rejects.toMatchObject({
    code: 'running',
  });
  await server.house.close();
  const { tables, broken } = await moveHouse(house, { to: made.address, now });
  expect(broken).toEqual([]);
  expect(tables['orders']).toBe(1);
  const there = connect(made.address);
  expect(await countTables(there)).toEqual(tables);
  const row = (await there('image_files').first('content')) as { content: Buffer };
  expect(createHash('sha256').update(row.content).digest('hex')).toBe(
    createHash('sha256').update(content).digest('hex'),
  );
  await there.destroy();
  // What is not empty stays as it is.
  await expect(moveHouse(house, { to: made.address, now })).rejects.toMatchObject({
    code: 'not_empty',
  });
  await using moved = await openServer(settings, {}, makeClock(), made.drop);
  const after = await callOk(moved, getOrder, { params });
  expect(after.tickets.map(({ code }) => code)).toEqual(before.tickets.map(({ code }) => code));
  expect(after.state).toBe('confirmed');
  // It sells on.
  expect((await makeOrder(moved, { nth: 1 })).order_id).not.toBe(order.order_id);
  // Stripe sees the same house.
  const marks = (await sessionsAtStripe(moved)).map(({ metadata }) => metadata['botteghino']);
  expect([marks.length, new Set(marks).size]).toEqual([2, 1]);
});
