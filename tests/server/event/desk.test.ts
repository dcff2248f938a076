/** The event form: a draft becomes an event on sale, is changed under everybody's eyes, and nothing wrong gets through. */
import { expect, test } from 'vitest';
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
import { testOnBoth } from '#tests/support/both.ts';
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
} from '#tests/support/event-desk.ts';
import {
  ask,
  callOk,
  makeAdmin,
  makeHoldToken,
  holdObjects,
  makeOrder,
  payOrder,
} from '#tests/support/make.ts';
import { addRow, redraw } from '#tests/support/door/redraw.ts';
import { asRole } from '#tests/support/roles.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { atStripe } from '#tests/support/stripe-desk.ts';

function post(server: TestServer, path: string, body: unknown, headers: { cookie: string }) {
  return ask(server, 'POST', path, { body, headers });
}

testOnBoth(
  'a draft is unknown to the public, says what it lacks, goes on sale and comes back',
  async (server) => {
    const admin = await makeAdmin(server);
    await forgetSeller(server);
    const draft = await makeDraft(server, admin, {
      title: '',
      venue_title: '',
      chart_key: null,
      seat_pricing: [],
      starts_at: inDays(server, -1),
    });
    expect([draft.status, draft.version, draft.missing]).toEqual([
      'draft',
      1,
      [
        'title',
        'starts_at',
        'venue_title',
        'chart_key',
        'seat_pricing',
        'organiser_tax',
        'support_email',
      ],
    ]);
    expect((await ask(server, 'GET', '/api/event/recital/')).status).toBe(404);
    const refused = await post(server, '/api/admin/events/recital/publish', { version: 1 }, admin);
    expect([refused.status, refused.body]).toMatchObject([
      422,
      { code: 'event_incomplete', detail: { missing: draft.missing } },
    ]);

    await nameSeller(server, admin);
    const complete = await save(server, admin, draft, await makeForm(server));
    expect([complete.missing, complete.counts.places, complete.version]).toEqual([[], 639, 2]);
    const published = await callOk(
      server,
      publishEvent,
      { params: { eventId: 'recital' }, body: { version: 2 } },
      admin,
    );
    expect(published).toMatchObject({
      status: 'published',
      version: 3,
      seatsio_event_key: 'recital',
      form: { chart_key: 'teatro-goldoni' },
    });
    const page = await callOk(server, getEvent, { params: { eventId: 'recital' } });
    expect(page).toMatchObject({
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
    expect(
      (
        await holdObjects(
          server,
          await makeHoldToken(server),
          [{ object_id: 'Platea-A-1', ticket_type: 'intero' }],
          'recital',
        )
      ).status,
    ).toBe(200);
    expect((await callOk(server, listPublished, {})).items.map((event) => event.id)).toContain(
      'recital',
    );

    const back = await callOk(
      server,
      unpublishEvent,
      { params: { eventId: 'recital' }, body: { version: 3 } },
      admin,
    );
    expect([back.status, (await ask(server, 'GET', '/api/event/recital/')).status]).toEqual([
      'draft',
      404,
    ]);
    const book = (
      await server.house.ctx.db('audit').where({ subject: 'recital' }).orderBy('at')
    ).map((row) => row.action);
    expect(book.toSorted()).toEqual([
      'event_created',
      'event_published',
      'event_saved',
      'event_unpublished',
    ]);
    expect(server.logged).toEqual([]);
  },
);

testOnBoth(
  'a change is on the page at once, and the book says what it was before',
  async (server) => {
    const admin = await makeAdmin(server);
    const event = await makePublished(server, admin);
    await callOk(server, getEvent, { params: { eventId: 'recital' } });
    const price_id = await server.house.ctx.payments.ensurePrice({
      lookup_key: 'recital-ridotto',
      product: 'Recital – ridotto',
      unit_amount: 1_500,
    });
    const pricing = [
      {
        category: 'Platea',
        ticketTypes: [
          ...event.form.seat_pricing[0]!.ticketTypes,
          { price_id, ticketType: 'ridotto', label: 'Ridotto' },
        ],
      },
    ];
    const saved = await save(server, admin, event, {
      title: 'Recital di Natale',
      doors_at: inDays(server, 39),
      seat_pricing: pricing,
      nominative: true,
      terms: '<p>Niente foto.</p>',
      max_seats: 4,
    });
    expect(saved.version).toBe(event.version + 1);
    const page = await callOk(server, getEvent, { params: { eventId: 'recital' } });
    expect(page).toMatchObject({
      event: { title: 'Recital di Natale', nominative: true, doors_at: saved.form.doors_at },
      terms: '<p>Niente foto.</p>',
      sales: { max_seats: 4 },
      prices: [{ unit_amount: 2_000 }, { unit_amount: 1_500 }],
    });
    const row = await server.house.ctx
      .db('audit')
      .where({ subject: 'recital', action: 'event_saved' })
      .first();
    const { changed } = JSON.parse(row.detail);
    expect(Object.keys(changed).toSorted()).toEqual([
      'doors_at',
      'max_seats',
      'nominative',
      'seat_pricing',
      'terms',
      'title',
    ]);
    expect([changed.title, row.actor]).toEqual([
      { from: 'Recital', to: 'Recital di Natale' },
      expect.stringMatching(/^user:/),
    ]);
  },
);

testOnBoth(
  'of several who save the same form at the same moment one wins, the others are told',
  async (server) => {
    const admin = await makeAdmin(server);
    const event = await makeDraft(server, admin);
    const answers = await Promise.all(
      ['Uno', 'Due', 'Tre', 'Quattro'].map((title) => trySave(server, admin, event, { title })),
    );
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 409, 409, 409]);
    for (const { status, body } of answers)
      if (status === 409) expect(body).toMatchObject({ code: 'event_changed' });
    const winner = answers.find((answer) => answer.status === 200)!.body as {
      form: { title: string };
    };
    const now = await callOk(server, readEvent, { params: { eventId: 'recital' } }, admin);
    expect([now.form.title, now.version]).toEqual([winner.form.title, 2]);
    // An event that was cancelled meanwhile is not brought back by an old form.
    await server.house.ctx.db('events').where({ id: 'recital' }).update({ status: 'cancelled' });
    expect(await trySave(server, admin, now, { title: 'Ancora' })).toMatchObject({
      status: 410,
      body: { code: 'event_cancelled' },
    });
  },
);

testOnBoth('an address is chosen once, is nobody else’s, and is a plain word', async (server) => {
  const admin = await makeAdmin(server);
  const form = await makeForm(server);
  const made = await Promise.all(
    [1, 2, 3].map(() => post(server, '/api/admin/events/', { id: 'recital', ...form }, admin)),
  );
  expect(made.map((answer) => answer.status).toSorted()).toEqual([200, 409, 409]);
  expect(made.filter((answer) => answer.status === 409).map((answer) => answer.body)).toEqual(
    Array.from({ length: 2 }, () => expect.objectContaining({ code: 'slug_taken' })),
  );
  for (const id of [
    '',
    'Recital',
    'recital-',
    '-recital',
    're--cital',
    'è-natale',
    '../admin',
    '..',
    'a/b',
    'a%2fb',
    'recital ',
    'x'.repeat(61),
    'a\u0000b',
    'a_b',
    null,
    7,
    ['a'],
  ]) {
    expect([id, (await post(server, '/api/admin/events/', { id, ...form }, admin)).status]).toEqual(
      [id, 400],
    );
  }
  for (const id of ['1', 'natale-2026', 'x'.repeat(60)])
    expect([id, (await post(server, '/api/admin/events/', { id, ...form }, admin)).status]).toEqual(
      [id, 200],
    );
});

testOnBoth(
  'a price that Stripe would not sell is named, and so is a category that the chart does not have',
  async (server) => {
    const admin = await makeAdmin(server);
    const product = await atStripe<{ id: string }>(server, 'POST', 'products', { name: 'Recital' });
    const make = async (fields: Record<string, string>) =>
      (
        await atStripe<{ id: string }>(server, 'POST', 'prices', {
          product: product.id,
          currency: 'eur',
          unit_amount: '1000',
          ...fields,
        })
      ).id;
    const [dollars, archived, good] = [
      await make({ currency: 'usd' }),
      await make({}),
      await make({}),
    ];
    await atStripe(server, 'POST', `prices/${archived}`, { active: 'false' });
    const pricing = (price_id: string, category = 'Platea') => [
      { category, ticketTypes: [{ price_id, ticketType: 'intero', label: 'Intero' }] },
    ];
    for (const [price_id, why] of [
      [dollars, 'not_eur'],
      [archived, 'inactive'],
      ['price_nessuno', 'unknown'],
    ] as const) {
      const answer = await post(
        server,
        '/api/admin/events/',
        { id: 'recital', ...(await makeForm(server, { seat_pricing: pricing(price_id) })) },
        admin,
      );
      expect([answer.status, answer.body]).toMatchObject([
        422,
        { code: 'price_not_sellable', detail: { prices: [{ price_id, why }] } },
      ]);
      const fee = await post(
        server,
        '/api/admin/events/',
        { id: 'recital', ...(await makeForm(server, { fee_price_id: price_id })) },
        admin,
      );
      expect([fee.status, fee.body]).toMatchObject([
        422,
        { code: 'price_not_sellable', detail: { prices: [{ price_id, why }] } },
      ]);
    }
    expect(
      await post(
        server,
        '/api/admin/events/',
        { id: 'recital', ...(await makeForm(server, { seat_pricing: pricing(good, 'Loggione') })) },
        admin,
      ),
    ).toMatchObject({
      status: 422,
      body: { code: 'category_unknown', detail: { categories: ['Loggione'] } },
    });
    expect(
      await post(
        server,
        '/api/admin/events/',
        { id: 'recital', ...(await makeForm(server, { chart_key: 'nessuna' })) },
        admin,
      ),
    ).toMatchObject({ status: 404, body: { code: 'chart_not_found' } });
    expect((await ask(server, 'GET', '/api/admin/events/recital', { headers: admin })).status).toBe(
      404,
    );

    // A price that was archived after it came into the event does not stand in the way of a new text, but of going on sale.
    await nameSeller(server, admin);
    const draft = await makeDraft(server, admin, {
      seat_pricing: withTheRest([
        ...pricing(good),
        {
          category: 'Galleria',
          ticketTypes: (await makeForm(server)).seat_pricing[0]!.ticketTypes,
        },
      ]),
    });
    await atStripe(server, 'POST', `prices/${good}`, { active: 'false' });
    const saved = await save(server, admin, draft, { title: 'Altro titolo' });
    expect(
      await post(server, '/api/admin/events/recital/publish', { version: saved.version }, admin),
    ).toMatchObject({
      status: 422,
      body: {
        code: 'price_not_sellable',
        detail: { prices: [{ price_id: good, why: 'inactive' }] },
      },
    });
  },
);

testOnBoth('the chart may be another until somebody has an order', async (server) => {
  const admin = await makeAdmin(server);
  const event = await makePublished(server, admin);
  const price = event.form.seat_pricing[0]!.ticketTypes;
  const vendor = await server.house.ctx.charts.list({ limit: 100, after: null, name: '' });
  const other = vendor.charts.find(
    (chart) => chart.key !== 'teatro-goldoni' && chart.key === 'sala-delle-feste',
  )!;
  const category = (await server.house.ctx.charts.categories(other.key))[0]!.label;
  expect(await trySave(server, admin, event, { chart_key: other.key })).toMatchObject({
    status: 422,
    body: { code: 'category_unknown' },
  });
  const moved = await save(server, admin, event, {
    chart_key: other.key,
    seat_pricing: [{ category, ticketTypes: price }],
  });
  expect([moved.seatsio_event_key, moved.form.chart_key]).toEqual(['recital-2', other.key]);
  expect(moved.counts.places).not.toBe(639);
  const page = await callOk(server, getEvent, { params: { eventId: 'recital' } });
  expect(page.event.seatsio_event_key).toBe('recital-2');
  // Back again: the first hall is still there, empty.
  const back = await save(server, admin, moved, {
    chart_key: 'teatro-goldoni',
    seat_pricing: [{ category: 'Platea', ticketTypes: price }],
  });
  expect([back.seatsio_event_key, back.counts.places]).toEqual(['recital', 639]);
  const order = await makeOrder(server, { event: 'recital', seats: ['Platea-A-1', 'Platea-A-2'] });
  const sold = await callOk(server, readEvent, { params: { eventId: 'recital' } }, admin);
  expect([sold.orders, sold.buyers]).toEqual([1, 0]);
  for (const answer of [
    await trySave(server, admin, sold, {
      chart_key: other.key,
      seat_pricing: [{ category, ticketTypes: price }],
    }),
    await post(server, '/api/admin/events/recital/unpublish', { version: sold.version }, admin),
  ]) {
    expect([answer.status, answer.body]).toMatchObject([409, { code: 'event_has_orders' }]);
  }
  // The sum of an order is what it was, whatever the prices become.
  const dear = await server.house.ctx.payments.ensurePrice({
    lookup_key: 'recital-caro',
    product: 'Recital',
    unit_amount: 9_900,
  });
  await save(server, admin, sold, {
    seat_pricing: [
      {
        category: 'Platea',
        ticketTypes: [{ price_id: dear, ticketType: 'intero', label: 'Intero' }],
      },
    ],
  });
  await payOrder(server, order.checkout_url);
  expect(
    (await callOk(server, orderStatus, { params: { orderId: order.order_id } })).order_confirmed_at,
  ).not.toBeNull();
  expect(
    (await server.house.ctx.db('orders').where({ id: order.order_id }).first()).total_cents,
  ).toBe(4_000);
  expect(server.logged).toEqual([]);
});

testOnBoth(
  'whoever has bought is written to when date or place change, once, and only after the office has seen how many',
  async (server) => {
    const { db } = server.house.ctx;
    const admin = await makeAdmin(server);
    await makePublished(server, admin);
    const order = await makeOrder(server, {
      event: 'recital',
      seats: ['Platea-A-1', 'Platea-A-2'],
    });
    await payOrder(server, order.checkout_url, 'pm_card_visa', {
      name: 'Ada Neri',
      email: 'ada@posta.it',
    });
    await callOk(server, orderStatus, { params: { orderId: order.order_id } });
    await makeOrder(server, { event: 'recital', seats: ['Platea-B-1'] });
    const event = await callOk(server, readEvent, { params: { eventId: 'recital' } }, admin);
    expect([event.orders, event.buyers]).toEqual([2, 1]);
    const seq = (await db('events').where({ id: 'recital' }).first()).feed_seq;
    const starts_at = inDays(server, 47);
    for (const tell_buyers of [undefined, 0, 2]) {
      const answer = await trySave(server, admin, event, {
        starts_at,
        ...(tell_buyers === undefined ? {} : { tell_buyers }),
      });
      expect([answer.status, answer.body]).toMatchObject([
        409,
        { code: 'buyers_to_tell', detail: { buyers: 1 } },
      ]);
    }
    const texts = await save(server, admin, event, { description: '<p>Anche Brahms.</p>' });
    const moved = await save(server, admin, texts, { starts_at, tell_buyers: 1 });
    await server.runDue();
    await server.runDue();
    const mails = await db('mails').where({ kind: 'event_changed' });
    expect(
      mails.map(({ order_id, state, to_address, key }) => [order_id, state, to_address, key]),
    ).toEqual([[order.order_id, 'sent', 'ada@posta.it', `v${moved.version}`]]);
    // The door hears of the new evening.
    expect(Number((await db('events').where({ id: 'recital' }).first()).feed_seq)).toBeGreaterThan(
      Number(seq),
    );
    expect(server.logged).toEqual([]);
  },
);

testOnBoth(
  'what a text could do to a reader is taken out, and a text of before keeps its paragraphs',
  async (server) => {
    const admin = await makeAdmin(server);
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
    expect([draft.title, terms, (description.match(/<ul>/g) ?? []).length < 15]).toEqual([
      title,
      null,
      true,
    ]);
    // Cleaned again when read: what lies in the table may be older than the rules.
    await server.house.ctx.db('events').where({ id: 'la-locandiera' }).update({
      description: '<p>ok</p><script>alert(1)</script>',
      terms: '<a href="javascript:x">x</a>',
    });
    expect(await callOk(server, getEvent, { params: { eventId: 'la-locandiera' } })).toMatchObject({
      event: { attributes: { description: '<p>ok</p>' } },
      terms: '<a>x</a>',
    });
    await server.house.ctx
      .db('events')
      .where({ id: 'la-locandiera' })
      .update({ description: 'Prima parte,\ndue righe & 3 < 5.\n\nSeconda.' });
    expect(
      (await callOk(server, getEvent, { params: { eventId: 'la-locandiera' } })).event.attributes
        .description,
    ).toBe('<p>Prima parte,<br />due righe &amp; 3 &lt; 5.</p><p>Seconda.</p>');
    // As long as it may be, in letters of three bytes, both texts and many prices: it fits into one request.
    const long = `<p>${'€'.repeat(19_990)}</p>`;
    const types = Array.from({ length: 20 }, (_, index) => ({
      ...draft.form.seat_pricing[0]!.ticketTypes[0]!,
      ticketType: `tipo ${index}`,
      label: 'L'.repeat(80),
    }));
    const full = await save(server, admin, draft, {
      description: long,
      terms: long,
      seat_pricing: ['Platea', 'Palchi', 'Galleria'].map((category) => ({
        category,
        ticketTypes: types,
      })),
    });
    expect([full.form.description, full.form.terms]).toEqual([long, long]);
    expect(
      await trySave(server, admin, full, { description: `<p>${'a'.repeat(20_001)}</p>` }),
    ).toMatchObject({
      status: 422,
      body: { code: 'text_too_long', detail: { fields: ['description'] } },
    });
  },
);

testOnBoth(
  'times stay what they are over the nights in which the clocks are set, and are in order',
  async (server) => {
    const admin = await makeAdmin(server);
    // 02:30 exists twice on the last Sunday of October, and on that of March not at all: instants know no such thing.
    const [october, lastOfMarch] = [lastSundayOf(10), lastSundayOf(3)];
    const [twice, again, spring] = [
      `${october}T00:30:00.000Z`,
      `${october}T01:30:00.000Z`,
      `${lastOfMarch}T01:00:00.000Z`,
    ];
    const autumn = await makeDraft(server, admin, {
      id: 'autunno',
      starts_at: again,
      doors_at: twice,
      ends_at: `${october}T02:30:00.000Z`,
    });
    expect([autumn.form.starts_at, autumn.form.doors_at, autumn.starts_at]).toEqual([
      again,
      twice,
      again,
    ]);
    const march = await makeDraft(server, admin, {
      id: 'primavera',
      starts_at: spring,
      ends_at: `${lastOfMarch}T01:00:00.001Z`,
    });
    expect(
      (await callOk(server, readEvent, { params: { eventId: march.id } }, admin)).form.starts_at,
    ).toBe(spring);

    const form = await makeForm(server);
    const dayBefore = inDays(server, 39);
    for (const [changes, fields] of [
      [{ doors_at: inDays(server, 41) }, ['doors_at']],
      [{ ends_at: form.starts_at }, ['ends_at']],
      [{ admits_from: inDays(server, 41) }, ['admits_from']],
      [{ admits_from: dayBefore, admits_until: dayBefore }, ['admits_until']],
      [{ doors_at: inDays(server, 39.5), admits_until: inDays(server, 39) }, ['admits_until']],
      [{ sales_opens_at: inDays(server, 41) }, ['sales_opens_at']],
      [
        { sales_opens_at: inDays(server, 3), sales_closes_at: inDays(server, 2) },
        ['sales_opens_at'],
      ],
      [{ sales_closes_at: inDays(server, 42) }, ['sales_closes_at']],
    ] as const) {
      const answer = await trySave(server, admin, march, { ...form, ...changes });
      expect([changes, answer.status, answer.body]).toMatchObject([
        changes,
        422,
        { code: 'event_times_wrong', detail: { fields } },
      ]);
    }
    for (const starts_at of [
      'ieri',
      '2027-03-28',
      '1999-01-01T00:00:00Z',
      '2200-01-01T00:00:00Z',
      7,
      null,
      '2027-13-45T00:00:00Z',
    ]) {
      expect([
        starts_at,
        (await trySave(server, admin, march, { starts_at: starts_at as string })).status,
      ]).toEqual([starts_at, 400]);
    }
  },
);

testOnBoth('wrong types, huge numbers and strange addresses are clear refusals', async (server) => {
  const admin = await makeAdmin(server);
  const draft = await makeDraft(server, admin);
  const types = draft.form.seat_pricing[0]!.ticketTypes;
  const wrong: Record<string, unknown[]> = {
    title: [null, 7, 'a'.repeat(201), 'a\u0000b', {}],
    max_seats: [0, 51, 1e308, -1, 1.5, '5', null],
    pay_minutes: [4, 31, Number.MAX_SAFE_INTEGER],
    refund_days: [-1, 366],
    holder_changes_max: [0, 11],
    nominative: ['true', 1, null],
    refund_request: ['always', null],
    verify_policy: ['x'],
    version: [0, -1, 1.5, 2 ** 40, null, '1'],
    venue_href: [
      'javascript:alert(1)',
      'http://',
      'https://user@host/',
      'ftp://x',
      '',
      '/x',
      'https://a b',
    ],
    banner_image: [
      'javascript:x',
      '/etc/passwd',
      '/media/../x',
      '//x',
      'http://x/y.png',
      'data:image/png;base64,AA',
    ],
    chart_key: ['../charts', 'a b', ''],
    fee_price_id: ['../x', ''],
    seat_pricing: [
      null,
      {},
      [{ category: 'Platea' }],
      [
        { category: 'Platea', ticketTypes: types },
        { category: 'Platea', ticketTypes: types },
      ],
      [{ category: 'Platea', ticketTypes: [...types, ...types] }],
      [{ category: '', ticketTypes: [] }],
      Array.from({ length: 51 }, (_, index) => ({ category: `c${index}`, ticketTypes: [] })),
    ],
  };
  for (const [field, values] of Object.entries(wrong)) {
    for (const value of values) {
      const answer = await trySave(server, admin, draft, { [field]: value });
      expect([field, value, answer.status, (answer.body as { code: string }).code]).toEqual([
        field,
        value,
        400,
        'bad_request',
      ]);
    }
  }
  expect(
    await trySave(server, admin, draft, { banner_image: '/media/aaaaaaaaaaaaaaaa' }),
  ).toMatchObject({ status: 422, body: { code: 'image_unknown' } });
  expect((await callOk(server, readEvent, { params: { eventId: 'recital' } }, admin)).version).toBe(
    1,
  );
  expect(server.logged).toEqual([]);
});

testOnBoth(
  'a copy has the same texts and prices, its own address and its own hall',
  async (server) => {
    const admin = await makeAdmin(server);
    const event = await makePublished(server, admin, {
      nominative: true,
      terms: '<p>Solo soci.</p>',
    });
    const order = await makeOrder(server, { event: 'recital', seats: ['Platea-A-1'] });
    await payOrder(server, order.checkout_url);
    const copy = await callOk(
      server,
      duplicateEvent,
      { params: { eventId: 'recital' }, body: { id: 'recital-bis' } },
      admin,
    );
    expect(copy).toMatchObject({
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
    expect(
      (await server.house.ctx.seats.objects('recital-bis')).every(
        (object) => object.status === 'free',
      ),
    ).toBe(true);
    expect(
      await post(server, '/api/admin/events/recital/duplicate', { id: 'recital-bis' }, admin),
    ).toMatchObject({ status: 409, body: { code: 'slug_taken' } });
    expect(
      (await post(server, '/api/admin/events/nessuno/duplicate', { id: 'altro' }, admin)).status,
    ).toBe(404);
    // The demo knows its chart as well.
    expect(
      (
        await callOk(
          server,
          duplicateEvent,
          { params: { eventId: 'la-locandiera' }, body: { id: 'replica' } },
          admin,
        )
      ).counts.places,
    ).toBe(639);
  },
);

test('an event that the seat map has already is taken over with its chart, but only by one of ours', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  await server.house.ctx.seats.ensureEvent('vecchio-evento', {
    chartKey: 'teatro-goldoni',
    name: 'Vecchio',
  });
  const form = await makeForm(server, { chart_key: null });
  const made = await callOk(
    server,
    createEvent,
    { body: { id: 'recital', seatsio_event_key: 'vecchio-evento', ...form } },
    admin,
  );
  expect(made).toMatchObject({
    seatsio_event_key: 'vecchio-evento',
    form: { chart_key: 'teatro-goldoni' },
    counts: { places: 639 },
  });
  expect(
    await post(
      server,
      '/api/admin/events/',
      { id: 'due', seatsio_event_key: 'vecchio-evento', ...form },
      admin,
    ),
  ).toMatchObject({ status: 409, body: { code: 'seat_event_taken' } });
  expect(
    await post(
      server,
      '/api/admin/events/',
      { id: 'due', seatsio_event_key: 'nessuno', ...form },
      admin,
    ),
  ).toMatchObject({ status: 404, body: { code: 'seat_event_not_found' } });
});

test('without the seat map or Stripe nothing is half made, and texts can still be saved', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  await forgetSeller(server);
  const draft = await makeDraft(server, admin);
  const form = await makeForm(server);
  await server.house.standins!.seatsio!.close();
  await server.house.standins!.stripe!.close();
  expect(await post(server, '/api/admin/events/', { id: 'altro', ...form }, admin)).toMatchObject({
    status: 503,
    body: { code: 'provider_silent' },
  });
  expect((await ask(server, 'GET', '/api/admin/events/altro', { headers: admin })).status).toBe(
    404,
  );
  expect((await save(server, admin, draft, { title: 'Altro titolo' })).missing).toEqual([
    'organiser_tax',
    'support_email',
  ]);
});

testOnBoth(
  'the office writes, who sells or counts reads, the door does neither',
  async (server) => {
    const admin = await makeAdmin(server);
    const event = await makeDraft(server, admin);
    const form = await makeForm(server);
    for (const [role, reading, writing] of [
      ['cassa', 200, 403],
      ['viewer', 200, 403],
      ['door', 403, 403],
    ] as const) {
      const person = await asRole(server, role);
      expect([
        role,
        (await ask(server, 'GET', '/api/admin/events/recital', { headers: person })).status,
      ]).toEqual([role, reading]);
      const answers = [
        await trySave(server, person, event, {}),
        await post(server, '/api/admin/events/', { id: 'x', ...form }, person),
        ...(await Promise.all(
          ['publish', 'unpublish'].map((verb) =>
            post(server, `/api/admin/events/recital/${verb}`, { version: 1 }, person),
          ),
        )),
        await post(server, '/api/admin/events/recital/duplicate', { id: 'y' }, person),
      ];
      expect([role, answers.map((answer) => answer.status)]).toEqual([
        role,
        Array(5).fill(writing),
      ]);
    }
    const office = await asRole(server, 'office');
    expect((await trySave(server, office, event, {})).status).toBe(200);
  },
);

testOnBoth('how many are left is told only when few are', async (server) => {
  const admin = await makeAdmin(server);
  const event = await makePublished(server, admin);
  const { db } = server.house.ctx;
  const left = async () => {
    server.clock.advance(2_000);
    const { availability, places_left } = await callOk(server, getEvent, {
      params: { eventId: 'recital' },
    });
    const teaser = (await callOk(server, listPublished, {})).items.find(
      (item) => item.id === 'recital',
    )!;
    expect([teaser.availability, teaser.places_left]).toEqual([availability, places_left]);
    return [availability, places_left];
  };
  const platea: string[] = await db('places')
    .where({ event_id: 'recital', category: 'Platea' })
    .orderBy('place')
    .pluck('place');
  // A person buys one order, which then has all the places that the test wants gone.
  const order = await makeOrder(server, { event: 'recital', seats: ['Platea-A-1'] });
  const line = await db('order_lines').where({ order_id: order.order_id }).first();
  const take = async (keep: number) => {
    const free = platea.filter((place) => place !== line.place).slice(0, platea.length - keep - 1);
    await db('order_lines').where({ order_id: order.order_id }).whereNot({ id: line.id }).delete();
    for (const [index, place] of free.entries())
      await db('order_lines').insert({ ...line, id: `l${index}`, place, position: index + 2 });
  };
  expect(await left()).toEqual(['many', null]);
  await take(21);
  expect(await left()).toEqual(['many', null]);
  await take(20);
  expect(await left()).toEqual(['few', 20]);
  await take(0);
  expect(await left()).toEqual(['none', null]);
  // The gallery gets a price: it is not sold out any more.
  const now = await callOk(server, readEvent, { params: { eventId: 'recital' } }, admin);
  await save(server, admin, now, {
    seat_pricing: event.form.seat_pricing.map((entry) =>
      entry.category === 'Galleria'
        ? { ...entry, ticketTypes: event.form.seat_pricing[0]!.ticketTypes }
        : entry,
    ),
  });
  expect(await left()).toEqual(['many', null]);
});

testOnBoth(
  'a plain save brings in what the chart has got meanwhile, and says how many places; a silent seat map keeps nobody from saving a text',
  async (server) => {
    const admin = await makeAdmin(server);
    const event = await makePublished(server, admin);
    expect(event.new_places).toBe(0);
    const { db } = server.house.ctx;
    const count = async () =>
      Number((await db('places').where({ event_id: event.id }).count({ n: '*' }).first())!['n']);
    const before = await count();
    await redraw(server, (drawing) => addRow(drawing));
    const saved = await save(server, admin, event, { title: 'Recital II' });
    expect(saved.new_places).toBeGreaterThan(3);
    expect([await count(), saved.counts.places]).toEqual([
      before + saved.new_places,
      before + saved.new_places,
    ]);
    expect(
      (await callOk(server, readEvent, { params: { eventId: event.id } }, admin)).new_places,
    ).toBe(0);
    const again = await save(server, admin, saved, { title: 'Recital III' });
    expect([again.new_places, await count()]).toEqual([0, before + saved.new_places]);

    await redraw(server, (drawing) => addRow(drawing, 'Y'));
    const { seats } = server.house.ctx;
    server.house.ctx.seats = {
      ...seats,
      objects: async () => {
        throw new ProviderUnavailable('seats.io', 'no answer', null);
      },
    };
    const silent = await save(server, admin, again, { title: 'Recital IV' });
    expect([silent.form.title, silent.new_places]).toEqual(['Recital IV', 0]);
    // A category that the book does not know could only come from there.
    const unknown = await trySave(server, admin, silent, {
      seat_pricing: [{ ...silent.form.seat_pricing[0]!, category: 'Nuova' }],
    });
    expect([unknown.status, unknown.body]).toEqual([
      503,
      expect.objectContaining({ code: 'provider_silent' }),
    ]);
    server.house.ctx.seats = seats;
    expect((await save(server, admin, silent, { title: 'Recital V' })).new_places).toBe(
      saved.new_places,
    );
  },
);

testOnBoth(
  'a phone asks for everything again when an event becomes nominative: then it needs the names',
  async (server) => {
    const admin = await makeAdmin(server);
    const event = await makePublished(server, admin);
    const epoch = async () =>
      (await server.house.ctx.db('events').where({ id: event.id }).first('feed_epoch'))
        .feed_epoch as string;
    const before = await epoch();
    const plain = await save(server, admin, event, { title: 'Recital II' });
    expect(await epoch()).toBe(before);
    await save(server, admin, plain, { nominative: true });
    expect(await epoch()).not.toBe(before);
  },
);
