/** Seats kept for one way of selling: who has the code or stands at the counter gets them, nobody else does, and what is left is given back to everybody. */
import { expect } from 'vitest';
import {
  listContingents,
  makeContingent,
  releaseContingent,
  restoreContingent,
} from '#server/contract/contingents.ts';
import { getEvent } from '#server/contract/events.ts';
import { bookSeats } from '#server/contract/order/orders.ts';
import { readSeats } from '#server/contract/seats.ts';
import { ProviderUnavailable } from '#server/adapters/provider.ts';
import { placesLeft } from '#db/seat/places-left.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import {
  book,
  buyWithCode,
  hold,
  makeOne,
  openCode,
  tryMake,
  wish,
  type Office,
} from '#tests/support/contingents.ts';
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
import { mostContingents } from '#server/domain/seat/contingent.ts';
import { expectSoundBooks } from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';
import { standingArea } from '#tests/support/standing.ts';

const hour = 3_600_000;
const params = { eventId: demoEvent };
async function itemsOf(server: TestServer, office: Office) {
  return (await callOk(server, listContingents, { params }, office)).items;
}

async function leftInAll(server: TestServer): Promise<number> {
  const categories = await placesLeft(server.house.ctx.db, [demoEvent]);
  return categories.reduce((sum, { left }) => sum + left, 0);
}

test('a code opens exactly its seats, however it is typed; without it neither the map nor the server lets them go; the office sees how many are sold', async (server, office) => {
  const seats = await findSeats(server, { count: 4 });
  const leftBefore = await leftInAll(server);
  expect((await callOk(server, getEvent, { params })).takes_code).toBe(false);
  const made = await makeOne(server, office, { objects: seats });
  expect(made).toMatchObject({ code: 'AMICI2026', is_live: true, places: 4, sold: 0 });
  expect(await leftInAll(server)).toBe(leftBefore - 4);
  // The page is drawn from answers of the last seconds.
  server.clock.advance(5_000);
  expect((await callOk(server, getEvent, { params })).takes_code).toBe(true);
  const { contingents } = await callOk(server, readSeats, { params }, office);
  expect(contingents).toMatchObject([{ name: wish.name, color: 'violet' }]);
  expect(JSON.stringify(contingents)).not.toContain('AMICI');

  // The map: nobody without the key holds them.
  expect((await hold(server, seats.slice(0, 2))).status).toBe(400);
  const opened = await openCode(server, ' amici 2026 ');
  expect(opened).toMatchObject({ name: wish.name, objects: seats });
  const held = await hold(server, seats.slice(0, 2), opened.channels);
  expect(held.status).toBe(200);
  // The server: not without the code, whatever the browser holds.
  for (const code of [undefined, 'SBAGLIATO'])
    expect(await book(server, held.token, seats.slice(0, 2), code)).toMatchObject(
      aRefusal(409, 'seats_reserved', { objects: seats.slice(0, 2) }),
    );
  const bought = await book(server, held.token, seats.slice(0, 2), 'amici2026');
  expect(bought.status).toBe(200);
  await payOrder(server, (bought.body as { checkout_url: string }).checkout_url);
  await server.runDue();
  expect(await itemsOf(server, office)).toMatchObject([{ places: 4, sold: 2 }]);
  expect((await openCode(server, 'AMICI2026')).objects).toEqual(seats.slice(2));
  expect(await leftInAll(server)).toBe(leftBefore - 4);
  // With the code the free seats are there, too.
  const free = await findSeats(server, { count: 2, nth: 3 });
  expect((await buyWithCode(server, free, 'amici-2026')).status).toBe(200);
  await server.runDue();
  await expectSoundBooks(server);
});

test('released it is everybody’s at once, by hand or by its time, and what comes back keeps what was sold meanwhile', async (server, office) => {
  const seats = await findSeats(server, { count: 4 });
  const release_at = new Date(server.clock.now() + 2 * hour).toISOString();
  const { contingent_id } = await makeOne(server, office, { objects: seats, release_at });
  const one = { params: { ...params, contingentId: contingent_id } };
  server.clock.advance(hour);
  await server.runDue();
  expect((await hold(server, seats.slice(0, 2))).status).toBe(400);
  server.clock.advance(hour);
  await server.runDue();
  expect(await itemsOf(server, office)).toMatchObject([{ is_live: false }]);
  await expect(openCode(server, 'amici2026')).rejects.toThrow('code_unknown');
  await payOrder(server, (await makeOrder(server, { seats: seats.slice(0, 2) })).checkout_url);
  await server.runDue();
  // The way back: a seat in a cart refuses it, sold ones stay sold.
  const cart = await hold(server, seats.slice(2));
  expect(cart.status).toBe(200);
  const path = `/api/admin/events/${demoEvent}/contingents/${contingent_id}/restore`;
  expect(await ask(server, 'POST', path, { headers: office })).toMatchObject(
    aRefusal(409, 'seats_not_free', { objects: seats.slice(2) }),
  );
  server.clock.advance(20 * 60_000);
  const back = await callOk(server, restoreContingent, one, office);
  expect(back).toMatchObject({ is_live: true, sold: 2, places: 4, release_at: null });
  expect((await hold(server, seats.slice(2))).status).toBe(400);
  expect((await buyWithCode(server, seats.slice(2), 'amici2026')).status).toBe(200);
  // By hand, twice is once.
  for (const _ of [1, 2])
    expect(await callOk(server, releaseContingent, one, office)).toMatchObject({
      is_live: false,
      sold: 4,
    });
  await server.runDue();
  const audit = await server.house.ctx.db('audit').where({ subject: demoEvent }).orderBy('at');
  expect(
    audit.map(({ action }) => action).filter((action) => action.startsWith('contingent_')),
  ).toEqual([
    'contingent_made',
    'contingent_released',
    'contingent_restored',
    'contingent_released',
  ]);
  expect(JSON.stringify(audit)).not.toContain('AMICI');
  await expectSoundBooks(server);
});

it('a seat in a cart, a sold one, one of another contingent or of no hall stops the whole; bad wishes and used codes are refused', async (server, office) => {
  const order = await makeOrder(server);
  const sold = order.selected_objects.map(({ object_id }) => object_id);
  const held = await findSeats(server, { count: 2, nth: 3 });
  await hold(server, held);
  const kept = await findSeats(server, { count: 2, nth: 5 });
  await makeOne(server, office, { objects: kept });
  const free = await findSeats(server, { count: 2, nth: 7 });
  for (const taken of [sold, held, kept])
    expect(
      await tryMake(server, office, { objects: [...free, ...taken], code: 'ALTRI' }),
    ).toMatchObject(aRefusal(409, 'seats_not_free', { objects: taken }));
  expect(await tryMake(server, office, { objects: free, code: 'AMICI-2026' })).toMatchObject(
    aRefusal(409, 'code_in_use'),
  );
  expect(await tryMake(server, office, { objects: [...free, 'Platea-Z-99'] })).toMatchObject(
    aRefusal(422, 'object_unknown'),
  );
  for (const bad of [
    { objects: [] },
    { code: 'abc' },
    { code: null },
    { sale: 'counter' },
    { name: ' ' },
    { code: 'perché no' },
  ])
    expect((await tryMake(server, office, { objects: free, code: 'ALTRI', ...bad })).status).toBe(
      400,
    );
  await server.runDue();
  expect((await hold(server, free)).status).toBe(200);
  expect(await server.house.ctx.db('contingents')).toHaveLength(1);
  await expectSoundBooks(server);
});

test('where the seat map’s answer is lost, or the process dies, nothing stands in the end: neither a row nor a channel', async (server, office) => {
  const objects = await findSeats(server, { count: 2 });
  const { ctx } = server.house;
  const channelsNow = async () => (await ctx.seats.event(demoEvent)).channels;
  const { addChannel, dropChannel } = ctx.seats;
  const cut = () => Promise.reject(new ProviderUnavailable('seats.io', 'the line was cut', null));
  ctx.seats.addChannel = async (key, channel) => {
    await addChannel(key, channel);
    await cut();
  };
  ctx.seats.dropChannel = cut;
  expect((await tryMake(server, office, { objects })).status).toBe(503);
  expect(await channelsNow()).toHaveLength(1);
  Object.assign(ctx.seats, { addChannel, dropChannel });
  await server.runDue();
  expect([await channelsNow(), await ctx.db('contingents')]).toEqual([[], []]);
  const { fault } = ctx;
  ctx.fault = (point) => {
    if (point === 'contingent_placed') throw new Error('died');
  };
  expect((await tryMake(server, office, { objects })).status).toBe(500);
  ctx.fault = fault;
  expect(await channelsNow()).toHaveLength(1);
  server.clock.advance(61_000);
  await server.runDue();
  expect([await channelsNow(), await ctx.db('contingents'), await ctx.db('outbox')]).toEqual([
    [],
    [],
    [],
  ]);
  // Dead while it is released: the task goes on.
  const { contingent_id } = await makeOne(server, office, { objects });
  ctx.fault = (point) => {
    if (point === 'contingent_dropped') throw new Error('died');
  };
  const path = `/api/admin/events/${demoEvent}/contingents/${contingent_id}/release`;
  expect((await ask(server, 'POST', path, { headers: office })).status).toBe(500);
  ctx.fault = fault;
  await server.runDue();
  expect(await itemsOf(server, office)).toMatchObject([{ is_live: false }]);
  expect((await hold(server, objects)).status).toBe(200);
  await expectSoundBooks(server);
});

test('code holders race for the same seats, and one with the release: each seat is sold once at most, and none is lost', async (server, office) => {
  for (let round = 0; round < 2; round += 1) {
    const objects = await findSeats(server, { count: 2 });
    const code = `GARA${round}`;
    const { contingent_id } = await makeOne(server, office, { objects, code });
    const visitor = async () => {
      const answer = await buyWithCode(server, objects, code).catch(() => ({ status: 404 }));
      return answer.status === 200;
    };
    const release = callOk(
      server,
      releaseContingent,
      { params: { ...params, contingentId: contingent_id } },
      office,
    );
    const [first, second] = await Promise.all([visitor(), visitor(), release]);
    expect([first, second]).not.toEqual([true, true]);
    const found = await server.house.ctx.seats.read(demoEvent, objects);
    const statuses = new Set([...found.values()].map(({ status }) => status));
    if (first || second) expect(statuses).toEqual(new Set(['booked']));
    else {
      // Whoever lost may still have them in the cart.
      server.clock.advance(20 * 60_000);
      await server.runDue();
      expect((await hold(server, objects)).status).toBe(200);
    }
  }
  await server.runDue();
  await expectSoundBooks(server);
});

it('a visitor who was faster than the channel keeps the seats, and a late payment takes none that are kept for others', async (server, office) => {
  const objects = await findSeats(server, { count: 2 });
  const { ctx } = server.house;
  const { addChannel } = ctx.seats;
  let cart: Awaited<ReturnType<typeof hold>> | null = null;
  ctx.seats.addChannel = async (key, channel) => {
    cart = await hold(server, objects);
    await addChannel(key, channel);
  };
  expect(await tryMake(server, office, { objects })).toMatchObject(
    aRefusal(409, 'seats_not_free', { objects }),
  );
  ctx.seats.addChannel = addChannel;
  expect((await ctx.seats.event(demoEvent)).channels).toEqual([]);
  const booked = await book(server, cart!.token, objects);
  expect(booked.status).toBe(200);
  // Its time is over, the seats become a contingent's, and then money arrives.
  const { order_id } = booked.body as { order_id: string };
  server.clock.advance(40 * 60_000);
  await server.runDue();
  await makeOne(server, office, { objects });
  const confirmed = await ask(server, 'POST', `/api/admin/orders/${order_id}/confirm`, {
    body: { reason: 'Bonifico arrivato', method: 'transfer' },
    headers: office,
  });
  expect(confirmed.status).toBeGreaterThanOrEqual(400);
  const found = await ctx.seats.read(demoEvent, objects);
  expect([...found.values()].map(({ status }) => status)).toEqual(['free', 'free']);
  await expectSoundBooks(server);
});

test('who knows one code guesses no other by it, neither in the form nor by booking', async (server, office) => {
  const objects = await findSeats(server, { count: 4 });
  await makeOne(server, office, { objects: objects.slice(0, 2) });
  await makeOne(server, office, { name: 'Scuole', code: 'SCUOLA', objects: objects.slice(2) });
  const path = `/api/event/${demoEvent}/contingent`;
  const look = async (code: string) => (await ask(server, 'POST', path, { body: { code } })).status;
  const order = async (code: string) => (await book(server, 'none', objects.slice(2), code)).status;
  const guesses = [await look('AAAAA'), await look('Amici-2026'), await look('BBBBB')];
  guesses.push(await order('CCCCC'), await look('Amici-2026'), await order('DDDDD'));
  expect(guesses).toEqual([404, 200, 404, 409, 200, 409]);
  const parallel = Array.from({ length: 10 }, (_, nth) => (nth % 2 ? look : order)('EEEEE'));
  const answers = (await Promise.all(parallel)).toSorted();
  expect(answers.slice(1)).toEqual(Array(9).fill(429));
  expect(await order('SCUOLA')).toBe(429);
});

test('the last free contingent of an event is made once, however many ask at the same moment', async (server, office) => {
  const objects = await findSeats(server, { count: 5 });
  await makeOne(server, office, { objects: objects.slice(0, 1) });
  const { db } = server.house.ctx;
  const row = await db('contingents').first();
  const copy = (n: number) => ({
    ...row,
    id: `copy-${n}`,
    name: `Copia ${n}`,
    channel_key: `k${n}`,
  });
  for (let n = 2; n < mostContingents; n += 1)
    await db('contingents').insert({ ...copy(n), sale: 'counter', code: null });
  const asked = objects.slice(1).map((object, n) =>
    tryMake(server, office, {
      name: `Ultimo ${n}`,
      sale: 'counter',
      code: null,
      objects: [object],
    }),
  );
  const codes = (await Promise.all(asked)).map(({ body }) => (body as { code: string }).code);
  expect(codes.filter((code) => code === 'too_many_contingents')).toHaveLength(3);
});

it('five wrong codes from one address, and it has to wait; seats of the counter have no code at all', async (server, office) => {
  const objects = await findSeats(server, { count: 2 });
  const made = await makeOne(server, office, { objects, sale: 'counter', code: null });
  expect(made).toMatchObject({ sale: 'counter', code: null });
  expect((await callOk(server, getEvent, { params })).takes_code).toBe(false);
  const path = `/api/event/${demoEvent}/contingent`;
  const guess = (code: string) => ask(server, 'POST', path, { body: { code } });
  const answers = [];
  for (const code of ['AAAAA', 'BBBBB', 'perché', 'DDDDD', 'EEEEE', 'FFFFF'])
    answers.push((await guess(code)).status);
  expect(answers).toEqual([404, 404, 404, 404, 404, 429]);
  expect((await guess('GGGGG')).body).toMatchObject({ code: 'too_many_requests' });
});

test('places of a standing area are kept by number: the others are sold to everybody, those with the code, and they come back', async (server, office) => {
  const area = async () =>
    (await server.house.ctx.seats.infos(demoEvent, [standingArea])).get(standingArea)!.area!;
  const { capacity } = await area();
  const leftBefore = await leftInAll(server);
  const areas = [{ object: standingArea, places: capacity - 2 }];
  const made = await callOk(
    server,
    makeContingent,
    { params, body: { ...wish, objects: [], areas } },
    office,
  );
  expect(made).toMatchObject({ objects: [], areas, places: capacity - 2, sold: 0 });
  const standing = (quantity: number) => [
    { object_id: standingArea, ticket_type: 'intero', quantity },
  ];
  const holdPlaces = async (quantity: number, channels?: string[]) => {
    const token = await makeHoldToken(server);
    const held = await holdObjects(server, token, standing(quantity), { channels });
    return { token, status: held.status };
  };
  expect(await leftInAll(server)).toBe(leftBefore - (capacity - 2));
  expect((await holdPlaces(3)).status).toBe(400);
  const plain = await holdPlaces(2);
  expect(plain.status).toBe(200);
  const { channels } = await openCode(server, wish.code);
  const mine = await holdPlaces(3, channels);
  expect(mine.status).toBe(200);
  const bought = await callOk(server, bookSeats, {
    params,
    body: { hold_token: mine.token, selected_objects: standing(3), contingent_code: wish.code },
  });
  await payOrder(server, bought.checkout_url);
  await server.runDue();
  expect(await itemsOf(server, office)).toMatchObject([{ sold: 3 }]);
  const params1 = { ...params, contingentId: made.contingent_id };
  await callOk(server, releaseContingent, { params: params1 }, office);
  expect((await holdPlaces(3)).status).toBe(200);
  await expectSoundBooks(server);
});
