/** What a booking asks of the database, statement by statement: one more is a decision, not an accident. */
import { expect, inject, test } from 'vitest';
import type { Pool } from '#db/engine/dialect.ts';
import { settleOrder } from '#server/services/payment/settle.ts';
import { payAs } from '#tests/support/buyer.ts';
import { holdSeats, makeOrder, recordOf, tryBook } from '#tests/support/make.ts';
import { freePort } from '#tests/support/port.ts';
import { databaseKinds, type DatabaseKind } from '#tests/support/server.ts';
import { testOnBoth as it } from '#tests/support/both.ts';
import { queueDueOrders } from '#server/services/payment/due-orders.ts';
import { statementsOf as allStatementsOf } from '#tests/support/statements.ts';
import { startVendors } from '#tests/support/vendors.ts';
import { sellGifts } from '#tests/support/refunds.ts';

const planned = [
  // With the hold: what its network has not paid.
  'read orders, read events, read order_lines',
  'read events',
  'read order_lines, read places, read contingent_places, read contingents, read chosen',
  'read price_rules',
];
const confirmed = ['update orders', 'update events', 'read events', 'read order_lines'];
const paidFor = [
  'update checkout_sessions',
  'insert payments',
  'insert figure_changes, read orders, read events',
  'insert outbox',
];
const told = ['read payments', 'insert audit', 'insert mails', 'insert outbox'];
/** Taking the lease reads the order, too. */
const lease = 'update orders';

type Phase = 'paid' | 'confirmed' | 'free';

/** SQLite's statements cost no way there and back: each row is a run of its own. */
const seats = ['insert tickets', 'insert tickets'];
const store = ['read events', 'insert orders', 'insert order_lines', 'insert order_lines'];
const sqlite: Record<Phase, string[]> = {
  paid: [...planned, ...store, 'update orders', 'insert checkout_sessions'],
  confirmed: [lease, ...confirmed, 'update places', ...seats, ...paidFor, ...told, 'update orders'],
  free: [...planned, ...store, ...confirmed, 'update places', ...seats, ...told],
};

const storeAtOnce = 'read events, insert orders, insert order_lines';
const postgres: Record<Phase, string[]> = {
  paid: [...planned, storeAtOnce, 'update orders, insert checkout_sessions'],
  confirmed: [
    lease,
    'BEGIN',
    ...confirmed,
    'update places',
    'insert tickets',
    ...paidFor,
    ...told,
    'COMMIT',
    'update orders',
  ],
  free: [
    ...planned,
    storeAtOnce,
    'BEGIN',
    ...confirmed,
    'update places',
    'insert tickets',
    ...told,
    'COMMIT',
  ],
};

const expected: Record<DatabaseKind, Record<Phase, string[]>> = { sqlite, postgres };

/** Without what all visitors share and a process remembers for a second: how slow the machine is would decide whether it is asked. */
async function statementsOf(db: Pool, work: () => Promise<unknown>): Promise<string[]> {
  return (await allStatementsOf(db, work)).filter((name) => !/settings|queues/.test(name));
}

test.each(databaseKinds)(
  'the statements of a booking of two seats are these (%s)',
  async (kind) => {
    await using vendors = await startVendors();
    const settings = await vendors.emptyPlace(kind, inject('postgresUrl'));
    // Where no webhook finds it: each would ask for something, too.
    await using server = await vendors.open({ ...settings, PORT: String(await freePort()) });
    const { ctx } = server.house;
    // Whoever comes first also asks what is remembered from then on.
    let order: { order_id: string; checkout_url: string } = await makeOrder(server, { nth: 0 });
    const book = async (nth: number) => {
      const { body } = await tryBook(server, await holdSeats(server, { nth }));
      order = body as typeof order;
    };
    const paid = await statementsOf(ctx.db, () => book(1));
    await payAs(server, order);
    const id = await recordOf(server, order);
    const confirmed = await statementsOf(ctx.db, () => settleOrder(ctx, id));
    await sellGifts(server, 'Platea');
    await book(2);
    const free = await statementsOf(ctx.db, () => book(3));
    expect({ paid, confirmed, free }).toEqual(expected[kind]);
  },
);

it('orders that are overdue get their tasks in one statement, however many they are', async (server) => {
  for (const nth of [0, 1, 2, 3]) await makeOrder(server, { nth });
  server.clock.advance(3_600_000);
  const { ctx } = server.house;
  const asked = await statementsOf(ctx.db, () => queueDueOrders(ctx));
  expect(asked.filter((name) => name.startsWith('insert'))).toEqual(['insert outbox']);
  expect(await ctx.db('outbox').where({ task: 'settle_order' })).toHaveLength(4);
});
