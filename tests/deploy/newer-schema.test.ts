/** While an upgrade goes on, the code before works on a schema that knows more than it; and a process that leaves says so in time. */
import { expect, test } from 'vitest';
import { migrate } from '#db/migrations/migrate.ts';
import { readConfig } from '#server/config.ts';
import { announceStop, canWork } from '#server/services/office/health.ts';
import { testOnBoth as it } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { faultsOf } from '#tests/support/config.ts';
import { ask } from '#tests/support/make.ts';

it('the code before sells on, is ready, and starts again', async (server) => {
  const { ctx } = server.house;
  const { db } = ctx;
  await db.schema.alterTable('orders', (table) => {
    table.text('of_tomorrow').nullable();
    table.integer('also').notNullable().defaultTo(7);
  });
  await db.schema.createTable('things_of_tomorrow', (table) => {
    table.text('id').primary();
  });
  await db('knex_migrations').insert({
    name: '999-tomorrow',
    batch: 2,
    migration_time: new Date(0).toISOString(),
  });
  await makePaidOrder(server);
  server.clock.advance(2_000);
  expect(await canWork(ctx)).toBe(true);
  await migrate(db);
});

it('a proxy is told only that a process leaves, and the connection ends', async (server) => {
  expect((await ask(server, 'GET', '/readyz?proxy')).status).toBe(200);
  announceStop(server.house.ctx);
  const { status, headers } = await ask(server, 'GET', '/readyz?proxy', {
    headers: { connection: 'keep-alive' },
  });
  expect([status, headers.get('connection')]).toEqual([503, 'close']);
});

test('DRAIN_SECONDS is a whole number', () => {
  expect(readConfig({ DRAIN_SECONDS: '6' }, []).drainMs).toBe(6_000);
  expect(faultsOf({ DRAIN_SECONDS: '1.5' })).toHaveLength(1);
  expect(faultsOf({ DRAIN_SECONDS: '301' })).toHaveLength(1);
});
