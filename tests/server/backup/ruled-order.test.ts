/** An order whose prices were lowered, lost with the database: Stripe still has what made them. */
import { expect } from 'vitest';
import { recoverOrders } from '#server/services/backup/recover.ts';
import { writeRestored } from '#server/services/kit/restored.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { payAs } from '#tests/support/buyer.ts';
import { holdSeats, makeAdmin, makeOrder } from '#tests/support/make.ts';
import { bookedWith, counts, countsOf, makeCode } from '#tests/support/price-codes.ts';
import { expectSoundBooks, feeEvent } from '#tests/support/refunds.ts';
import { addRule, threeForTwo } from '#tests/support/rules-in-force.ts';
import type { TestServer } from '#tests/support/server.ts';

const lineColumns = [
  'place',
  'list_cents',
  'price_cents',
  'fee_cents',
  'price_reasons',
  'entry_kind',
];

async function booked(server: TestServer, order_id: string) {
  const { db } = server.house.ctx;
  return {
    order: await db('orders').where({ id: order_id }).first('total_cents', 'priced_by'),
    lines: await db('order_lines').where({ order_id }).orderBy('position').select(lineColumns),
  };
}

/** The order is gone from the database, and Stripe still has it. */
async function loseAndRecover(
  server: TestServer,
  { order_id, copied_at }: { order_id: string; copied_at: number },
  meanwhile: () => Promise<void> = async () => {},
): Promise<void> {
  const { ctx } = server.house;
  for (const table of ['checkout_sessions', 'order_lines'])
    await ctx.db(table).where({ order_id }).delete();
  await ctx.db('outbox').where({ subject: order_id }).delete();
  await ctx.db('orders').where({ id: order_id }).delete();
  await meanwhile();
  await writeRestored(ctx.db, { id: 'r', copied_at, restored_at: ctx.now(), recovered_at: null });
  const recovery = await recoverOrders(ctx, new AbortController().signal);
  expect(recovery).toMatchObject({ lost: [], orders: [{ order_id, state: 'confirmed' }] });
}

test('it is written again with its list prices, reasons, rules, VAT rates and kind of entry, and confirmed', async (server) => {
  const { ctx } = server.house;
  const copied_at = ctx.now();
  await addRule(server, threeForTwo);
  const selected_objects = [1, 2, 3].map((seat) => ({
    object_id: `Platea-A-${seat}`,
    ticket_type: 'intero',
  }));
  const { order_id, checkout_url } = await makeOrder(server, { event: feeEvent, selected_objects });
  const before = await booked(server, order_id);
  expect(before.order.priced_by).toContain('3x2');
  await payAs(server, { checkout_url });
  // What the event says today is not what was sold.
  await ctx.db('events').update({ vat_percent: 5, fee_vat_percent: 5 });
  await loseAndRecover(server, { order_id, copied_at });
  expect(await booked(server, order_id)).toEqual(before);
  await expectSoundBooks(server);
});

test('an order with a code counts its use again, though nothing is left of the code', async (server) => {
  const { ctx } = server.house;
  const copied_at = ctx.now();
  const { code_id } = await makeCode(server, await makeAdmin(server), { most_orders: 1 });
  const order = await bookedWith(server, await holdSeats(server), { codes: ['META26'] });
  await payAs(server, order);
  await ctx.db('code_uses').delete();
  await ctx.db('price_codes').update({ orders_used: 0, tickets_used: 0 });
  await loseAndRecover(server, { order_id: order.order_id, copied_at }, async () => {
    await ctx.db('price_codes').update({ most_tickets: 1 });
  });
  expect(await countsOf(server, code_id)).toEqual(counts(1, 2));
  await expectSoundBooks(server);
});
