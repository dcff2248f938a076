/** The demo is marked, taken away whole, made anew, and never sold for real. */
import { expect, test as plain } from 'vitest';
import { publishEvent, readEvent, updateEvent } from '#server/contract/event-desk.ts';
import { listPublished } from '#server/contract/events.ts';
import { readHealth } from '#server/contract/health.ts';
import { readSeals } from '#server/contract/registry.ts';
import { readSite } from '#server/contract/site.ts';
import landed from '#db/migrations/landed.json' with { type: 'json' };
import { markDemo } from '#db/migrations/003-operated.ts';
import { removed } from '#db/office/removal.ts';
import { putSetting, readSetting } from '#db/settings.ts';
import { invariants } from '#db/reconcile/invariants.ts';
import { hideDemo } from '#server/services/event/demo.ts';
import { runAdmin } from '#tests/support/admin-command.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { makePublished } from '#tests/support/event-desk.ts';
import {
  ask,
  aRefusal,
  callOk,
  demoEvent,
  holdSeats,
  makePairedPhone,
  tryBook,
} from '#tests/support/make.ts';
import { seedStates } from '#tests/support/seed-states.ts';
import type { TestServer } from '#tests/support/server.ts';

const demo = ['la-locandiera', 'concerto-di-natale'];

async function count(server: TestServer, table: string, where: object): Promise<number> {
  return (await server.house.ctx.db(table).where(where)).length;
}

test('reset-demo takes away orders in every state, and nothing of the house; a fresh demo sells every seat', async (server, admin) => {
  const { db } = server.house.ctx;
  await makePublished(server, admin);
  const own = await makePaidOrder(server, {}, { event: 'recital' });
  await seedStates(server);
  await makePairedPhone(server, admin);
  const told = await count(server, 'audit', {});
  const asked = await runAdmin(server, ['reset-demo']);
  expect([asked.code, asked.out]).toEqual([1, expect.stringContaining('«La locandiera»')]);
  expect(await count(server, 'events', { demo: 1 })).toBe(2);

  expect((await runAdmin(server, ['reset-demo', '--yes'])).code).toBe(0);
  expect(await db('events').pluck('id')).toEqual(['recital']);
  expect(await db('shows').pluck('id')).toEqual(['recital']);
  expect(await db('orders').pluck('id')).toEqual([own.order_id]);
  expect(await db('phones')).toEqual([]);
  expect(await count(server, 'audit', {})).toBeGreaterThan(told);
  await callOk(server, readSeals, {}, admin);

  server.clock.advance(60_000);
  await server.runDue();
  server.clock.advance(60_000);
  await server.runDue();
  expect((await db('events').where({ demo: 1 }).pluck('id')).toSorted()).toEqual(demo.toSorted());
  // Seats that the old demo had sold are free at the seat map, too.
  const taken = await server.house.ctx.seats.taken(demoEvent);
  expect(taken.filter(({ status }) => status === 'booked')).toEqual([]);
  await makePaidOrder(server);
  await server.runDue();
  for (const { name, always, find } of invariants)
    if (always) expect([name, await find(db, server.clock.now())]).toEqual([name, []]);
});

it('a house of 1.0 has its demo recognised, but not a play of its own with the same title, nor a demo date that took real money', async (server) => {
  const { db } = server.house.ctx;
  await db('events').update({ demo: 0 });
  const before = await db('events').where({ id: demoEvent }).first();
  const own = { ...before, id: 'nostra', seatsio_event_key: 'nostra', code_tag: 'ZZZZ' };
  await db('events').insert({ ...own, event_ball_image: '/media/nostra' });
  await markDemo(db);
  expect((await db('events').where({ demo: 1 }).pluck('id')).toSorted()).toEqual(demo.toSorted());
  const { order_id } = await makePaidOrder(server);
  await db('checkout_sessions').where({ order_id }).update({ id: 'cs_live_1' });
  server.house.ctx.payments.live = true;
  await hideDemo(server.house.ctx);
  expect(await db('events').where({ id: demoEvent }).first()).toMatchObject({
    demo: 0,
    status: 'published',
  });
  expect(await db('events').where({ demo: 1 }).pluck('status')).toEqual(['draft']);
});

it('a fresh demo that was ordered before the real keys came is not made', async (server) => {
  expect((await runAdmin(server, ['reset-demo', '--yes'])).code).toBe(0);
  server.house.ctx.standins.stripe = false;
  server.clock.advance(60_000);
  await server.runDue();
  server.clock.advance(60_000);
  await server.runDue();
  expect(await server.house.ctx.db('events')).toEqual([]);
  expect(await count(server, 'outbox', { task: 'make_demo' })).toBe(0);
});

it('with --empty no start brings it back, and its seller goes with it', async (first) => {
  expect((await runAdmin(first, ['reset-demo', '--yes', '--empty'])).code).toBe(0);
  await using server = await first.restart();
  await server.runDue();
  expect(await server.house.ctx.db('events')).toEqual([]);
  const { organiser, support } = await callOk(server, readSite, {});
  expect([organiser.vat_number, support.email]).toEqual([null, null]);
});

it('a house that takes real money shows no demo, sells in no invented name, and never publishes it again', async (server, admin) => {
  const { ctx } = server.house;
  const seller = await readSetting(ctx.db, 'site');
  await makePublished(server, admin);
  await putSetting(ctx.db, 'site', seller!);
  expect((await callOk(server, readSite, {})).organiser.vat_number).toBe('12345678903');
  ctx.payments.live = true;
  await hideDemo(ctx);
  server.clock.advance(60_000);
  const { items } = await callOk(server, listPublished, {});
  expect(items.map(({ id }) => id)).toEqual(['recital']);
  const { organiser, support } = await callOk(server, readSite, {});
  expect([organiser.vat_number, support.email, support.phone]).toEqual([null, null, null]);
  const held = await holdSeats(server, { count: 1, event: 'recital' });
  expect(await tryBook(server, held)).toMatchObject(aRefusal(503, 'seller_missing'));
  // A house of 1.0 learns so why it sells nothing after the upgrade.
  const { findings } = await callOk(server, readHealth, {}, admin);
  expect(findings).toContainEqual(expect.objectContaining({ name: 'seller', state: 'red' }));

  const params = { eventId: demoEvent };
  const { version, form } = await callOk(server, readEvent, { params }, admin);
  const publish = (body: object) =>
    ask(server, 'POST', publishEvent.path.replace(':eventId', demoEvent), { body, headers: admin });
  expect(await publish({ version })).toMatchObject(aRefusal(409, 'demo_not_sold'));
  const mine = { ...form, title: 'Gli innamorati', version };
  await callOk(server, updateEvent, { params, body: mine as never }, admin);
  expect(await count(server, 'events', { demo: 1 })).toBe(1);
});

plain('whoever removes an event or an order knows every table that names one', () => {
  const steps = Object.entries(landed.sqlite).filter(([name]) => /^\d/.test(name));
  const columns = steps.flatMap(([, { schema }]) => Object.keys(schema));
  const naming = (column: string) =>
    columns.flatMap((thing) => {
      const [, table] = new RegExp(`^column (\\w+)\\.${column}$`).exec(thing) ?? [];
      return table ?? [];
    });
  const known = (names: readonly string[], also: readonly string[]) => new Set([...names, ...also]);
  const { ofOrder, ofTicket, ofEvent } = removed;
  // What goes with its order or its queue, and what only counts.
  const throughOthers = [
    'orders',
    'order_lines',
    'tickets',
    'moves',
    'moved_tickets',
    'queue_places',
    'book_waits',
  ];
  const events = known(ofEvent, throughOthers);
  expect(naming('event_id').filter((table) => !events.has(table))).toEqual([]);
  expect(naming('order_id').filter((table) => !known(ofOrder, []).has(table))).toEqual([]);
  const tickets = known(ofTicket, ['erasure_waits', 'exchange_tickets']);
  expect(naming('ticket_id').filter((table) => !tickets.has(table))).toEqual([]);
});
