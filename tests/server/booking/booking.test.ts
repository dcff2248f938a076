/** POST book through HTTP: what it makes, what it refuses, and that a repeat is the same booking. */
import { expect } from 'vitest';
import { bookSeats, getOrder, orderStatus } from '#server/contract/order/orders.ts';
import {
  holdSeats,
  tryBook,
  type Chosen,
  type Held,
  callOk,
  demoEvent,
  findSeats,
  makeHoldToken,
  makeOrder,
  payOrder,
} from '#tests/support/make.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { sellGifts, setPolicy } from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';

async function book(server: TestServer, held: Held, event = demoEvent) {
  const answer = await tryBook(server, held, event);
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

test('two held seats become an order with an open checkout, and its payment two tickets', async (server) => {
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
    order_id: order.link_key,
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
});

test('the same call ten times at once is one order with one session', async (server) => {
  const held = await holdSeats(server, { ticket_type: 'ridotto' });
  const answers = await Promise.all(Array.from({ length: 10 }, () => book(server, held)));
  expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200));
  const orders = new Set(answers.map((answer) => `${answer.order_id} ${answer.checkout_url}`));
  expect(orders.size).toBe(1);
  const selected_objects = held.selected_objects.toReversed();
  const repeated = await book(server, { ...held, selected_objects });
  expect(repeated.order_id).toBe(answers[0]!.order_id);
});

test('two wishes with one token at once: one is booked, the other is told of it', async (server) => {
  const held = await holdSeats(server, { count: 3 });
  const selected_objects = held.selected_objects.map((object) => ({
    ...object,
    ticket_type: 'ridotto',
  }));
  const wishes = [held, { ...held, selected_objects }];
  const answers = await Promise.all(wishes.map((wish) => book(server, wish)));
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 409]);
  const lost = answers.findIndex((answer) => answer.status === 409);
  expect(answers[lost]!.code).toBe('order_pending');
  const { order_id, checkout_url } = answers[1 - lost]!;
  expect(await book(server, wishes[lost]!)).toMatchObject({
    status: 409,
    code: 'order_pending',
    detail: { order_id, checkout_url },
  });
});

it('what may not be booked is refused with a reason, and nothing is stored', async (server) => {
  const { hold_token, selected_objects: held } = await holdSeats(server);
  const seats = held.map(({ object_id }) => object_id);
  const [first, second] = held as [Chosen, Chosen];
  const one = (object_id: string, more: object = { ticket_type: 'intero' }) => [
    { object_id, ...more },
  ];
  const standing = (quantity: number) => one('Loggione', { ticket_type: 'intero', quantity });
  const refusals: [string, Chosen[], number, string][] = [
    ['nothing selected', [], 400, 'nothing_selected'],
    ['unknown seat', one('Platea-Z-99'), 422, 'object_unknown'],
    ['unknown type', one(seats[0]!, { ticket_type: 'gratis' }), 422, 'object_without_price'],
    ['no type where there are two', one(seats[0]!, {}), 422, 'object_without_price'],
    ['too many', standing(11), 422, 'too_many_seats'],
    ['a seat twice', [first, first], 400, 'bad_request'],
    ['two of one seat', [{ ...first, quantity: 2 }], 400, 'bad_request'],
    ['not held', one('Platea-D-1'), 409, 'hold_expired'],
    ['standing places that nobody holds', standing(2), 409, 'hold_expired'],
  ];
  for (const [name, selected_objects, status, code] of refusals)
    expect([name, await book(server, { hold_token, selected_objects })]).toMatchObject([
      name,
      { status, code },
    ]);
  const nobody = { hold_token: 'nobody', selected_objects: held };
  expect(await book(server, nobody)).toMatchObject({ status: 409, code: 'seats_taken' });
  const nul = { hold_token: 'a\u0000', selected_objects: held };
  expect(await book(server, nul)).toMatchObject({ status: 400, code: 'bad_request' });
  expect(await book(server, { hold_token, selected_objects: held }, 'non-esiste')).toMatchObject({
    status: 404,
    code: 'event_not_found',
  });

  // The second of the row alone leaves the first one lonely.
  const orphan = await book(server, { hold_token, selected_objects: [second] });
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
});

it('a seat left alone counts when another section had better ones, though the booking reads only its own', async (server) => {
  const { seats } = server.house.ctx;
  const boxes = (await seats.objects(demoEvent)).filter((seat) =>
    seat.label.startsWith('Palchi I ordine-'),
  );
  const left = boxes.slice(0, 3).map((seat) => seat.label);
  const rest = boxes
    .filter((seat) => !left.includes(seat.label))
    .map((seat) => ({ label: seat.label, quantity: null, ticket_type: 'intero' }));
  await seats.book(demoEvent, rest, { orderId: 'office', holdToken: null });
  const held = await holdSeats(server, { seats: left.slice(0, 2) });
  expect(await book(server, held)).toMatchObject({
    status: 422,
    code: 'orphan_seats',
    detail: { objects: [left[2]] },
  });
  // With the other boxes sold too there is nothing better left.
  const above = (await seats.objects(demoEvent))
    .filter((seat) => seat.label.startsWith('Palchi II ordine-'))
    .map((seat) => ({ label: seat.label, quantity: null, ticket_type: 'intero' }));
  await seats.book(demoEvent, above, { orderId: 'office', holdToken: null });
  // Bookings share what the seat map told a moment ago.
  server.clock.advance(10_000);
  expect(await book(server, held)).toMatchObject({ status: 200 });
});

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

it('a booking reads the rows of its seats and no others; a seat that we know in another row than the seat map does is still not left alone', async (server) => {
  const heard = overhear(server);
  await makeOrder(server);
  expect(heard).toEqual([['Platea A']]);
  const [first, second] = await findSeats(server);
  const held = await holdSeats(server, { seats: [second!] });
  const { db } = server.house.ctx;
  await db('places').where({ event_id: demoEvent, place: first! }).update({ row: 'Z' });
  expect(await book(server, held)).toMatchObject({
    status: 422,
    code: 'orphan_seats',
    detail: { objects: [first] },
  });
});

it('the sale ends with the start of the event and with its cancellation', async (server) => {
  const held = await holdSeats(server);
  const now = server.clock.now();
  for (const [changes, status, code] of [
    [{ sales_opens_at: now + 60_000 }, 410, 'sale_closed'],
    [{ sales_opens_at: null, starts_at: now - 1 }, 410, 'sale_closed'],
    [{ status: 'cancelled' }, 410, 'event_cancelled'],
    [{ status: 'draft' }, 404, 'event_not_found'],
  ] as const) {
    await setPolicy(server, changes, demoEvent);
    expect([changes, await book(server, held)]).toMatchObject([changes, { status, code }]);
  }
});

it('an order of nothing but free tickets is confirmed at once, without Stripe', async (server) => {
  await sellGifts(server, 'Platea');
  const order = await makeOrder(server);
  expect(order.checkout_url).toBe(`${server.url}/orders/${order.link_key}`);
  const page = await callOk(server, getOrder, { params: { orderId: order.order_id } });
  expect([page.state, page.total_cents, page.tickets.length]).toEqual(['confirmed', 0, 2]);
  const again = await callOk(server, bookSeats, {
    params: { eventId: demoEvent },
    body: { hold_token: order.hold_token, selected_objects: order.selected_objects },
  });
  expect(again.order_id).toBe(order.link_key);
});
