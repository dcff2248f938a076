/** Two server processes tell one address: it hangs, fails, and one of the two is killed while it waits; nothing is lost, and nothing is taken twice. */
import { expect, inject, test } from 'vitest';
import { makeAddress } from '#server/services/program/addresses.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { until } from '#tests/support/make.ts';
import { startBeside } from '#tests/support/product.ts';
import { nearLine, startReceiver } from '#tests/support/programs.ts';
import { startServer } from '#tests/support/server.ts';

const near = { WEBHOOK_NETWORKS: '127.0.0.0/8' };

test('two processes tell all that happened, also what one was sending when it was killed, each under one id', async () => {
  await using server = await startServer({
    database: 'postgres',
    programs: nearLine,
    postgresUrl: inject('postgresUrl'),
  });
  const { ctx } = server.house;
  await using receiver = await startReceiver();
  const waiting: (() => void)[] = [];
  let isWell = false;
  const taken: string[] = [];
  receiver.answer = (response) => {
    const { id } = receiver.told.at(-1)!;
    const accept = () => {
      taken.push(id);
      response.writeHead(204).end();
    };
    if (isWell) accept();
    else waiting.push(() => response.writeHead(500).end());
  };
  const wish = { url: receiver.url, kinds: ['order.confirmed'] as const, event_id: null };
  await makeAddress(ctx, wish, 'cli');
  const orders: string[] = [];
  for (let nth = 0; nth < 5; nth += 1)
    orders.push((await makePaidOrder(server, {}, { count: 1 })).order_id);
  const rows = () => ctx.db('program_deliveries');
  const numbers = await ctx.db('orders').whereIn('id', orders).orderBy('number').pluck('number');

  await rows().update({ run_at: ctx.now() + 3_600_000 });
  const [one, other] = await Promise.all([startBeside(server, near), startBeside(server, near)]);
  await using survivor = one;
  await using victim = other;
  await rows().update({ run_at: 0 });
  // Each has taken one and waits for an answer.
  await until(async () => waiting.length === 2);
  // The survivor takes no other before the address is well again.
  await rows()
    .whereNull('locked_until')
    .update({ run_at: ctx.now() + 3_600_000 });
  await victim.kill();
  for (const fail of waiting.splice(0)) fail();
  await until(async () => (await rows().where({ failures: 1 })).length === 1);
  expect(await rows().whereNotNull('locked_until')).toHaveLength(1);
  expect(taken).toEqual([]);
  isWell = true;
  // Half a minute has gone by.
  await rows().where({ state: 'waiting' }).update({ run_at: 0 });
  await rows().whereNotNull('locked_until').update({ locked_until: 1 });
  await until(async () => (await rows().whereNot({ state: 'done' })).length === 0);

  expect(survivor.lines).toHaveLength(3);
  expect(taken.toSorted()).toEqual(await rows().orderBy('id').pluck('id'));
  expect(receiver.told).toHaveLength(7);
  expect(new Set(receiver.told.map(({ body }) => body)).size).toBe(5);
  const told = taken.map((id) => {
    const { data } = receiver.told.find((one) => one.id === id)!;
    return String(data['order_number']);
  });
  expect(told.toSorted()).toEqual(numbers);
});
