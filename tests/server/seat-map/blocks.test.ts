/** Seats that the house keeps back: all or none, never against a visitor who was faster, undone as many at once, and sold again by themselves. */
import { expect } from 'vitest';
import { blockSeats, listBlocks, unblockSeats } from '#server/contract/blocks.ts';
import { readSeats } from '#server/contract/seats.ts';
import { ProviderUnavailable } from '#server/adapters/provider.ts';
import { blockedStatus } from '#server/domain/seat/block.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import {
  ask,
  callOk,
  demoEvent,
  findSeats,
  holdObjects,
  makeHoldToken,
  makeOrder,
  aRefusal,
} from '#tests/support/make.ts';
import { expectSoundBooks } from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';

const hour = 3_600_000;
const params = { eventId: demoEvent };
type Office = { cookie: string };

const wish = { reason: 'Regia', color: 'orange' as const, release_at: null };

function tryBlock(server: TestServer, office: Office, body: object) {
  return ask(server, 'POST', `/api/admin/events/${demoEvent}/blocks`, {
    body: { ...wish, ...body },
    headers: office,
  });
}

async function statusesOf(server: TestServer, labels: readonly string[]): Promise<string[]> {
  const found = await server.house.ctx.seats.read(demoEvent, labels);
  return labels.map((label) => found.get(label)!.status);
}

test('seats are kept back with reason and colour, nobody can hold them, the office sees why, and they come back as many at once', async (server, office) => {
  const seats = await findSeats(server, { count: 3 });
  const block = await callOk(
    server,
    blockSeats,
    { params, body: { ...wish, objects: seats } },
    office,
  );
  expect(block).toMatchObject({ reason: 'Regia', color: 'orange', release_at: null });
  expect(await statusesOf(server, seats)).toEqual(seats.map(() => blockedStatus));
  const token = await makeHoldToken(server);
  const held = await holdObjects(server, token, [{ object_id: seats[1]!, ticket_type: 'intero' }]);
  expect(held.status).toBe(400);
  const { taken } = await callOk(server, readSeats, { params }, office);
  expect(taken.filter(({ place }) => seats.includes(place))).toMatchObject(
    seats.map(() => ({ state: 'blocked', block: { block_id: block.block_id, reason: 'Regia' } })),
  );
  // Twice is refused, with their names, and changes nothing.
  const [spare] = await findSeats(server, { count: 1, nth: 4 });
  expect(await tryBlock(server, office, { objects: [spare!, seats[0]!] })).toMatchObject(
    aRefusal(409, 'seats_not_free', { objects: [seats[0]] }),
  );
  expect(await statusesOf(server, [spare!])).toEqual(['free']);

  const { released } = await callOk(
    server,
    unblockSeats,
    { params, body: { objects: [seats[0]!, seats[2]!, spare!] } },
    office,
  );
  expect(released).toMatchObject([
    { reason: 'Regia', color: 'orange', objects: [seats[0], seats[2]] },
  ]);
  expect(await statusesOf(server, seats)).toEqual(['free', blockedStatus, 'free']);
  expect(await callOk(server, listBlocks, { params }, office)).toMatchObject({
    items: [{ objects: [seats[1]] }],
  });
  const audit = await server.house.ctx.db('audit').where({ subject: demoEvent }).orderBy('at');
  expect(audit.map(({ action }) => action).filter((action) => action.startsWith('seats_'))).toEqual(
    ['seats_blocked', 'seats_unblocked'],
  );
  await expectSoundBooks(server);
});

it('a seat in a cart, a sold one, one that does not exist or has no name stops the whole block; bad wishes are refused', async (server, office) => {
  const seats = await findSeats(server, { count: 3 });
  const order = await makeOrder(server, { seats: [seats[0]!] }).catch(() =>
    makeOrder(server, { count: 2 }),
  );
  const sold = order.selected_objects.map(({ object_id }) => object_id);
  const free = await findSeats(server, { count: 2, nth: 3 });
  const token = await makeHoldToken(server);
  const held = await findSeats(server, { count: 2, nth: 5 });
  await holdObjects(
    server,
    token,
    held.map((object_id) => ({ object_id, ticket_type: 'intero' })),
  );
  for (const taken of [sold, held])
    expect(await tryBlock(server, office, { objects: [...free, ...taken] })).toMatchObject(
      aRefusal(409, 'seats_not_free', { objects: taken }),
    );
  expect(await tryBlock(server, office, { objects: [...free, 'Platea-Z-99'] })).toMatchObject(
    aRefusal(422, 'object_unknown', { objects: ['Platea-Z-99'] }),
  );
  expect(
    await tryBlock(server, office, { objects: free, release_at: '2020-01-01T00:00:00.000Z' }),
  ).toMatchObject(aRefusal(422, 'release_time_past'));
  for (const bad of [
    { objects: [] },
    { objects: [free[0], free[0]] },
    { reason: ' ' },
    { color: 'pink' },
  ])
    expect((await tryBlock(server, office, { objects: free, ...bad })).status).toBe(400);
  await server.runDue();
  expect(await statusesOf(server, free)).toEqual(['free', 'free']);
  expect(await server.house.ctx.db('blocks')).toEqual([]);
  await expectSoundBooks(server);
});

it('at its time a block goes by itself, also where the process had died, and seats that were freed at the map by hand are forgotten', async (server, office) => {
  const seats = await findSeats(server, { count: 3 });
  const release_at = new Date(server.clock.now() + 2 * hour).toISOString();
  await callOk(
    server,
    blockSeats,
    { params, body: { ...wish, objects: seats, release_at } },
    office,
  );
  server.clock.advance(hour);
  await server.runDue();
  expect(await statusesOf(server, seats)).toEqual(seats.map(() => blockedStatus));
  await server.house.ctx.seats.unblock(demoEvent, [seats[1]!]);
  server.clock.advance(hour);
  const { ctx } = server.house;
  const fault = ctx.fault;
  ctx.fault = (point) => {
    ctx.fault = fault;
    throw new Error(`died at ${point}`);
  };
  await server.runDue();
  server.clock.advance(60_000);
  await server.runDue();
  expect(await statusesOf(server, seats)).toEqual(['free', 'free', 'free']);
  expect([await ctx.db('blocks'), await ctx.db('blocked_places'), await ctx.db('outbox')]).toEqual([
    [],
    [],
    [],
  ]);
  await expectSoundBooks(server);
});

it('where the seat map’s answer is lost nothing stands: what it took is given back, and the caller was told so', async (server, office) => {
  const seats = await findSeats(server, { count: 2 });
  const { ctx } = server.house;
  const block = ctx.seats.block;
  ctx.seats.block = async (key, labels) => {
    await block(key, labels);
    throw new ProviderUnavailable('seats.io', 'the line was cut', null);
  };
  expect((await tryBlock(server, office, { objects: seats })).status).toBe(503);
  ctx.seats.block = block;
  await server.runDue();
  expect(await statusesOf(server, seats)).toEqual(['free', 'free']);
  // Dead between the seat map and the book: the task takes it away.
  const fault = ctx.fault;
  ctx.fault = (point) => {
    if (point === 'seats_blocked') throw new Error('died');
  };
  expect((await tryBlock(server, office, { objects: seats })).status).toBe(500);
  ctx.fault = fault;
  server.clock.advance(61_000);
  await server.runDue();
  expect(await statusesOf(server, seats)).toEqual(['free', 'free']);
  expect(await ctx.db('blocks')).toEqual([]);
});

test('blocks and visitors race for the same seats: one of the two has each, never both', async (server, office) => {
  let sold = 0;
  let blocked = 0;
  for (let round = 0; round < 4; round += 1) {
    const seats = await findSeats(server, { count: 2 });
    const visitor = () =>
      makeOrder(server, { seats }).then(
        () => true,
        () => false,
      );
    const desk = async () => (await tryBlock(server, office, { objects: seats })).status === 200;
    const [hasOrder, hasBlock] =
      round % 2 === 0
        ? await Promise.all([visitor(), desk()])
        : (await Promise.all([desk(), visitor()])).toReversed();
    expect([hasOrder, hasBlock]).not.toEqual([true, true]);
    const statuses = new Set(await statusesOf(server, seats));
    if (hasOrder) expect(statuses).toEqual(new Set(['booked']));
    if (hasBlock) expect(statuses).toEqual(new Set([blockedStatus]));
    sold += hasOrder ? 1 : 0;
    blocked += hasBlock ? 1 : 0;
    // Whoever came second may have cost both of them the seats; the next round has others.
    if (!hasOrder && !hasBlock) await server.runDue();
  }
  expect(sold + blocked).toBeGreaterThan(0);
  server.clock.advance(20 * 60_000);
  await server.runDue();
  await expectSoundBooks(server);
});

it('what books without a visitor’s hold, as a late payment or the office does, finds a block in its way', async (server, office) => {
  const order = await makeOrder(server);
  const seats = order.selected_objects.map(({ object_id }) => object_id);
  server.clock.advance(40 * 60_000);
  await server.runDue();
  expect(await statusesOf(server, seats)).toEqual(['free', 'free']);
  expect((await tryBlock(server, office, { objects: seats })).status).toBe(200);
  const again = { orderId: order.order_id, holdToken: null };
  const requests = seats.map((label) => ({ label, quantity: null, ticket_type: 'intero' }));
  await expect(server.house.ctx.seats.book(demoEvent, requests, again)).rejects.toThrow();
  expect(await statusesOf(server, seats)).toEqual([blockedStatus, blockedStatus]);
  const confirmed = await ask(server, 'POST', `/api/admin/orders/${order.order_id}/confirm`, {
    body: { reason: 'Bonifico arrivato', method: 'transfer' },
    headers: office,
  });
  expect(confirmed.status).toBeGreaterThanOrEqual(400);
  expect(await statusesOf(server, seats)).toEqual([blockedStatus, blockedStatus]);
});
