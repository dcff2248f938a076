/** The office's list of answers to a moved or cancelled evening, and what it enters there. */
import { expect } from 'vitest';
import { addressOf } from '#server/contract/endpoint.ts';
import { readEvent } from '#server/contract/event-desk.ts';
import * as answers from '#server/contract/date-answers.ts';
import { postponeEvent } from '#server/contract/postponements.ts';
import { cancelEvent, previewCancellation } from '#server/contract/order/refunds.ts';
import { withdrawMessage } from '#server/contract/messages.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { inDays, type Office } from '#tests/support/event-desk.ts';
import { aRefusal, ask, callOk } from '#tests/support/make.ts';
import { oneShow, otherDate, payOther } from '#tests/support/other-date.ts';
import { expectSoundBooks, feeEvent, makePaid, passTime, stateOf } from '#tests/support/refunds.ts';
import type { PaidOrder } from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';

const params = { eventId: feeEvent };
const minute = 60_000;

async function cancelAsking(server: TestServer, admin: Office) {
  const preview = await callOk(server, previewCancellation, { params }, admin);
  const { sum_cents: expected_cents, orders: expected_orders } = preview;
  const ask_until = inDays(server, 5);
  const body = { expected_cents, expected_orders, reason: 'Il tenore è malato', ask_until };
  await callOk(server, cancelEvent, { params, body }, admin);
  await server.runDue();
}

async function postpone(server: TestServer, admin: Office) {
  const { version, buyers } = await callOk(server, readEvent, { params }, admin);
  const times = { starts_at: inDays(server, 60), answer_by: inDays(server, 2) };
  const body = { version, ...times, if_silent: 'keep', tell_buyers: buyers } as const;
  await callOk(server, postponeEvent, { params, body }, admin);
  await server.runDue();
}

const list = (server: TestServer, admin: Office, query = {}) =>
  callOk(server, answers.listDateAnswers, { params, query }, admin);

const enter = (server: TestServer, admin: Office, { order_id }: PaidOrder, body: object) =>
  ask(server, 'POST', addressOf(answers.enterDateAnswer, { orderId: order_id }), {
    body,
    headers: admin,
  });

const whole = { expected_cents: 5_900 };

test('each order of a cancelled evening stands with its answer, when and by whom', async (server, admin) => {
  await oneShow(server);
  const silent = await makePaid(server);
  const giver = await makePaid(server, { nth: 3 });
  const asker = await makePaid(server, { nth: 5 });
  const other = await makePaid(server, { nth: 7 });
  expect((await list(server, admin)).question).toBeNull();
  await cancelAsking(server, admin);
  await payOther(server, await otherDate(server, other));
  expect(await enter(server, admin, giver, { answer: 'keep', ...whole })).toMatchObject(
    aRefusal(409, 'cancellation_over'),
  );
  expect(await enter(server, admin, giver, { answer: 'gift', expected_cents: 1 })).toMatchObject(
    aRefusal(409, 'refund_changed', { amount_cents: 5_900 }),
  );
  expect((await enter(server, admin, giver, { answer: 'gift', ...whole })).body).toMatchObject({
    question: { answer: 'gift', answered_by: 'office', choices: ['refund'], may_exchange: true },
  });
  await enter(server, admin, asker, { answer: 'refund', ...whole });
  await server.runDue();
  expect(await stateOf(server, asker)).toMatchObject({ refunded_cents: 5_900 });

  const { items, question } = await list(server, admin);
  expect(question).toMatchObject({
    kind: 'cancelled',
    open: true,
    counts: { refund: 1, exchange: 1, gift: 1, keep: 0, silent: 1 },
  });
  const byOffice = { answered_by: 'office', answered_name: expect.stringMatching(/\w/) };
  const byBuyer = { answered_by: 'buyer', answered_name: null };
  expect(items).toMatchObject([
    { order_id: other.order_id, answer: 'exchange', ...byBuyer },
    { order_id: asker.order_id, answer: 'refund', ...byOffice },
    { order_id: giver.order_id, answer: 'gift', ...byOffice },
    { order_id: silent.order_id, answer: null, answered_by: null, answered_at: null },
  ]);
  const only = async (query: object) =>
    (await list(server, admin, query)).items.map(({ order_id }) => order_id);
  expect(await only({ answer: 'silent' })).toEqual([silent.order_id]);
  expect(await only({ answer: 'gift' })).toEqual([giver.order_id]);
  expect(await only({ q: items[1]!.number })).toEqual([asker.order_id]);
  const { next_cursor } = await list(server, admin, { limit: '3' });
  expect(await only({ limit: '3', cursor: next_cursor })).toEqual([silent.order_id]);
  const path = addressOf(answers.exportDateAnswers, params, { format: 'plain', answer: 'gift' });
  const file = await ask(server, 'GET', path, { headers: admin });
  expect(String(file.body).trim().split('\r\n')[1]).toContain('Lascia il denaro al teatro');
  await expectSoundBooks(server);
});

test('a moved evening has the same list, and the office says who keeps the ticket', async (server, admin) => {
  const keeper = await makePaid(server);
  const asker = await makePaid(server, { nth: 3 });
  await postpone(server, admin);
  expect(await enter(server, admin, keeper, { answer: 'gift', ...whole })).toMatchObject(
    aRefusal(409, 'postponement_over'),
  );
  await enter(server, admin, keeper, { answer: 'keep', ...whole });
  await enter(server, admin, asker, { answer: 'refund', ...whole });
  expect(await list(server, admin)).toMatchObject({
    question: { kind: 'postponed', if_silent: 'keep', counts: { keep: 1, refund: 1, silent: 0 } },
    items: [
      { order_id: asker.order_id, answer: 'refund', answered_by: 'office' },
      { order_id: keeper.order_id, answer: 'keep', answered_by: 'office' },
    ],
  });
  const { db } = server.house.ctx;
  const acts = await db('audit').where({ action: 'postponement_answered' }).pluck('actor');
  expect(acts).toEqual([expect.stringMatching(/^user:/), expect.stringMatching(/^user:/)]);
  await server.runDue();
  expect(await stateOf(server, asker)).toMatchObject({ tickets: ['refunded', 'refunded'] });
  await expectSoundBooks(server);
});

for (const [kind, begin] of [
  ['cancellation_asked', cancelAsking],
  ['event_postponed', postpone],
] as const)
  test(`orders without an answer get another mail, once an hour: ${kind}`, async (server, admin) => {
    const { db } = server.house.ctx;
    const silent = await makePaid(server);
    const late = await makePaid(server, { nth: 3 });
    const asker = await makePaid(server, { nth: 5 });
    await db('orders').update({ buyer_email: 'eva@example.it' });
    await begin(server, admin);
    await enter(server, admin, asker, { answer: 'refund', ...whole });
    await server.runDue();
    const again = (nth: number, recipients = 2) =>
      ask(server, 'POST', addressOf(answers.askSilentAgain, params), {
        body: { ask_key: `00000000-0000-4000-8000-00000000000${nth}`, recipients },
        headers: admin,
      });
    expect((await list(server, admin)).question).toMatchObject({ silent_orders: 2 });
    expect(await again(1, 3)).toMatchObject(aRefusal(409, 'recipients_changed'));
    const made = await again(1);
    expect(made.status).toBe(200);
    expect((await again(1)).body).toEqual(made.body);
    expect(await again(2)).toMatchObject(aRefusal(409, 'asked_too_soon'));
    expect((await list(server, admin)).question?.asked_again_at).not.toBeNull();
    const { message_id } = made.body as { message_id: string };
    const answer = kind === 'event_postponed' ? 'keep' : 'gift';
    await enter(server, admin, late, { answer, ...whole });
    await passTime(server, 2 * minute);
    const told = await db('mails')
      .where({ kind })
      .where('key', 'like', `%#${message_id}`)
      .select('order_id', 'state');
    const states = Object.fromEntries(told.map(({ order_id, state }) => [order_id, state]));
    expect(states).toEqual({ [silent.order_id]: 'sent', [late.order_id]: 'dropped' });
    await passTime(server, 60 * minute);
    expect((await list(server, admin)).question).toMatchObject({
      silent_orders: 1,
      asked_again_at: null,
    });
    expect((await again(3, 1)).status).toBe(200);
    const { id } = await db('messages')
      .where({ ask_key: '00000000-0000-4000-8000-000000000003' })
      .first();
    await callOk(server, withdrawMessage, { params: { messageId: id } }, admin);
    expect((await again(4, 1)).status).toBe(200);
  });
