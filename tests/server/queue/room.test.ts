/** The waiting room from the first entrant to the order: the draw that anybody can work out again, numbers, passes, and no way round. */
import { expect, test } from 'vitest';
import { addressOf } from '#server/contract/endpoint.ts';
import { bookSeats } from '#server/contract/order/orders.ts';
import { enterQueue, readQueueDraw, takeQueueHold } from '#server/contract/queue.ts';
import { drawOrder, faultOfDraw } from '#server/domain/queue/draw.ts';
import { testOnBoth as it } from '#tests/support/both.ts';
import {
  ask,
  callOk,
  findSeats,
  holdObjects,
  makeAdmin,
  makeHoldToken,
  payOrder,
} from '#tests/support/make.ts';
import {
  Entrant,
  entrants,
  openNow,
  openRoom,
  params,
  passTime,
  room,
} from '#tests/support/queue.ts';
import { isSealedWith } from '#server/services/kit/sealing.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const hour = 3_600_000;

async function chosenSeats(server: TestServer, nth = 0) {
  return (await findSeats(server, { nth })).map((object_id) => ({
    object_id,
    ticket_type: 'intero',
  }));
}

it('before the opening everybody enters, then the order is drawn and can be worked out again; who comes later comes after', async (server, admin) => {
  const opens_at = new Date(server.clock.now() + hour).toISOString();
  await openRoom(server, admin, { opens_at });
  const before = await room(server);
  expect(before).toMatchObject({ phase: 'before', opens_at, root: null, seed: null, last: 0 });
  const all = await entrants(server, 8);
  expect(await all[0]!.place()).toMatchObject({ state: 'waiting', number: null });
  expect(await all[0]!.pass()).toBe('queue_not_yet');
  expect(await all[0]!.codeOf(readQueueDraw)).toBe('queue_not_drawn');

  server.clock.advance(hour);
  await passTime(server, 1);
  // First the list, then the seed.
  const fixed = await room(server);
  expect(fixed).toMatchObject({ phase: 'before', seed: null, serving: 0 });
  expect(fixed.root).toHaveLength(43);
  expect(await all[0]!.codeOf(readQueueDraw)).toBe('queue_not_drawn');
  expect((await all[0]!.place()).number).toBeNull();
  const [late] = await entrants(server, 1);
  await passTime(server, 2);

  const draw = await callOk(server, readQueueDraw, { params });
  expect(draw.seed_hash).toBe(before.seed_hash);
  expect(draw.root).toBe(fixed.root);
  expect(faultOfDraw(draw)).toBeNull();
  // Kept by whoever stands between, for those who take it pressed; others get it plain.
  const given = (encoding: string) =>
    fetch(server.url + addressOf(readQueueDraw, params), {
      headers: { 'accept-encoding': encoding },
    });
  const pressed = await given('gzip');
  expect(pressed.headers.get('content-encoding')).toBe('gzip');
  expect(pressed.headers.get('vary')).toBe('Accept-Encoding');
  expect((await given('gzip;q=0')).headers.get('content-encoding')).toBeNull();
  const path = addressOf(readQueueDraw, params);
  const kept = Object.fromEntries(
    ['etag', 'cache-control', 'vary'].map((name) => [name, pressed.headers.get(name)]),
  );
  // As a cache asks that has pressed it in its own way, or keeps several.
  for (const known of [kept['etag'], `W/${kept['etag']}`, `"other", ${kept['etag']}`, '*'])
    for (const method of ['GET', 'HEAD']) {
      const headers = { 'accept-encoding': 'gzip', 'if-none-match': known! };
      const again = await ask(server, method, path, { headers });
      expect([known, method, again.status]).toEqual([known, method, 304]);
      expect(Object.fromEntries(again.headers)).toMatchObject(kept);
    }
  const order = drawOrder(draw);
  const places = await Promise.all(all.map((one) => one.place()));
  expect(places.map(({ number }) => number)).toEqual(
    places.map(({ place_hash }) => order.indexOf(place_hash) + 1),
  );
  expect(draw.entrants.map(([place_hash]) => place_hash)).toEqual(
    places.map(({ place_hash }) => place_hash),
  );
  await passTime(server, 1);
  expect(await late!.place()).toMatchObject({ number: 9 });
  expect(await room(server)).toMatchObject({ phase: 'open', drawn: 8, last: 9 });
  expect(server.logged).toEqual([]);
});

test('the seed lies sealed until it is opened, and goes with the key', async () => {
  const keys = ['a', 'b'].map((letter) => Buffer.alloc(32, letter).toString('base64'));
  const first = await startServer({ env: { SECRETS_KEY: keys[0]! } });
  const { cookie } = await makeAdmin(first);
  await openRoom(first, { cookie });
  await entrants(first, 2);
  await using server = await first.restart({ SECRETS_KEY: keys.toReversed().join(',') });
  const seedOf = async () => (await server.house.ctx.db('queues').first('seed')).seed as string;
  const sealed = await seedOf();
  expect(isSealedWith(sealed, Buffer.from(keys[1]!, 'base64'))).toBe(true);
  await openNow(server);
  const draw = await callOk(server, readQueueDraw, { params });
  expect([faultOfDraw(draw), await seedOf()]).toEqual([null, draw.seed]);
});

it('nobody without a pass holds or books; with it one hold token is given, and one order is made', async (server, admin) => {
  const free = await makeHoldToken(server);
  expect((await holdObjects(server, free, await chosenSeats(server, 1))).status).toBe(200);
  await openRoom(server, admin);
  const chosen = await chosenSeats(server, 2);
  expect((await holdObjects(server, free, chosen)).status).toBe(403);
  const [one, friend] = await entrants(server, 2);
  await openNow(server);
  expect(await one!.codeOf(takeQueueHold)).toBe('queue_no_pass');
  expect([await one!.pass(), await one!.pass()]).toEqual(['ok', 'ok']);
  const hold_token = await one!.hold();
  // A copy of the cookie is the same place, and the same cart.
  const copy = new Entrant(server);
  copy.cookie = one!.cookie;
  expect([await one!.hold(), await copy.hold()]).toEqual([hold_token, hold_token]);
  expect((await holdObjects(server, hold_token, chosen)).status).toBe(200);

  const book = { hold_token, selected_objects: chosen };
  const stranger = new Entrant(server);
  expect(await stranger.codeOf(bookSeats, book)).toBe('queue_no_pass');
  expect(await friend!.codeOf(bookSeats, book)).toBe('queue_no_pass');
  expect(await one!.codeOf(bookSeats, { ...book, hold_token: free })).toBe('queue_no_pass');
  const booked = (await one!.call(bookSeats, book)).body as { checkout_url: string };
  expect((await one!.place()).state).toBe('done');
  // The order stands: the same call again finds it, also without the place, and when the turn is long over.
  server.clock.advance(11 * 60_000);
  expect((await stranger.call(bookSeats, book)).body).toEqual(booked);
  expect((await payOrder(server, booked.checkout_url)).status).toBe(200);
  expect(await one!.codeOf(takeQueueHold)).toBe('queue_turn_over');
  expect(server.logged).toEqual([]);
});

it('a place is one browser’s: reloads and tabs change nothing, and a forged or foreign cookie is none', async (server, admin) => {
  await openRoom(server, admin);
  const [one] = await entrants(server, 1);
  const first = await one!.place();
  expect((await one!.enter()).place_hash).toBe(first.place_hash);
  const mine = one!.cookie;
  const [id, signature] = mine.replace('place=', '').split('.') as [string, string];
  const tried = [
    `place=${id}`,
    `place=${id}.${signature.slice(0, -1)}${signature.endsWith('A') ? 'B' : 'A'}`,
    `place=${'A'.repeat(id.length)}.${signature}`,
    `place=${first.place_hash}.${signature}`,
    'place=',
    `place=${'x'.repeat(5_000)}`,
  ];
  for (const cookie of tried) {
    const cheat = new Entrant(server);
    cheat.cookie = cookie;
    expect(await cheat.pass()).toBe('queue_place_unknown');
  }
  expect(await new Entrant(server).codeOf(enterQueue, { nonce: 'short' })).toBe('bad_request');
  // No process keeps anything that the others, or the next one, would miss.
  await openNow(server);
  expect(await one!.pass()).toBe('ok');
  const hold = await one!.hold();
  await using again = await server.restart();
  const back = new Entrant(again);
  back.cookie = mine;
  expect(await back.place()).toMatchObject({ place_hash: first.place_hash, number: 1 });
  expect(await back.hold()).toBe(hold);
});

it('who does not come loses the turn while the counter goes on, and may enter anew at the end', async (server, admin) => {
  await openRoom(server, admin, { minutes: 2, fixed_per_minute: 60 });
  const [slow] = await entrants(server, 1);
  await openNow(server);
  const [next] = await entrants(server, 1);
  await passTime(server, 3);
  expect((await next!.place()).state).toBe('called');
  server.clock.advance(2 * 60_000);
  expect((await slow!.place()).state).toBe('expired');
  expect(await slow!.pass()).toBe('queue_turn_over');
  const old = slow!.cookie;
  expect(await slow!.enter()).toMatchObject({ state: 'waiting', number: null });
  expect(slow!.cookie).not.toBe(old);
  await passTime(server, 2);
  expect(await slow!.place()).toMatchObject({ state: 'called', number: 3 });
  // A pass that was not used ends, too.
  expect(await slow!.pass()).toBe('ok');
  server.clock.advance(2 * 60_000);
  expect(await slow!.codeOf(takeQueueHold)).toBe('queue_turn_over');
});

it('an order that ended without tickets gives the turn back for what is left of it', async (server, admin) => {
  await openRoom(server, admin);
  const [one] = await entrants(server, 1);
  await openNow(server);
  await one!.pass();
  const chosen = await chosenSeats(server);
  const hold_token = await one!.hold();
  await holdObjects(server, hold_token, chosen);
  const { order_id } = (await one!.call(bookSeats, { hold_token, selected_objects: chosen }))
    .body as { order_id: string };
  await server.house.ctx
    .db('orders')
    .where({ link_key: order_id })
    .update({ state: 'deleted', deleted_at: server.clock.now() });
  const other = await one!.hold();
  expect(other).not.toBe(hold_token);
  expect(await one!.place()).toMatchObject({ state: 'inside' });
  expect((await holdObjects(server, other, await chosenSeats(server, 1))).status).toBe(200);
});
