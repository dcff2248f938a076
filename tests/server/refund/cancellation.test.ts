/** An event is cancelled: nobody buys any more, everybody who paid is refunded once, whatever breaks on the way. */
import { expect } from 'vitest';
import { addressOf } from '#server/contract/endpoint.ts';
import { confirmOrder } from '#server/contract/office.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import {
  askRefund,
  cancelEvent,
  previewCancellation,
  readRefundRun,
  resumeRefunds,
  stopRefunds,
} from '#server/contract/order/refunds.ts';
import { joinProcesses, leaveProcesses } from '#server/services/kit/processes.ts';
import { refundEvent } from '#server/services/refund/cancelled-event.ts';
import { pullDoor } from '#tests/support/door/door-phone.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import {
  ask,
  callOk,
  demoEvent,
  makeOrder,
  makePairedPhone,
  payOrder,
  aRefusal,
} from '#tests/support/make.ts';
import {
  expectSoundBooks,
  makePaid,
  refundByOffice,
  passTime,
  refundRows,
  setPolicy,
} from '#tests/support/refunds.ts';
import { refundsAtStripe } from '#tests/support/stripe-desk.ts';
import type { TestServer } from '#tests/support/server.ts';
import { passUndo } from '#tests/support/undo.ts';

const minute = 60_000;
const event = demoEvent;
const params = { eventId: event };
const reason = 'Il teatro è allagato';

async function cancel(server: TestServer, admin: { cookie: string }, with_fees = true) {
  const query = { with_fees: with_fees ? ('true' as const) : ('false' as const) };
  const preview = await callOk(server, previewCancellation, { params, query }, admin);
  const expected = { expected_cents: preview.sum_cents, expected_orders: preview.orders };
  return callOk(server, cancelEvent, { params, body: { ...expected, reason, with_fees } }, admin);
}

const runOf = (server: TestServer, admin: { cookie: string }, runId: string) =>
  callOk(server, readRefundRun, { params: { runId } }, admin);

test('preview, then everything: cards are refunded with their fees, cash waits for a hand, open orders end, the doors say so, and the sale is closed', async (server, admin) => {
  const phone = await makePairedPhone(server, admin);
  const { db } = server.house.ctx;
  const card = await makePaid(server, { event });
  const [cash, guest] = [await makeOrder(server), await makeOrder(server)];
  for (const [{ order_id }, method] of [
    [cash, 'cash'],
    [guest, 'guest'],
  ] as const) {
    const body = { reason: 'In cassa', method, expected_cents: 6400 };
    await callOk(server, confirmOrder, { params: { orderId: order_id }, body }, admin);
  }
  const open = await makeOrder(server, { nth: 3 });
  const before = await pullDoor(server, params.eventId, phone.headers);

  const preview = await callOk(server, previewCancellation, { params }, admin);
  expect(preview).toMatchObject({
    cancelled: false,
    run_id: null,
    with_fees: true,
    orders: 3,
    tickets: 6,
    sum_cents: 12_800,
    manual_orders: 1,
    manual_cents: 6400,
    open_orders: 1,
    disputed_orders: 0,
  });
  const wrong = { expected_cents: 12_799, expected_orders: 3, reason };
  expect(
    await ask(server, 'POST', addressOf(cancelEvent, params), { body: wrong, headers: admin }),
  ).toMatchObject(aRefusal(409, 'cancellation_changed', { sum_cents: 12_800, orders: 3 }));

  const run = await cancel(server, admin);
  expect(run).toMatchObject({
    orders: 3,
    sum_cents: 12_800,
    refunds: 0,
    finished_at: null,
    actor: 'Ada',
  });
  const book = await ask(server, 'POST', `/api/event/${event}/book`, {
    body: {
      hold_token: 'x',
      selected_objects: [{ object_id: 'Platea-A-1', ticket_type: 'intero' }],
    },
  });
  expect(book).toMatchObject(aRefusal(410, 'event_cancelled'));
  const told = await pullDoor(server, params.eventId, phone.headers, before.cursor);
  expect([told.event.cancelled, told.cursor === before.cursor]).toEqual([true, false]);
  const page = await callOk(server, getOrder, { params: { orderId: card.order_id } });
  expect(page.event.cancelled).toBe(true);

  await passTime(server, minute);
  expect(await runOf(server, admin, run.run_id)).toMatchObject({
    refunds: 3,
    done: 2,
    done_cents: 6400,
    to_hand_back: 1,
    to_hand_back_cents: 6400,
    pending: 0,
    failed: 0,
    open_orders: 0,
    finished_at: expect.any(String),
  });
  expect(await refundsAtStripe(server, card.payment_intent)).toEqual([
    { amount: 6400, status: 'succeeded' },
  ]);
  expect(await db('orders').where({ id: open.order_id }).first()).toMatchObject({
    state: 'deleted',
    session_status: 'expired',
  });
  expect((await payOrder(server, open.checkout_url)).status).toBe(400);
  expect(await db('tickets').where({ event_id: event, state: 'valid' })).toEqual([]);
  expect(await db('tickets').where({ order_id: guest.order_id }).pluck('state')).toEqual([
    'void',
    'void',
  ]);
  expect((await db('mails').where({ kind: 'event_cancelled' })).length).toBe(3);
  await expectSoundBooks(server);
  expect(server.logged).toEqual([]);
});

it('what was refunded before is not refunded again, wishes become part of the whole, and fees stay if the office says so and they were sold so', async (server, admin) => {
  await setPolicy(
    server,
    {
      refund_stop_days: 0,
      cancel_keeps_fees: 1,
      fee_price_id: (
        await server.house.ctx.db('events').where({ id: 'concerto-di-natale' }).first()
      ).fee_price_id,
    },
    event,
  );
  const [partly, asked] = [
    await makePaid(server, { event, count: 3 }),
    await makePaid(server, { event, nth: 1 }),
  ];
  // This one was sold when a cancellation gave the fees back.
  const { db } = server.house.ctx;
  await db('orders').where({ id: asked.order_id }).update({ cancel_keeps_fees: 0 });
  await refundByOffice(server, admin, partly, { ticket_ids: [partly.tickets[0]!] });
  await callOk(server, askRefund, {
    params: { orderId: asked.order_id },
    body: { ticket_ids: [asked.tickets[0]!], expected_cents: 3200 },
  });
  await server.runDue();
  const run = await cancel(server, admin, false);
  expect(run).toMatchObject({ orders: 2, sum_cents: 13_100 });
  await passTime(server, minute);
  expect(
    (await refundsAtStripe(server, partly.payment_intent))
      .map((refund) => refund.amount)
      .toSorted(),
  ).toEqual([3200, 6400]);
  expect(
    (await refundRows(server, asked.order_id)).map(({ origin, state, failure }) => [
      origin,
      state,
      failure,
    ]),
  ).toEqual([
    ['buyer', 'canceled', 'event_cancelled'],
    ['event_cancelled', 'succeeded', null],
  ]);
  await expectSoundBooks(server);
});

test('two who press at once make one run, and pressing again answers with it', async (server, admin) => {
  await makePaid(server, { event });
  const body = { expected_cents: 6400, expected_orders: 1, reason };
  const runs = await Promise.all(
    [1, 2, 3].map(() => callOk(server, cancelEvent, { params, body }, admin)),
  );
  await passTime(server, minute);
  runs.push(
    await callOk(server, cancelEvent, { params, body: { ...body, expected_cents: 0 } }, admin),
  );
  expect(new Set(runs.map((run) => run.run_id)).size).toBe(1);
  expect(await server.house.ctx.db('refunds')).toHaveLength(1);
});

it('paid in the last second: confirmed, and refunded with the others; paid while the run is over: refunded, too', async (server, admin) => {
  const { db } = server.house.ctx;
  const [early, late] = [await makeOrder(server), await makeOrder(server, { nth: 1 })];
  const run = await cancel(server, admin);
  await payOrder(server, early.checkout_url);
  // A checkout cannot be closed just now.
  server.house.standins!.stripe!.faults.add({
    on: 'request',
    method: 'POST',
    path: '/v1/checkout/sessions/*/expire',
    action: '429',
    times: 'always',
  });
  await passUndo(server);
  expect(await runOf(server, admin, run.run_id)).toMatchObject({
    open_orders: 1,
    finished_at: null,
  });
  await payOrder(server, late.checkout_url);
  server.house.standins!.stripe!.faults.clear();
  for (const wait of [minute, minute, minute]) await passTime(server, wait);
  expect(await runOf(server, admin, run.run_id)).toMatchObject({
    refunds: 2,
    done: 2,
    done_cents: 12_800,
    open_orders: 0,
    finished_at: expect.any(String),
  });
  for (const { payment_intent, state } of await db('orders')) {
    expect(state).toBe('confirmed');
    expect(await refundsAtStripe(server, payment_intent)).toEqual([
      { amount: 6400, status: 'succeeded' },
    ]);
  }
  await expectSoundBooks(server);
});

it('a disputed order fails in front of the office, the others are refunded', async (server, admin) => {
  const disputed = await makePaid(server, { event, payment_method: 'pm_card_createDispute' });
  const fine = await makePaid(server, { event, nth: 1 });
  await passTime(server, minute);
  expect(await callOk(server, previewCancellation, { params }, admin)).toMatchObject({
    orders: 2,
    disputed_orders: 1,
  });
  const run = await cancel(server, admin);
  await passTime(server, minute);
  expect(await runOf(server, admin, run.run_id)).toMatchObject({
    done: 1,
    failed: 1,
    failed_cents: 6400,
  });
  expect((await refundRows(server, disputed.order_id))[0]).toMatchObject({
    state: 'failed',
    failure: 'charge_disputed',
  });
  expect(await refundsAtStripe(server, fine.payment_intent)).toHaveLength(1);
  await expectSoundBooks(server);
});

let points: string[] = [];
test(
  'a process that dies once at each point goes on where it stood: every order once',
  async (server, admin) => {
    const orders = [];
    for (let nth = 0; nth < 3; nth += 1) orders.push(await makePaid(server, { event, nth }));
    await makeOrder(server, { nth: 3 });
    points = [
      'event_cancelled',
      'order_of_cancelled_refunded',
      'cancellation_page',
      'refund_sent',
      'session_closed',
    ];
    await cancel(server, admin).catch(() => {});
    for (let round = 0; round < 8; round += 1) await passTime(server, 10 * minute);
    expect(points).toEqual([]);
    for (const order of orders)
      expect(await refundsAtStripe(server, order.payment_intent)).toEqual([
        { amount: 6400, status: 'succeeded' },
      ]);
    const runs = await server.house.ctx.db('refund_runs');
    expect(runs).toEqual([expect.objectContaining({ finished_at: expect.any(Number) })]);
    expect(await server.house.ctx.db('refunds').where({ run_id: runs[0].id })).toHaveLength(3);
    await expectSoundBooks(server);
  },
  {
    fault(at) {
      if (!points.includes(at)) return;
      points = points.filter((point) => point !== at);
      throw new Error(`died at ${at}`);
    },
  },
);

/** Each order of the walk takes all the time there is, so that a visit does one. */
const oneByOne = { clock: null as TestServer['clock'] | null };

test(
  'stopped in the middle, no more money leaves and the books are sound; resumed, each order is refunded once',
  async (server, admin) => {
    const { ctx } = server.house;
    const orders: Awaited<ReturnType<typeof makePaid>>[] = [];
    for (const nth of [0, 1, 2, 3]) orders.push(await makePaid(server, { event, nth }));
    const { run_id } = await cancel(server, admin);
    server.clock.advance(minute);
    oneByOne.clock = server.clock;
    await refundEvent(ctx, run_id);
    await refundEvent(ctx, run_id);
    oneByOne.clock = null;
    const act = (what: typeof stopRefunds | typeof resumeRefunds) =>
      callOk(server, what, { params: { runId: run_id } }, admin);
    const stop = () =>
      ask(server, 'POST', addressOf(stopRefunds, { runId: run_id }), { headers: admin });
    // A process of 1.0 that is at it would go on; the run may be of a version that knew no floor.
    await ctx.db('settings').where({ key: 'floor' }).delete();
    const older = { ...ctx, memory: {}, version: '1.0.1' };
    await joinProcesses(older);
    expect(await stop()).toMatchObject(aRefusal(409, 'older_process_runs'));
    await leaveProcesses(older);
    expect(await act(stopRefunds)).toMatchObject({ refunds: 2, unsent: 2, done: 0 });
    expect(await stop()).toMatchObject(aRefusal(409, 'work_not_running'));
    const paidBack = async () =>
      (await Promise.all(orders.map((one) => refundsAtStripe(server, one.payment_intent)))).map(
        (refunds) => refunds.length,
      );
    // Hours pass, and the workers look in.
    for (const _ of [1, 2, 3]) await passTime(server, 61 * minute);
    expect(await paidBack()).toEqual([0, 0, 0, 0]);
    // A process of 1.0 pays whatever is due.
    const soon = server.clock.now() + 30 * 24 * 60 * minute;
    const waits = ctx.db('outbox').whereIn('task', ['cancel_event', 'run_refund']);
    expect(await waits.where('run_at', '<', soon)).toEqual([]);
    expect(await runOf(server, admin, run_id)).toMatchObject({
      refunds: 2,
      halted_at: expect.any(String),
      finished_at: null,
    });
    const valid = () => ctx.db('tickets').where({ event_id: event, state: 'valid' });
    expect(await valid()).toHaveLength(4);
    await expectSoundBooks(server);

    await act(resumeRefunds);
    await passTime(server, minute);
    await passTime(server, minute);
    expect(await paidBack()).toEqual([1, 1, 1, 1]);
    expect(await valid()).toEqual([]);
    expect(await runOf(server, admin, run_id)).toMatchObject({
      refunds: 4,
      done: 4,
      unsent: 0,
      halted_at: null,
      finished_at: expect.any(String),
    });
    expect(await ctx.db('outbox').where({ task: 'cancel_event' })).toEqual([]);
    await expectSoundBooks(server);
  },
  {
    fault(point) {
      if (point === 'order_of_cancelled_refunded') oneByOne.clock?.advance(3_000);
    },
  },
);
