/** From SQLite to PostgreSQL: every row arrives, the counts and the rules are the same, and whoever is not empty or still works is left alone. */
import { createHash } from 'node:crypto';
import { expect, inject } from 'vitest';
import { getOrder } from '#server/contract/order/orders.ts';
import { countTables } from '#db/engine/table-rows.ts';
import { connect } from '#db/engine/connect.ts';
import { moveHouse } from '#server/services/backup/move.ts';
import { runAdmin } from '#tests/support/admin-command.ts';
import { testOnce as test } from '#tests/support/both.ts';
import { placeOf } from '#tests/support/house.ts';
import { callOk, makeOrder, payOrder } from '#tests/support/make.ts';
import { makeDatabase } from '#tests/support/postgres.ts';
import { makeClock, openServer } from '#tests/support/server.ts';
import { sessionsAtStripe } from '#tests/support/stripe-desk.ts';

test('a house that has sold goes on in PostgreSQL with the same tickets', async (server) => {
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
  // The file that stayed behind is opened by mistake by nothing: start, commands, another move.
  const left = expect.stringMatching(/DATABASE_URL.*move-to --back/);
  const refused = { code: 'moved', message: left };
  await expect(moveHouse(house, { to: made.address, now })).rejects.toMatchObject(refused);
  await expect(openServer(server.settings, {}, makeClock(), async () => {})).rejects.toMatchObject({
    name: 'ConfigError',
    message: left,
  });
  for (const words of [['doctor'], ['backup', server.settings['DATA_DIR']!]]) {
    const { code, out, err } = await runAdmin(server, words);
    expect([code, out + err]).toEqual([1, left]);
    expect(out + err).toContain(`${new URL(made.address).host}${new URL(made.address).pathname}`);
    expect(out + err).not.toContain('postgres:');
  }
  // Back on purpose; a database that is not empty stays as it is, and the file then opens again.
  expect(await runAdmin(server, ['move-to', '--back'])).toMatchObject({ code: 0, err: '' });
  await expect(moveHouse(house, { to: made.address, now })).rejects.toMatchObject({
    code: 'not_empty',
  });
  expect((await runAdmin(server, ['invariants'])).code).toBe(0);
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
