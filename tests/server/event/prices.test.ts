/** Prices typed in euros: made at Stripe, archived when nothing sells them, kept where orders refer to them, and no loss at a death between two calls. */
import { expect } from 'vitest';
import { createEvent, publishEvent, readEvent, updateEvent } from '#server/contract/event-desk.ts';
import type { Asked, ReplyOf } from '#server/contract/endpoint.ts';
import { getEvent } from '#server/contract/events.ts';
import {
  readEventPrices,
  readShowPrices,
  saveEventPrices,
  saveShowPrices,
} from '#server/contract/price-matrix.ts';
import { makeDates } from '#server/contract/shows.ts';
import { ProviderUnavailable } from '#server/adapters/provider.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { inDays, makeForm, nameSeller, type Office } from '#tests/support/event-desk.ts';
import { ask, callOk, makeOrder, aRefusal, payOrder } from '#tests/support/make.ts';
import { makePaid, passTime } from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';
import { atStripe } from '#tests/support/stripe-desk.ts';
import { settle } from '#tests/support/till.ts';

type Typed = Asked<typeof saveEventPrices>['body']['prices'];
type Matrix = ReplyOf<typeof readEventPrices>;

const params = { eventId: 'recital' };
const minute = 60_000;
const types = [
  { ticketType: 'intero', label: 'Intero' },
  { ticketType: 'ridotto', label: 'Ridotto' },
];

/** Stalls 12,50 and 9,00; boxes not sold; the gallery for nothing; 1,50 on top. */
const wish: Typed = {
  types,
  sectors: [
    {
      category: 'Platea',
      not_sold: false,
      cells: [
        { ticketType: 'intero', cents: 1_250 },
        { ticketType: 'ridotto', cents: 900 },
      ],
    },
    { category: 'Palchi', not_sold: true, cells: [] },
    { category: 'Galleria', not_sold: false, cells: [{ ticketType: 'intero', cents: 0 }] },
  ],
  fee: { cents: 150 },
};

async function makeUnpriced(server: TestServer, admin: Office): Promise<void> {
  await nameSeller(server, admin);
  const form = await makeForm(server, { seat_pricing: [] });
  await callOk(server, createEvent, { body: { id: 'recital', ...form } }, admin);
}

const read = (server: TestServer, admin: Office) =>
  callOk(server, readEventPrices, { params }, admin);

async function type(server: TestServer, admin: Office, prices: Typed): Promise<Matrix> {
  const { version } = await read(server, admin);
  return callOk(server, saveEventPrices, { params, body: { version, prices } }, admin);
}

/** Sector by sector what each type costs. */
const inWords = ({ sectors }: Matrix) =>
  sectors.map(({ label, state, cells }) => [
    label,
    state,
    cells.map(({ ticketType, cents }) => `${ticketType} ${cents}`).join(' '),
  ]);

const priceIn = (matrix: Matrix, sector: string, ticketType: string) =>
  matrix.sectors
    .find(({ label }) => label === sector)!
    .cells.find((cell) => cell.ticketType === ticketType)!.price_id;

interface AtStripe {
  active: boolean;
  unit_amount: number;
  product: { name: string; active: boolean };
}
const priceAtStripe = (server: TestServer, id: string) =>
  atStripe<AtStripe>(server, 'GET', `prices/${id}`, { 'expand[]': 'product' });

async function pricesAtStripe(server: TestServer): Promise<number> {
  const { data } = await atStripe<{ data: unknown[] }>(server, 'GET', 'prices', {
    limit: '100',
    active: 'true',
  });
  return data.length;
}

test('amounts become products and prices at Stripe, an unsaid sector stands in the way of publishing, and the public sees what was typed; what nothing sells any more is archived, unless an order refers to it', async (server, admin) => {
  await makeUnpriced(server, admin);
  const empty = await read(server, admin);
  expect(inWords(empty).toSorted()).toEqual([
    ['Galleria', 'unsaid', ''],
    ['Palchi', 'unsaid', ''],
    ['Platea', 'unsaid', ''],
  ]);
  const part = await type(server, admin, { ...wish, sectors: wish.sectors.slice(0, 2) });
  const event = await callOk(server, readEvent, { params }, admin);
  expect([event.unsaid, event.missing]).toEqual([['Galleria'], ['sectors']]);
  const refused = await ask(server, 'POST', '/api/admin/events/recital/publish', {
    body: { version: event.version },
    headers: admin,
  });
  expect(refused).toMatchObject(aRefusal(422, 'event_incomplete', { missing: ['sectors'] }));
  const whole = await type(server, admin, wish);
  expect(inWords(whole).toSorted()).toEqual([
    ['Galleria', 'sold', 'intero 0'],
    ['Palchi', 'not_sold', ''],
    ['Platea', 'sold', 'intero 1250 ridotto 900'],
  ]);
  expect(whole.fee?.cents).toBe(150);
  // What was there already is not made again.
  expect(priceIn(whole, 'Platea', 'intero')).toBe(priceIn(part, 'Platea', 'intero'));
  expect(await priceAtStripe(server, priceIn(whole, 'Platea', 'intero'))).toMatchObject({
    active: true,
    unit_amount: 1_250,
    product: { name: 'Recital · Platea, Intero', active: true },
  });
  await callOk(server, publishEvent, { params, body: { version: whole.version } }, admin);
  const page = await callOk(server, getEvent, { params });
  expect(
    page.event.attributes.seat_pricing.map(({ category, ticketTypes }) => [
      category,
      ticketTypes.map(({ label }) => label),
    ]),
  ).toEqual([
    ['Platea', ['Intero', 'Ridotto']],
    ['Galleria', ['Intero']],
  ]);
  expect([page.fee?.unit_amount, page.prices.map((price) => price.unit_amount).toSorted()]).toEqual(
    [150, [0, 1_250, 900]],
  );

  // A price that nothing sells any more is archived after an hour, and one that an order refers to stays.
  const sold = priceIn(whole, 'Platea', 'intero');
  const unsold = priceIn(whole, 'Platea', 'ridotto');
  await makePaid(server, { event: 'recital', count: 2 });
  const [stalls, ...rest] = wish.sectors;
  const dearer = {
    ...stalls!,
    cells: types.map(({ ticketType }) => ({ ticketType, cents: 1_400 })),
  };
  const { sectors } = await read(server, admin);
  expect(sectors.flatMap(({ cells }) => cells.map((cell) => cell.sold))).toContain(2);
  const begun = await makeOrder(server, { event: 'recital', count: 2, nth: 1 });
  await type(server, admin, { ...wish, sectors: [dearer, ...rest] });
  // A booking that began at the price of before is paid at it.
  await passTime(server, 14 * minute);
  expect((await payOrder(server, begun.checkout_url)).status).toBe(200);
  await settle(server, begun);
  const paid = await server.house.ctx.db('orders').where({ id: begun.order_id }).first();
  expect(paid).toMatchObject({
    state: 'confirmed',
    total_cents: 2 * (1_250 + 150),
  });
  // The longest offer, and the longest time to pay after it: made a moment before or not.
  await passTime(server, 35 * minute);
  expect((await priceAtStripe(server, unsold)).active).toBe(true);
  await passTime(server, 6 * minute);
  for (const [id, active] of [
    [unsold, false],
    [sold, true],
  ] as const)
    expect(await priceAtStripe(server, id)).toMatchObject({ active, product: { active } });
});

it('dead between product and price, nothing is sold at half a price, the next try makes it, and the task clears away what was left', async (server, admin) => {
  await makeUnpriced(server, admin);
  const { ctx } = server.house;
  const before = await pricesAtStripe(server);
  const { fault } = ctx;
  ctx.fault = (point) => {
    if (point === 'product_made') throw new ProviderUnavailable('Stripe', 'dead', undefined);
  };
  const { version } = await read(server, admin);
  const refused = await ask(server, 'PUT', '/api/admin/events/recital/prices', {
    body: { version, prices: wish },
    headers: admin,
  });
  ctx.fault = fault;
  expect(refused).toMatchObject({ body: { code: 'provider_silent' } });
  expect((await read(server, admin)).version).toBe(version);
  expect(
    inWords(await type(server, admin, wish))
      .map(([, state]) => state)
      .toSorted(),
  ).toEqual(['not_sold', 'sold', 'sold']);
  const made = await ctx.db('made_prices').where({ state: 'making' });
  expect(made.length).toBe(4);
  ctx.fault = (point) => {
    ctx.fault = fault;
    if (point === 'price_retired') throw new Error('dead');
  };
  await passTime(server, 6 * minute);
  await passTime(server, 6 * minute);
  expect(await ctx.db('made_prices').select('state').groupBy('state').orderBy('state')).toEqual([
    { state: 'archived' },
    { state: 'live' },
  ]);
  for (const { id } of made)
    expect(await atStripe(server, 'GET', `products/botteghino_${id}`)).toMatchObject({
      active: false,
    });
  // Two in the stalls, one in the gallery, the fee.
  expect(await pricesAtStripe(server)).toBe(before + 4);
});

it('a ticket type or event that is renamed is renamed at Stripe, also after a silence and a death', async (server, admin) => {
  await makeUnpriced(server, admin);
  const before = await type(server, admin, wish);
  const intero = priceIn(before, 'Platea', 'intero');
  const ridotto = priceIn(before, 'Platea', 'ridotto');
  const nameOf = async (id: string) => (await priceAtStripe(server, id)).product.name;
  const title = (await nameOf(intero)).replace(' · Platea, Intero', '');
  const { ctx } = server.house;
  const { fault } = ctx;
  const points: string[] = [];
  ctx.fault = (point) => {
    if (point !== 'price_named') return;
    points.push(point);
    if (points.length === 1) throw new ProviderUnavailable('Stripe', 'silent', undefined);
  };
  const renamed = types.with(0, { ticketType: 'intero', label: 'Intero adulti' });
  await type(server, admin, { ...wish, types: renamed });
  await passTime(server, minute);
  await passTime(server, minute);
  ctx.fault = fault;
  // Stalls and gallery, the first of them twice; Ridotto and the fee are called as before.
  expect(points.length).toBe(3);
  expect(await nameOf(intero)).toBe(`${title} · Platea, Intero adulti`);
  expect(await nameOf(ridotto)).toBe(`${title} · Platea, Ridotto`);
  expect(await ctx.db('made_prices').where({ price_id: intero })).toMatchObject([
    { name: `${title} · Platea, Intero adulti` },
  ]);
  const { version } = await callOk(server, readEvent, { params }, admin);
  const form = await makeForm(server, { title: 'Recital d’inverno' });
  const { seat_pricing, fee_price_id } = (await callOk(server, readEvent, { params }, admin)).form;
  await callOk(
    server,
    updateEvent,
    { params, body: { ...form, version, seat_pricing, fee_price_id } },
    admin,
  );
  await passTime(server, minute);
  await passTime(server, minute);
  expect(await nameOf(ridotto)).toBe('Recital d’inverno · Platea, Ridotto');
  expect(await ctx.db('outbox').where({ task: 'name_price' })).toEqual([]);

  // A name that Stripe refuses is not written down as done: the task is tried again.
  const { nameProduct } = ctx.payments;
  ctx.payments.nameProduct = (id) => nameProduct(id, 'o'.repeat(1_600));
  await type(server, admin, { ...wish, types: types.with(0, { ...types[0]!, label: 'Adulti' }) });
  await passTime(server, minute);
  ctx.payments.nameProduct = nameProduct;
  const told = await ctx.db('outbox').where({ task: 'name_price' }).pluck('last_error');
  expect(told.map((error: string | null) => error?.includes('Stripe'))).toEqual([true, true]);
  expect(await ctx.db('made_prices').where({ price_id: intero }).pluck('name')).toEqual([
    'Recital d’inverno · Platea, Intero adulti',
  ]);
  await passTime(server, 10 * minute);
  // What was named is looked at once more, a moment later.
  await passTime(server, minute);
  expect(await ctx.db('outbox').where({ task: 'name_price' })).toEqual([]);
  expect(await nameOf(intero)).toBe('Recital d’inverno · Platea, Adulti');
});

test('the prices of a show are those of its dates; a date with its own says so and keeps them, and an old preview is refused', async (server, admin) => {
  await makeUnpriced(server, admin);
  await type(server, admin, wish);
  const show = { showId: 'recital' };
  await callOk(
    server,
    makeDates,
    { params: show, body: { like: 'recital', starts: [inDays(server, 50), inDays(server, 51)] } },
    admin,
  );
  const before = await callOk(server, readShowPrices, { params: show }, admin);
  expect(before.dates.map(({ differs }) => differs)).toEqual([false, false, false]);
  const cheap: Typed = {
    ...wish,
    sectors: [
      { category: 'Platea', not_sold: false, cells: [{ ticketType: 'intero', cents: 800 }] },
      ...wish.sectors.slice(1),
    ],
  };
  await type(server, admin, cheap);
  expect((await read(server, admin)).differs).toBe(true);
  const body = (matrix: ReplyOf<typeof readShowPrices>) => ({
    version: matrix.version,
    dates: matrix.dates.map(({ id, version }) => ({ id, version })),
    prices: { ...wish, fee: null },
  });
  const countMade = () => server.house.ctx.db('made_prices').count({ n: '*' }).first();
  const madeBefore = await countMade();
  const late = await ask(server, 'PUT', '/api/admin/shows/recital/prices', {
    body: body(before),
    headers: admin,
  });
  expect(late).toMatchObject(aRefusal(409, 'show_changed'));
  // No price was made at Stripe for what is refused.
  expect(await countMade()).toEqual(madeBefore);
  const now = await callOk(server, readShowPrices, { params: show }, admin);
  expect(now.dates.map(({ differs }) => differs)).toEqual([true, false, false]);
  await callOk(server, saveShowPrices, { params: show, body: body(now) }, admin);
  const own = await read(server, admin);
  expect(own.sectors.find(({ label }) => label === 'Platea')!.cells).toMatchObject([
    { cents: 800 },
  ]);
  const [, second] = now.dates;
  const follows = await callOk(server, readEventPrices, { params: { eventId: second!.id } }, admin);
  expect([follows.differs, follows.fee]).toEqual([false, null]);
});

it('what is no table of prices is refused and changes nothing', async (server, admin) => {
  await makeUnpriced(server, admin);
  const { version } = await read(server, admin);
  const put = async (prices: object) =>
    (
      await ask(server, 'PUT', '/api/admin/events/recital/prices', {
        body: { version, prices: { ...wish, ...prices } },
        headers: admin,
      })
    ).status;
  const stalls = (cell: object) => ({
    sectors: [{ category: 'Platea', not_sold: false, cells: [cell] }],
  });
  expect([
    await put(stalls({ ticketType: 'intero', cents: 20 })),
    await put(stalls({ ticketType: 'intero', cents: -100 })),
    await put(stalls({ ticketType: 'intero', cents: 10.5 })),
    await put(stalls({ ticketType: 'socio', cents: 1_000 })),
    await put({ types: [...types, { ticketType: 'x', label: 'INTERO' }] }),
    await put({ sectors: [{ ...wish.sectors[0], not_sold: true }] }),
    await put({ sectors: [{ category: 'Loggione', not_sold: true, cells: [] }] }),
    await put(stalls({ ticketType: 'intero', price_id: 'price_nobody' })),
  ]).toEqual([400, 400, 400, 400, 400, 400, 422, 422]);
  expect((await read(server, admin)).version).toBe(version);
});
