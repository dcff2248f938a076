/** `npm run seed -- --states`: somebody who works on a screen finds an order in every state. */
import { expect } from 'vitest';
import { invariants } from '#db/reconcile/invariants.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { seededStates, seedStates } from '#tests/support/seed-states.ts';

test('the seeds are an order in every state, and the books with them are right', async (server) => {
  const ids = await seedStates(server);
  expect(Object.keys(ids).toSorted()).toEqual([...seededStates].toSorted());
  const { db } = server.house.ctx;
  const rows = await db('orders').whereIn('id', Object.values(ids));
  const byId = new Map(rows.map((row) => [row.id, row]));
  const stateOf = (state: (typeof seededStates)[number]) => byId.get(ids[state])!;
  expect(stateOf('booking, the seat map did not answer').state).toBe('booking');
  expect(stateOf('awaiting payment').state).toBe('awaiting_payment');
  for (const state of ['deleted by the visitor', 'deleted after the time to pay'] as const) {
    expect(stateOf(state).state).toBe('deleted');
  }
  expect(stateOf('confirmed').state).toBe('confirmed');
  expect(stateOf('confirmed in cash')).toMatchObject({ state: 'confirmed', paid_by: 'manual' });
  expect(stateOf('disputed, needs attention').needs_attention).toBe('disputed');
  expect(stateOf('refund failed, needs attention').needs_attention).toBe('refund_failed');
  expect(stateOf('paid late, money given back')).toMatchObject({ state: 'deleted' });
  const refunds = await db('refunds').select('order_id', 'state');
  const refundOf = (state: (typeof seededStates)[number]) =>
    refunds.find((refund) => refund.order_id === ids[state])?.state;
  expect(refundOf('refund asked for')).toBe('asked');
  expect(refundOf('refunded in part')).toBe('succeeded');
  expect(refundOf('refunded whole')).toBe('succeeded');
  expect(refundOf('refund failed, needs attention')).toBe('failed');
  expect(refundOf('paid late, money given back')).toBe('succeeded');
  for (const { name, always, find } of invariants) {
    if (always) expect([name, await find(db, server.clock.now())]).toEqual([name, []]);
  }
});
