/** After the Stripe keys change a house finds its lost prices, makes them again, and sets apart what test money paid. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { listPublished } from '#server/contract/events.ts';
import { readHealth } from '#server/contract/health.ts';
import { saveEventPrices } from '#server/contract/price-matrix.ts';
import { readStripeChange, removeTestOrders, renewPrices } from '#server/contract/stripe-change.ts';
import { readSummary } from '#server/contract/summaries.ts';
import { invariants } from '#db/reconcile/invariants.ts';
import { withDeadline } from '#server/adapters/deadline.ts';
import { stripeChange } from '#server/services/office/stripe-change.ts';
import { startStandins } from '#server/standins/start.ts';
import { askAdmin } from '#tests/support/admin-command.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { openDrawer } from '#tests/support/counter.ts';
import { makePublished } from '#tests/support/event-desk.ts';
import {
  ask,
  aRefusal,
  callOk,
  demoEvent,
  makeAdmin,
  makeOrder,
  makePairedPhone,
} from '#tests/support/make.ts';
import {
  allowExchange,
  begun,
  exchangeAtTill,
  exchangeOnline,
  pay,
} from '#tests/support/exchange.ts';
import { expectSoundBooks, feeEvent, makePaid, refundByOffice } from '#tests/support/refunds.ts';
import { pullDoor } from '#tests/support/door/door-phone.ts';
import type { TestServer } from '#tests/support/server.ts';

const minute = 60_000;

/** The same house with the keys of another Stripe account. */
async function atOtherAccount(first: TestServer) {
  const folder = await mkdtemp(join(tmpdir(), 'altro-conto-'));
  const { PORT } = first.settings;
  const other = await startStandins({
    file: join(folder, 'standins.sqlite'),
    now: first.clock.now,
    chartFolder: folder,
    stripePublicUrl: `${first.url}/standins/stripe`,
    stripePort: 0,
    webhookUrl: `http://127.0.0.1:${PORT}/api/webhooks/stripe`,
  });
  const stripe = other.stripe!;
  const server = await first.restart({
    STRIPE_URL: stripe.url,
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_WEBHOOK_SECRET: stripe.webhookSecret!,
  });
  const standins = { ...server.house.standins!, stripe };
  return {
    server: { ...server, house: { ...server.house, standins } },
    stripe,
    async [Symbol.asyncDispose]() {
      await server.close();
      await other.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function findingOf(server: TestServer, admin: { cookie: string }, name: string) {
  const { findings } = await callOk(server, readHealth, {}, admin);
  return findings.find((finding) => finding.name === name)?.state ?? null;
}

test('lost prices are named, made again once with their names and amounts, and sold; an unknown amount is asked for', async (first) => {
  const admin = await makeAdmin(first);
  await makePublished(first, admin);
  const typed = await first.house.ctx.db('events').where({ id: 'recital' }).first();
  await callOk(
    first,
    saveEventPrices,
    {
      params: { eventId: 'recital' },
      body: {
        version: typed.version,
        prices: {
          types: [{ ticketType: 'intero', label: 'Intero' }],
          sectors: [
            {
              category: 'Platea',
              not_sold: false,
              cells: [{ ticketType: 'intero', cents: 2_100 }],
            },
            ...['Palchi', 'Galleria'].map((category) => ({ category, not_sold: true, cells: [] })),
          ],
          fee: null,
          phases: [
            {
              name: 'Prima',
              until: { kind: 'hours_before', hours: 1 },
              cells: [{ category: 'Platea', ticketType: 'intero', cents: 1_900 }],
            },
          ],
        },
      },
    },
    admin,
  );
  await makePaidOrder(first);
  await using away = await atOtherAccount(first);
  const { server } = away;
  await server.runDue();
  const page = await callOk(server, listPublished, {});
  expect(page.items.map(({ sales }) => sales.state)).toEqual(['paused', 'paused', 'paused']);
  expect(await findingOf(server, admin, 'prices')).toBe('red');
  const doctor = await askAdmin(server, ['doctor']);
  expect(JSON.stringify(doctor.body)).toContain('non conosce dei prezzi');

  const lost = await callOk(server, readStripeChange, {}, admin);
  const prices = lost.shows.flatMap((show) => show.prices);
  expect(prices.find(({ name }) => name === 'Recital · Platea, Intero')?.cents).toBe(2_100);
  expect(prices.find(({ name }) => name.endsWith('Intero (Prima)'))?.cents).toBe(1_900);
  // The demo's prices were never typed here: the one that was sold is known, the others are asked.
  const unknown = prices.filter(({ cents }) => cents === null);
  expect(unknown.length).toBeGreaterThan(0);
  expect(unknown.length).toBeLessThan(prices.length - 1);
  const renew = (amounts: { price_id: string; cents: number }[]) =>
    ask(server, 'POST', renewPrices.path, { body: { amounts }, headers: admin });
  expect(await renew([])).toMatchObject(aRefusal(422, 'price_amount_missing'));
  const amounts = unknown.map(({ price_id }) => ({ price_id, cents: 1_500 }));
  // The answer is lost, the person presses again; and once more when all is done.
  away.stripe.faults.add({
    on: 'request',
    method: 'POST',
    path: '/v1/prices',
    action: 'lose_answer',
    times: 'always',
  });
  expect(await renew(amounts)).toMatchObject({ status: 503 });
  away.stripe.faults.clear();
  expect((await renew(amounts)).status).toBe(204);
  expect((await renew(amounts)).status).toBe(204);
  const { ctx } = server.house;
  const { prices: there } = await ctx.payments.activePrices();
  expect(there.length).toBe(prices.length);
  expect((await callOk(server, readStripeChange, {}, admin)).shows).toEqual([]);
  server.clock.advance(2 * minute);
  await server.runDue();
  expect(await findingOf(server, admin, 'prices')).toBeNull();
  await makePaidOrder(server, {}, { event: 'recital' });
  expect(await ctx.db('payments').orderBy('paid_at', 'desc').first('amount_cents')).toMatchObject({
    amount_cents: 3_800,
  });
  const audit = await ctx.db('audit').where({ action: 'prices_renewed' }).pluck('subject');
  expect(audit.toSorted()).toEqual(['concerto-di-natale', demoEvent, 'recital']);
});

it('a live house takes orders of test money out, with their seats free and nothing of them counted', async (server, admin) => {
  const { ctx } = server.house;
  const phone = await makePairedPhone(server, admin);
  const paid = await makePaidOrder(server);
  const open = await makeOrder(server, { nth: 3 });
  const remove = (orders: number) =>
    ask(server, 'POST', removeTestOrders.path, { body: { orders }, headers: admin });
  expect(await remove(2)).toMatchObject(aRefusal(409, 'not_live'));
  ctx.payments.live = true;
  const { test_orders } = await callOk(server, readStripeChange, {}, admin);
  expect(test_orders).toMatchObject([{ event_id: demoEvent, orders: 2, places: 4 }]);
  expect(await findingOf(server, admin, 'test_money')).toBe('amber');
  expect(await remove(1)).toMatchObject(aRefusal(409, 'test_orders_changed'));
  expect((await remove(2)).status).toBe(204);
  expect(await ctx.db('orders').whereIn('id', [paid.order_id, open.order_id])).toEqual([]);
  const taken = await ctx.seats.taken(demoEvent);
  expect(taken.filter(({ status }) => status === 'booked')).toEqual([]);
  const { places } = await pullDoor(server, demoEvent, phone.headers);
  expect(places.filter(({ ticket }) => ticket !== null)).toEqual([]);
  const day = new Date(server.clock.now()).toISOString().slice(0, 10);
  const summary = await callOk(server, readSummary, { query: { from: day, to: day } }, admin);
  expect(summary.rows).toEqual([]);
  for (const { name, always, find } of invariants)
    if (always) expect([name, await find(ctx.db, server.clock.now())]).toEqual([name, []]);
});

it('test money that was exchanged for another date goes with both orders, and one of the two leaves money by transfer', async (server, admin) => {
  const { ctx } = server.house;
  const { db } = ctx;
  await allowExchange(server);
  await openDrawer(server, admin);
  // Paid at Stripe twice; with nothing to pay; with cash, which is real.
  const twice = await makePaid(server);
  await pay(server, await begun(server, twice));
  const nothing = await makePaid(server, { event: demoEvent, nth: 1 });
  await exchangeOnline(server, nothing, { event: feeEvent, nth: 2 });
  const old = await makePaid(server, { nth: 3 });
  const sold = await exchangeAtTill(server, admin, {
    order_id: old.order_id,
    event_id: demoEvent,
    total_cents: 6_400,
  });
  await server.runDue();
  expect(await db('tickets').where({ state: 'valid', test_money: 0 })).toEqual([]);
  ctx.payments.live = true;
  await callOk(server, removeTestOrders, { body: { orders: 5 } }, admin);
  expect(await db('orders').pluck('id')).toEqual([sold.order_id]);
  const paid = await db('payments').orderBy('amount_cents').select('kind', 'method');
  expect(paid).toEqual([
    { kind: 'manual', method: 'cash' },
    { kind: 'manual', method: 'transfer' },
  ]);
  expect(await db('exchanges')).toEqual([]);
  for (const { name, always, find } of invariants)
    if (always) expect([name, await find(db, server.clock.now())]).toEqual([name, []]);
  await refundByOffice(server, admin, sold);
  await expectSoundBooks(server);
});

it('the page takes as long as its prices need, and test orders go though the seat map does not know their event any more', async (server, admin) => {
  const { ctx, standins } = server.house;
  standins!.stripe!.faults.add({
    on: 'request',
    method: 'GET',
    path: '/v1/prices/*',
    action: 'delay',
    ms: 100,
    times: 'always',
  });
  expect(await withDeadline(80, () => stripeChange(ctx))).toMatchObject({ shows: [] });
  await makePaidOrder(server);
  ctx.payments.live = true;
  await ctx.db('events').where({ id: demoEvent }).update({ seatsio_event_key: 'altrove' });
  await callOk(server, removeTestOrders, { body: { orders: 1 } }, admin);
  expect(await ctx.db('orders')).toEqual([]);
});

it('an unpaid order of the test keys ends by itself once the house takes real money', async (first) => {
  const { order_id } = await makeOrder(first);
  await using away = await atOtherAccount(first);
  const { server } = away;
  const { ctx } = server.house;
  ctx.payments.live = true;
  server.clock.advance(20 * minute);
  await server.runDue();
  const order = await ctx.db('orders').where({ id: order_id }).first();
  expect([order.state, order.needs_attention]).toEqual(['deleted', null]);
  const taken = await ctx.seats.taken(demoEvent);
  expect(taken.filter(({ status }) => status === 'booked')).toEqual([]);
});
