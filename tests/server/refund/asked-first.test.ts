/** A cancelled evening whose buyers are asked first: the money, another date, or left to the house. */
import { expect } from 'vitest';
import { addressOf } from '#server/contract/endpoint.ts';
import { answerCancellation } from '#server/contract/cancellations.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import { readInvoice } from '#server/contract/invoices.ts';
import { listOrders } from '#db/order/order-list.ts';
import { moneyNameOf } from '#server/domain/order/order-words.ts';
import { rowForOffice } from '#server/services/refund/orders.ts';
import { moneyRows } from '#db/report/money.ts';
import { refundsByHour } from '#db/papers/summaries.ts';
import { countMoney } from '#server/domain/report/money-count.ts';
import {
  askRefund,
  cancelEvent,
  previewCancellation,
  readRefundRun,
} from '#server/contract/order/refunds.ts';
import { composeMail } from '#server/services/mail/compose.ts';
import { refundEvent } from '#server/services/refund/cancelled-event.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { inDays, type Office } from '#tests/support/event-desk.ts';
import { aRefusal, ask, callOk } from '#tests/support/make.ts';
import { oneShow, otherDate, ownQuote, payOther } from '#tests/support/other-date.ts';
import {
  expectSoundBooks,
  feeEvent,
  makePaid,
  passTime,
  refundRows,
  stateOf,
  type PaidOrder,
} from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';
import { passUndo } from '#tests/support/undo.ts';

const params = { eventId: feeEvent };
const minute = 60_000;
const day = 24 * 3_600_000;

async function cancel(server: TestServer, admin: Office, days = 5) {
  const preview = await callOk(server, previewCancellation, { params }, admin);
  const body = {
    expected_cents: preview.sum_cents,
    expected_orders: preview.orders,
    reason: 'Il tenore è malato',
    ask_until: inDays(server, days),
  };
  const run = await callOk(server, cancelEvent, { params, body }, admin);
  await passUndo(server);
  return run;
}

const questionOf = async (server: TestServer, { order_id }: { order_id: string }) =>
  (await callOk(server, getOrder, { params: { orderId: order_id } })).cancellation;

const says = (server: TestServer, { link_key }: PaidOrder, body: object) =>
  ask(server, 'POST', addressOf(answerCancellation, { orderId: link_key }), { body });

const runNow = (server: TestServer, admin: Office, runId: string) =>
  callOk(server, readRefundRun, { params: { runId } }, admin);

async function mailsOf(server: TestServer, { order_id }: { order_id: string }) {
  const rows: { kind: string }[] = await server.house.ctx
    .db('mails')
    .where({ order_id })
    .whereNot('kind', 'tickets')
    .orderBy('created_at')
    .select('kind');
  return rows.map(({ kind }) => kind);
}

/** The mail of this kind, as it would be sent now. */
async function composed(server: TestServer, kind: string): Promise<string> {
  const { ctx } = server.house;
  return JSON.stringify(await composeMail(ctx, await ctx.db('mails').where({ kind }).first()));
}

const whole = { expected_cents: 5_900 };

test('nobody is refunded before the deadline but whoever asks; then silence is a refund', async (server, admin) => {
  await oneShow(server);
  const silent = await makePaid(server);
  const asks = await makePaid(server, { nth: 3 });
  const { run_id } = await cancel(server, admin);
  expect(await refundRows(server, silent.order_id)).toEqual([]);
  expect(await mailsOf(server, silent)).toEqual(['cancellation_asked']);
  expect(await questionOf(server, silent)).toMatchObject({
    answer: null,
    may_answer: true,
    may_exchange: true,
    may_leave: true,
    refund_cents: 5_900,
    left: null,
  });
  expect(await says(server, asks, { answer: 'refund', expected_cents: 1 })).toMatchObject(
    aRefusal(409, 'refund_changed', { amount_cents: 5_900 }),
  );
  const wish = { ticket_ids: asks.tickets, ...whole };
  expect(
    await ask(server, 'POST', addressOf(askRefund, { orderId: asks.link_key }), { body: wish }),
  ).toMatchObject(aRefusal(409, 'answer_first'));
  const said = await says(server, asks, { answer: 'refund', ...whole });
  expect(said.body).toMatchObject({ answer: 'refund', answered_by: 'buyer', may_answer: false });
  await server.runDue();
  expect(await stateOf(server, asks)).toMatchObject({ refunded_cents: 5_900 });
  expect(await says(server, asks, { answer: 'gift', ...whole })).toMatchObject(
    aRefusal(409, 'cancellation_over'),
  );
  expect(await runNow(server, admin, run_id)).toMatchObject({
    finished_at: null,
    answers: { refund: 1, exchange: 0, gift: 0, silent: 1 },
  });
  await expectSoundBooks(server);
  await passTime(server, 6 * day);
  expect(await stateOf(server, silent)).toMatchObject({
    refunded_cents: 5_900,
    tickets: ['refunded', 'refunded'],
  });
  expect(await questionOf(server, silent)).toMatchObject({
    answer: 'refund',
    answered_by: 'deadline',
  });
  expect(await says(server, silent, { answer: 'gift', ...whole })).toMatchObject(
    aRefusal(409, 'cancellation_over'),
  );
  const run = await server.house.ctx.db('refund_runs').first();
  expect(run.finished_at).not.toBeNull();
  await refundEvent(server.house.ctx, run_id);
  expect(await refundRows(server, silent.order_id)).toHaveLength(1);
  await expectSoundBooks(server);
});

test('money that is left to the house leaves the takings, moves nowhere, and has a receipt', async (server, admin) => {
  const giver = await makePaid(server);
  await server.house.ctx.db('orders').update({ buyer_email: 'eva@example.it' });
  const { run_id } = await cancel(server, admin);
  const asked = await composed(server, 'cancellation_asked');
  for (const words of ['59,00', 'lasciare il denaro al teatro', '#annullato'])
    expect(asked).toContain(words);
  await says(server, giver, { answer: 'gift', ...whole });
  expect(await questionOf(server, giver)).toMatchObject({ answer: 'gift', may_answer: true });
  expect(await refundRows(server, giver.order_id)).toEqual([]);
  await passTime(server, 6 * day);
  const [gift, ...others] = await refundRows(server, giver.order_id);
  expect(others).toEqual([]);
  expect(gift).toMatchObject({
    kind: 'gift',
    state: 'succeeded',
    origin: 'event_cancelled',
    amount_cents: 5_900,
    fee_cents: 300,
    payment_intent: null,
    run_id,
  });
  expect(await stateOf(server, giver)).toMatchObject({
    paid_cents: 5_900,
    refunded_cents: 5_900,
    tickets: ['refunded', 'refunded'],
    needs_attention: null,
  });
  expect(await mailsOf(server, giver)).toEqual(['cancellation_asked', 'gift_receipt']);
  const text = await composed(server, 'gift_receipt');
  for (const words of ['59,00', 'erogazione liberale', 'non è una fattura', giver.payment_intent])
    expect(text).toContain(words);
  expect(await questionOf(server, giver)).toMatchObject({
    may_answer: false,
    left: { amount_cents: 5_900 },
  });
  const { db } = server.house.ctx;
  const [row] = await listOrders(db, { id: giver.order_id }, { limit: 1, after: null });
  expect(moneyNameOf(rowForOffice(row!))).toBe('Lasciato al teatro');
  const bill = await callOk(server, readInvoice, { params: { orderId: giver.link_key } });
  expect(bill.obstacle).toBe('nothing_left');
  await expectLeft(server);
  await expectSoundBooks(server);
});

/** In the evening's own figures. */
async function expectLeft(server: TestServer): Promise<void> {
  const { ctx } = server.house;
  const span = { event_ids: [feeEvent], from: 0, to: ctx.now() + day };
  const back = await refundsByHour(ctx.db, span);
  expect(back.map(({ kind, amount_cents }) => [kind, amount_cents])).toEqual([['gift', 5_900]]);
  const money = countMoney(await moneyRows(ctx.db, feeEvent));
  expect(money.refunds).toEqual([]);
  expect(money.left?.map(([, ...values]) => values)).toEqual([[1, 5_900]]);
  expect(money.payments.map(([, , ...values]) => values.slice(0, 2))).toEqual([[1, 5_900]]);
  const fees = money.presale.reduce((sum, [, cents = 0]) => sum + cents, 0);
  expect(fees).toBe(0);
}

test('another date takes the whole price along, also from a gift that was thought better of', async (server, admin) => {
  await oneShow(server);
  const old = await makePaid(server);
  const { run_id } = await cancel(server, admin);
  await says(server, old, { answer: 'gift', ...whole });
  expect(await ownQuote(server, old)).toMatchObject({ worth_cents: 5_900, obstacle: null });
  await payOther(server, await otherDate(server, old));
  expect(await questionOf(server, old)).toMatchObject({ answer: 'exchange', may_answer: false });
  expect(await runNow(server, admin, run_id)).toMatchObject({
    answers: { exchange: 1, gift: 0, silent: 0 },
  });
  await passTime(server, 6 * day);
  expect((await refundRows(server, old.order_id)).map(({ kind }) => kind)).toEqual(['exchange']);
  expect(await mailsOf(server, old)).toEqual(['cancellation_asked']);
  await expectSoundBooks(server);
});

it('the deadline waits for another date that is being paid, which else was silence', async (server, admin) => {
  await oneShow(server);
  const old = await makePaid(server);
  await cancel(server, admin, 2);
  server.clock.advance(2 * day - 2 * minute);
  await otherDate(server, old);
  server.clock.advance(120_000);
  await server.runDue();
  expect(await refundRows(server, old.order_id)).toEqual([]);
  await passTime(server, 90 * 60_000);
  await passTime(server, 90 * 60_000);
  expect(await stateOf(server, old)).toMatchObject({ refunded_cents: 5_900 });
  await expectSoundBooks(server);
});

it('a deadline in the past or too far away is refused', async (server, admin) => {
  const preview = await callOk(server, previewCancellation, { params }, admin);
  for (const days of [-1, 61]) {
    const body = {
      expected_cents: preview.sum_cents,
      expected_orders: preview.orders,
      reason: 'Il tenore è malato',
      ask_until: inDays(server, days),
    };
    const address = addressOf(cancelEvent, params);
    expect(await ask(server, 'POST', address, { body, headers: admin })).toMatchObject(
      aRefusal(422, 'event_times_wrong', { fields: ['ask_until'] }),
    );
  }
});

test('a process that dies anywhere goes on: each order is asked once, and ends once', async (server, admin) => {
  const [gives, asks, silent] = [
    await makePaid(server),
    await makePaid(server, { nth: 3 }),
    await makePaid(server, { nth: 5 }),
  ] as const;
  const { ctx } = server.house;
  const fault = ctx.fault;
  const deaths = new Map([
    ['buyers_asked', 2],
    ['cancellation_answered', 1],
    ['order_of_cancelled_refunded', 3],
  ]);
  ctx.fault = (point) => {
    const left = deaths.get(point) ?? 0;
    if (left === 0) return fault(point);
    deaths.set(point, left - 1);
    throw new Error('died');
  };
  await cancel(server, admin);
  for (let round = 0; round < 3; round += 1) await passTime(server, minute);
  expect((await says(server, asks, { answer: 'refund', ...whole })).status).toBe(500);
  for (let round = 0; round < 3; round += 1) await passTime(server, minute);
  expect(await stateOf(server, asks)).toMatchObject({ refunded_cents: 5_900 });
  expect(await refundRows(server, silent.order_id)).toEqual([]);
  await says(server, gives, { answer: 'gift', ...whole });
  for (let round = 0; round < 6; round += 1) await passTime(server, day);
  ctx.fault = fault;
  expect([...deaths.values()]).toEqual([0, 0, 0]);
  for (const [order, kind] of [
    [gives, 'gift'],
    [asks, 'stripe'],
    [silent, 'stripe'],
  ] as const) {
    const rows = await refundRows(server, order.order_id);
    expect(rows.map((row) => [row.kind, row.amount_cents])).toEqual([[kind, 5_900]]);
    const kinds = await mailsOf(server, order);
    expect(kinds.filter((one) => one === 'cancellation_asked')).toHaveLength(1);
  }
  await expectSoundBooks(server);
});
