/** The nightly comparison: every difference between the providers' books and ours is found once, mended by the office, and gone. */
import { expect } from 'vitest';
import { listBreaks, settleBreak } from '#server/contract/breaks.ts';
import type { BreakAction, BreakKind } from '#server/domain/office/break.ts';
import { compareBooks } from '#server/services/reconcile/comparison.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { makeOne } from '#tests/support/contingents.ts';
import {
  ask,
  callOk,
  demoEvent,
  findSeats,
  holdObjects,
  makeHoldToken,
  makeOrder,
  payOrder,
  type Booked,
  aRefusal,
} from '#tests/support/make.ts';
import type { TestServer } from '#tests/support/server.ts';
import { bookStanding } from '#tests/support/standing.ts';
import { atStripe, refundsAtStripe, sessionAtStripe } from '#tests/support/stripe-desk.ts';

const hour = 3_600_000;
const never = new AbortController().signal;

async function compare(server: TestServer): Promise<number | null> {
  // One run begins after the other.
  server.clock.advance(1_000);
  return compareBooks(server.house.ctx, never);
}

async function makePaid(server: TestServer, nth: number): Promise<Booked> {
  const order = await makeOrder(server, { nth });
  await payOrder(server, order.checkout_url);
  server.clock.advance(3_000);
  await ask(server, 'GET', `/api/orders/${order.order_id}/status`);
  await server.runDue();
  return order;
}

async function sellStanding(server: TestServer, quantity: number): Promise<Booked> {
  const order = await bookStanding(server, quantity);
  await payOrder(server, order.checkout_url);
  server.clock.advance(3_000);
  await ask(server, 'GET', `/api/orders/${order.order_id}/status`);
  return order;
}

const seat = (label: string) => ({ label, quantity: null, ticket_type: 'intero' });
const places = (quantity: number) => ({ label: 'Loggione', quantity, ticket_type: 'intero' });

/** Payouts are read at other times: tests/server/reconcile/payouts.test.ts. */
type PayoutBreak = 'payout_differs' | 'payout_failed' | 'payment_not_paid_out';

interface Planted {
  subject: string | RegExp;
  /** The office's way out, and what must be so after it. */ mend: BreakAction;
  after?: () => Promise<void>;
}

/** One of each kind, made behind the product's back: at the vendors, or in our tables as a fault of ours might. */
async function plantAll(
  server: TestServer,
  admin: { cookie: string },
): Promise<Record<Exclude<BreakKind, PayoutBreak>, Planted>> {
  const { ctx } = server.house;
  const { db, seats } = ctx;
  const [twice, halved, freed, stolen] = [
    await makePaid(server, 0),
    await makePaid(server, 0),
    await makePaid(server, 0),
    await makePaid(server, 0),
  ];
  const [open, dead] = [await makeOrder(server), await makeOrder(server)];
  const labelOf = (order: Booked) => order.selected_objects[0]!.object_id;
  const [ghost] = await findSeats(server, { count: 1 });
  const standing = await sellStanding(server, 4);
  const leftover = await sellStanding(server, 2);
  const statusOf = async (label: string) => (await seats.read(demoEvent, [label])).get(label);

  // A contingent whose channel went at the seat map, and a channel that is of nobody.
  const [kept, stray] = (await findSeats(server, { count: 2 })) as [string, string];
  await makeOne(server, admin, { objects: [kept] });
  const lost = await db('contingents').where({ event_id: demoEvent }).first();
  await seats.dropChannel(demoEvent, lost.channel_key);
  const foreign_channel = { name: 'Prove', color: '#000000', objects: [stray], areas: {} };
  await seats.addChannel(demoEvent, { key: 'di-nessuno', ...foreign_channel });

  // As if it had been confirmed by another payment.
  await db('orders').where({ id: twice.order_id }).update({ session_id: null });
  await db('payments').where({ order_id: halved.order_id }).update({ amount_cents: 3_200 });
  await seats.release(demoEvent, [seat(labelOf(freed))], freed.order_id);
  await seats.release(demoEvent, [seat(labelOf(stolen))], stolen.order_id);
  await seats.book(demoEvent, [seat(labelOf(stolen))], { orderId: 'somebody', holdToken: null });
  await seats.book(demoEvent, [seat(ghost!)], { orderId: 'nobody', holdToken: null });
  await seats.release(demoEvent, [places(3)], standing.order_id);
  await seats.book(demoEvent, [places(2)], { orderId: leftover.order_id, holdToken: null });
  await db('orders').where({ id: open.order_id }).update({ total_cents: 6_500 });
  await db('orders')
    .where({ id: dead.order_id })
    .update({ state: 'deleted', deleted_at: ctx.now() });
  await db('order_lines').where({ order_id: dead.order_id }).update({ released_at: ctx.now() });
  await seats.release(
    demoEvent,
    dead.selected_objects.map((object) => seat(object.object_id)),
    dead.order_id,
  );
  const [price] = await db('order_lines').where({ order_id: open.order_id }).pluck('price_id');
  const lost_session = await atStripe<{ id: string }>(server, 'POST', 'checkout/sessions', {
    mode: 'payment',
    'line_items[0][price]': price,
    'line_items[0][quantity]': '1',
    success_url: 'https://example.org/',
    'metadata[order_id]': 'order-of-nobody',
    'metadata[botteghino]': (await sessionAtStripe(server, open.order_id)).metadata['botteghino']!,
  });
  const pricing = JSON.parse(
    (await db('events').where({ id: demoEvent }).first()).seat_pricing,
  ) as { ticketTypes: { price_id: string }[] }[];
  const archived = pricing.at(-1)!.ticketTypes.at(-1)!.price_id;
  await atStripe(server, 'POST', `prices/${archived}`, { active: 'false' });
  await db('events').whereNot({ id: demoEvent }).update({ seatsio_event_key: 'moved-away' });

  return {
    paid_not_settled: {
      subject: (await sessionAtStripe(server, twice.order_id)).id,
      mend: 'take_note',
    },
    session_unknown: {
      subject: lost_session.id,
      mend: 'take_note',
      after: async () => {
        const path = `checkout/sessions/${lost_session.id}`;
        expect(await atStripe(server, 'GET', path)).toMatchObject({ status: 'open' });
      },
    },
    session_left_open: {
      subject: (await sessionAtStripe(server, dead.order_id)).id,
      mend: 'end_session',
      after: async () => {
        expect((await sessionAtStripe(server, dead.order_id)).status).toBe('expired');
      },
    },
    amount_differs: {
      subject: (await sessionAtStripe(server, open.order_id)).id,
      mend: 'take_note',
    },
    money_differs: {
      subject: (await sessionAtStripe(server, halved.order_id)).payment_intent!,
      mend: 'take_note',
    },
    seat_without_order: {
      subject: ghost!,
      mend: 'release_seat',
      after: async () => {
        expect((await statusOf(ghost!))!.status).toBe('free');
      },
    },
    seat_not_booked: {
      subject: labelOf(freed),
      mend: 'book_seat',
      after: async () => {
        expect(await statusOf(labelOf(freed))).toMatchObject({
          status: 'booked',
          order_id: freed.order_id,
        });
      },
    },
    seat_of_another: { subject: labelOf(stolen), mend: 'take_note' },
    area_places_missing: {
      subject: `Loggione ${standing.order_id}`,
      mend: 'book_seat',
      after: async () => {
        expect(
          await seats.placesOf(demoEvent, 'Loggione', { orderId: standing.order_id, since: 0 }),
        ).toBe(4);
      },
    },
    area_places_left: {
      subject: `Loggione ${leftover.order_id}`,
      mend: 'release_seat',
      after: async () => {
        expect(
          await seats.placesOf(demoEvent, 'Loggione', { orderId: leftover.order_id, since: 0 }),
        ).toBe(2);
      },
    },
    area_differs: { subject: 'Loggione', mend: 'take_note' },
    channel_differs: {
      subject: lost.id,
      mend: 'tell_channel',
      after: async () => {
        const { channels } = await seats.event(demoEvent);
        expect(channels.find(({ key }) => key === lost.channel_key)?.objects).toEqual([kept]);
      },
    },
    channel_unknown: {
      subject: 'di-nessuno',
      mend: 'drop_channel',
      after: async () => {
        const { channels } = await seats.event(demoEvent);
        expect(channels.map(({ key }) => key)).toEqual([lost.channel_key]);
      },
    },
    seat_event_unknown: { subject: 'moved-away', mend: 'take_note' },
    price_not_sellable: { subject: archived, mend: 'take_note' },
  };
}

test('each kind of difference is told once, mended by the office where it can be, and a second night adds nothing', async (server, admin) => {
  expect(await compare(server)).toBe(0);
  const { area_differs: _, ...planted } = await plantAll(server, admin);
  const found = async () => (await callOk(server, listBreaks, {}, admin)).items;

  await compare(server);
  const told = await found();
  const expected = Object.entries(planted)
    .map(([kind, { subject }]) => `${kind} ${subject.toString()}`)
    .toSorted();
  expect(told.map(({ kind, subject }) => `${kind} ${subject}`).toSorted()).toEqual(expected);
  expect(await compare(server)).toBe(0);
  expect((await found()).map((row) => row.break_id).toSorted()).toEqual(
    told.map((row) => row.break_id).toSorted(),
  );

  for (const [kind, { mend, after }] of Object.entries(planted)) {
    const row = told.find((candidate) => candidate.kind === kind)!;
    expect(row.actions, kind).toContain(mend);
    await callOk(
      server,
      settleBreak,
      { params: { breakId: row.break_id }, body: { action: mend, note: 'Visto' } },
      admin,
    );
    await after?.();
    const again = await ask(server, 'POST', `/api/admin/breaks/${row.break_id}/settle`, {
      body: { action: mend },
      headers: admin,
    });
    expect(again).toMatchObject(aRefusal(409, 'break_settled'));
  }
  expect(await found()).toEqual([]);
  expect(await compare(server)).toBe(0);
  expect(await found()).toEqual([]);
  const settled = (await callOk(server, listBreaks, { query: { open: 'false' } }, admin)).items;
  expect(new Set(settled.map((row) => row.note))).toEqual(new Set(['Visto']));
  expect(await server.house.ctx.db('audit').where({ action: 'break_settled' })).toHaveLength(
    told.length,
  );
});

it('a channel that keeps other seats than its contingent is told with how many, also by number, and an edited one that agrees is none', async (server, admin) => {
  await compare(server);
  const objects = await findSeats(server, { count: 3 });
  const areas = [{ object: 'Loggione', places: 5 }];
  await makeOne(server, admin, { objects, areas });
  expect(await compare(server)).toBe(0);
  const { db, seats } = server.house.ctx;
  const { channel_key: key } = await db('contingents').first();
  const wrong = { key, name: 'Amici', color: '#000000', objects: objects.slice(1), areas: {} };
  await seats.setChannel(demoEvent, wrong);
  expect(await compare(server)).toBe(1);
  const { items } = await callOk(server, listBreaks, {}, admin);
  expect(items).toMatchObject([
    { kind: 'channel_differs', detail: { missing: 1, foreign: 0, areas: ['Loggione'] } },
  ]);
  // The office releases it meanwhile: there is no difference any more.
  await db('contingents').update({ state: 'released' });
  await db('contingent_places').update({ kept_place: null });
  await seats.dropChannel(demoEvent, key);
  expect(await compare(server)).toBe(0);
  expect((await callOk(server, listBreaks, {}, admin)).items).toEqual([]);
});

it('places of a standing area that the office frees at the seat map without naming an order are told as the area’s', async (server, admin) => {
  await compare(server);
  await sellStanding(server, 4);
  const { url, secretKey } = server.house.standins!.seatsio!;
  const freed = await fetch(`${url}/events/groups/actions/change-object-status`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${secretKey}:`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      type: 'RELEASE',
      events: [demoEvent],
      objects: [{ objectId: 'Loggione', quantity: 1 }],
    }),
  });
  expect(freed.ok).toBe(true);
  expect(await compare(server)).toBe(1);
  const { items } = await callOk(server, listBreaks, {}, admin);
  expect(items).toMatchObject([
    {
      kind: 'area_differs',
      subject: 'Loggione',
      detail: { sold: 4, booked: 3 },
      actions: ['take_note'],
    },
  ]);
});

it('what the machine can settle by itself is no difference: a lost webhook, a refund from Stripe’s dashboard', async (server) => {
  await compare(server);
  const unheard = await makeOrder(server);
  const refunded = await makePaid(server, 1);
  await payOrder(server, unheard.checkout_url);
  const { payment_intent } = await sessionAtStripe(server, refunded.order_id);
  await atStripe(server, 'POST', 'refunds', { payment_intent: payment_intent!, amount: '1000' });
  expect(await compare(server)).toBe(0);
  const { db } = server.house.ctx;
  expect(await db('orders').where({ id: unheard.order_id }).first()).toMatchObject({
    state: 'confirmed',
    paid_cents: 6_400,
  });
  expect(
    await db('refunds').where({ order_id: refunded.order_id }).select('amount_cents', 'origin'),
  ).toEqual([{ amount_cents: 1_000, origin: 'stripe' }]);
  expect(await refundsAtStripe(server, payment_intent!)).toHaveLength(1);
  expect(await db('breaks')).toEqual([]);
});

it('a difference is none while its order is being worked on; one that is over by itself is settled as gone, and one that nothing has mended cannot be closed as mended', async (server, admin) => {
  await compare(server);
  const order = await makePaid(server, 0);
  const label = order.selected_objects[0]!.object_id;
  const { seats, db, now } = server.house.ctx;
  await seats.release(demoEvent, [seat(label)], order.order_id);
  const row = db('orders').where({ id: order.order_id });
  await row.clone().update({ lease: 'somebody', lease_until: now() + hour });
  expect(await compare(server)).toBe(0);
  await row.clone().update({ lease: null, lease_until: null });
  const visitor = await makeHoldToken(server);
  await holdObjects(server, visitor, [{ object_id: label, ticket_type: 'intero' }]);
  expect(await compare(server)).toBe(1);
  const [found] = (await callOk(server, listBreaks, {}, admin)).items;
  const settle = (action: BreakAction) =>
    ask(server, 'POST', `/api/admin/breaks/${found!.break_id}/settle`, {
      body: { action },
      headers: admin,
    });
  expect(await settle('book_seat')).toMatchObject(aRefusal(409, 'break_persists'));
  expect(await settle('end_session')).toMatchObject(aRefusal(422, 'action_not_possible'));

  server.clock.advance(hour);
  await seats.book(demoEvent, [seat(label)], { orderId: order.order_id, holdToken: null });
  expect(await compare(server)).toBe(0);
  expect(await db('breaks').first()).toMatchObject({ settlement: 'gone', settled_by: 'system' });
});
