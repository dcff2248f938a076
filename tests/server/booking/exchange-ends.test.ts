/** What comes between an exchange and its money: a changed ticket, an end, a second exchange. */
import { expect } from 'vitest';
import { makeSale, reissueTickets } from '#server/contract/counter.ts';
import { admitTicket } from '#server/contract/door/admissions.ts';
import { quoteExchange } from '#server/contract/order/exchanges.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { club, openClub } from '#tests/support/club.ts';
import { openDrawer } from '#tests/support/counter.ts';
import {
  allowExchange,
  begun,
  exchangeBody,
  exchangeOnline,
  pay,
  type Begun,
} from '#tests/support/exchange.ts';
import { ask, callOk, demoEvent, findSeats } from '#tests/support/make.ts';
import { tryMove } from '#tests/support/move.ts';
import { endBehindOurBack, payLate } from '#tests/support/order-end.ts';
import {
  expectSoundBooks,
  makePaid,
  passTime,
  refundRows,
  stateOf,
  type PaidOrder,
} from '#tests/support/refunds.ts';
import { refundsAtStripe } from '#tests/support/stripe-desk.ts';
import type { TestServer } from '#tests/support/server.ts';

type Office = { cookie: string };
const minute = 60_000;
/** Two old tickets give 56 euros of the 64. */
const due = 800;

const changes: Record<
  string,
  (server: TestServer, office: Office, old: PaidOrder) => Promise<unknown>
> = {
  async 'its guest comes in'(server, office, { link_key }) {
    const { tickets } = await callOk(server, getOrder, { params: { orderId: link_key } });
    const params = { ticketId: tickets[0]!.code! };
    return callOk(server, admitTicket, { params, body: { override: 'Prima dell’ora' } }, office);
  },
  async 'it moves'(server, office, { order_id, tickets }) {
    const sold = { order_id, tickets, codes: [], seats: [] };
    const moved = await tryMove(server, office, sold, await findSeats(server, { nth: 4 }));
    expect(moved.status).toBe(200);
  },
  'it gets another code': (server, office, { order_id }) => {
    const asked = { params: { orderId: order_id }, body: { reason: 'Carta persa' } };
    return callOk(server, reissueTickets, asked, office);
  },
};

/** The exchange into this order, and what its buyer got back at Stripe. */
async function endOf(server: TestServer, { order_id }: Begun) {
  const { db } = server.house.ctx;
  const { payment_intent } = await db('orders').where({ id: order_id }).first();
  return {
    exchange: await db('exchanges').where({ to_order_id: order_id }).first('state', 'ended_why'),
    back: payment_intent === null ? [] : await refundsAtStripe(server, payment_intent),
  };
}

const inFull = {
  exchange: { state: 'ended', ended_why: 'changed' },
  back: [{ amount: due, status: 'succeeded' }],
};

test('an old ticket that changes while the difference is paid ends the exchange, and the money goes back in full', async (server, admin) => {
  await allowExchange(server);
  for (const [nth, [name, change]] of Object.entries(changes).entries()) {
    const old = await makePaid(server, { nth });
    const order = await begun(server, old, { nth: 5 + nth });
    await change(server, admin, old);
    await pay(server, order);
    await passTime(server, minute);
    expect([name, await endOf(server, order)]).toEqual([name, inFull]);
    expect(await stateOf(server, order)).toMatchObject({ state: 'deleted', tickets: [] });
    expect([name, (await stateOf(server, old)).tickets]).toEqual([name, ['valid', 'valid']]);
    expect(await refundRows(server, old.order_id)).toEqual([]);
  }
  await expectSoundBooks(server);
});

/** What helpers of late payments take. */
const late = ({ order_id, checkout_url }: Begun) => ({
  order_id,
  checkout_url,
  link_key: '',
  hold_token: '',
  selected_objects: [],
});

/** Simulates another process that ended the order while its session stayed open. */
async function endUnpaid(server: TestServer, order: Begun): Promise<void> {
  const { db } = server.house.ctx;
  const { order_id } = order;
  const labels: string[] = await db('order_lines').where({ order_id }).pluck('object_label');
  const selected_objects = labels.map((object_id) => ({ object_id }));
  await endBehindOurBack(server, { ...late(order), selected_objects }, demoEvent);
  await db('exchanges')
    .where({ to_order_id: order_id })
    .update({ state: 'ended', ended_why: 'unpaid', settled_at: server.clock.now() });
}

test('a payment after the end makes the exchange all the same, unless the tickets wait for another one', async (server) => {
  await allowExchange(server);
  const old = await makePaid(server);
  const first = await begun(server, old, { nth: 5 });
  await endUnpaid(server, first);
  await expectSoundBooks(server);
  await payLate(server, late(first));
  expect((await endOf(server, first)).exchange).toEqual({ state: 'done', ended_why: null });
  expect(await stateOf(server, first)).toMatchObject({
    state: 'confirmed',
    paid_cents: 6_400,
    tickets: ['valid', 'valid'],
  });
  expect((await stateOf(server, old)).tickets).toEqual(['refunded', 'refunded']);
  const other = await makePaid(server, { nth: 1 });
  const second = await begun(server, other, { nth: 6 });
  await endUnpaid(server, second);
  const third = await begun(server, other, { nth: 7 });
  await payLate(server, late(second));
  await passTime(server, minute);
  expect(await endOf(server, second)).toMatchObject({ back: inFull.back });
  expect((await stateOf(server, other)).tickets).toEqual(['valid', 'valid']);
  await pay(server, third);
  expect((await endOf(server, third)).exchange).toMatchObject({ state: 'done' });
  await passTime(server, 20 * minute);
  await expectSoundBooks(server);
});

test('of two exchanges of one ticket at the same time one begins, on the web and at the till', async (server, admin) => {
  await allowExchange(server);
  await openDrawer(server, admin);
  const old = await makePaid(server);
  const wishes = { order_id: old.order_id, event_id: demoEvent, total_cents: 6_400 };
  const bodies = [
    await exchangeBody(server, admin, { ...wishes, nth: 7 }),
    await exchangeBody(server, admin, { ...wishes, nth: 8 }),
  ];
  const [online, ...sales] = await Promise.all([
    exchangeOnline(server, old, { nth: 5 }),
    ...bodies.map((body) => ask(server, 'POST', makeSale.path, { body, headers: admin })),
  ]);
  const answers = [online, ...sales];
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const { status, body } of answers.filter((answer) => answer.status !== 200))
    expect([status, body]).toEqual([
      expect.toSatisfy((code) => code === 409 || code === 422),
      expect.objectContaining({ code: expect.stringMatching(/^exchange_(?:refused|changed)$/) }),
    ]);
  const { db } = server.house.ctx;
  expect(await db('exchanges').whereNot({ state: 'ended' })).toHaveLength(1);
  await passTime(server, 60 * minute);
  const isSold = sales.some(({ status }) => status === 200);
  expect((await stateOf(server, old)).tickets).toEqual(
    isSold ? ['refunded', 'refunded'] : ['valid', 'valid'],
  );
  await expectSoundBooks(server);
});

it('the places of a table that is sold whole change their date all together', async (server, admin) => {
  await openClub(server, {}, admin);
  const selected_objects = [{ object_id: 'T1', ticket_type: 'intero' }];
  const old = await makePaid(server, { event: club, selected_objects });
  expect(old.tickets).toHaveLength(10);
  const params = { orderId: old.order_id };
  const body = { ticket_ids: old.tickets.slice(0, 4) };
  const some = await callOk(server, quoteExchange, { params, body }, admin);
  expect(some.obstacle).toBe('whole_object');
  const whole = await callOk(server, quoteExchange, { params, body: {} }, admin);
  expect(whole).toMatchObject({ obstacle: null, worth_cents: 30_000 });
});
