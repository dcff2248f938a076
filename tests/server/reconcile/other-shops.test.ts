/** Other shops on the same Stripe account, another house of ours among them: nothing of theirs is counted, told, ended or changed, whatever their metadata say. */
import { expect } from 'vitest';
import { listBreaks } from '#server/contract/breaks.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { listPayoutLines, listPayouts, readPayout } from '#server/contract/payouts.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import { reconcile } from '#server/services/payment/settle.ts';
import { compare, makeOurs, sellBeside } from '#tests/attack/shop-beside.ts';
import { testOnBoth as test, testOnSqlite } from '#tests/support/both.ts';
import { callOk, makeOrder, payOrder } from '#tests/support/make.ts';
import { asRole } from '#tests/support/roles.ts';
import { passTime } from '#tests/support/refunds.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { atStripe, sessionAtStripe, sessionsAtStripe } from '#tests/support/stripe-desk.ts';
import { settingsOf } from '#tests/support/vendors.ts';

const hour = 3_600_000;
const never = new AbortController().signal;

/** All that we have on record of money, and all that happened. */
async function recordOf({ house: { ctx } }: TestServer) {
  const tables = ['orders', 'payments', 'refunds', 'disputes', 'declines', 'breaks', 'audit'];
  const record: Record<string, unknown[]> = {};
  for (const name of tables) record[name] = await ctx.db(name).orderBy('id');
  return record;
}

test('a shop beside us sells, gives back and is disputed: what we have on record stays, its checkouts go on, and a payout adds up with it', async (server, admin) => {
  const ours = await makeOurs(server, admin);
  const before = await recordOf(server);
  const waiting = await sellBeside(server, ours);
  const events = () => server.house.ctx.db('webhook_events').select('type', 'order_id', 'outcome');
  expect(await events().whereNull('order_id').whereNot({ outcome: 'nothing' })).toEqual([]);
  expect(await events().where({ outcome: 'order' })).toHaveLength(1);
  // A copy of a paid order's metadata does not bring its news into that order's story.
  expect(await events().where({ order_id: ours.paid, type: 'charge.refunded' })).toEqual([]);
  expect(await compare(server)).toBe(0);
  expect(await recordOf(server)).toEqual(before);
  for (const id of waiting)
    expect(await atStripe(server, 'GET', `checkout/sessions/${id}`)).toHaveProperty(
      'status',
      'open',
    );

  await passTime(server, 7 * 24 * hour);
  await passTime(server, 2 * hour);
  Object.assign(admin, await asRole(server, 'office'));
  const { items } = await callOk(server, listPayouts, {}, admin);
  expect(items.map(({ differences, read }) => [differences, read])).toEqual(
    items.map(() => [0, true]),
  );
  const sums = new Map<string, number>();
  const named: ReplyOf<typeof listPayoutLines>['items'] = [];
  for (const { payout_id } of items) {
    const payout = await callOk(server, readPayout, { params: { payoutId: payout_id } }, admin);
    for (const { kind, net_cents } of payout.sums)
      sums.set(kind, (sums.get(kind) ?? 0) + net_cents);
    const lines = await callOk(server, listPayoutLines, { params: { payoutId: payout_id } }, admin);
    named.push(...lines.items.filter((line) => line.order_number !== null));
  }
  expect(named.map(({ standing }) => standing)).toEqual(['agrees']);
  expect(sums.get('charge')).toBe(5_900 - 114);
  expect(sums.has('refund')).toBe(false);
  expect(sums.get('foreign')).toBeLessThan(0);
  expect((await callOk(server, listBreaks, {}, admin)).items).toEqual([]);
  expect(server.logged).toEqual([]);
});

testOnSqlite(
  'another house on the account: each settles its own orders, and neither sees anything of the other',
  async (server) => {
    await using started = await startServer({ env: stripeOf(server) });
    const other = {
      ...started,
      house: {
        ...started.house,
        standins: { ...started.house.standins!, stripe: server.house.standins!.stripe },
      },
    };
    for (const house of [server, other]) expect(await compare(house)).toBe(0);
    const orders = [];
    for (const house of [server, other]) {
      const order = await makeOrder(house);
      const left = await makeOrder(house, { nth: 1 });
      await payOrder(server, order.checkout_url);
      orders.push({ house, order, left });
    }
    for (const { house, order, left } of orders) {
      house.clock.advance(120_000);
      await reconcile(house.house.ctx, never);
      expect(await compare(house)).toBe(0);
      const page = await callOk(house, getOrder, { params: { orderId: order.order_id } });
      expect(page.state).toBe('confirmed');
      expect((await sessionAtStripe(server, left.order_id)).status).toBe('open');
      expect(await house.house.ctx.db('breaks')).toEqual([]);
      expect(await house.house.ctx.db('payments')).toHaveLength(1);
    }
    const marks = new Set(
      (await sessionsAtStripe(server)).map((session) => session.metadata['botteghino']),
    );
    expect(marks.size).toBe(2);
  },
);

function stripeOf(server: TestServer): Record<string, string> {
  const { STRIPE_URL, STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET } = settingsOf({
    ...server.house.standins!,
  });
  return {
    STRIPE_URL: STRIPE_URL!,
    STRIPE_SECRET_KEY: STRIPE_SECRET_KEY!,
    STRIPE_WEBHOOK_SECRET: STRIPE_WEBHOOK_SECRET!,
  };
}

testOnSqlite(
  'what we make is marked; a price that another shop adds to our product stays for sale, and another house’s prices are not offered',
  async (server) => {
    const { payments } = server.house.ctx;
    const isActive = async (path: string) =>
      (await atStripe<{ active: boolean }>(server, 'GET', path)).active;
    await payments.makeProduct({ id: 'botteghino_1', name: 'Platea' }, 'product-1');
    const price = await payments.makePrice(
      { product_id: 'botteghino_1', unit_amount: 2_500 },
      'price-1',
    );
    const asked = { product: 'botteghino_1', currency: 'eur', unit_amount: '700' };
    const theirs = await atStripe<{ id: string }>(server, 'POST', 'prices', asked);
    const another = await atStripe<{ id: string }>(server, 'POST', 'prices', {
      ...asked,
      'metadata[botteghino]': 'another-house',
    });
    const offered = (await payments.activePrices()).prices.map(({ id }) => id);
    expect(offered).toEqual(expect.arrayContaining([price, theirs.id]));
    expect(offered).not.toContain(another.id);
    await payments.sellProduct('botteghino_1', false);
    const states = () =>
      Promise.all(
        [`prices/${price}`, `prices/${theirs.id}`, 'products/botteghino_1'].map(isActive),
      );
    expect(await states()).toEqual([false, true, true]);
    for (const { id } of [theirs, another])
      await atStripe(server, 'POST', `prices/${id}`, { active: 'false' });
    await payments.sellProduct('botteghino_1', false);
    expect(await states()).toEqual([false, false, false]);
    await payments.sellProduct('botteghino_1', true);
    expect(await states()).toEqual([true, false, true]);
  },
);
