/** Standing places that the house keeps back, by number: never against a visitor who was faster, never somebody's ticket; blocks that are changed; carts that the office empties. */
import { expect } from 'vitest';
import {
  blockAreaPlaces,
  blockSeats,
  editBlock,
  freeHolds,
  listBlocks,
  releaseBlock,
} from '#server/contract/blocks.ts';
import { readCounter } from '#server/contract/counter.ts';
import { readEvent } from '#server/contract/event-desk.ts';
import { readSeats } from '#server/contract/seats.ts';
import { ProviderUnavailable } from '#server/adapters/provider.ts';
import { placesLeft } from '#db/seat/places-left.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import {
  ask,
  callOk,
  demoEvent,
  findSeats,
  holdObjects,
  makeHoldToken,
  makeOrder,
  payOrder,
  aRefusal,
} from '#tests/support/make.ts';
import { makeOne } from '#tests/support/contingents.ts';
import { expectSoundBooks } from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';
import { bookStanding, standingArea } from '#tests/support/standing.ts';

const hour = 3_600_000;
const params = { eventId: demoEvent };
const wish = { reason: 'Scuola', color: 'violet' as const, release_at: null };
type Office = { cookie: string };

function tryArea(server: TestServer, office: Office, body: object) {
  return ask(server, 'POST', `/api/admin/events/${demoEvent}/area-blocks`, {
    body: { object: standingArea, places: 10, ...wish, ...body },
    headers: office,
  });
}

async function areaNow(server: TestServer) {
  const infos = await server.house.ctx.seats.infos(demoEvent, [standingArea]);
  return infos.get(standingArea)!.area!;
}

/** As the public pages count them. */
async function leftInAll(server: TestServer): Promise<number> {
  const categories = await placesLeft(server.house.ctx.db, [demoEvent]);
  return categories.reduce((sum, { left }) => sum + left, 0);
}

test('the map, the page of the event and the till call the same places free: none that is sold, being paid or kept back', async (server, office) => {
  await payOrder(server, (await makeOrder(server, { count: 2 })).checkout_url);
  await makeOrder(server, { count: 3 });
  const objects = await findSeats(server, { count: 6 });
  await callOk(
    server,
    blockSeats,
    { params, body: { ...wish, objects: objects.slice(2) } },
    office,
  );
  await makeOne(server, office, { objects: objects.slice(0, 2) });
  await bookStanding(server, 1);
  expect((await tryArea(server, office, {})).status).toBe(200);

  const { categories } = await callOk(server, readSeats, { params }, office);
  const { counts } = await callOk(server, readEvent, { params }, office);
  const till = (await callOk(server, readCounter, {}, office)).events.find(
    ({ id }) => id === demoEvent,
  )!;
  const onMap = categories.reduce((sum, { free }) => sum + free, 0);
  expect([onMap, counts.free, till.places_left]).toEqual([619, 619, 619]);
});

test('places of a standing area are kept back by number, what was bought there stays bought, and they come back to the place', async (server, office) => {
  await payOrder(server, (await bookStanding(server, 3)).checkout_url);
  const before = await areaNow(server);
  const leftBefore = await leftInAll(server);
  const block = await callOk(
    server,
    blockAreaPlaces,
    { params, body: { object: standingArea, places: 50, ...wish } },
    office,
  );
  expect(block).toMatchObject({ objects: [], area: { object: standingArea, places: 50 } });
  expect((await areaNow(server)).free).toBe(before.free - 50);
  const { areas } = await callOk(server, readSeats, { params }, office);
  expect(areas).toMatchObject([{ object: standingArea, blocked: 50 }]);
  expect(await leftInAll(server)).toBe(leftBefore - 50);
  // Only seven are left: neither a visitor nor a second block has more.
  await expect(bookStanding(server, 8)).rejects.toThrow();
  expect(await tryArea(server, office, { places: 8 })).toMatchObject(
    aRefusal(409, 'seats_not_free', { objects: [standingArea] }),
  );
  await payOrder(server, (await bookStanding(server, 7)).checkout_url);
  await expectSoundBooks(server);

  const { released } = await callOk(
    server,
    releaseBlock,
    { params: { ...params, blockId: block.block_id } },
    office,
  );
  expect(released).toMatchObject([{ reason: 'Scuola', area: { places: 50 } }]);
  expect(await areaNow(server)).toMatchObject({ booked: 10, free: 50 });
  expect(await callOk(server, listBlocks, { params }, office)).toEqual({ items: [] });
  await expectSoundBooks(server);
});

it('a lost answer, a death in the middle and a time that comes leave no place of an area kept back, and none freed that was bought', async (server, office) => {
  const { ctx } = server.house;
  await payOrder(server, (await bookStanding(server, 3)).checkout_url);
  const blockPlaces = ctx.seats.blockPlaces;
  ctx.seats.blockPlaces = async (...wishes) => {
    await blockPlaces(...wishes);
    throw new ProviderUnavailable('seats.io', 'the line was cut', null);
  };
  expect((await tryArea(server, office, {})).status).toBe(503);
  ctx.seats.blockPlaces = async () => {
    throw new ProviderUnavailable('seats.io', 'it never heard', null);
  };
  expect((await tryArea(server, office, {})).status).toBe(503);
  ctx.seats.blockPlaces = blockPlaces;
  await server.runDue();
  expect(await areaNow(server)).toMatchObject({ booked: 3 });

  const fault = ctx.fault;
  ctx.fault = (point) => {
    if (point === 'seats_blocked') throw new Error('died');
  };
  expect((await tryArea(server, office, {})).status).toBe(500);
  expect(await areaNow(server)).toMatchObject({ booked: 13 });
  ctx.fault = fault;
  server.clock.advance(61_000);
  await server.runDue();
  expect(await areaNow(server)).toMatchObject({ booked: 3 });

  const release_at = new Date(server.clock.now() + hour).toISOString();
  expect((await tryArea(server, office, { release_at })).status).toBe(200);
  server.clock.advance(hour);
  ctx.fault = (point) => {
    ctx.fault = fault;
    throw new Error(`died at ${point}`);
  };
  await server.runDue();
  server.clock.advance(60_000);
  await server.runDue();
  expect(await areaNow(server)).toMatchObject({ booked: 3 });
  expect([await ctx.db('blocks'), await ctx.db('blocked_areas')]).toEqual([[], []]);
  await expectSoundBooks(server);
});

test('visitors and the house race for the last places of an area: together they never have more than there are', async (server, office) => {
  expect((await tryArea(server, office, { places: 50 })).status).toBe(200);
  for (let round = 0; round < 2; round += 1) {
    const desks = [6, 4].map((places) => tryArea(server, office, { places }));
    const visitors = [5, 4].map((quantity) => bookStanding(server, quantity).catch(() => null));
    const blocked = await Promise.all(desks);
    const orders = await Promise.all(visitors);
    const given =
      blocked.reduce((sum, { status }, at) => sum + (status === 200 ? [6, 4][at]! : 0), 0) +
      orders.reduce((sum, order, at) => sum + (order ? [5, 4][at]! : 0), 0);
    expect(given).toBeLessThanOrEqual(10);
    expect(given).toBeGreaterThan(0);
    expect((await areaNow(server)).booked).toBe(50 + given);
    for (const { status, body } of blocked)
      if (status === 200)
        await callOk(
          server,
          releaseBlock,
          { params: { ...params, blockId: (body as { block_id: string }).block_id } },
          office,
        );
    server.clock.advance(60 * 60_000);
    await server.runDue();
    expect(await areaNow(server)).toMatchObject({ booked: 50, held: 0 });
  }
  await expectSoundBooks(server);
});

it('reason, colour and end of a block are changed, and it goes at its new time; bad wishes and blocks of other events are refused', async (server, office) => {
  const seats = await findSeats(server, { count: 2 });
  const at = (hours: number) => new Date(server.clock.now() + hours * hour).toISOString();
  const made = { objects: seats, ...wish, release_at: at(3) };
  const block = await callOk(server, blockSeats, { params, body: made }, office);
  expect(block).toMatchObject({ actor: expect.not.stringContaining('user:') });
  const mine = { ...params, blockId: block.block_id };
  const sooner = { reason: 'Stampa', color: 'blue' as const, release_at: at(1) };
  expect(await callOk(server, editBlock, { params: mine, body: sooner }, office)).toMatchObject({
    reason: 'Stampa',
    color: 'blue',
    objects: seats,
  });
  const path = `/api/admin/events/${demoEvent}/blocks`;
  const tryEdit = (id: string, body: object) =>
    ask(server, 'POST', `${path}/${id}`, { body: { ...sooner, ...body }, headers: office });
  expect((await tryEdit('nessuno', {})).status).toBe(404);
  expect((await tryEdit(block.block_id, { release_at: at(-1) })).status).toBe(422);
  expect((await tryEdit(block.block_id, { reason: ' ' })).status).toBe(400);
  expect((await tryArea(server, office, { places: 0 })).status).toBe(400);
  expect((await tryArea(server, office, { places: 61 })).status).toBe(409);
  expect((await tryArea(server, office, { object: seats[0] })).status).toBe(422);
  server.clock.advance(hour);
  await server.runDue();
  expect(await callOk(server, listBlocks, { params }, office)).toEqual({ items: [] });
  expect(
    (await ask(server, 'POST', `${path}/${block.block_id}/release`, { headers: office })).status,
  ).toBe(404);
  await expectSoundBooks(server);
});

it('the office frees seats that a cart holds, all or none; a sold seat and a free one are named and stay as they are', async (server, office) => {
  const order = await makeOrder(server);
  const [sold] = order.selected_objects.map(({ object_id }) => object_id);
  const held = await findSeats(server, { count: 2, nth: 3 });
  const [free] = await findSeats(server, { count: 1, nth: 6 });
  const token = await makeHoldToken(server);
  await holdObjects(
    server,
    token,
    held.map((object_id) => ({ object_id, ticket_type: 'intero' })),
  );
  const tryFree = (objects: string[]) =>
    ask(server, 'POST', `/api/admin/events/${demoEvent}/free-holds`, {
      body: { objects },
      headers: office,
    });
  expect(await tryFree([...held, sold!, free!])).toMatchObject(
    aRefusal(409, 'seats_not_held', { objects: [sold, free] }),
  );
  await callOk(server, freeHolds, { params, body: { objects: held } }, office);
  const found = await server.house.ctx.seats.read(demoEvent, [...held, sold!]);
  expect([...held, sold!].map((label) => found.get(label)!.status)).toEqual([
    'free',
    'free',
    'booked',
  ]);
  expect(
    await server.house.ctx.db('audit').where({ action: 'holds_freed', subject: demoEvent }),
  ).toHaveLength(1);
  await expectSoundBooks(server);
});

it('a cart whose order is being paid is nobody’s to empty, though its seats are not booked yet', async (server, office) => {
  const { db, seats } = server.house.ctx;
  const token = await makeHoldToken(server);
  const held = await findSeats(server, { count: 2 });
  const selected = held.map((object_id) => ({ object_id, ticket_type: 'intero' }));
  await holdObjects(server, token, selected);
  // The seat map is silent when it should book: the order stands, and nobody knows.
  const { book } = seats;
  seats.book = async () => {
    throw new ProviderUnavailable('seats.io', 'silent', null);
  };
  await ask(server, 'POST', `/api/event/${demoEvent}/book`, {
    body: { hold_token: token, selected_objects: selected },
  });
  seats.book = book;
  const path = `/api/admin/events/${demoEvent}/free-holds`;
  const refused = await ask(server, 'POST', path, { body: { objects: held }, headers: office });
  expect(refused).toMatchObject(aRefusal(409, 'hold_in_use', { objects: held }));
  expect((await seats.read(demoEvent, held)).get(held[0]!)!.hold_token).toBe(token);
  await db('orders')
    .where({ hold_token: token })
    .update({ state: 'deleted', deleted_at: server.clock.now() });
  const freed = await ask(server, 'POST', path, { body: { objects: held }, headers: office });
  expect(freed.status).toBe(200);
});
