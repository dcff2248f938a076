/** The event form: a draft becomes an event on sale, is changed under everybody's eyes, and nothing wrong gets through. */
import { expect } from 'vitest';
import {
  createEvent,
  duplicateEvent,
  publishEvent,
  readEvent,
  unpublishEvent,
} from '#server/contract/event-desk.ts';
import { getEvent, listPublished } from '#server/contract/events.ts';
import { orderStatus } from '#server/contract/order/orders.ts';
import { ProviderUnavailable } from '#server/adapters/provider.ts';
import { testOnBoth as it, testOnSqlite as test } from '#tests/support/both.ts';
import { lastSundayOf } from '#tests/support/calendar.ts';
import {
  forgetSeller,
  inDays,
  makeDraft,
  makeForm,
  makePublished,
  nameSeller,
  save,
  trySave,
  withTheRest,
  type Office,
} from '#tests/support/event-desk.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import {
  ask,
  callOk,
  makeHoldToken,
  holdObjects,
  makeOrder,
  payOrder,
  aRefusal,
} from '#tests/support/make.ts';
import { addRow, redraw } from '#tests/support/door/redraw.ts';
import { setPolicy } from '#tests/support/refunds.ts';
import { type TestServer } from '#tests/support/server.ts';
import { atStripe } from '#tests/support/stripe-desk.ts';
import { passUndo } from '#tests/support/undo.ts';

const params = { eventId: 'recital' };

function post(server: TestServer, path: string, body: unknown, headers: Office) {
  return ask(server, 'POST', `/api/admin/events/${path}`, { body, headers });
}

const deskOf = (server: TestServer, admin: Office) => callOk(server, readEvent, { params }, admin);
const pageOf = (server: TestServer, eventId = 'recital') =>
  callOk(server, getEvent, { params: { eventId } });
const statusOf = async (server: TestServer, path: string, headers = {}) =>
  (await ask(server, 'GET', path, { headers })).status;

/** One type of ticket in one category. */
const priced = (price_id: string, category = 'Platea') => [
  { category, ticketTypes: [{ price_id, ticketType: 'intero', label: 'Intero' }] },
];

const ensurePrice = (server: TestServer, lookup_key: string, unit_amount: number) =>
  server.house.ctx.payments.ensurePrice({ lookup_key, product: 'Recital', unit_amount });

it('a draft is unknown to the public, says what it lacks, goes on sale and comes back', async (server, admin) => {
  await forgetSeller(server);
  const draft = await makeDraft(server, admin, {
    title: '',
    venue_title: '',
    chart_key: null,
    seat_pricing: [],
    starts_at: inDays(server, -1),
  });
  expect([draft.status, draft.version]).toEqual(['draft', 1]);
  expect([draft.form.vat_percent, draft.form.fee_vat_percent]).toEqual([10, 10]);
  expect(draft.missing.join(' ')).toBe(
    'title starts_at venue_title chart_key seat_pricing organiser_tax support_email',
  );
  expect(await statusOf(server, '/api/event/recital/')).toBe(404);
  expect(await post(server, 'recital/publish', { version: 1 }, admin)).toMatchObject(
    aRefusal(422, 'event_incomplete', { missing: draft.missing }),
  );

  await nameSeller(server, admin);
  const complete = await save(server, admin, draft, await makeForm(server));
  expect([complete.missing, complete.counts.places, complete.version]).toEqual([[], 639, 2]);
  const published = await callOk(server, publishEvent, { params, body: { version: 2 } }, admin);
  expect(published).toMatchObject({
    status: 'published',
    version: 3,
    seatsio_event_key: 'recital',
    form: { chart_key: 'teatro-goldoni' },
  });
  expect(await pageOf(server)).toMatchObject({
    event: {
      title: 'Recital',
      nominative: false,
      ends_at: null,
      attributes: {
        description: '<p>Chopin e <strong>Liszt</strong>.</p>',
        seat_pricing: [{ category: 'Platea', ticketTypes: [{ label: 'Intero' }] }],
      },
    },
    venue_address: 'Corte del Teatro 4, Venezia',
    banner_image: null,
    terms: null,
    availability: 'many',
    places_left: null,
    prices: [{ unit_amount: 2_000 }],
  });
  // It is really for sale: the hall at the seat map is its own.
  const token = await makeHoldToken(server);
  const seat = { object_id: 'Platea-A-1', ticket_type: 'intero' };
  expect((await holdObjects(server, token, [seat], 'recital')).status).toBe(200);
  const { items } = await callOk(server, listPublished, {});
  expect(items.map((event) => event.id)).toContain('recital');

  const back = await callOk(server, unpublishEvent, { params, body: { version: 3 } }, admin);
  expect([back.status, await statusOf(server, '/api/event/recital/')]).toEqual(['draft', 404]);
  const book: string[] = await server.house.ctx
    .db('audit')
    .where({ subject: 'recital' })
    .pluck('action');
  expect(book.toSorted().join(' ')).toBe(
    'event_created event_published event_saved event_unpublished',
  );
  expect(server.logged).toEqual([]);
});

test('a change is on the page at once, and the book says what it was before', async (server, admin) => {
  const event = await makePublished(server, admin);
  const events = server.house.ctx.db('events').where({ id: event.id });
  // Phones ask for everything again when an event becomes nominative: then they need the names.
  const epoch = async () => (await events.clone().first('feed_epoch')).feed_epoch;
  const before = await epoch();
  const plain = await save(server, admin, event, { title: 'Recital II' });
  expect(await epoch()).toBe(before);
  await pageOf(server);
  const price_id = await ensurePrice(server, 'recital-ridotto', 1_500);
  const reduced = { price_id, ticketType: 'ridotto', label: 'Ridotto' };
  const { ticketTypes } = event.form.seat_pricing[0]!;
  const saved = await save(server, admin, plain, {
    title: 'Recital di Natale',
    doors_at: inDays(server, 39),
    seat_pricing: [{ category: 'Platea', ticketTypes: [...ticketTypes, reduced] }],
    nominative: true,
    terms: '<p>Niente foto.</p>',
    max_seats: 4,
    max_per_email: 4,
    kind: 'music',
  });
  expect(saved.version).toBe(plain.version + 1);
  expect(saved.form).toMatchObject({ max_per_email: 4, kind: 'music' });
  expect(plain.form).toMatchObject({ max_per_email: null, kind: 'other' });
  expect(await epoch()).not.toBe(before);
  expect(await pageOf(server)).toMatchObject({
    event: { title: 'Recital di Natale', nominative: true, doors_at: saved.form.doors_at },
    terms: '<p>Niente foto.</p>',
    sales: { max_seats: 4 },
    prices: [{ unit_amount: 2_000 }, { unit_amount: 1_500 }],
  });
  const rows: { detail: string; actor: string }[] = await server.house.ctx
    .db('audit')
    .where({ subject: 'recital', action: 'event_saved' });
  const told = rows.map(({ actor, detail }) => ({ actor, ...JSON.parse(detail) }));
  const { changed, actor } = told.find((row) => 'terms' in row.changed);
  expect(Object.keys(changed).toSorted().join(' ')).toBe(
    'doors_at kind max_per_email max_seats nominative seat_pricing terms title',
  );
  expect(changed.title).toEqual({ from: 'Recital II', to: 'Recital di Natale' });
  expect(actor).toMatch(/^user:/);
});

it('of several who make or save the same form at the same moment one wins, the others are told', async (server, admin) => {
  const form = { id: 'recital', ...(await makeForm(server)) };
  const made = await Promise.all([1, 2, 3].map(() => post(server, '', form, admin)));
  const event = await deskOf(server, admin);
  const saved = await Promise.all(
    ['Uno', 'Due', 'Tre', 'Quattro'].map((title) => trySave(server, admin, event, { title })),
  );
  for (const [answers, code] of [
    [made, 'slug_taken'],
    [saved, 'event_changed'],
  ] as const) {
    const others = answers.filter(({ status }) => status !== 200);
    expect(others).toHaveLength(answers.length - 1);
    for (const other of others) expect(other).toMatchObject(aRefusal(409, code));
  }
  const winner = saved.find(({ status }) => status === 200)!.body as { form: { title: string } };
  const now = await deskOf(server, admin);
  expect([now.form.title, now.version]).toEqual([winner.form.title, 2]);
  // An event that was cancelled meanwhile is not brought back by an old form.
  await setPolicy(server, { status: 'cancelled' }, 'recital');
  expect(await trySave(server, admin, now, { title: 'Ancora' })).toMatchObject(
    aRefusal(410, 'event_cancelled'),
  );
});

test('a price that Stripe would not sell is named, and so is a category that the chart does not have', async (server, admin) => {
  const { id: product } = await atStripe<{ id: string }>(server, 'POST', 'products', {
    name: 'Recital',
  });
  const make = async (more: Record<string, string> = {}) => {
    const fields = { product, currency: 'eur', unit_amount: '1000', ...more };
    return (await atStripe<{ id: string }>(server, 'POST', 'prices', fields)).id;
  };
  const [dollars, archived, good] = [await make({ currency: 'usd' }), await make(), await make()];
  await atStripe(server, 'POST', `prices/${archived}`, { active: 'false' });
  const create = async (changes: Parameters<typeof makeForm>[1]) =>
    post(server, '', { id: 'recital', ...(await makeForm(server, changes)) }, admin);
  for (const [price_id, why] of [
    [dollars, 'not_eur'],
    [archived, 'inactive'],
    ['price_nessuno', 'unknown'],
  ] as const)
    for (const changes of [{ seat_pricing: priced(price_id) }, { fee_price_id: price_id }])
      expect(await create(changes)).toMatchObject(
        aRefusal(422, 'price_not_sellable', { prices: [{ price_id, why }] }),
      );
  expect(await create({ seat_pricing: priced(good, 'Loggione') })).toMatchObject(
    aRefusal(422, 'category_unknown', { categories: ['Loggione'] }),
  );
  expect(await create({ chart_key: 'nessuna' })).toMatchObject(aRefusal(404, 'chart_not_found'));
  expect(await statusOf(server, '/api/admin/events/recital', admin)).toBe(404);

  // A price that was archived after it came into the event does not stand in the way of a new text, but of going on sale.
  await nameSeller(server, admin);
  const { ticketTypes } = (await makeForm(server)).seat_pricing[0]!;
  const draft = await makeDraft(server, admin, {
    seat_pricing: withTheRest([...priced(good), { category: 'Galleria', ticketTypes }]),
  });
  await atStripe(server, 'POST', `prices/${good}`, { active: 'false' });
  const { version } = await save(server, admin, draft, { title: 'Altro titolo' });
  const prices = [{ price_id: good, why: 'inactive' }];
  expect(await post(server, 'recital/publish', { version }, admin)).toMatchObject(
    aRefusal(422, 'price_not_sellable', { prices }),
  );
});

test('the chart may be another until somebody has an order', async (server, admin) => {
  const event = await makePublished(server, admin);
  const { price_id } = event.form.seat_pricing[0]!.ticketTypes[0]!;
  const chart_key = 'sala-delle-feste';
  const category = (await server.house.ctx.charts.categories(chart_key))[0]!.label;
  const other = { chart_key, seat_pricing: priced(price_id, category) };
  expect(await trySave(server, admin, event, { chart_key })).toMatchObject(
    aRefusal(422, 'category_unknown'),
  );
  const moved = await save(server, admin, event, other);
  expect([moved.seatsio_event_key, moved.form.chart_key]).toEqual(['recital-2', chart_key]);
  expect(moved.counts.places).not.toBe(639);
  expect((await pageOf(server)).event.seatsio_event_key).toBe('recital-2');
  // Back again: the first hall is still there, empty.
  const back = await save(server, admin, moved, {
    chart_key: 'teatro-goldoni',
    seat_pricing: priced(price_id),
  });
  expect([back.seatsio_event_key, back.counts.places]).toEqual(['recital', 639]);
  const order = await makeOrder(server, { event: 'recital', seats: ['Platea-A-1', 'Platea-A-2'] });
  const sold = await deskOf(server, admin);
  expect([sold.orders, sold.buyers]).toEqual([1, 0]);
  const { version } = sold;
  for (const answer of [
    await trySave(server, admin, sold, other),
    await post(server, 'recital/unpublish', { version }, admin),
  ])
    expect(answer).toMatchObject(aRefusal(409, 'event_has_orders'));
  // The sum of an order is what it was, whatever the prices become.
  const dear = await ensurePrice(server, 'recital-caro', 9_900);
  await save(server, admin, sold, { seat_pricing: priced(dear) });
  await payOrder(server, order.checkout_url);
  const { order_id: id } = order;
  const { order_confirmed_at } = await callOk(server, orderStatus, { params: { orderId: id } });
  expect(order_confirmed_at).not.toBeNull();
  const { total_cents } = await server.house.ctx.db('orders').where({ id }).first();
  expect(total_cents).toBe(4_000);
  expect(server.logged).toEqual([]);
});

test('whoever has bought is written to when date or place change, once, and only after the office has seen how many', async (server, admin) => {
  const { db } = server.house.ctx;
  await makePublished(server, admin);
  const order = await makePaidOrder(
    server,
    { name: 'Ada Neri', email: 'ada@posta.it' },
    { event: 'recital', seats: ['Platea-A-1', 'Platea-A-2'] },
  );
  await makeOrder(server, { event: 'recital', seats: ['Platea-B-1'] });
  const event = await deskOf(server, admin);
  expect([event.orders, event.buyers]).toEqual([2, 1]);
  const seqNow = async () => Number((await db('events').where({ id: 'recital' }).first()).feed_seq);
  const seq = await seqNow();
  const starts_at = inDays(server, 47);
  for (const wrong of [{}, { tell_buyers: 0 }, { tell_buyers: 2 }])
    expect(await trySave(server, admin, event, { starts_at, ...wrong })).toMatchObject(
      aRefusal(409, 'buyers_to_tell', { buyers: 1 }),
    );
  const texts = await save(server, admin, event, { description: '<p>Anche Brahms.</p>' });
  const moved = await save(server, admin, texts, { starts_at, tell_buyers: 1 });
  await passUndo(server);
  await server.runDue();
  const mails = await db('mails').where({ kind: 'event_changed' });
  expect(
    mails.map(({ order_id, state, to_address, key }) => [order_id, state, to_address, key]),
  ).toEqual([[order.order_id, 'sent', 'ada@posta.it', `v${moved.version}`]]);
  // The door hears of the new evening.
  expect(await seqNow()).toBeGreaterThan(seq);
  expect(server.logged).toEqual([]);
});

test('what a text could do to a reader is taken out, and a text of before keeps its paragraphs', async (server, admin) => {
  const nasty = [
    '<script>alert(1)</script><p onclick="x()" style="color:red" class="a">Uno</p>',
    '<img src=x onerror=alert(1)>',
    '<a href="javascript:alert(1)">due</a>',
    '<a href=" java\nscript:alert(1)">tre</a>',
    '<a href="//male.example">quattro</a>',
    '<a href="https://bene.example/?a=1&b=2" target="_blank" onmouseover="x()">cinque</a>',
    '<svg><script>alert(1)</script></svg>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<math><mi xlink:href="data:x,<script>alert(1)</script>"></mi></math>',
    '<p>a<!--><script>alert(1)</script>--></p>',
    '<style>@import "x"</style>',
    '<form action="/x"><button>sei</button></form>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
    `${'<ul><li>'.repeat(40)}sette`,
  ].join('');
  const title = '<img src=x onerror=alert(1)>"\'&';
  const draft = await makeDraft(server, admin, { title, description: nasty, terms: '<p> </p>' });
  const { description, terms } = draft.form;
  expect(description).not.toMatch(
    /<(script|img|svg|iframe|math|style|form|button|noscript)|javascript|onclick|onerror|onmouseover|style=|class=|target=|male\.example|srcdoc|<!--/i,
  );
  expect(description).toContain('<a href="https://bene.example/?a=1&amp;b=2">cinque</a>');
  for (const word of ['Uno', 'due', 'tre', 'quattro', 'sei', 'sette'])
    expect(description).toContain(word);
  expect([draft.title, terms]).toEqual([title, null]);
  expect((description.match(/<ul>/g) ?? []).length).toBeLessThan(15);
  // Cleaned again when read: what lies in the table may be older than the rules.
  const shownOf = async (texts: object) => {
    await setPolicy(server, { ...texts, demo: 0 }, 'la-locandiera');
    const page = await pageOf(server, 'la-locandiera');
    return [page.event.attributes.description, page.terms];
  };
  expect(
    await shownOf({
      description: '<p>ok</p><script>alert(1)</script>',
      terms: '<a href="javascript:x">x</a>',
    }),
  ).toEqual(['<p>ok</p>', '<a>x</a>']);
  const plain = await shownOf({ description: 'Prima parte,\ndue righe & 3 < 5.\n\nSeconda.' });
  expect(plain[0]).toBe('<p>Prima parte,<br />due righe &amp; 3 &lt; 5.</p><p>Seconda.</p>');
  // As long as it may be, in letters of three bytes, both texts and many prices: it fits into one request.
  const long = `<p>${'€'.repeat(19_990)}</p>`;
  const ticketTypes = Array.from({ length: 20 }, (_, index) => ({
    ...draft.form.seat_pricing[0]!.ticketTypes[0]!,
    ticketType: `tipo ${index}`,
    label: 'L'.repeat(80),
  }));
  const sectors = ['Platea', 'Palchi', 'Galleria'];
  const seat_pricing = sectors.map((category) => ({ category, ticketTypes }));
  const texts = { description: long, terms: long };
  const full = await save(server, admin, draft, { ...texts, seat_pricing });
  expect(full.form).toMatchObject(texts);
  const tooLong = { description: `<p>${'a'.repeat(20_001)}</p>` };
  expect(await trySave(server, admin, full, tooLong)).toMatchObject(
    aRefusal(422, 'text_too_long', { fields: ['description'] }),
  );
});

test('times stay what they are over the nights in which the clocks are set, and are in order', async (server, admin) => {
  // 02:30 exists twice on the last Sunday of October, and on that of March not at all: instants know no such thing.
  const [october, lastOfMarch] = [lastSundayOf(10), lastSundayOf(3)];
  const [doors_at, starts_at] = [`${october}T00:30:00.000Z`, `${october}T01:30:00.000Z`];
  const autumn = await makeDraft(server, admin, {
    id: 'autunno',
    starts_at,
    doors_at,
    ends_at: `${october}T02:30:00.000Z`,
  });
  expect(autumn).toMatchObject({ starts_at, form: { starts_at, doors_at } });
  const spring = `${lastOfMarch}T01:00:00.000Z`;
  const march = await makeDraft(server, admin, {
    starts_at: spring,
    ends_at: `${lastOfMarch}T01:00:00.001Z`,
  });
  expect((await deskOf(server, admin)).form.starts_at).toBe(spring);

  const form = await makeForm(server);
  const at = (days: number) => inDays(server, days);
  for (const [changes, field] of [
    [{ doors_at: at(41) }, 'doors_at'],
    [{ ends_at: form.starts_at }, 'ends_at'],
    [{ admits_from: at(41) }, 'admits_from'],
    [{ admits_from: at(39), admits_until: at(38.9) }, 'admits_until'],
    [{ doors_at: at(39.5), admits_until: at(39) }, 'admits_until'],
    [{ sales_opens_at: at(41) }, 'sales_opens_at'],
    [{ sales_opens_at: at(3), sales_closes_at: at(2) }, 'sales_opens_at'],
    [{ sales_closes_at: at(42) }, 'sales_closes_at'],
  ] as const)
    expect([changes, await trySave(server, admin, march, { ...form, ...changes })]).toMatchObject([
      changes,
      aRefusal(422, 'event_times_wrong', { fields: [field] }),
    ]);
  const noTimes: unknown[] = ['ieri', '2027-03-28', '1999-01-01T00:00:00Z', 7, null];
  for (const none of [...noTimes, '2200-01-01T00:00:00Z', '2027-13-45T00:00:00Z']) {
    const { status } = await trySave(server, admin, march, { starts_at: none as string });
    expect([none, status]).toEqual([none, 400]);
  }
});

test('wrong types, huge numbers and strange addresses are clear refusals', async (server, admin) => {
  const draft = await makeDraft(server, admin);
  const types = draft.form.seat_pricing[0]!.ticketTypes;
  const stalls = { category: 'Platea', ticketTypes: types };
  const wrong: Record<string, unknown[]> = {
    title: [null, 7, 'a'.repeat(201), 'a\u0000b', {}],
    kind: ['circo'],
    max_seats: [0, 51, 1e308, -1, 1.5, '5', null],
    max_per_email: [0, 101],
    pay_minutes: [4, 31, Number.MAX_SAFE_INTEGER],
    refund_days: [-1, 366],
    holder_changes_max: [0, 11],
    exchange: ['sì', 1, null],
    exchange_until_hours: [-1, 721],
    exchange_fee_cents: [-1, 10_001, 0.5],
    nominative: ['true', 1, null],
    refund_request: ['always', null],
    verify_policy: ['x'],
    version: [0, -1, 1.5, 2 ** 40, null, '1'],
    venue_href: 'javascript:alert(1)|http://|https://user@host/|ftp://x||/x|https://a b'.split('|'),
    banner_image:
      'javascript:x|/etc/passwd|/media/../x|//x|http://x/y.png|data:image/png;base64,AA'.split('|'),
    chart_key: ['../charts', 'a b', ''],
    fee_price_id: ['../x', ''],
    seat_pricing: [
      null,
      {},
      [{ category: 'Platea' }],
      [stalls, stalls],
      [{ ...stalls, ticketTypes: [...types, ...types] }],
      [{ category: '', ticketTypes: [] }],
      Array.from({ length: 51 }, (_, index) => ({ category: `c${index}`, ticketTypes: [] })),
    ],
  };
  for (const [field, values] of Object.entries(wrong))
    for (const value of values)
      expect([field, value, await trySave(server, admin, draft, { [field]: value })]).toMatchObject(
        [field, value, aRefusal(400, 'bad_request')],
      );
  const banner_image = '/media/aaaaaaaaaaaaaaaa';
  expect(await trySave(server, admin, draft, { banner_image })).toMatchObject(
    aRefusal(422, 'image_unknown'),
  );
  expect((await deskOf(server, admin)).version).toBe(1);
  const make = async (id: unknown) => (await post(server, '', { id, ...draft.form }, admin)).status;
  const noWords =
    '|Recital|recital-|-recital|re--cital|è-natale|../admin|..|a/b|a%2fb|recital |a_b';
  const noAddresses = ['x'.repeat(61), 'a\u0000b', null, 7, ['a']];
  for (const id of [...noWords.split('|'), ...noAddresses])
    expect([id, await make(id)]).toEqual([id, 400]);
  for (const id of ['1', 'x'.repeat(60)]) expect([id, await make(id)]).toEqual([id, 200]);
  expect(server.logged).toEqual([]);
});

test('a copy has the same texts and prices, its own address and its own hall', async (server, admin) => {
  const own = { nominative: true, terms: '<p>Solo soci.</p>' };
  const event = await makePublished(server, admin, own);
  const order = await makeOrder(server, { event: 'recital', seats: ['Platea-A-1'] });
  await payOrder(server, order.checkout_url);
  const copyOf = (eventId: string, id: string) =>
    callOk(server, duplicateEvent, { params: { eventId }, body: { id } }, admin);
  expect(await copyOf('recital', 'recital-bis')).toMatchObject({
    id: 'recital-bis',
    status: 'draft',
    version: 1,
    seatsio_event_key: 'recital-bis',
    form: event.form,
    orders: 0,
    counts: { places: 639, sold: 0 },
    // It has its original's day still.
    missing: ['starts_at'],
  });
  const hall = await server.house.ctx.seats.objects('recital-bis');
  expect(hall.every(({ status }) => status === 'free')).toBe(true);
  expect(await post(server, 'recital/duplicate', { id: 'recital-bis' }, admin)).toMatchObject(
    aRefusal(409, 'slug_taken'),
  );
  expect((await post(server, 'nessuno/duplicate', { id: 'altro' }, admin)).status).toBe(404);
  // The demo knows its chart as well.
  expect((await copyOf('la-locandiera', 'replica')).counts.places).toBe(639);
});

test('an event that the seat map has already is taken over with its chart, but only by one of ours', async (server, admin) => {
  const seatsio_event_key = 'vecchio-evento';
  await server.house.ctx.seats.ensureEvent(seatsio_event_key, {
    chartKey: 'teatro-goldoni',
    name: 'Vecchio',
  });
  const form = await makeForm(server, { chart_key: null });
  const body = { id: 'recital', seatsio_event_key, ...form };
  expect(await callOk(server, createEvent, { body }, admin)).toMatchObject({
    seatsio_event_key,
    form: { chart_key: 'teatro-goldoni' },
    counts: { places: 639 },
  });
  for (const [key, status, code] of [
    [seatsio_event_key, 409, 'seat_event_taken'],
    ['nessuno', 404, 'seat_event_not_found'],
  ] as const)
    expect(
      await post(server, '', { ...body, id: 'due', seatsio_event_key: key }, admin),
    ).toMatchObject({ status, body: { code } });
});

test('without the seat map or Stripe nothing is half made, and texts can still be saved', async (server, admin) => {
  await forgetSeller(server);
  const draft = await makeDraft(server, admin);
  const form = await makeForm(server);
  await server.house.standins!.seatsio!.close();
  await server.house.standins!.stripe!.close();
  expect(await post(server, '', { id: 'altro', ...form }, admin)).toMatchObject(
    aRefusal(503, 'provider_silent'),
  );
  expect(await statusOf(server, '/api/admin/events/altro', admin)).toBe(404);
  const { missing } = await save(server, admin, draft, { title: 'Altro titolo' });
  expect(missing).toEqual(['organiser_tax', 'support_email']);
});

it('how many are left is told only when few are', async (server, admin) => {
  const event = await makePublished(server, admin);
  const { db } = server.house.ctx;
  const left = async () => {
    server.clock.advance(2_000);
    const { availability, places_left } = await pageOf(server);
    const { items } = await callOk(server, listPublished, {});
    const teaser = items.find((item) => item.id === 'recital')!;
    expect([teaser.availability, teaser.places_left]).toEqual([availability, places_left]);
    return [availability, places_left];
  };
  const platea: string[] = await db('places')
    .where({ event_id: 'recital', category: 'Platea' })
    .orderBy('place')
    .pluck('place');
  // A person buys one order, which then has all the places that the test wants gone.
  const { order_id } = await makeOrder(server, { event: 'recital', seats: ['Platea-A-1'] });
  const line = await db('order_lines').where({ order_id }).first();
  const take = async (keep: number) => {
    const gone = platea.filter((place) => place !== line.place).slice(0, platea.length - keep - 1);
    await db('order_lines').where({ order_id }).whereNot({ id: line.id }).delete();
    const lines = gone.map((place, at) => ({ ...line, id: `l${at}`, place, position: at + 2 }));
    await db('order_lines').insert(lines);
  };
  expect(await left()).toEqual(['many', null]);
  await take(21);
  expect(await left()).toEqual(['many', null]);
  await take(20);
  expect(await left()).toEqual(['few', 20]);
  await take(0);
  expect(await left()).toEqual(['none', null]);
  // The gallery gets a price: it is not sold out any more.
  const { ticketTypes } = event.form.seat_pricing[0]!;
  await save(server, admin, await deskOf(server, admin), {
    seat_pricing: event.form.seat_pricing.map((entry) =>
      entry.category === 'Galleria' ? { ...entry, ticketTypes } : entry,
    ),
  });
  expect(await left()).toEqual(['many', null]);
});

test('a plain save brings in what the chart has got meanwhile, and says how many places; a silent seat map keeps nobody from saving a text', async (server, admin) => {
  const event = await makePublished(server, admin);
  expect(event.new_places).toBe(0);
  const { ctx } = server.house;
  const count = async () =>
    (await ctx.db('places').where({ event_id: event.id }).pluck('place')).length;
  const before = await count();
  await redraw(server, (drawing) => addRow(drawing));
  const saved = await save(server, admin, event, { title: 'Recital II' });
  expect(saved.new_places).toBeGreaterThan(3);
  const more = before + saved.new_places;
  expect([await count(), saved.counts.places]).toEqual([more, more]);
  expect((await deskOf(server, admin)).new_places).toBe(0);
  const again = await save(server, admin, saved, { title: 'Recital III' });
  expect([again.new_places, await count()]).toEqual([0, more]);

  await redraw(server, (drawing) => addRow(drawing, 'Y'));
  const { seats } = ctx;
  const objects = () => Promise.reject(new ProviderUnavailable('seats.io', 'no answer', null));
  ctx.seats = { ...seats, objects };
  const silent = await save(server, admin, again, { title: 'Recital IV' });
  expect([silent.form.title, silent.new_places]).toEqual(['Recital IV', 0]);
  // A category that the book does not know could only come from there.
  const seat_pricing = [{ ...silent.form.seat_pricing[0]!, category: 'Nuova' }];
  expect(await trySave(server, admin, silent, { seat_pricing })).toMatchObject(
    aRefusal(503, 'provider_silent'),
  );
  ctx.seats = seats;
  const heard = await save(server, admin, silent, { title: 'Recital V' });
  expect(heard.new_places).toBe(saved.new_places);
});
