/** The seats of a contingent that stands: more come, some go, and whoever was faster, or died in between, leaves nothing half done. */
import { expect } from 'vitest';
import {
  addToContingent,
  listContingents,
  releaseContingent,
  removeFromContingent,
} from '#server/contract/contingents.ts';
import { makeSale } from '#server/contract/counter.ts';
import { ProviderUnavailable } from '#server/adapters/provider.ts';
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
import { openDrawer, saleBody } from '#tests/support/counter.ts';
import { ask, callOk, demoEvent, findSeats, makeOrder, aRefusal } from '#tests/support/make.ts';
import { expectSoundBooks } from '#tests/support/refunds.ts';
import { asRole } from '#tests/support/roles.ts';
import type { TestServer } from '#tests/support/server.ts';
import { standingArea } from '#tests/support/standing.ts';

const hour = 3_600_000;
const params = { eventId: demoEvent };
interface Seats {
  objects?: string[];
  areas?: { object: string; places: number }[];
}

function seatsOf(contingentId: string, { objects = [], areas = [] }: Seats) {
  return { params: { ...params, contingentId }, body: { objects, areas } };
}

function add(server: TestServer, office: Office, id: string, seats: Seats) {
  return callOk(server, addToContingent, seatsOf(id, seats), office);
}

function remove(server: TestServer, office: Office, id: string, seats: Seats) {
  return callOk(server, removeFromContingent, seatsOf(id, seats), office);
}

function tryTo(
  server: TestServer,
  what: 'add' | 'remove',
  { office, id, ...seats }: Seats & { office: Office; id: string },
) {
  const { body } = seatsOf(id, seats);
  const path = `/api/admin/events/${demoEvent}/contingents/${id}/${what}`;
  return ask(server, 'POST', path, { body, headers: office });
}

async function channelNow(server: TestServer): Promise<string[]> {
  const { channels } = await server.house.ctx.seats.event(demoEvent);
  return channels.flatMap(({ objects }) => objects).toSorted();
}

test('seats come into a contingent and leave it, many at once: the code opens exactly those, what is sold stays, and each step can be taken back', async (server, office) => {
  const [a, b, c, d, e] = (await findSeats(server, { count: 5 })) as [
    string,
    string,
    string,
    string,
    string,
  ];
  const { contingent_id: id } = await makeOne(server, office, { objects: [a, b] });
  const grown = await add(server, office, id, { objects: [b, c, d, e] });
  expect(grown).toMatchObject({ objects: [c, d, e], areas: [], contingent: { places: 5 } });
  expect((await hold(server, [c, d])).status).toBe(400);
  expect((await openCode(server, wish.code)).objects).toEqual([a, b, c, d, e]);
  expect((await buyWithCode(server, [c, d], wish.code)).status).toBe(200);
  // Those that somebody has bought stay with whom they were bought from.
  const less = await remove(server, office, id, { objects: [b, c, d, e] });
  expect(less).toMatchObject({ objects: [b, e], contingent: { places: 3, sold: 2 } });
  expect(await channelNow(server)).toEqual([a, c, d].toSorted());
  expect((await openCode(server, wish.code)).objects).toEqual([a]);
  expect((await add(server, office, id, less)).contingent).toMatchObject({ places: 5, sold: 2 });
  expect((await hold(server, [e])).status).toBe(400);
  await remove(server, office, id, { objects: [b, e] });
  expect((await hold(server, [e])).status).toBe(200);
  const audit = await server.house.ctx.db('audit').where({ subject: demoEvent }).orderBy('at');
  expect(audit.map(({ action }) => action).filter((one) => /contingent/.test(one))).toEqual([
    'contingent_made',
    'contingent_seats_added',
    'contingent_seats_removed',
    'contingent_seats_added',
    'contingent_seats_removed',
  ]);
  server.clock.advance(hour);
  await server.runDue();
  expect(await channelNow(server)).toEqual([a, c, d].toSorted());
  await expectSoundBooks(server);
});

it('a seat in a cart, a sold one or one of another contingent stops the whole addition; the last seat does not leave; a released one gets none', async (server, office) => {
  const [first, free] = (await findSeats(server, { count: 2 })) as [string, string];
  const { contingent_id: id } = await makeOne(server, office, { objects: [first] });
  const held = await findSeats(server, { count: 2, nth: 3 });
  await hold(server, held);
  const kept = await findSeats(server, { count: 2, nth: 5 });
  await makeOne(server, office, { objects: kept, code: 'ALTRI' });
  const order = await makeOrder(server, { nth: 7 });
  const sold = order.selected_objects.map(({ object_id }) => object_id);
  for (const taken of [held, kept, sold])
    expect(await tryTo(server, 'add', { office, id, objects: [free, ...taken] })).toMatchObject(
      aRefusal(409, 'seats_not_free', { objects: taken }),
    );
  const refusals = [
    ['add', { objects: [] }, 400, 'bad_request'],
    ['add', { objects: ['Platea-Z-99'] }, 422, 'object_unknown'],
    ['remove', { objects: [first] }, 409, 'contingent_left_empty'],
  ] as const;
  for (const [what, { objects }, status, code] of refusals)
    expect(await tryTo(server, what, { office, id, objects: [...objects] })).toMatchObject({
      status,
      body: { code },
    });
  expect((await hold(server, [free])).status).toBe(200);
  const one = { params: { ...params, contingentId: id } };
  await callOk(server, releaseContingent, one, office);
  expect(await tryTo(server, 'add', { office, id, objects: [first] })).toMatchObject(
    aRefusal(404, 'contingent_not_found'),
  );
  await expectSoundBooks(server);
});

it('a visitor who was faster than the addition keeps the seats; where the answer is lost or the process dies nothing of it stands in the end', async (server, office) => {
  const [first, ...more] = (await findSeats(server, { count: 3 })) as [string, string, string];
  const { contingent_id: id } = await makeOne(server, office, { objects: [first] });
  const { ctx } = server.house;
  const { setChannel } = ctx.seats;
  const { fault } = ctx;
  const rest = async () => [
    await channelNow(server),
    await ctx.db('contingent_places').where({ kept_place: more[0]! }),
  ];

  let cart: { token: string } | null = null;
  ctx.seats.setChannel = async (...told) => {
    cart ??= await hold(server, more);
    await setChannel(...told);
  };
  expect(await tryTo(server, 'add', { office, id, objects: more })).toMatchObject(
    aRefusal(409, 'seats_not_free', { objects: more }),
  );
  expect(await rest()).toEqual([[first], []]);
  expect((await book(server, cart!.token, more)).status).toBe(200);
  server.clock.advance(hour);
  await server.runDue();

  ctx.seats.setChannel = async (...told) => {
    await setChannel(...told);
    throw new ProviderUnavailable('seats.io', 'the line was cut', null);
  };
  expect((await tryTo(server, 'add', { office, id, objects: more })).status).toBe(503);
  ctx.seats.setChannel = setChannel;
  server.clock.advance(hour);
  await server.runDue();
  expect(await rest()).toEqual([[first], []]);

  ctx.fault = (point) => {
    if (point === 'contingent_grown') throw new Error('died');
  };
  expect((await tryTo(server, 'add', { office, id, objects: more })).status).toBe(500);
  ctx.fault = fault;
  expect((await channelNow(server)).length).toBe(3);
  // Whoever asks again at once is told to wait: nobody knows yet what became of it.
  expect(await tryTo(server, 'add', { office, id, objects: more })).toMatchObject(
    aRefusal(409, 'contingent_unsettled'),
  );
  server.clock.advance(61_000);
  await server.runDue();
  expect(await rest()).toEqual([[first], []]);
  expect((await hold(server, more)).status).toBe(200);
  await expectSoundBooks(server);
});

test('places of a standing area come and go by number, never more than are left; two contingents together keep no more than there are', async (server, office) => {
  const { ctx } = server.house;
  const { capacity } = (await ctx.seats.infos(demoEvent, [standingArea])).get(standingArea)!.area!;
  const [seat] = (await findSeats(server, { count: 1 })) as [string];
  const { contingent_id: id } = await makeOne(server, office, { objects: [seat] });
  const standing = (places: number) => ({ areas: [{ object: standingArea, places }] });
  const placesNow = async () => {
    const { channels } = await ctx.seats.event(demoEvent);
    return channels.map(({ area_places }) => area_places[standingArea] ?? 0);
  };
  await add(server, office, id, standing(10));
  await add(server, office, id, standing(5));
  expect(await placesNow()).toEqual([15]);
  await remove(server, office, id, standing(6));
  expect(await placesNow()).toEqual([9]);
  for (const [what, places] of [
    ['remove', 10],
    ['add', capacity],
    ['add', capacity - 8],
  ] as const)
    expect(await tryTo(server, what, { office, id, ...standing(places) })).toMatchObject(
      aRefusal(409, 'seats_not_free', { objects: [standingArea] }),
    );
  const rest = { objects: [], code: 'ALTRI', ...standing(capacity - 8) };
  expect(await tryMake(server, office, rest)).toMatchObject({ status: 409 });
  await remove(server, office, id, standing(9));
  expect(await placesNow()).toEqual([0]);
  expect(await tryMake(server, office, rest)).toMatchObject({ status: 200 });
  await expectSoundBooks(server);
});

it('at the till a cashier sells seats of the code and of the counter alike, on the site only the code opens its own; at its time the rest is everybody’s', async (server, office) => {
  const [own, coded] = [
    await findSeats(server, { count: 4 }),
    await findSeats(server, { count: 4, nth: 2 }),
  ];
  const release_at = new Date(server.clock.now() + 2 * hour).toISOString();
  await makeOne(server, office, { objects: own, sale: 'counter', code: null, release_at });
  await makeOne(server, office, { objects: coded });
  const cassa = await asRole(server, 'cassa');
  await openDrawer(server, cassa);
  const { channels } = await openCode(server, wish.code);
  const keys = await server.house.ctx.db('contingents').pluck('channel_key');
  for (const seats of [own.slice(0, 2), coded.slice(0, 2)]) {
    const body = await saleBody(server, { seats, channels: keys });
    expect(await callOk(server, makeSale, { body }, cassa)).toMatchObject({ state: 'confirmed' });
  }
  expect((await hold(server, own.slice(2), channels)).status).toBe(400);
  // Whatever a browser holds, the site does not sell what is the counter's.
  const { token } = await hold(server, own.slice(2), keys);
  expect(await book(server, token, own.slice(2), wish.code)).toMatchObject(
    aRefusal(409, 'seats_reserved'),
  );
  expect((await buyWithCode(server, coded.slice(2), wish.code)).status).toBe(200);
  const { items } = await callOk(server, listContingents, { params }, office);
  expect(items.map(({ sold }) => sold).toSorted()).toEqual([2, 4]);
  server.clock.advance(2 * hour);
  await server.runDue();
  expect((await makeOrder(server, { seats: own.slice(2) })).order_id).toBeTruthy();
  await expectSoundBooks(server);
});

it('a sold seat that somebody freed at the map by hand is kept back by no block and no contingent', async (server, office) => {
  const { order_id, selected_objects } = await makeOrder(server, { count: 2 });
  const sold = selected_objects[0]!.object_id;
  const { ctx } = server.house;
  const asked = { label: sold, quantity: null, ticket_type: 'intero' };
  await ctx.seats.release(demoEvent, [asked], order_id);
  const [free] = await findSeats(server, { count: 1, nth: 5 });
  const { contingent_id: id } = await makeOne(server, office, { objects: [free!] });
  const block = { reason: 'Regia', color: 'orange', release_at: null, objects: [sold] };
  const path = `/api/admin/events/${demoEvent}/blocks`;
  const refused = aRefusal(409, 'seats_not_free', { objects: [sold] });
  expect([
    await ask(server, 'POST', path, { body: block, headers: office }),
    await tryMake(server, office, { name: 'Altri', code: 'Altri-2026', objects: [sold] }),
    await tryTo(server, 'add', { office, id, objects: [sold] }),
  ]).toMatchObject([refused, refused, refused]);
  expect(await ctx.db('blocks')).toEqual([]);
});
