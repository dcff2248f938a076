/** The office takes orders of a moved or cancelled evening to another date together (RULES E7). */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { addressOf, type Asked, type ReplyOf } from '#server/contract/endpoint.ts';
import { listAnnouncements, takeBackAnnouncement } from '#server/contract/announcements.ts';
import { enterDateAnswer, listDateAnswers } from '#server/contract/date-answers.ts';
import { readEvent } from '#server/contract/event-desk.ts';
import { cancelEvent, previewCancellation } from '#server/contract/order/refunds.ts';
import { postponeEvent } from '#server/contract/postponements.ts';
import { listStarted } from '#server/contract/started.ts';
import { previewTransfer, readTransfer, startTransfer } from '#server/contract/transfers.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { openDrawer } from '#tests/support/counter.ts';
import { inDays, type Office } from '#tests/support/event-desk.ts';
import { aRefusal, ask, callOk, demoEvent, findSeats, makeOrder } from '#tests/support/make.ts';
import { oneShow } from '#tests/support/other-date.ts';
import {
  expectSoundBooks,
  feeEvent,
  makePaid,
  passTime,
  stateOf,
  type PaidOrder,
} from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';
import { passUndo } from '#tests/support/undo.ts';

const params = { eventId: feeEvent };

async function cancelAsking(server: TestServer, admin: Office, event = feeEvent) {
  const about = { params: { eventId: event } };
  const preview = await callOk(server, previewCancellation, about, admin);
  const { sum_cents: expected_cents, orders: expected_orders } = preview;
  const ask_until = inDays(server, 5);
  const body = { expected_cents, expected_orders, reason: 'Il tenore è malato', ask_until };
  await callOk(server, cancelEvent, { ...about, body }, admin);
  await passUndo(server);
}

async function postpone(server: TestServer, admin: Office) {
  const { version, buyers } = await callOk(server, readEvent, { params }, admin);
  const times = { starts_at: inDays(server, 60), answer_by: inDays(server, 2) };
  const body = { version, ...times, if_silent: 'keep', tell_buyers: buyers } as const;
  await callOk(server, postponeEvent, { params, body }, admin);
  await passUndo(server);
}

type Preview = ReplyOf<typeof previewTransfer>;

const look = (server: TestServer, admin: Office, body: object = {}, about = params) =>
  callOk(
    server,
    previewTransfer,
    {
      params: about,
      body: { to_event_id: demoEvent, ...body },
    },
    admin,
  );

const bodyOf = ({ orders, back_cents }: Preview): Asked<typeof startTransfer>['body'] => ({
  transfer_key: randomUUID(),
  to_event_id: demoEvent,
  expected_orders: orders,
  expected_back_cents: back_cents,
});

async function goOn(server: TestServer): Promise<void> {
  for (let n = 0; n < 8; n += 1) await passTime(server, 5_000);
}

const newOrderOf = async (server: TestServer, { order_id }: PaidOrder) => {
  const { db } = server.house.ctx;
  const made = await db('exchanges').where({ from_order_id: order_id, state: 'done' }).first();
  return db('orders').where({ id: made.to_order_id }).first();
};

test('silent orders of a cancelled evening go to another date: same seats, nobody pays more, one mail each; who has answered stays', async (server, admin) => {
  const { db } = server.house.ctx;
  await oneShow(server);
  const first = await makePaid(server);
  const second = await makePaid(server, { nth: 3 });
  const answered = await makePaid(server, { nth: 5 });
  await db('orders').update({ buyer_email: 'eva@example.it' });
  await cancelAsking(server, admin);
  const entered = { params: { orderId: answered.order_id } };
  const gift = { answer: 'gift' as const, expected_cents: 5_900 };
  await callOk(server, enterDateAnswer, { ...entered, body: gift }, admin);
  const seen = await look(server, admin);
  // Two seats cost 64.00 there, and 59.00 were paid.
  expect(seen).toEqual({
    orders: 2,
    tickets: 4,
    same_seats: 4,
    back_orders: 0,
    back_cents: 0,
    staying: [],
  });
  const body = bodyOf(seen);
  const start = () => callOk(server, startTransfer, { params, body }, admin);
  expect(await start()).toEqual(await start());
  const again = { ...body, transfer_key: randomUUID() };
  const path = addressOf(startTransfer, params);
  expect(await ask(server, 'POST', path, { body: again, headers: admin })).toMatchObject(
    aRefusal(409, 'transfer_running'),
  );
  await server.runDue();
  expect(await db('exchanges')).toEqual([]);
  const mailed = () => db('mails').where({ kind: 'tickets' }).pluck('order_id');
  const before = await mailed();
  await passUndo(server);
  await goOn(server);
  expect(await callOk(server, readTransfer, { params }, admin)).toMatchObject({
    dates: [{ event_id: demoEvent }],
    transfer: { waiting: 0, done: 2, left: 0, finished_at: expect.any(String) },
  });
  for (const old of [first, second]) {
    expect(await stateOf(server, old)).toMatchObject({ tickets: ['refunded', 'refunded'] });
    const order = await newOrderOf(server, old);
    expect(order).toMatchObject({
      event_id: demoEvent,
      state: 'confirmed',
      total_cents: 5_900,
      paid_cents: 5_900,
      paid_by: 'exchange',
    });
    const places = (id: string) =>
      db('order_lines').where({ order_id: id }).orderBy('place').pluck('place');
    expect(await places(order.id)).toEqual(await places(old.order_id));
    expect((await mailed()).filter((id: string) => id === order.id)).toHaveLength(1);
  }
  expect((await mailed()).length).toBe(before.length + 2);
  const list = await callOk(server, listDateAnswers, { params }, admin);
  expect(list.question?.counts).toMatchObject({ exchange: 2, gift: 1, silent: 0 });
  await expectSoundBooks(server);
});

test('cheaper seats pay back the rest as it came; an order whose guest cannot be seated stays and is named', async (server, admin) => {
  const { db } = server.house.ctx;
  await oneShow(server);
  await openDrawer(server, admin);
  const about = { eventId: demoEvent };
  const going = await makePaid(server, { event: demoEvent });
  const staying = await makePaid(server, { event: demoEvent, nth: 3 });
  await cancelAsking(server, admin, demoEvent);
  await db('disputes').insert({
    id: 'dp_1',
    order_id: staying.order_id,
    payment_intent: staying.payment_intent,
    charge_id: 'ch_1',
    amount_cents: 100,
    reason: 'fraudulent',
    status: 'needs_response',
    due_by: null,
    created_at: 1,
    updated_at: 1,
    closed_at: null,
  });
  await db('payments').where({ order_id: staying.order_id }).update({ disputed: 1 });
  // 64.00 were paid; two seats cost 59.00 there.
  const to_event_id = feeEvent;
  const seen = await look(server, admin, { to_event_id }, about);
  expect(seen).toMatchObject({ orders: 1, back_orders: 1, back_cents: 500 });
  expect(seen.staying).toMatchObject([{ order_id: staying.order_id, obstacle: 'disputed' }]);
  const wrong = { ...bodyOf(seen), to_event_id, expected_back_cents: 0 };
  const path = addressOf(startTransfer, about);
  expect(await ask(server, 'POST', path, { body: wrong, headers: admin })).toMatchObject(
    aRefusal(409, 'transfer_changed'),
  );
  const body = { ...bodyOf(seen), to_event_id };
  await callOk(server, startTransfer, { params: about, body }, admin);
  await passUndo(server);
  await goOn(server);
  const { transfer } = await callOk(server, readTransfer, { params: about }, admin);
  expect(transfer).toMatchObject({ done: 1, left: 1 });
  expect(transfer!.staying).toMatchObject([{ order_id: staying.order_id, obstacle: 'disputed' }]);
  const back = await db('refunds').where({ order_id: going.order_id, kind: 'stripe' });
  expect(back).toMatchObject([{ amount_cents: 500, state: 'succeeded' }]);
  expect((await stateOf(server, staying)).tickets).toEqual(['valid', 'valid']);
});

test('a crash at any step leaves an order that goes on: one exchange each, and no seat twice', async (server, admin) => {
  const { db } = server.house.ctx;
  await oneShow(server);
  const olds: PaidOrder[] = [];
  for (const nth of [0, 3, 6, 9]) olds.push(await makePaid(server, { nth }));
  await postpone(server, admin);
  // Their own seats there are taken, so that they sit near them.
  await makeOrder(server, { event: demoEvent, nth: 0 });
  const seen = await look(server, admin);
  expect(seen).toMatchObject({ orders: 4, same_seats: 6 });
  await callOk(server, startTransfer, { params, body: bodyOf(seen) }, admin);
  const points = ['transfer_tried', 'transfer_stored', 'transfer_seats_booked', 'confirmed'];
  const { ctx } = server.house;
  const { fault } = ctx;
  for (const point of points) {
    let dies = true;
    ctx.fault = (at) => {
      if (dies && at === point) {
        dies = false;
        throw new Error(`died at ${point}`);
      }
      fault(at);
    };
    await passUndo(server);
    await passTime(server, 20_000);
  }
  ctx.fault = fault;
  await goOn(server);
  for (let n = 0; n < 3; n += 1) await passTime(server, 5 * 60_000);
  const { transfer } = await callOk(server, readTransfer, { params }, admin);
  expect(transfer).toMatchObject({ waiting: 0, done: 4, left: 0 });
  expect(await db('exchanges').where({ state: 'done' })).toHaveLength(4);
  const places = await db('order_lines').where({ event_id: demoEvent, released_at: null });
  expect([places.length, new Set(places.map(({ place }) => place)).size]).toEqual([8, 8]);
  for (const old of olds) expect((await newOrderOf(server, old)).total_cents).toBe(5_900);
  await expectSoundBooks(server);
});

it('within the minute it is taken back, and stands as called off among what was started', async (server, admin) => {
  await oneShow(server);
  const old = await makePaid(server);
  await cancelAsking(server, admin);
  const seen = await look(server, admin, { order_ids: [old.order_id] });
  const body = { ...bodyOf(seen), order_ids: [old.order_id] };
  const { transfer_id } = await callOk(server, startTransfer, { params, body }, admin);
  const query = { event_id: feeEvent };
  const [act] = (await callOk(server, listAnnouncements, { query }, admin)).items;
  expect(act).toMatchObject({ announcement_id: transfer_id, state: 'waiting', buyers: 1 });
  const started = async () =>
    (await callOk(server, listStarted, {}, admin)).items.find(({ kind }) => kind === 'transfer');
  expect(await started()).toMatchObject({ kind: 'transfer', state: 'waiting', stop: 'withdraw' });
  const back = { params: { announcementId: transfer_id } };
  await callOk(server, takeBackAnnouncement, back, admin);
  expect(await started()).toMatchObject({ kind: 'transfer', state: 'called_off' });
  await passUndo(server);
  await goOn(server);
  expect((await stateOf(server, old)).tickets).toEqual(['valid', 'valid']);
  expect(await server.house.ctx.db('exchanges')).toEqual([]);
  const seats = await findSeats(server, { count: 1 });
  expect(seats).toHaveLength(1);
});
