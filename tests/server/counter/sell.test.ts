/** Sales at the counter over HTTP: paid, split, given away, reserved, by hand; made once, and nothing of a refused one stays. */
import { expect } from 'vitest';
import {
  changeTills,
  collectReservation,
  dropReservation,
  listReservations,
  makeSale,
  readTill,
} from '#server/contract/counter.ts';
import { ProviderRefused, ProviderUnavailable } from '#server/adapters/provider.ts';
import { confirmOrder } from '#server/contract/office.ts';
import { cancelEvent } from '#server/contract/order/refunds.ts';
import { getOrder, orderStatus, readOrder } from '#server/contract/order/orders.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import {
  newSaleKey,
  openDrawer,
  saleBody,
  sellAtCounter,
  type Seller,
} from '#tests/support/counter.ts';
import {
  ask,
  callOk,
  demoEvent,
  findSeats,
  holdObjects,
  makeAdmin,
  makeHoldToken,
  aRefusal,
} from '#tests/support/make.ts';
import { expectSoundBooks } from '#tests/support/refunds.ts';
import { asRole } from '#tests/support/roles.ts';
import type { TestServer } from '#tests/support/server.ts';

const twoTills = {
  version: 0,
  gifts_per_event: 10,
  tills: [
    { id: 'cassa-1', name: 'Cassa 1', layout: '80mm' as const, printer: null },
    { id: 'cassa-2', name: 'Cassa 2', layout: 'a6' as const, printer: null },
  ],
};

async function refusalOf(server: TestServer, seller: Seller, body: unknown) {
  const answer = await ask(server, makeSale.method, makeSale.path, { body, headers: seller });
  return { status: answer.status, ...(answer.body as { code?: string }) };
}

const reservations = '/api/admin/counter/reservations';

async function payReservation(
  server: TestServer,
  seller: Seller,
  { order_id, total_cents }: { order_id: string; total_cents: number },
) {
  return ask(server, 'POST', `${reservations}/${order_id}/pay`, {
    body: { payments: [{ method: 'pos', amount_cents: total_cents }] },
    headers: seller,
  });
}

async function seller(server: TestServer): Promise<Seller> {
  const admin = await makeAdmin(server);
  await openDrawer(server, admin);
  return admin;
}

test('two seats for cash are an order of the counter with tickets, its change is told and its money lies in the shift', async (server, admin) => {
  const shift = await openDrawer(server, admin);
  const sale = await sellAtCounter(server, admin, {
    payments: [{ method: 'cash', amount_cents: 6_400, given_cents: 10_000 }],
    buyer: { name: 'Ada Neri', email: 'ada@example.it' },
  });
  expect(sale).toMatchObject({
    state: 'confirmed',
    total_cents: 6_400,
    change_cents: 3_600,
    replayed: false,
    lines: [{ type_label: 'Intero' }, { type_label: 'Intero' }],
  });
  const page = await callOk(server, getOrder, { params: { orderId: sale.order_id } });
  expect(page.tickets.map(({ state }) => state)).toEqual(['valid', 'valid']);
  const { db } = server.house.ctx;
  expect(await db('orders').first('channel', 'shift_id', 'session_id', 'paid_cents')).toEqual({
    channel: 'counter',
    shift_id: shift.shift_id,
    session_id: null,
    paid_cents: 6_400,
  });
  expect(await db('payments').select('method', 'amount_cents', 'given_cents', 'shift_id')).toEqual([
    { method: 'cash', amount_cents: 6_400, given_cents: 10_000, shift_id: shift.shift_id },
  ]);
  await server.runDue();
  expect(await db('mails').select('kind', 'state')).toEqual([{ kind: 'tickets', state: 'sent' }]);
  const file = await callOk(server, readOrder, { params: { orderId: sale.order_id } }, admin);
  expect(file.timeline.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['order_stored', 'order_confirmed', 'payment_received', 'mail_kept']),
  );
  await expectSoundBooks(server);
  expect(server.logged).toEqual([]);
});

test('the same key ten times at once and once later is one sale', async (server) => {
  const admin = await seller(server);
  const body = await saleBody(server);
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => callOk(server, makeSale, { body }, admin)),
  );
  const again = await callOk(server, makeSale, { body }, admin);
  expect(new Set([...answers, again].map(({ order_id }) => order_id)).size).toBe(1);
  expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
  expect(again.replayed).toBe(true);
  expect(await server.house.ctx.db('payments')).toHaveLength(1);
  const seats = await findSeats(server, { nth: 1 });
  const other = await saleBody(server, { seats, sale_key: body.sale_key });
  expect(await refusalOf(server, admin, other)).toMatchObject({ code: 'sale_differs' });
});

it('what does not add up is refused and changes nothing', async (server, admin) => {
  const body = await saleBody(server);
  expect(await refusalOf(server, admin, body)).toMatchObject({ code: 'shift_not_open' });
  await openDrawer(server, admin);
  const pay = (payments: unknown) => refusalOf(server, admin, { ...body, payments });
  const parts = [
    [{ method: 'cash', amount_cents: 6_399 }],
    [{ method: 'cash', amount_cents: 6_400, given_cents: 5_000 }],
    [{ method: 'pos', amount_cents: 6_400, given_cents: 7_000 }],
    [],
  ];
  for (const payments of parts)
    expect(await pay(payments)).toMatchObject({ code: 'payment_wrong' });
  const cheaper = await refusalOf(server, admin, { ...body, expected_cents: 6_300 });
  expect(cheaper).toMatchObject({ code: 'total_changed' });
  const twoWays = await refusalOf(server, admin, { ...body, gift: { reason: 'Stampa' } });
  expect(twoWays).toMatchObject({ code: 'bad_request' });
  expect(await server.house.ctx.db('orders')).toEqual([]);
});

test('gifts cost nothing, are told apart, and end with the quota', async (server) => {
  const admin = await seller(server);
  const give = (nth: number) =>
    saleBody(server, { nth, gift: { reason: 'Rassegna stampa' } }).then((body) =>
      ask(server, makeSale.method, makeSale.path, { body, headers: admin }),
    );
  for (let nth = 0; nth < 5; nth += 1) expect((await give(0)).status).toBe(200);
  const { db } = server.house.ctx;
  expect(await db('orders').first('total_cents', 'paid_by', 'gift_reason')).toEqual({
    total_cents: 0,
    paid_by: 'free',
    gift_reason: 'Rassegna stampa',
  });
  expect((await give(0)).body).toMatchObject({ code: 'gifts_used_up' });
  expect(await db('tickets')).toHaveLength(10);
  expect(await db('orders').where({ state: 'deleted' })).toHaveLength(1);
  await expectSoundBooks(server);
});

it('a split payment is as many payments; a price by hand is spread to the cent, and the seat rules hold unless a reason is typed', async (server) => {
  const admin = await seller(server);
  const { db } = server.house.ctx;
  await sellAtCounter(server, admin, {
    payments: [
      { method: 'cash', amount_cents: 2_000 },
      { method: 'pos', amount_cents: 4_400, receipt: 'POS-0042' },
    ],
  });
  const rows = await db('payments').orderBy('amount_cents').select('method', 'receipt_number');
  expect(rows).toEqual([
    { method: 'cash', receipt_number: null },
    { method: 'pos', receipt_number: 'POS-0042' },
  ]);

  const cash = (amount_cents: number) => ({
    expected_cents: amount_cents,
    payments: [{ method: 'cash' as const, amount_cents }],
  });
  const by_hand = { total_cents: 3_333, reason: 'Convenzione scuole' };
  const sale = await sellAtCounter(server, admin, { nth: 0, by_hand, ...cash(3_333) });
  expect(sale.lines.map((line) => line.price_cents + line.fee_cents)).toEqual([1_667, 1_666]);
  const dear = { by_hand: { ...by_hand, total_cents: 6_401 }, ...cash(6_401) };
  const dearer = await saleBody(server, dear);
  expect(await refusalOf(server, admin, dearer)).toMatchObject({ code: 'price_by_hand_wrong' });

  const row = await findSeats(server, { count: 3 });
  const lonely = await saleBody(server, { seats: [row[1]!], ...cash(3_200) });
  expect(await refusalOf(server, admin, lonely)).toMatchObject({ code: 'orphan_seats' });
  const rules_reason = 'Persona sola, posto visto dalla sala';
  await callOk(server, makeSale, { body: { ...lonely, rules_reason } }, admin);
  expect(await db('audit').where({ action: 'seat_rules_overridden' })).toHaveLength(1);
  await expectSoundBooks(server);
});

test('a reservation waits without a checkout, frees itself without Stripe, or is paid in a shift, or in the office outside any drawer', async (server) => {
  const admin = await seller(server);
  const pay_by = new Date(server.clock.now() + 3_600_000).toISOString();
  const paid = await sellAtCounter(server, admin, {
    reservation: { pay_by },
    buyer: { name: 'Eva Bianchi', phone: '+39 347 123 45 67' },
  });
  const left = await sellAtCounter(server, admin, { reservation: { pay_by }, nth: 0 });
  const dropped = await sellAtCounter(server, admin, { reservation: { pay_by }, nth: 0 });
  const wired = await sellAtCounter(server, admin, { reservation: { pay_by }, nth: 0 });
  expect(paid.state).toBe('awaiting_payment');
  const status = await callOk(server, orderStatus, { params: { orderId: paid.order_id } });
  expect(status.checkout_session_status).toBe(null);
  const { items } = await callOk(server, listReservations, {}, admin);
  expect(items.map(({ buyer_name, places }) => [buyer_name, places])).toContainEqual([
    'Eva Bianchi',
    2,
  ]);
  const { seats = [], number = '' } = items.find(({ buyer_name }) => buyer_name !== null) ?? {};
  expect(seats).toHaveLength(2);
  const reserved = async (q: string) =>
    (await callOk(server, listReservations, { query: { q } }, admin)).items.map(
      (one) => one.number,
    );
  for (const q of ['bianchi', '347 1234567', number.toLowerCase(), seats[0] ?? '', 'eva bian'])
    expect([q, await reserved(q)]).toEqual([q, [number]]);
  for (const q of ['rossi', 'zz 99']) expect([q, await reserved(q)]).toEqual([q, []]);
  await callOk(server, dropReservation, { params: { orderId: dropped.order_id } }, admin);

  const params = { orderId: paid.order_id };
  const body = { payments: [{ method: 'pos' as const, amount_cents: 6_400 }] };
  expect(await callOk(server, collectReservation, { params, body }, admin)).toMatchObject({
    state: 'confirmed',
    replayed: false,
  });
  expect(await callOk(server, collectReservation, { params, body }, admin)).toMatchObject({
    replayed: true,
  });
  const transfer = {
    reason: 'Bonifico arrivato',
    method: 'transfer' as const,
    expected_cents: 6_400,
  };
  const wire = { params: { orderId: wired.order_id }, body: transfer };
  expect(await callOk(server, confirmOrder, wire, admin)).toMatchObject({ state: 'confirmed' });
  // Stripe is not asked: it would not answer.
  server.house.ctx.payments.read = () => Promise.reject(new Error('asked'));
  server.house.ctx.payments.expire = () => Promise.reject(new Error('asked'));
  server.clock.advance(3_600_000 + 1_000);
  await server.runDue();
  const { db } = server.house.ctx;
  const ended = await db('orders').where({ id: left.order_id }).first('state', 'end_reason');
  expect(ended).toEqual({ state: 'deleted', end_reason: 'reservation_expired' });
  const free = await db('order_lines').whereNull('released_at');
  const kept = [paid, wired].map(({ order_id }) => order_id);
  expect(free.map(({ order_id }) => order_id).toSorted()).toEqual([...kept, ...kept].toSorted());
  const outside = await db('payments').where({ order_id: wired.order_id }).pluck('shift_id');
  expect(outside).toEqual([null]);
  await expectSoundBooks(server);
});

it('a reservation that was given back takes no money, though the process dies before it has told the seat map: the seats come back', async (server) => {
  const admin = await seller(server);
  const { ctx } = server.house;
  const pay_by = new Date(server.clock.now() + 3_600_000).toISOString();
  const sale = await sellAtCounter(server, admin, { reservation: { pay_by } });
  ctx.fault = (point) => {
    if (/seats_released|order_ended/.test(point)) throw new Error('died');
  };
  await ask(server, 'DELETE', `${reservations}/${sale.order_id}`, { headers: admin });
  const late = await payReservation(server, admin, sale);
  expect(late).toMatchObject(aRefusal(409, 'order_not_reserved'));

  await using again = await server.restart();
  await again.runDue();
  const lines = again.house.ctx.db('order_lines').where({ order_id: sale.order_id });
  const places: string[] = await lines.pluck('object_label');
  const objects = await again.house.ctx.seats.read(demoEvent, places);
  expect(places.map((place) => objects.get(place)?.status)).toEqual(['free', 'free']);
  await expectSoundBooks(again);
});

it('a reservation is given back though the seat map is silent or says no: its seats follow', async (server) => {
  const admin = await seller(server);
  const { seats } = server.house.ctx;
  const { read } = seats;
  const pay_by = new Date(server.clock.now() + 3_600_000).toISOString();
  for (const fault of [
    new ProviderUnavailable('seats.io', 'silent', null),
    new ProviderRefused('seats.io', 'NO', 'no'),
  ]) {
    const sale = await sellAtCounter(server, admin, { reservation: { pay_by }, nth: 0 });
    seats.read = () => Promise.reject(fault);
    const answer = await ask(server, 'DELETE', `${reservations}/${sale.order_id}`, {
      headers: admin,
    });
    seats.read = read;
    expect(answer.status).toBe(204);
    await server.runDue();
    const lines = server.house.ctx.db('order_lines').where({ order_id: sale.order_id });
    const places: string[] = await lines.pluck('object_label');
    const objects = await seats.read(demoEvent, places);
    expect(places.map((place) => objects.get(place)?.status)).toEqual(['free', 'free']);
  }
});

it('nobody pays for a reservation of a cancelled evening, and its till says why', async (server) => {
  const admin = await seller(server);
  const endOf = async () =>
    (await callOk(server, readTill, { params: { eventId: demoEvent } }, admin)).event.ended;
  expect(await endOf()).toBe(null);
  const pay_by = new Date(server.clock.now() + 3_600_000).toISOString();
  const sale = await sellAtCounter(server, admin, { reservation: { pay_by } });
  const ending = { reason: 'Malattia', expected_cents: 0, expected_orders: 0 };
  await callOk(server, cancelEvent, { params: { eventId: demoEvent }, body: ending }, admin);
  const late = await payReservation(server, admin, sale);
  expect(late).toMatchObject(aRefusal(410, 'event_cancelled'));
  expect(await endOf()).toBe('cancelled');
  const over = { status: 'published', starts_at: server.clock.now() - 86_400_000 };
  await server.house.ctx.db('events').where({ id: demoEvent }).update(over);
  expect(await endOf()).toBe('over');
});

it('a cashier sells at the list’s prices', async (server) => {
  await makeAdmin(server);
  const cashier = await asRole(server, 'cassa');
  await openDrawer(server, cashier);
  await sellAtCounter(server, cashier);
  const cheaper = await saleBody(server, {
    by_hand: { total_cents: 1_000, reason: 'Un amico' },
    expected_cents: 1_000,
    payments: [{ method: 'cash', amount_cents: 1_000 }],
  });
  expect(await refusalOf(server, cashier, cheaper)).toMatchObject({
    code: 'price_by_hand_not_allowed',
  });
});

it('a sale whose process died between the seats and the money goes on with its key, or gives the seats back', async (server) => {
  const admin = await seller(server);
  const { ctx } = server.house;
  const [first, second] = [await saleBody(server), await saleBody(server, { nth: 1 })];
  ctx.fault = (point) => {
    if (point === 'seats_booked') throw new Error('died');
  };
  for (const body of [first, second])
    expect((await refusalOf(server, admin, body)).status).toBe(500);
  ctx.fault = () => {};
  server.logged.length = 0;
  expect(await callOk(server, makeSale, { body: first }, admin)).toMatchObject({
    state: 'confirmed',
  });
  server.clock.advance(4 * 60_000);
  await server.runDue();
  expect(await refusalOf(server, admin, second)).toMatchObject({ code: 'hold_expired' });
  const labels = second.selected_objects.map(({ object_id }) => object_id);
  const seats = await ctx.seats.read(demoEvent, labels);
  expect([...seats.values()].map(({ status }) => status)).toEqual(['free', 'free']);
  await expectSoundBooks(server);
});

test('two tills and the web race for one seat: one of them sells it', async (server) => {
  const admin = await seller(server);
  const office = await asRole(server, 'office');
  await callOk(server, changeTills, { body: twoTills }, admin);
  await openDrawer(server, office, 'cassa-2');
  for (let round = 0; round < 2; round += 1) {
    const selected_objects = (await findSeats(server)).map((object_id) => ({
      object_id,
      ticket_type: 'intero',
    }));
    // All three believe that they hold it: the seat map itself lets only one of them hold.
    const tokens = [];
    for (let nth = 0; nth < 3; nth += 1) tokens.push(await makeHoldToken(server));
    await Promise.all(tokens.map((token) => holdObjects(server, token, selected_objects)));
    const sale = (hold_token: string) => ({
      sale_key: newSaleKey(),
      event_id: demoEvent,
      hold_token,
      selected_objects,
      expected_cents: 6_400,
      payments: [{ method: 'cash', amount_cents: 6_400 }],
    });
    const answers = await Promise.all([
      ask(server, 'POST', makeSale.path, { body: sale(tokens[0]!), headers: admin }),
      ask(server, 'POST', makeSale.path, { body: sale(tokens[1]!), headers: office }),
      ask(server, 'POST', `/api/event/${demoEvent}/book`, {
        body: { hold_token: tokens[2]!, selected_objects },
      }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  }
  await expectSoundBooks(server);
});
