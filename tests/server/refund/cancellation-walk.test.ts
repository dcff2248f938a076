/** The walk through the orders of a cancelled event: however many there are and however little time it has, it comes to its end, and meets no order twice. */
import { expect } from 'vitest';
import { findEvent } from '#db/event/events.ts';
import { ordersToRefund } from '#db/payment/refunds.ts';
import type { OrderRow } from '#db/rows.ts';
import { cancelEvent, previewCancellation, readRefundRun } from '#server/contract/order/refunds.ts';
import { undoMs } from '#server/domain/mail/message.ts';
import { refundQuote } from '#server/domain/payment/refund-quote.ts';
import { refundEvent } from '#server/services/refund/cancelled-event.ts';
import { factsOfOrders } from '#server/services/order/refund-facts.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { sellSeats, type SoldSeat } from '#tests/support/crowd.ts';
import { callOk, demoEvent, makeOrder } from '#tests/support/make.ts';
import { expectSoundBooks, passTime, setPolicy } from '#tests/support/refunds.ts';
import type { Clock, TestServer } from '#tests/support/server.ts';

const params = { eventId: demoEvent };
/** More than the walk has in one go. */
const longMs = 3_000;

async function cancel(server: TestServer, admin: { cookie: string }) {
  const preview = await callOk(server, previewCancellation, { params }, admin);
  const run = await callOk(
    server,
    cancelEvent,
    {
      params,
      body: {
        expected_cents: preview.sum_cents,
        expected_orders: preview.orders,
        reason: 'Il teatro è allagato',
      },
    },
    admin,
  );
  server.clock.advance(undoMs);
  return run;
}

/** Each of these points takes long, by the server's own clock. */
const slow: { clock: Clock | null; point: string; times: number } = {
  clock: null,
  point: '',
  times: 0,
};
const slowly = {
  fault(point: string) {
    if (point !== slow.point) return;
    slow.times += 1;
    slow.clock?.advance(longMs);
  },
};

it(
  'many orders have nothing left to refund and each of the others takes all the time there is: one is done at each visit, none is opened in vain',
  async (server, admin) => {
    const { db } = server.house.ctx;
    await sellSeats(
      db,
      demoEvent,
      'a',
      Array.from({ length: 70 }, () => ({ ticket: 'refunded', refund: 'succeeded' })),
    );
    await sellSeats(
      db,
      demoEvent,
      'b',
      Array.from({ length: 6 }, () => ({})),
    );
    const run = await cancel(server, admin);
    expect(run).toMatchObject({ orders: 6, sum_cents: 6 * 3_200 });
    Object.assign(slow, { clock: server.clock, point: 'order_of_cancelled_refunded', times: 0 });
    const left: number[] = [];
    for (let visit = 0; visit < 6; visit += 1) {
      await refundEvent(server.house.ctx, run.run_id);
      left.push(
        (
          await ordersToRefund(
            db,
            { id: run.run_id, event_id: demoEvent },
            { after: '', limit: 500 },
          )
        ).length,
      );
    }
    expect([left, slow.times]).toEqual([[5, 4, 3, 2, 1, 0], 6]);
    expect(await refundEvent(server.house.ctx, run.run_id)).toBeNull();
    expect(slow.times).toBe(6);
    expect(
      await callOk(server, readRefundRun, { params: { runId: run.run_id } }, admin),
    ).toMatchObject({ refunds: 6, to_hand_back: 6, finished_at: expect.any(String) });
    expect(await db('tickets').where({ event_id: demoEvent, state: 'valid' })).toEqual([]);
    await expectSoundBooks(server);
  },
  slowly,
);

it(
  'checkouts that take long to close do not take the time of those who have paid',
  async (server, admin) => {
    const { ctx } = server.house;
    for (let nth = 0; nth < 3; nth += 1) await makeOrder(server, { nth });
    await sellSeats(ctx.db, demoEvent, 'b', [{}, {}]);
    const run = await cancel(server, admin);
    Object.assign(slow, { clock: server.clock, point: 'session_closed', times: 0 });
    expect(await refundEvent(ctx, run.run_id)).not.toBeNull();
    expect([slow.times, (await ctx.db('refunds').where({ run_id: run.run_id })).length]).toEqual([
      1, 2,
    ]);
    for (let visit = 0; visit < 3; visit += 1) await passTime(server, 60_000);
    expect(
      await callOk(server, readRefundRun, { params: { runId: run.run_id } }, admin),
    ).toMatchObject({ open_orders: 0, finished_at: expect.any(String) });
    await expectSoundBooks(server);
  },
  slowly,
);

test('the orders that the walk meets are those to which the rule gives something back, or whose tickets it ends', async (server) => {
  const {
    ctx: { db, now },
  } = server.house;
  const sold: SoldSeat[] = [];
  for (const price_cents of [0, 3_200])
    for (const ticket of ['valid', 'void'] as const)
      for (const refund of [
        null,
        'asked',
        'refused',
        'requested',
        'succeeded',
        'failed',
        'canceled',
      ] as const)
        sold.push({ price_cents, ticket, refund });
  const ids = await sellSeats(db, demoEvent, 'c', sold);
  await setPolicy(server, { status: 'cancelled' }, demoEvent);
  const event = (await findEvent(db, demoEvent))!;
  const orders: OrderRow[] = await db<OrderRow>('orders').whereIn('id', ids).orderBy('id');
  const chosen = (await factsOfOrders(db, { event, orders, now: now() }))
    .filter(
      ({ facts }) =>
        refundQuote(facts, { by: 'event_cancelled', line_ids: 'all', with_fees: true }).obstacle ===
        null,
    )
    .map(({ order }) => order.id);
  expect([chosen.length > 0, chosen.length < ids.length]).toEqual([true, true]);
  expect(
    (await ordersToRefund(db, { id: 'none', event_id: demoEvent }, { after: '', limit: 500 })).map(
      (order) => order.id,
    ),
  ).toEqual(chosen);
});
