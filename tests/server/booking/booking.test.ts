/** POST book through HTTP: what it makes, what it refuses, and that a repeat is the same booking. */
import { expect } from 'vitest';
import { bookSeats, getOrder, orderStatus } from '#server/contract/order/orders.ts';
import {
  ask,
  callOk,
  demoEvent,
  findSeats,
  holdObjects,
  makeHoldToken,
  makeOrder,
  payOrder,
} from '#tests/support/make.ts';
import { testOnBoth } from '#tests/support/both.ts';
import type { TestServer } from '#tests/support/server.ts';

const bookPath = `/api/event/${demoEvent}/book`;

async function book(server: TestServer, body: unknown, event = demoEvent) {
  const answer = await ask(server, 'POST', `/api/event/${event}/book`, { body });
  return {
    status: answer.status,
    ...(answer.body as {
      code?: string;
      message?: string;
      detail?: { objects?: string[] };
      order_id?: string;
      checkout_url?: string;
    }),
  };
}

testOnBoth(
  'two held seats become an order with an open checkout, and its payment two tickets',
  async (server) => {
    const order = await makeOrder(server);
    const { seats } = server.house.ctx;
    const objects = await seats.read(
      demoEvent,
      order.selected_objects.map((object) => object.object_id),
    );
    expect([...objects.values()].map((object) => [object.status, object.order_id])).toEqual([
      ['booked', order.order_id],
      ['booked', order.order_id],
    ]);
    expect(await callOk(server, orderStatus, { params: { orderId: order.order_id } })).toEqual({
      order_id: order.order_id,
      order_confirmed_at: null,
      order_deleted_at: null,
      checkout_session_status: 'open',
      checkout_url: order.checkout_url,
    });

    expect((await payOrder(server, order.checkout_url)).status).toBe(200);
    server.clock.advance(3_000);
    const page = await callOk(server, getOrder, { params: { orderId: order.order_id } });
    expect(page.state).toBe('confirmed');
    expect(page.total_cents).toBe(6400);
    expect(
      page.tickets.map((ticket) => [ticket.type_label, ticket.price_cents, ticket.state]),
    ).toEqual([
      ['Intero', 3200, 'valid'],
      ['Intero', 3200, 'valid'],
    ]);
    expect(page.tickets.every((ticket) => /^[0-9A-HJKMNP-TV-Z]{31}$/.test(ticket.code))).toBe(true);
    expect(new Set(page.tickets.map((ticket) => ticket.code)).size).toBe(2);
    expect(page.number).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(server.logged).toEqual([]);
  },
);

testOnBoth('the same call ten times at once is one order with one session', async (server) => {
  const seats = await findSeats(server);
  const hold_token = await makeHoldToken(server);
  const selected_objects = seats.map((object_id) => ({ object_id, ticket_type: 'ridotto' }));
  await holdObjects(server, hold_token, selected_objects);
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => book(server, { hold_token, selected_objects })),
  );
  expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200));
  expect(new Set(answers.map((answer) => `${answer.order_id} ${answer.checkout_url}`)).size).toBe(
    1,
  );
  const repeated = await book(server, {
    hold_token,
    selected_objects: selected_objects.toReversed(),
  });
  expect(repeated.order_id).toBe(answers[0]!.order_id);
});

testOnBoth(
  'another wish with the same hold token is told of the order that waits',
  async (server) => {
    const order = await makeOrder(server);
    const answer = await book(server, {
      hold_token: order.hold_token,
      selected_objects: [{ object_id: 'Platea-B-1', ticket_type: 'intero' }],
    });
    expect(answer).toMatchObject({
      status: 409,
      code: 'order_pending',
      detail: { order_id: order.order_id, checkout_url: order.checkout_url },
    });
  },
);

testOnBoth(
  'two wishes with one token at once: one is booked, the other is told of it',
  async (server) => {
    const seats = await findSeats(server, { count: 3 });
    const hold_token = await makeHoldToken(server);
    const all = seats.map((object_id) => ({ object_id, ticket_type: 'intero' }));
    await holdObjects(server, hold_token, all);
    const answers = await Promise.all(
      [all, all.map((object) => ({ ...object, ticket_type: 'ridotto' }))].map((selected_objects) =>
        book(server, { hold_token, selected_objects }),
      ),
    );
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 409]);
    expect(answers.find((answer) => answer.status === 409)).toMatchObject({
      code: 'order_pending',
    });
  },
);

testOnBoth('places of a standing area are sold one by one up to their number', async (server) => {
  const hold_token = await makeHoldToken(server);
  const selected_objects = [{ object_id: 'Loggione', ticket_type: 'intero', quantity: 3 }];
  expect((await holdObjects(server, hold_token, selected_objects)).status).toBe(200);
  const answer = await book(server, { hold_token, selected_objects });
  expect(answer.status).toBe(200);
  await payOrder(server, answer.checkout_url!);
  server.clock.advance(3_000);
  const page = await callOk(server, getOrder, { params: { orderId: answer.order_id! } });
  expect(page.tickets.map((ticket) => ticket.seat)).toEqual(Array(3).fill('Loggione, posto unico'));
  expect(new Set(page.tickets.map((ticket) => ticket.code)).size).toBe(3);
});

testOnBoth(
  'what may not be booked is refused with a reason, and nothing is stored',
  async (server) => {
    const seats = await findSeats(server);
    const hold_token = await makeHoldToken(server);
    const held = seats.map((object_id) => ({ object_id, ticket_type: 'intero' }));
    await holdObjects(server, hold_token, held);
    const refusals: [string, unknown, number, string][] = [
      ['nothing selected', { hold_token, selected_objects: [] }, 400, 'nothing_selected'],
      [
        'unknown seat',
        { hold_token, selected_objects: [{ object_id: 'Platea-Z-99', ticket_type: 'intero' }] },
        422,
        'object_unknown',
      ],
      [
        'unknown ticket type',
        { hold_token, selected_objects: [{ object_id: seats[0], ticket_type: 'gratis' }] },
        422,
        'object_without_price',
      ],
      [
        'no ticket type where there are two',
        { hold_token, selected_objects: [{ object_id: seats[0] }] },
        422,
        'object_without_price',
      ],
      [
        'too many',
        {
          hold_token,
          selected_objects: [{ object_id: 'Loggione', ticket_type: 'intero', quantity: 11 }],
        },
        422,
        'too_many_seats',
      ],
      ['a seat twice', { hold_token, selected_objects: [held[0], held[0]] }, 400, 'bad_request'],
      [
        'two of one seat',
        { hold_token, selected_objects: [{ ...held[0], quantity: 2 }] },
        400,
        'bad_request',
      ],
      [
        'not held',
        { hold_token, selected_objects: [{ object_id: 'Platea-D-1', ticket_type: 'intero' }] },
        409,
        'hold_expired',
      ],
      [
        'standing places that nobody holds',
        {
          hold_token,
          selected_objects: [{ object_id: 'Loggione', ticket_type: 'intero', quantity: 2 }],
        },
        409,
        'hold_expired',
      ],
      ['unknown token', { hold_token: 'nobody', selected_objects: held }, 409, 'seats_taken'],
    ];
    for (const [name, body, status, code] of refusals)
      expect([name, await book(server, body)]).toEqual([
        name,
        expect.objectContaining({ status, code }),
      ]);
    expect(await book(server, { hold_token, selected_objects: held }, 'non-esiste')).toMatchObject({
      status: 404,
      code: 'event_not_found',
    });

    // The second of the row alone leaves the first one lonely.
    const orphan = await book(server, { hold_token, selected_objects: [held[1]] });
    expect(orphan).toMatchObject({
      status: 422,
      code: 'orphan_seats',
      detail: { objects: [seats[0]] },
    });

    const other = await makeHoldToken(server);
    expect(await book(server, { hold_token: other, selected_objects: held })).toMatchObject({
      status: 409,
      code: 'seats_taken',
      detail: { objects: expect.arrayContaining(seats) },
    });
    expect(await server.house.ctx.db('orders').count({ n: '*' }).first()).toMatchObject({ n: 0 });
    expect((await book(server, { hold_token, selected_objects: held })).status).toBe(200);
  },
);

testOnBoth(
  'a seat left alone counts when another section had better ones, though the booking reads only its own',
  async (server) => {
    const { seats } = server.house.ctx;
    const boxes = (await seats.objects(demoEvent)).filter((seat) =>
      seat.label.startsWith('Palchi I ordine-'),
    );
    const left = boxes.slice(0, 3).map((seat) => seat.label);
    const rest = boxes
      .filter((seat) => !left.includes(seat.label))
      .map((seat) => ({ label: seat.label, quantity: null, ticket_type: 'intero' }));
    await seats.book(demoEvent, rest, { orderId: 'office', holdToken: null });
    const hold_token = await makeHoldToken(server);
    const selected_objects = left
      .slice(0, 2)
      .map((object_id) => ({ object_id, ticket_type: 'intero' }));
    await holdObjects(server, hold_token, selected_objects);
    expect(await book(server, { hold_token, selected_objects })).toMatchObject({
      status: 422,
      code: 'orphan_seats',
      detail: { objects: [left[2]] },
    });
    // With the other boxes sold too there is nothing better left.
    const above = (await seats.objects(demoEvent))
      .filter((seat) => seat.label.startsWith('Palchi II ordine-'))
      .map((seat) => ({ label: seat.label, quantity: null, ticket_type: 'intero' }));
    await seats.book(demoEvent, above, { orderId: 'office', holdToken: null });
    expect(await book(server, { hold_token, selected_objects })).toMatchObject({ status: 200 });
  },
);

/** What each booking is told by the seat map: the rows of the seats that it read. */
function overhear({ house: { ctx } }: TestServer): string[][] {
  const { seats: map } = ctx;
  const heard: string[][] = [];
  ctx.seats = {
    ...map,
    async around(...args) {
      const objects = await map.around(...args);
      heard.push([...new Set(objects.map(({ section, row }) => `${section} ${row}`))]);
      return objects;
    },
  };
  return heard;
}

testOnBoth(
  'a booking reads the rows of its seats and no others, however large the hall is',
  async (server) => {
    const heard = overhear(server);
    await makeOrder(server);
    expect(heard).toEqual([['Platea A']]);
  },
);

testOnBoth(
  'a seat that we know in another row than the seat map does is still not left alone',
  async (server) => {
    const [first, second] = await findSeats(server);
    const hold_token = await makeHoldToken(server);
    const selected_objects = [{ object_id: second!, ticket_type: 'intero' }];
    await holdObjects(server, hold_token, selected_objects);
    const { db } = server.house.ctx;
    await db('places').where({ event_id: demoEvent, place: first! }).update({ row: 'Z' });
    expect(await book(server, { hold_token, selected_objects })).toMatchObject({
      status: 422,
      code: 'orphan_seats',
      detail: { objects: [first] },
    });
  },
);

testOnBoth(
  'the sale ends with the start of the event and with its cancellation',
  async (server) => {
    const seats = await findSeats(server);
    const hold_token = await makeHoldToken(server);
    const selected_objects = seats.map((object_id) => ({ object_id, ticket_type: 'intero' }));
    await holdObjects(server, hold_token, selected_objects);
    const { db } = server.house.ctx;
    await db('events')
      .where({ id: demoEvent })
      .update({ sales_opens_at: server.clock.now() + 60_000 });
    expect(await book(server, { hold_token, selected_objects })).toMatchObject({
      status: 410,
      code: 'sale_closed',
    });
    await db('events')
      .where({ id: demoEvent })
      .update({ sales_opens_at: null, starts_at: server.clock.now() - 1 });
    expect(await book(server, { hold_token, selected_objects })).toMatchObject({
      status: 410,
      code: 'sale_closed',
    });
    await db('events').where({ id: demoEvent }).update({ status: 'cancelled' });
    expect(await book(server, { hold_token, selected_objects })).toMatchObject({
      status: 410,
      code: 'event_cancelled',
    });
    await db('events').where({ id: demoEvent }).update({ status: 'draft' });
    expect(await book(server, { hold_token, selected_objects })).toMatchObject({
      status: 404,
      code: 'event_not_found',
    });
  },
);

testOnBoth(
  'an order of nothing but free tickets is confirmed at once, without Stripe',
  async (server) => {
    const { db, payments } = server.house.ctx;
    const price_id = await payments.ensurePrice({
      lookup_key: 'omaggio',
      product: 'Omaggio',
      unit_amount: 0,
    });
    const seat_pricing = JSON.stringify([
      { category: 'Platea', ticketTypes: [{ price_id, ticketType: 'omaggio', label: 'Omaggio' }] },
    ]);
    await db('events').where({ id: demoEvent }).update({ seat_pricing });
    const order = await makeOrder(server, { ticket_type: 'omaggio' });
    expect(order.checkout_url).toBe(`${server.url}/orders/${order.order_id}`);
    const page = await callOk(server, getOrder, { params: { orderId: order.order_id } });
    expect([page.state, page.total_cents, page.tickets.length]).toEqual(['confirmed', 0, 2]);
    const again = await callOk(server, bookSeats, {
      params: { eventId: demoEvent },
      body: { hold_token: order.hold_token, selected_objects: order.selected_objects },
    });
    expect(again.order_id).toBe(order.order_id);
  },
);

testOnBoth('a broken or foreign body changes nothing and is told in Italian', async (server) => {
  const cases: [string, { raw: string; headers?: Record<string, string> }, number, string][] = [
    [
      'broken JSON',
      { raw: '{"hold_token":', headers: { 'content-type': 'application/json' } },
      400,
      'broken_json',
    ],
    [
      'a form',
      { raw: 'hold_token=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
      'wrong_content_type',
    ],
    [
      '1 MB',
      {
        raw: JSON.stringify({ hold_token: 'x'.repeat(1_000_000), selected_objects: [] }),
        headers: { 'content-type': 'application/json' },
      },
      413,
      'body_too_large',
    ],
    [
      'an array',
      { raw: '[]', headers: { 'content-type': 'application/json' } },
      400,
      'bad_request',
    ],
    ['null', { raw: 'null', headers: { 'content-type': 'application/json' } }, 400, 'broken_json'],
    [
      'wrong types',
      {
        raw: '{"hold_token":7,"selected_objects":{}}',
        headers: { 'content-type': 'application/json' },
      },
      400,
      'bad_request',
    ],
    [
      'a NUL',
      {
        raw: '{"hold_token":"a\\u0000","selected_objects":[]}',
        headers: { 'content-type': 'application/json' },
      },
      400,
      'bad_request',
    ],
  ];
  for (const [name, options, status, code] of cases) {
    const answer = await ask(server, 'POST', bookPath, options);
    expect([name, answer.status, answer.body]).toEqual([
      name,
      status,
      expect.objectContaining({ status, code, message: expect.stringMatching(/\p{L}{4,}/u) }),
    ]);
  }
  expect(server.logged).toEqual([]);
});
