/** PostgreSQL's connection is lost in the middle of a write, before the database has heard of it or before its answer is back: what was asked for is done once, and whoever asked is told so. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { isDatabaseAway, type Trx } from '#db/engine/dialect.ts';
import { readRows } from '#db/engine/statements.ts';
import { transact } from '#db/engine/transact.ts';
import { orderStatus } from '#server/contract/order/orders.ts';
import { askRefund, orderRefunds } from '#server/contract/order/refunds.ts';
import { takeHint } from '#server/services/payment/webhooks.ts';
import { happened } from '#server/services/kit/happened.ts';
import { fillHall } from '#tests/support/door/door-hall.ts';
import { phoneOf } from '#tests/support/door/door-phone.ts';
import { callOk, makeOrder, payOrder, sessionIn, until } from '#tests/support/make.ts';
import { expectSoundBooks, makePaid, refundRows } from '#tests/support/refunds.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { startLine, type Loss, type SilentLine } from '#tests/support/silent-line.ts';
import { bookStanding } from '#tests/support/standing.ts';

let line: SilentLine;
beforeAll(async () => {
  line = await startLine(inject('postgresUrl'));
});
afterAll(() => line.cut());

const scans = 'INSERT INTO "admissions"';

type Deed = (server: TestServer, lose: () => void) => Promise<void>;

/** A deed is tried on a server of its own: PostgreSQL does its work, and nobody hears the answer. */
function testLost(name: string, at: Omit<Loss, 'arrives'>, deed: Deed, arrives = true): void {
  const moment = arrives ? 'before its answer is back' : 'before PostgreSQL hears of it';
  test(`${name}: the connection is lost ${moment}`, async () => {
    await using server = await startServer({ database: 'postgres', postgresUrl: line.url });
    await deed(server, () => line.loseAt({ ...at, arrives }));
    expect(line.waiting()).toBe(0);
    // A hall that was made by hand has no lines of orders.
    if (at.statement !== scans) await expectSoundBooks(server);
  });
}

/** What was never heard is done again, whatever it is: one statement and one COMMIT show it. */
function testLostTwice(name: string, at: Omit<Loss, 'arrives'>, deed: Deed): void {
  for (const arrives of [false, true]) testLost(name, at, deed, arrives);
}

async function expectOneOrder(server: TestServer, order_id: string): Promise<void> {
  const { db } = server.house.ctx;
  expect(await db('orders').pluck('id')).toEqual([order_id]);
  expect(await db('checkout_sessions').pluck('order_id')).toEqual([order_id]);
}

testLostTwice(
  'an order of seats that is stored',
  { statement: 'INSERT INTO "orders"', at: 'statement' },
  async (server, lose) => {
    lose();
    const order = await makeOrder(server);
    await expectOneOrder(server, order.order_id);
  },
);

testLost(
  'an order of standing places that is stored',
  { statement: 'INSERT INTO "orders"', at: 'commit' },
  async (server, lose) => {
    lose();
    const order = await bookStanding(server, 2);
    await expectOneOrder(server, order.order_id);
  },
);

testLost(
  'a checkout that an order gets',
  { statement: 'INSERT INTO "checkout_sessions"', at: 'statement' },
  async (server, lose) => {
    lose();
    const order = await makeOrder(server);
    await expectOneOrder(server, order.order_id);
    const { status } = await server.house.ctx.payments.read(sessionIn(order.checkout_url));
    expect(status).toBe('open');
  },
);

testLostTwice(
  'a payment that is confirmed',
  { statement: 'order_confirmed', at: 'commit' },
  async (server, lose) => {
    const { order_id, checkout_url } = await makeOrder(server);
    await payOrder(server, checkout_url);
    server.clock.advance(3_000);
    lose();
    const status = await callOk(server, orderStatus, { params: { orderId: order_id } });
    expect(status.order_confirmed_at).not.toBeNull();
    const { db } = server.house.ctx;
    const confirmed = { subject: order_id, action: 'order_confirmed' };
    expect(await db('audit').where(confirmed)).toHaveLength(1);
    expect(await db('tickets').where({ order_id })).toHaveLength(2);
    expect(await db('payments').where({ order_id })).toHaveLength(1);
  },
);

testLost(
  'the lease under which a payment was confirmed',
  { statement: 'where "id" = $3 and "lease" = $4', at: 'statement' },
  async (server, lose) => {
    const { order_id, checkout_url } = await makeOrder(server);
    await payOrder(server, checkout_url);
    server.clock.advance(3_000);
    lose();
    const status = await callOk(server, orderStatus, { params: { orderId: order_id } });
    expect(status.order_confirmed_at).not.toBeNull();
  },
);

testLost(
  'a webhook that is taken',
  { statement: 'insert into "webhook_events"', at: 'commit' },
  async (server, lose) => {
    const { ctx } = server.house;
    const { order_id } = await makeOrder(server);
    lose();
    await takeHint(ctx, {
      id: 'evt_lost',
      type: 'checkout.session.completed',
      livemode: false,
      order_id,
      session_id: null,
      payment_intent: null,
    });
    expect(await ctx.db('webhook_events').pluck('id')).toEqual(['evt_lost']);
    const due = { task: 'settle_order', subject: order_id };
    expect(await ctx.db('outbox').where(due)).toHaveLength(1);
  },
);

testLost(
  'a refund that is asked for',
  { statement: 'insert into "refunds"', at: 'commit' },
  async (server, lose) => {
    const { order_id, tickets } = await makePaid(server);
    const params = { orderId: order_id };
    const { amount_cents } = await callOk(server, orderRefunds, { params });
    lose();
    const body = { ticket_ids: tickets, expected_cents: amount_cents };
    const { refund_id } = await callOk(server, askRefund, { params, body });
    expect(await refundRows(server, order_id)).toMatchObject([{ id: refund_id, amount_cents }]);
    const asked = { subject: order_id, action: 'refund_asked' };
    expect(await server.house.ctx.db('audit').where(asked)).toHaveLength(1);
  },
);

testLost(
  'a batch of scans that is stored',
  { statement: scans, at: 'commit' },
  async (server, lose) => {
    const { db } = server.house.ctx;
    const hall = await fillHall(db, { places: 40, phones: 1 });
    const phone = phoneOf(server, hall);
    const items = hall.labels.map((place) => phone.scan(place));
    lose();
    const results = await phone.send(...items);
    expect(new Set(results.map(({ result }) => result))).toEqual(new Set(['stored']));
    expect(await db('admissions')).toHaveLength(items.length);
  },
);

/** Two rows by hand: an entry of the Registro, and one that nobody could tell from another's. */
function writings({ house: { ctx } }: TestServer) {
  let runs = 0;
  return {
    runs: () => runs,
    withEntry: (trx: Trx) => {
      runs += 1;
      return happened(ctx, trx, { actor: 'system', action: 'order_stored', subject: 'lost' });
    },
    withoutEntry: (trx: Trx) => {
      runs += 1;
      return trx('settings').insert({ key: 'lost', value: '1' });
    },
    kept: async () => [
      ...(await ctx.db('audit').where({ subject: 'lost' })),
      ...(await ctx.db('settings').where({ key: 'lost' })),
    ],
  };
}

test('a COMMIT that goes on after its connection was lost is waited for, and a transaction that nothing tells of is not run twice', async () => {
  await using server = await startServer({ database: 'postgres', postgresUrl: line.url });
  const { db } = server.house.ctx;
  await db.raw(`CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_sleep(0.7); RETURN NEW; END'`);
  for (const table of ['audit', 'settings'])
    await db.raw(`CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON ${table} DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION wait()`);
  const told = writings(server);
  line.loseAt({ statement: 'insert into "audit"', at: 'commit', arrives: true });
  await transact(db, told.withEntry);
  expect([told.runs(), await told.kept()]).toMatchObject([1, [{ subject: 'lost' }]]);

  const untold = writings(server);
  line.loseAt({ statement: 'insert into "settings"', at: 'commit', arrives: true });
  await expect(transact(db, untold.withoutEntry)).rejects.toSatisfy(isDatabaseAway);
  await until(async () => (await untold.kept()).length === 2);
  expect(untold.runs()).toBe(1);
});

test('a transaction whose failed statement was overlooked is not told as done', async () => {
  await using server = await startServer({ database: 'postgres', postgresUrl: line.url });
  const { db } = server.house.ctx;
  const overlooked = transact(db, async (trx) => {
    await trx('settings').insert({ key: 'lost', value: '1' });
    await trx.raw('SELECT 1 / 0').catch(() => {});
  });
  await expect(overlooked).rejects.toThrow('undone');
});

test('a process that is gone in the middle of a transaction blocks others for a minute at the most', async () => {
  await using server = await startServer({ database: 'postgres', postgresUrl: line.url });
  const [found] = await readRows<{ limit: string }>(
    server.house.ctx.db,
    `SELECT current_setting('idle_in_transaction_session_timeout') AS "limit"`,
    [],
  );
  expect(found!.limit).toBe('1min');
});

test('a session that hangs in the middle of a transaction is ended by the database, its lock is given back, and the house goes on', async () => {
  await using server = await startServer({ database: 'postgres', postgresUrl: line.url });
  const { db } = server.house.ctx;
  await db('settings').insert({ key: 'locked', value: '0' });
  const hanging = await db.transaction();
  await hanging('settings').where({ key: 'locked' }).update({ value: '1' });
  // A hundredth of what the house asks for.
  await hanging.raw(`SELECT set_config('idle_in_transaction_session_timeout',
    (extract(epoch FROM current_setting('idle_in_transaction_session_timeout')::interval) * 10)::int::text, true)`);
  await db('settings').where({ key: 'locked' }).update({ value: '2' });
  await expect(hanging('settings').select('*')).rejects.toSatisfy(isDatabaseAway);
  await hanging.rollback().catch(() => {});
  expect(await db('settings').where({ key: 'locked' }).pluck('value')).toEqual(['2']);
  await makeOrder(server);
});
