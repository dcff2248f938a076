/** Prices at Stripe: what the office is told of them, what the page sells, and that a sum that changed on the way is never taken in silence. */
import { expect } from 'vitest';
import { testOnSqlite as test } from '#tests/support/both.ts';
import { getEvent } from '#server/contract/events.ts';
import { orderStatus } from '#server/contract/order/orders.ts';
import { findPrices, readPrice, readPrices } from '#server/contract/prices.ts';
import { Stripe } from 'stripe';
import {
  holdSeats,
  tryBook,
  ask,
  callOk,
  demoEvent,
  makeAdmin,
  makeOrder,
  payOrder,
  aRefusal,
  until,
} from '#tests/support/make.ts';
import { rowOf } from '#tests/support/order-end.ts';
import type { TestServer } from '#tests/support/server.ts';
import { atStripe, sessionAtStripe } from '#tests/support/stripe-desk.ts';
import { setPolicy } from '#tests/support/refunds.ts';

const evening = { eventId: demoEvent };

const minute = 60_000;

function shopOf(server: TestServer): Stripe {
  const { port, secretKey } = server.house.standins!.stripe!;
  return new Stripe(secretKey, { host: '127.0.0.1', port, protocol: 'http', telemetry: false });
}

test('a price is told with its product and whether it can be sold, and why not', async (server) => {
  const admin = await makeAdmin(server);
  const shop = shopOf(server);
  const product = await shop.products.create({ name: 'Platea, intero' });
  const gone = await shop.products.create({ name: 'Stagione passata' });
  const make = (params: Partial<Stripe.PriceCreateParams> = {}) =>
    shop.prices.create({ product: product.id, currency: 'eur', unit_amount: 2_500, ...params });
  const good = await make({ nickname: 'Intero' });
  const archived = await make();
  await shop.prices.update(archived.id, { active: false });
  const orphan = await make({ product: gone.id });
  await shop.products.update(gone.id, { active: false });
  const dollars = await make({ currency: 'usd' });
  const read = async (priceId: string) => callOk(server, readPrice, { params: { priceId } }, admin);
  expect(await read(good.id)).toMatchObject({
    id: good.id,
    unit_amount: 2_500,
    currency: 'eur',
    active: true,
    type: 'one_time',
    nickname: 'Intero',
    product: { id: product.id, name: 'Platea, intero', active: true },
    sellable: true,
    why_not: null,
  });
  for (const [price, why_not] of [
    [archived, 'inactive'],
    [orphan, 'product_inactive'],
    [dollars, 'not_eur'],
  ] as const) {
    expect([why_not, await read(price.id)]).toEqual([
      why_not,
      expect.objectContaining({ sellable: false, why_not }),
    ]);
  }
  const missing = await ask(server, 'GET', '/api/admin/stripe/price/price_nessuno', {
    headers: admin,
  });
  expect(missing).toMatchObject({
    status: 404,
    body: { code: 'price_not_found', message: 'Stripe non conosce questo prezzo.' },
  });
  for (const strange of ['..', '%2e%2e', 'a%20b', 'price_x%3Fexpand', 'é'])
    expect([
      strange,
      (await ask(server, 'GET', `/api/admin/stripe/price/${strange}`, { headers: admin })).status,
    ]).toEqual([strange, 404]);

  const several = await callOk(
    server,
    readPrices,
    { params: { priceIds: ` ${dollars.id},price_nessuno,,${good.id},${dollars.id}` } },
    admin,
  );
  expect([several.items.map((price) => price.id), several.unknown]).toEqual([
    [dollars.id, good.id],
    ['price_nessuno'],
  ]);
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => `price_${index}`).join(',');
  expect(
    (await callOk(server, readPrices, { params: { priceIds: many(50) } }, admin)).unknown,
  ).toHaveLength(50);
  for (const list of [many(51), ',', '%20,%20'])
    expect([
      list.slice(0, 10),
      (await ask(server, 'GET', `/api/admin/stripe/prices/${list}/`, { headers: admin })).status,
    ]).toEqual([list.slice(0, 10), 400]);
});

test('the office finds what may be sold by words and amounts: nothing archived, nothing in dollars, and all pages of Stripe’s list', async (server) => {
  const admin = await makeAdmin(server);
  const shop = shopOf(server);
  const product = await shop.products.create({ name: 'Tribuna d’onore' });
  const gone = await shop.products.create({ name: 'Tribuna passata' });
  const make = (params: Partial<Stripe.PriceCreateParams> = {}) =>
    shop.prices.create({ product: product.id, currency: 'eur', unit_amount: 12_350, ...params });
  const full = await make({ nickname: 'Intero' });
  const reduced = await make({
    nickname: 'Ridotto',
    unit_amount: 9_000,
    lookup_key: 'tribuna-under-26',
  });
  await shop.prices.update((await make()).id, { active: false });
  await make({ currency: 'usd' });
  await make({ product: gone.id });
  await shop.products.update(gone.id, { active: false });
  const find = async (search?: string) =>
    callOk(server, findPrices, { query: search === undefined ? {} : { search } }, admin);
  const ids = async (search: string) => (await find(search)).items.map((price) => price.id);
  expect([
    await ids('TRIBUNA onore'),
    await ids("d'onore 123,50"),
    await ids('under-26'),
    await ids(full.id),
    await ids('passata'),
    await ids('%'),
  ]).toEqual([[reduced.id, full.id], [full.id], [reduced.id], [full.id], [], []]);
  const all = await find();
  expect([
    all.more,
    all.items.every(
      (price) => price.sellable && price.active && price.product.active && price.currency === 'eur',
    ),
  ]).toEqual([false, true]);
  expect(all.items.find((price) => price.id === full.id)).toMatchObject({
    unit_amount: 12_350,
    nickname: 'Intero',
    product: { name: 'Tribuna d’onore' },
  });
  // More than one of Stripe's pages, and more than one screen.
  for (let n = 0; n < 120; n += 1) await make({ nickname: `Fila ${n}`, unit_amount: 1_000 + n });
  server.clock.advance(20_000);
  expect([
    (await find()).items.length,
    (await find()).more,
    await find('fila 3').then(({ items, more }) => [items.length, more]),
  ]).toEqual([50, true, [expect.any(Number), false]]);
  expect(await ids('fila 10,03')).toHaveLength(1);
  expect(await ids('under-26')).toEqual([reduced.id]);
  server.clock.advance(20_000);
  await server.house.standins!.stripe!.close();
  // While it is silent no price is told as missing.
  for (const path of ['prices/?search=x', 'price/price_x'])
    expect(await ask(server, 'GET', `/api/admin/stripe/${path}`, { headers: admin })).toMatchObject(
      aRefusal(503, 'provider_silent'),
    );
});

test('inactive price or archived product: it leaves the page, and is refused when it is asked for all the same', async (server) => {
  const before = await callOk(server, getEvent, { params: evening });
  const types = before.event.attributes.seat_pricing.find(
    (entry) => entry.category === 'Platea',
  )!.ticketTypes;
  const [full, reduced] = types.map((type) => type.price_id) as [string, string];
  await atStripe(server, 'POST', `prices/${reduced}`, { active: 'false' });
  const { product } = await atStripe<{ product: string }>(server, 'GET', `prices/${full}`);
  await atStripe(server, 'POST', `products/${product}`, { active: 'false' });
  server.clock.advance(2 * minute);
  // A page does not wait for Stripe, but the next ones know; a page may be a second old.
  await until(async () => {
    server.clock.advance(1_100);
    const { prices } = await callOk(server, getEvent, { params: evening });
    return prices.every(({ id }) => id !== reduced && id !== full);
  });
  const held = await holdSeats(server, { count: 1, ticket_type: 'ridotto' });
  const refused = await tryBook(server, held);
  expect(refused).toMatchObject(aRefusal(422, 'object_without_price'));
  expect(await server.house.ctx.db('orders')).toEqual([]);
});

test('price changed between page and book: the sum is the server’s, and a payment of another sum is not confirmed in silence', async (server) => {
  const { db } = server.house.ctx;
  const [category] = JSON.parse(
    (await db('events').where({ id: demoEvent }).first()).seat_pricing,
  ) as { ticketTypes: { price_id: string }[] }[];
  const dearer = await atStripe<{ id: string }>(server, 'POST', 'prices', {
    currency: 'eur',
    unit_amount: '4000',
    product: (
      await atStripe<{ product: string }>(
        server,
        'GET',
        `prices/${category!.ticketTypes[0]!.price_id}`,
      )
    ).product,
  });
  const row = await db('events').where({ id: demoEvent }).first();
  await setPolicy(
    server,
    {
      seat_pricing: (row.seat_pricing as string).replaceAll(
        category!.ticketTypes[0]!.price_id,
        dearer.id,
      ),
    },
    demoEvent,
  );
  const order = await makeOrder(server);
  expect(await rowOf(server, order)).toMatchObject({ total_cents: 8_000 });
  expect((await sessionAtStripe(server, order.order_id)).amount_total).toBe(8_000);
  await db('orders').where({ id: order.order_id }).update({ total_cents: 7_999 });
  await payOrder(server, order.checkout_url);
  server.clock.advance(3_000);
  await callOk(server, orderStatus, { params: { orderId: order.order_id } });
  expect(await rowOf(server, order)).toMatchObject({
    state: 'awaiting_payment',
    needs_attention: 'amount_differs',
  });
  expect(await db('tickets')).toEqual([]);
});

test('price of another currency or without an amount is not for sale', async (server) => {
  const { db } = server.house.ctx;
  const row = await db('events').where({ id: demoEvent }).first();
  const [category] = JSON.parse(row.seat_pricing) as { ticketTypes: { price_id: string }[] }[];
  const [full] = category!.ticketTypes;
  const { product } = await atStripe<{ product: string }>(
    server,
    'GET',
    `prices/${full!.price_id}`,
  );
  const dollars = await atStripe<{ id: string }>(server, 'POST', 'prices', {
    currency: 'usd',
    unit_amount: '3200',
    product,
  });
  for (const price_id of [dollars.id, 'price_of_nobody']) {
    await setPolicy(
      server,
      { seat_pricing: (row.seat_pricing as string).replaceAll(full!.price_id, price_id) },
      demoEvent,
    );
    const page = await callOk(server, getEvent, { params: evening });
    expect(
      page.prices.every((price) => price.id !== price_id && Number.isInteger(price.unit_amount)),
    ).toBe(true);
    expect((await tryBook(server, await holdSeats(server, { count: 1 }))).status).toBe(422);
  }
});
