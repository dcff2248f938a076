/** Un’altra data: the third answer of a buyer whose evening has moved (RULES E3). */
import { expect } from 'vitest';
import { readEvent } from '#server/contract/event-desk.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import { postponeEvent, readPostponement } from '#server/contract/postponements.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { inDays, type Office } from '#tests/support/event-desk.ts';
import { callOk } from '#tests/support/make.ts';
import { oneShow, otherDate, ownQuote, payOther } from '#tests/support/other-date.ts';
import { expectSoundBooks, feeEvent, makePaid, passTime, stateOf } from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';

const evening = { params: { eventId: feeEvent } };
const day = 24 * 3_600_000;

async function postpone(server: TestServer, admin: Office, if_silent: 'keep' | 'refund') {
  const { version } = await callOk(server, readEvent, evening, admin);
  const times = { starts_at: inDays(server, 60), answer_by: inDays(server, 2) };
  const body = { version, ...times, if_silent, tell_buyers: 1 };
  await callOk(server, postponeEvent, { ...evening, body }, admin);
}

const questionOf = async (server: TestServer, order_id: string) =>
  (await callOk(server, getOrder, { params: { orderId: order_id } })).postponement;

const counts = async (server: TestServer, admin: Office) =>
  (await callOk(server, readPostponement, evening, admin)).postponement;

test('gives all that a refund would, fees too, and is the answer', async (server, admin) => {
  await oneShow(server);
  await server.house.ctx.db('events').update({ exchange: 0, exchange_fee_cents: 500 });
  const old = await makePaid(server);
  expect(await ownQuote(server, old)).toMatchObject({ obstacle: 'not_offered' });
  await postpone(server, admin, 'keep');
  const question = await questionOf(server, old.order_id);
  expect(question).toMatchObject({ may_exchange: true, refund_cents: 5_900, answer: null });
  const quote = await ownQuote(server, old);
  expect(quote).toMatchObject({ worth_cents: 5_900, fee_cents: 0, obstacle: null });
  expect(quote.until).toBe(question!.answer_by);
  const order = await otherDate(server, old);
  expect(await questionOf(server, old.order_id)).toMatchObject({ answer: null });
  await payOther(server, order);
  expect(await stateOf(server, order)).toMatchObject({ state: 'confirmed', paid_cents: 6_400 });
  expect(await stateOf(server, old)).toMatchObject({
    refunded_cents: 5_900,
    tickets: ['refunded', 'refunded'],
  });
  expect(await questionOf(server, old.order_id)).toMatchObject({
    answer: 'exchange',
    answered_by: 'buyer',
    may_answer: false,
    may_exchange: false,
  });
  expect(await counts(server, admin)).toMatchObject({ exchanged: 1, silent: 0, refunded: 0 });
  await passTime(server, 3 * day);
  await expectSoundBooks(server);
});

it('a ticket that stays behind keeps the question open', async (server, admin) => {
  await oneShow(server);
  const old = await makePaid(server);
  await postpone(server, admin, 'refund');
  const part = { tickets: [old.tickets[0]!] };
  await payOther(server, await otherDate(server, old, part));
  expect(await questionOf(server, old.order_id)).toMatchObject({ answer: null, may_answer: true });
  await passTime(server, 3 * day);
  expect(await stateOf(server, old)).toMatchObject({
    refunded_cents: 5_900,
    tickets: ['refunded', 'refunded'],
  });
  expect(await questionOf(server, old.order_id)).toMatchObject({ answered_by: 'deadline' });
  await expectSoundBooks(server);
});

test('the deadline waits for an exchange that is being paid', async (server, admin) => {
  await oneShow(server);
  const old = await makePaid(server);
  await postpone(server, admin, 'refund');
  server.clock.advance(2 * day - 60_000);
  const order = await otherDate(server, old);
  server.clock.advance(120_000);
  await server.runDue();
  expect(await stateOf(server, old)).toMatchObject({ tickets: ['valid', 'valid'], refunds: [] });
  const { db } = server.house.ctx;
  expect(await db('postponements').first()).toMatchObject({ closed_at: null });
  await payOther(server, order);
  expect(await stateOf(server, order)).toMatchObject({ state: 'confirmed' });
  await passTime(server, 3_600_000);
  expect(await db('postponements').first('closed_at')).toMatchObject({
    closed_at: expect.anything(),
  });
  expect(await questionOf(server, old.order_id)).toMatchObject({ answer: 'exchange' });
  await expectSoundBooks(server);
});
