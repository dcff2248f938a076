/** Who sits where, and two calls to the seat map: our books laid over the vendor's answers. */
import { CreateEventParams, Region, SeatsioClient } from 'seatsio';
import { expect, test } from 'vitest';
import { admitTicket } from '#server/contract/door/admissions.ts';
import { listOrderTickets } from '#server/contract/order/orders.ts';
import { readHall, readSeatEvent, readSeatObjects, readSeats } from '#server/contract/seats.ts';
import { splitLabels } from '#server/domain/seat/seat-name.ts';
import { testOnBoth as it, testOnSqlite } from '#tests/support/both.ts';
import { comeBack, makePaidOrder, payAs } from '#tests/support/buyer.ts';
import {
  ask,
  callOk,
  demoEvent,
  findSeats,
  holdObjects,
  makeAdmin,
  makeHoldToken,
  makeOrder,
  aRefusal,
} from '#tests/support/make.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const params = { eventId: demoEvent };

/** As somebody with the theatre's own key at the chart server. */
function vendorOf(server: TestServer): SeatsioClient {
  const { url, secretKey } = server.house.standins!.seatsio!;
  return new SeatsioClient(new Region(url), secretKey);
}

async function look(server: TestServer, admin: { cookie: string }) {
  // The answer of the seat map is shared for a second.
  server.clock.advance(2_000);
  const seats = await callOk(server, readSeats, { params }, admin);
  const at = (place: string) => seats.taken.find((seat) => seat.place === place) ?? null;
  return { ...seats, at, platea: seats.categories.find(({ category }) => category === 'Platea')! };
}

/** The reverse of splitLabels(). */
function joinLabels(labels: readonly string[]): string {
  return labels.map((label) => label.replace(/[\\,]/g, '\\$&')).join(',');
}

testOnSqlite(
  'the hall is told row by row, in the order of a walk through it',
  async (server, admin) => {
    const hall = await callOk(server, readHall, { params }, admin);
    expect(hall.event).toMatchObject({
      id: demoEvent,
      title: 'La locandiera',
      seatsio_event_key: demoEvent,
      seatsio_workspace_key: server.house.ctx.seats.workspaceKey,
    });
    expect(hall.chart).toEqual({ script_url: '/standins/seatsio/chart.js', region: 'eu' });
    const seats = hall.rows.flatMap((row) => row.seats);
    expect(seats).toHaveLength(639);
    expect(new Set(seats.map((seat) => seat.place)).size).toBe(639);
    const rowC = hall.rows.find((row) => row.section === 'Platea' && row.row === 'C')!;
    expect(rowC.seats.map((seat) => seat.seat)).toEqual(
      rowC.seats.map((_, index) => String(index + 1)),
    );
    const area = hall.rows.find((row) => row.kind === 'area')!;
    expect(area.seats).toHaveLength(60);
    expect([area.seats[1], area.seats[9]]).toMatchObject([
      { place: 'Loggione#2', object: 'Loggione' },
      { place: 'Loggione#10' },
    ]);
    const sections = hall.rows.map((row) => row.section ?? '');
    expect(sections).toEqual(sections.toSorted((a, b) => a.localeCompare(b, 'it')));
  },
);

it('a seat goes from free to cart, payment, sold, inside, out, and back to sold', async (server, admin) => {
  const [first = '', second = ''] = await findSeats(server);
  const before = await look(server, admin);
  expect([before.map, before.taken, before.platea.free]).toEqual([
    'answered',
    [],
    before.platea.places,
  ]);

  const hold_token = await makeHoldToken(server);
  await holdObjects(server, hold_token, [{ object_id: first }]);
  expect((await look(server, admin)).at(first)).toMatchObject({
    state: 'held',
    occupant: null,
    map_status: 'reservedByToken',
  });

  const order = await makeOrder(server, { nth: 1 });
  const [ours = '', beside = ''] = order.selected_objects.map((object) => object.object_id);
  const waiting = await look(server, admin);
  expect(waiting.at(ours)).toMatchObject({
    state: 'paying',
    unguarded: false,
    map_status: null,
    occupant: {
      order_id: order.order_id,
      order_number: expect.stringMatching(/^\w{4}-\w{4}$/),
      buyer_name: null,
      ticket_id: null,
      type_label: 'Intero',
      price_cents: 3200,
      admitted_at: null,
      pay_by: expect.any(String),
    },
  });
  expect(waiting.platea).toMatchObject({ held: 1, paying: 2, sold: 0, income_cents: 0 });

  await payAs(server, order);
  await comeBack(server, order);
  const sold = await look(server, admin);
  expect(sold.at(ours)).toMatchObject({
    state: 'sold',
    unguarded: false,
    occupant: { buyer_name: 'Eva Neri', ticket_id: expect.any(String), pay_by: null },
  });
  expect(sold.platea).toMatchObject({
    paying: 0,
    sold: 2,
    inside: 0,
    income_cents: 6400,
    free: sold.platea.places - 3,
  });

  const { ticket_id } = sold.at(ours)!.occupant! as { ticket_id: string };
  const admitted = await callOk(
    server,
    admitTicket,
    { params: { ticketId: ticket_id }, body: { direction: 'in' } },
    admin,
  );
  const inside = await look(server, admin);
  expect(inside.at(ours)).toMatchObject({
    state: 'inside',
    occupant: { admitted_at: admitted.at },
  });
  expect(inside.at(beside)).toMatchObject({ state: 'sold', occupant: { admitted_at: null } });
  expect(inside.platea).toMatchObject({ sold: 1, inside: 1, income_cents: 6400 });
  await callOk(
    server,
    admitTicket,
    { params: { ticketId: ticket_id }, body: { direction: 'out' } },
    admin,
  );
  expect((await look(server, admin)).at(ours)).toMatchObject({
    state: 'sold',
    occupant: { admitted_at: admitted.at },
  });
  expect(
    (
      await callOk(server, listOrderTickets, { params: { orderId: order.order_id } }, admin)
    ).items.map((item) => item.ticket_id),
  ).toContain(ticket_id);
  expect((await look(server, admin)).at(second)).toBeNull();
});

testOnSqlite(
  'a place that somebody else has at the seat map is blocked, and one that we sold and it calls free is told',
  async (server, admin) => {
    const order = await makePaidOrder(server);
    const vendor = vendorOf(server);
    const [sold = ''] = order.selected_objects.map((object) => object.object_id);
    const [elsewhere = '', closed = ''] = await findSeats(server, { nth: 2 });
    await vendor.events.book(demoEvent, [elsewhere], null, 'someone-elses');
    await vendor.events.markAsNotForSale(demoEvent, [closed]);
    await vendor.events.changeObjectStatus(demoEvent, ['Platea-A-1'], 'riservato_stampa');
    const seats = await look(server, admin);
    expect(seats.at(elsewhere)).toMatchObject({
      state: 'blocked',
      map_status: 'booked',
      occupant: null,
    });
    expect(seats.at(closed)).toMatchObject({
      state: 'blocked',
      map_status: 'not_for_sale',
      occupant: null,
    });
    expect(seats.at('Platea-A-1')).toMatchObject({
      state: 'blocked',
      map_status: 'riservato_stampa',
    });
    expect(seats.platea.blocked).toBe(3);
    expect(seats.taken.filter((seat) => seat.unguarded)).toEqual([]);
    await vendor.events.release(demoEvent, [sold]);
    expect(
      (await look(server, admin)).taken.filter((seat) => seat.unguarded).map((seat) => seat.place),
    ).toEqual([sold]);
  },
);

testOnSqlite(
  'a standing area is counted: what is in carts and what others took has no place of its own',
  async (server, admin) => {
    const places = [{ object_id: 'Loggione', ticket_type: 'intero', quantity: 3 }];
    const order = await makeOrder(server, { selected_objects: places });
    await holdObjects(server, await makeHoldToken(server), [
      { object_id: 'Loggione', quantity: 4 },
    ]);
    await vendorOf(server).events.book(demoEvent, [{ objectId: 'Loggione', quantity: 5 }]);
    const seats = await look(server, admin);
    expect(seats.areas).toEqual([{ object: 'Loggione', held: 4, blocked: 5 }]);
    expect(seats.taken.map((seat) => [seat.place, seat.state, seat.occupant?.order_id])).toEqual(
      [1, 2, 3].map((n) => [`Loggione#${n}`, 'paying', order.order_id]),
    );
    const [before, after] = [
      639,
      seats.categories.reduce(
        (sum, count) =>
          sum + count.free + count.held + count.paying + count.sold + count.inside + count.blocked,
        0,
      ),
    ];
    expect([after, seats.categories.reduce((sum, count) => sum + count.free, 0)]).toEqual([
      before,
      639 - 12,
    ]);
  },
);

test('without the seat map the office still sees what was sold', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const order = await makePaidOrder(server);
  await server.house.standins!.seatsio!.close();
  const seats = await look(server, admin);
  expect(seats.map).toBe('silent');
  expect(seats.taken.map((seat) => [seat.place, seat.state, seat.unguarded])).toEqual(
    order.selected_objects.map((object) => [object.object_id, 'sold', false]),
  );
  for (const path of [`events/${demoEvent}`, `events/${demoEvent}/objects/Platea-A-1`]) {
    expect([
      path,
      (await ask(server, 'GET', `/api/admin/seatsio/${path}`, { headers: admin })).status,
    ]).toEqual([path, 503]);
  }
});

test('the seat map’s event comes through the SDK, in our spelling', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const vendor = vendorOf(server);
  await vendor.events.create(
    'teatro-goldoni',
    new CreateEventParams().withKey('prova').withName('Prova'),
  );
  await vendor.events.markAsNotForSale('prova', ['Platea-A-1'], { Loggione: 4 }, ['Galleria']);
  const event = await callOk(server, readSeatEvent, { params: { eventKey: 'prova' } }, admin);
  expect(event).toMatchObject({
    key: 'prova',
    name: 'Prova',
    chart_key: 'teatro-goldoni',
    date: null,
    is_season: false,
    supports_best_available: true,
    table_booking: { mode: 'INHERIT', tables: {} },
    channels: [],
    for_sale_config: {
      for_sale: false,
      objects: ['Platea-A-1'],
      area_places: { Loggione: 4 },
      categories: ['Galleria'],
    },
    created_on: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  expect(event.categories.map((category) => category.label)).toEqual(
    expect.arrayContaining(['Platea', 'Palchi', 'Galleria']),
  );
  expect(
    (await callOk(server, readSeatEvent, { params: { eventKey: demoEvent } }, admin))
      .for_sale_config,
  ).toBeNull();
  for (const key of ['nobody', '..', '.', '%2E%2E', 'a/b']) {
    const answer = await ask(
      server,
      'GET',
      `/api/admin/seatsio/events/${encodeURIComponent(key)}`,
      { headers: admin },
    );
    expect([key, answer.status]).toEqual([key, 404]);
  }
});

test('seat objects are told in the order asked for, without anybody’s hold token; an unknown one is named, and too many or none are refused', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const hold_token = await makeHoldToken(server);
  const [seat = ''] = await findSeats(server);
  await holdObjects(server, hold_token, [
    { object_id: seat },
    { object_id: 'Loggione', quantity: 2 },
  ]);
  const objIds = joinLabels([seat, 'Loggione', 'Platea-A-1', seat]);
  const { items } = await callOk(
    server,
    readSeatObjects,
    { params: { eventKey: demoEvent, objIds } },
    admin,
  );
  expect(items.map((item) => item.label)).toEqual([seat, 'Loggione', 'Platea-A-1']);
  expect(items[0]).toMatchObject({
    kind: 'seat',
    status: 'reservedByToken',
    is_available: false,
    category_label: 'Platea',
    labels: { section: 'Platea' },
    area: null,
  });
  expect(items[1]).toMatchObject({
    kind: 'area',
    area: { capacity: 60, free: 58, held: 2, booked: 0, not_for_sale: 0 },
  });
  expect(items[2]).toMatchObject({ status: 'free', is_available: true, order_id: null });
  expect(JSON.stringify(items)).not.toContain(hold_token);

  const read = (objIds: string, eventKey = demoEvent) =>
    ask(
      server,
      'GET',
      `/api/admin/seatsio/events/${eventKey}/objects/${encodeURIComponent(objIds)}`,
      { headers: admin },
    );
  expect(await read('Platea-A-1,Platea-A-99,Palco 7-1')).toMatchObject(
    aRefusal(404, 'seat_object_not_found', { objects: ['Platea-A-99', 'Palco 7-1'] }),
  );
  expect(await read(joinLabels(['a,b', 'c\\d']))).toMatchObject({
    status: 404,
    body: { detail: { objects: ['a,b', 'c\\d'] } },
  });
  expect(await read('Platea-A-1', 'nobody')).toMatchObject(aRefusal(404, 'seat_event_not_found'));
  for (const objIds of [
    ',',
    'Platea-A-1,',
    Array.from({ length: 101 }, (_, n) => `Platea-A-${n}`).join(),
  ])
    expect([objIds.slice(0, 20), (await read(objIds)).status]).toEqual([objIds.slice(0, 20), 400]);
  for (const path of ['hall', 'seats'])
    expect(
      (await ask(server, 'GET', `/api/admin/events/nobody/${path}`, { headers: admin })).status,
    ).toBe(404);
  const hundred = (await callOk(server, readHall, { params }, admin)).rows
    .flatMap((row) => row.seats)
    .filter((seat) => seat.place === seat.object)
    .slice(0, 100)
    .map((seat) => seat.object);
  expect(
    (
      await callOk(
        server,
        readSeatObjects,
        { params: { eventKey: demoEvent, objIds: joinLabels(hundred) } },
        admin,
      )
    ).items,
  ).toHaveLength(100);
});

test('labels with commas and backslashes survive being joined', () => {
  for (const labels of [['A-1'], ['a,b', 'c'], ['\\', ',', '\\,'], ['Palco 7-1', 'é "x" / y']])
    expect(splitLabels(joinLabels(labels))).toEqual(labels);
  expect(splitLabels('A-1,A-2')).toEqual(['A-1', 'A-2']);
});
