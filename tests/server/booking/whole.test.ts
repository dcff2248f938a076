/** Objects sold whole: a club of forty tables and a gala with booths are sold, given back and counted. */
import { expect } from 'vitest';
import { readFloor } from '#db/processes.ts';
import { makeSale } from '#server/contract/counter.ts';
import { duplicateEvent, readEvent } from '#server/contract/event-desk.ts';
import { getEvent } from '#server/contract/events.ts';
import { seatsAgain } from '#server/contract/order/orders.ts';
import { readRecord } from '#server/domain/order/order-record.ts';
import { compareBooks } from '#server/services/reconcile/comparison.ts';
import { followChart } from '#server/services/chart/follow.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { club, clubTerms, openClub, seatsOfClub } from '#tests/support/club.ts';
import { newSaleKey, openDrawer } from '#tests/support/counter.ts';
import { save, trySave } from '#tests/support/event-desk.ts';
import {
  aRefusal,
  callOk,
  holdObjects,
  holdSeats,
  makeHoldToken,
  makeOrder,
  tryBook,
  type Booked,
  type Chosen,
} from '#tests/support/make.ts';
import { endBehindOurBack, payLate, rowOf } from '#tests/support/order-end.ts';
import { expectSoundBooks, refundByOffice } from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';

const chosen = (object_id: string, quantity?: number): Chosen => ({
  object_id,
  ticket_type: 'intero',
  ...(quantity === undefined ? {} : { quantity }),
});

/** Holds objects as the chart does, one of each, and books them for as many guests. */
async function bookFor(server: TestServer, selected_objects: Chosen[]) {
  const hold_token = await makeHoldToken(server);
  const held = await holdObjects(
    server,
    hold_token,
    selected_objects.map(({ object_id }) => chosen(object_id)),
    club,
  );
  if (held.status !== 200) return held;
  return tryBook(server, { hold_token, selected_objects }, club);
}

const buy = (server: TestServer, selected_objects: Chosen[]): Promise<Booked> =>
  makePaidOrder(server, {}, { event: club, selected_objects });

const statusOf = async (server: TestServer, label: string) =>
  (await server.house.ctx.seats.read(club, [label])).get(label)!.status;

const ticketsOf = (server: TestServer, order_id: string): Promise<string[]> =>
  server.house.ctx
    .db('tickets')
    .where({ order_id, state: 'valid' })
    .orderBy('issued_at')
    .pluck('id');

test('a club of forty tables has the seats of all its tables, and is sold to the last one with a ticket for each guest', async (server) => {
  const { desk } = await openClub(server);
  expect(desk.counts).toMatchObject({ places: seatsOfClub, free: seatsOfClub });
  const page = await callOk(server, getEvent, { params: { eventId: club } });
  expect(
    page.whole_objects.map(({ labels, category: _category, ...kind }) => [labels.length, kind]),
  ).toEqual([
    [40, { category_key: '1', places: 10, minimum: 6, price_per: 'place' }],
    [2, { category_key: '2', places: 6, minimum: 3, price_per: 'object' }],
    [1, { category_key: '3', places: 30, minimum: 30, price_per: 'place' }],
  ]);
  for (let first = 1; first <= 40; first += 10) {
    const tables = Array.from({ length: 10 }, (_, at) => chosen(`T${first + at}`));
    const order = await buy(server, tables);
    expect(await ticketsOf(server, order.order_id)).toHaveLength(100);
  }
  const { db } = server.house.ctx;
  const [sum] = await db
    .raw(
      `SELECT count(*) AS n, sum(price_cents) AS cents, count(DISTINCT object_label) AS tables FROM order_lines WHERE released_at IS NULL`,
    )
    .then((answer: { rows?: unknown[] }) => (answer.rows ?? answer) as Record<string, unknown>[]);
  expect([Number(sum!['n']), Number(sum!['cents']), Number(sum!['tables'])]).toEqual([
    400, 1_200_000, 40,
  ]);
  expect(await statusOf(server, 'T17')).toBe('booked');
  // A process of before 1.2.0 would take a table for a standing area.
  expect(await readFloor(db)).not.toBeNull();
  await expectSoundBooks(server);
});

it('a party pays for the least that its table asks for, the rest is closed; one that is too large is refused', async (server) => {
  await openClub(server);
  expect(await bookFor(server, [chosen('T1', 11)])).toMatchObject(
    aRefusal(422, 'party_too_large', { places: 10 }),
  );
  const answer = await bookFor(server, [chosen('T2', 4), chosen('T3', 8)]);
  expect(answer.status).toBe(200);
  const lines = await server.house.ctx
    .db('order_lines')
    .whereIn('object_label', ['T2', 'T3'])
    .orderBy('position')
    .pluck('place');
  expect(lines).toEqual([
    ...Array.from({ length: 6 }, (_, at) => `T2#${at + 1}`),
    ...Array.from({ length: 8 }, (_, at) => `T3#${at + 1}`),
  ]);
  await expectSoundBooks(server);
});

test('at a gala a booth has one price, spread over its guests to the cent and asked for once at Stripe', async (server) => {
  await openClub(server);
  const answer = await bookFor(server, [chosen('S1', 3), chosen('Terrazza')]);
  expect(answer.status).toBe(200);
  const { db } = server.house.ctx;
  const [order] = await db('orders').select();
  expect(order.total_cents).toBe(10_001 + 30 * 1_000);
  const booth = await db('order_lines')
    .where({ object_label: 'S1' })
    .orderBy('position')
    .pluck('price_cents');
  expect(booth).toEqual([3_334, 3_334, 3_333]);
  const { items, record } = JSON.parse(order.stripe_params) as {
    items: { quantity: number }[];
    record: Record<string, string>;
  };
  // What a lost house would be written from.
  const told = readRecord(record)!.lines.map((line) => [line.place, line.whole_size]);
  expect([told.length, told[2]]).toEqual([33, ['S1#3', 6]]);
  expect(items.map(({ quantity }) => quantity)).toEqual([1, 30]);
  expect(await statusOf(server, 'Terrazza')).toBe('booked');
  // The nightly comparison finds each at the seat map as it was sold.
  const { ctx } = server.house;
  await compareBooks(ctx, new AbortController().signal);
  expect(await db('breaks').pluck('kind')).toEqual([]);
  await ctx.seats.release(club, [{ label: 'S1', quantity: null, ticket_type: '' }], order.id);
  await compareBooks(ctx, new AbortController().signal);
  expect(await db('breaks').select('kind', 'subject')).toEqual([
    { kind: 'seat_not_booked', subject: 'S1' },
  ]);
});

test('guests who give back six places of a table close them; with the last one the table is sold again', async (server) => {
  const { office } = await openClub(server);
  const order = await buy(server, [chosen('T5')]);
  const placed: { id: string; place: string }[] = await server.house.ctx
    .db('tickets')
    .where({ order_id: order.order_id })
    .select('id', 'place');
  const [back, others] = [true, false].map((isBack) =>
    placed.filter(({ place }) => /#[1-6]$/.test(place) === isBack).map(({ id }) => id),
  );
  await refundByOffice(server, office, order, { ticket_ids: back! });
  await server.runDue();
  expect(await statusOf(server, 'T5')).toBe('booked');
  // Even if the seat map gave the table away, the six places that are free are not sold.
  await server.house.ctx.seats.release(
    club,
    [{ label: 'T5', quantity: null, ticket_type: 'intero' }],
    order.order_id,
  );
  const six = [chosen('T5', 6)];
  expect(await bookFor(server, six)).toMatchObject(aRefusal(409, 'seats_taken'));
  await server.house.ctx.seats.freeHeld(club, ['T5']);
  await refundByOffice(server, office, order, { ticket_ids: others! });
  await server.runDue();
  expect(await statusOf(server, 'T5')).toBe('free');
  const again = await buy(server, [chosen('T5')]);
  expect(await ticketsOf(server, again.order_id)).toHaveLength(10);
  await expectSoundBooks(server);
});

test('how tables are sold is fixed once a place of them is held, and changes their places before', async (server) => {
  const { office, desk } = await openClub(server);
  const whole_terms = {
    ...desk.form.whole_terms!,
    tables: {
      mode: 'CUSTOM' as const,
      tables: { T1: 'BY_SEAT' as const, C1: 'BY_TABLE' as const },
    },
  };
  const { hold_token } = await holdSeats(server, {
    event: club,
    selected_objects: [chosen('T1')],
  });
  expect(await trySave(server, office, desk, { whole_terms })).toMatchObject(
    aRefusal(409, 'whole_objects_fixed', { objects: ['T1'] }),
  );
  expect(hold_token).not.toBe('');
  server.clock.advance(20 * 60_000);
  await server.runDue();
  expect((await trySave(server, office, desk, { whole_terms })).status).toBe(200);
  const { db } = server.house.ctx;
  const placesOf = (name: string): Promise<string[]> =>
    db('places').where({ event_id: club, in_hall: 1 }).whereLike('place', name).pluck('place');
  expect(await placesOf('T1#%')).toEqual([]);
  expect(await placesOf('T1-%')).toHaveLength(10);
  expect(await placesOf('C1#%')).toHaveLength(4);
  expect((await server.house.ctx.seats.event(club)).table_booking).toEqual(whole_terms.tables);
});

test('a till sells a table for those who come, and gives one away; both are paid for by place', async (server) => {
  const { office } = await openClub(server);
  await openDrawer(server, office);
  const sell = async (object_id: string, quantity: number, more: object, cents: number) => {
    const hold_token = await makeHoldToken(server);
    await holdObjects(server, hold_token, [chosen(object_id)], club);
    const body = {
      sale_key: newSaleKey(),
      event_id: club,
      hold_token,
      selected_objects: [chosen(object_id, quantity)],
      expected_cents: cents,
      ...more,
    };
    return callOk(server, makeSale, { body }, office);
  };
  const cash = { payments: [{ method: 'cash' as const, amount_cents: 24_000 }] };
  const sold = await sell('T1', 8, cash, 24_000);
  const given = await sell('S1', 4, { gift: { reason: 'Per il premio' } }, 10_001);
  expect(await ticketsOf(server, sold.order_id)).toHaveLength(8);
  expect(await ticketsOf(server, given.order_id)).toHaveLength(4);
  const { free } = (await callOk(server, readEvent, { params: { eventId: club } }, office)).counts;
  expect(free).toBe(seatsOfClub - 10 - 6);
  await expectSoundBooks(server);
});

test('a booking asks the seat map once for its object, and is not stored if the office has given it fewer places since', async (server) => {
  await openClub(server);
  const { db, seats } = server.house.ctx;
  const { around } = seats;
  const categories = { ...clubTerms!.categories, 2: { places: 4 } };
  const heard: unknown[] = [];
  seats.around = async (...asked) => {
    heard.push(asked);
    const found = await around(...asked);
    await db('events').update({ whole_terms: JSON.stringify({ ...clubTerms, categories }) });
    return found;
  };
  expect(await bookFor(server, [chosen('S1')])).toMatchObject(aRefusal(409, 'hold_expired'));
  expect(await db('order_lines').pluck('place')).toEqual([]);
  // The seat map would refuse the names of places, which it does not know.
  expect(heard).toEqual([[club, ['S1'], []]]);
});

test('the same seats again are as many guests as the order had; money that comes after a table is sold otherwise goes back', async (server) => {
  const { office, desk } = await openClub(server);
  const order = await makeOrder(server, { event: club, selected_objects: [chosen('T1')] });
  const less = await makeOrder(server, { event: club, selected_objects: [chosen('S1')] });
  for (const one of [order, less]) await endBehindOurBack(server, one, club);
  const params = { orderId: order.order_id };
  expect((await callOk(server, seatsAgain, { params })).selected_objects).toEqual([
    { ...chosen('T1'), quantity: 10 },
  ]);
  const { tables, categories } = clubTerms!;
  await save(server, office, desk, {
    whole_terms: {
      tables: { ...tables, mode: 'CUSTOM', tables: { T1: 'BY_SEAT' } },
      categories: { ...categories, 2: { ...categories['2'], places: 4 } },
    },
  });
  for (const { order_id, ...one } of [order, less]) {
    await payLate(server, { order_id, ...one });
    const { paid_cents, ...ended } = await rowOf(server, { order_id });
    expect(ended).toMatchObject({ state: 'deleted', needs_attention: null });
    expect(ended.refunded_cents).toBe(paid_cents);
  }
  expect(await statusOf(server, 'S1')).toBe('free');
  await expectSoundBooks(server);
});

test('a copy and a new date sell their tables as the first one; a chart published anew adds chairs and keeps what was sold', async (server) => {
  const { office, desk } = await openClub(server);
  const whole_terms = { ...desk.form.whole_terms!, tables: { mode: 'ALL_BY_TABLE' as const } };
  await save(server, office, desk, { whole_terms });
  const body = { id: 'replica', as: 'date' as const };
  const copy = await callOk(server, duplicateEvent, { params: { eventId: club }, body }, office);
  expect(copy.form.whole_terms).toEqual(whole_terms);
  expect(copy.counts.places).toBe(seatsOfClub);
  const { db, seats } = server.house.ctx;
  expect((await seats.event('replica')).table_booking.mode).toBe('ALL_BY_TABLE');
  expect(await db('places').where({ event_id: 'replica', place: 'C2#4' })).toHaveLength(1);
  // As if the chart had one chair less when T1 was sold.
  await db('places').where({ event_id: club, place: 'T1#10' }).delete();
  const order = await buy(server, [chosen('T1', 9)]);
  await followChart(server.house.ctx, 'club');
  const added = await db('places').where({ event_id: club, place: 'T1#10' }).first();
  expect([added.in_whole, added.in_hall]).toEqual([1, 1]);
  expect(await ticketsOf(server, order.order_id)).toHaveLength(9);
  await expectSoundBooks(server);
});

test('an event of before 1.2.0 keeps one place for each table, and is sold as it was', async (server) => {
  await openClub(server);
  const { db } = server.house.ctx;
  await db('events').where({ id: club }).update({ whole_terms: null });
  await db('places')
    .where({ event_id: club, object_label: 'T1' })
    .whereNot({ position: 1 })
    .delete();
  await db('places')
    .where({ event_id: club, object_label: 'T1' })
    .update({ place: 'T1', in_whole: 0 });
  const order = await buy(server, [chosen('T1')]);
  expect(await ticketsOf(server, order.order_id)).toHaveLength(1);
  expect(await statusOf(server, 'T1')).toBe('booked');
  expect((await callOk(server, getEvent, { params: { eventId: club } })).whole_objects).toEqual([]);
  await expectSoundBooks(server);
});
