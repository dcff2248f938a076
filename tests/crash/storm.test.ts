/** The world goes wrong around a living house: the disk is full, a file may not grow, a vendor hangs, clocks jump, it is told to stop, and everybody cancels while paying. */
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { invariants } from '#db/invariants.ts';
import { getEvent, listPublished } from '#server/contract/events.ts';
import { bookSeats, cancelCheckout, orderStatus } from '#server/contract/order/orders.ts';
import { compareBooks } from '#server/services/reconcile/comparison.ts';
import {
  ask,
  callOk,
  demoEvent,
  findSeats,
  holdObjects,
  makeHoldToken,
  makeOrder,
  payOrder,
  until,
  type Booked,
  sessionIn,
} from '#tests/support/make.ts';
import { startMortal } from '#tests/support/mortal.ts';
import { event, makePatron } from '#tests/support/patron.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const minute = 60_000;

async function expectHealthy(server: TestServer): Promise<void> {
  const { db, now } = server.house.ctx;
  for (const { name, find } of invariants)
    expect([name, await find(db, now())]).toEqual([name, []]);
}

/** What the file itself says, when nobody has it open. */
function checkFile(folder: string): unknown {
  const file = join(folder, 'data/botteghino.sqlite');
  expect(existsSync(file)).toBe(true);
  const database = new Database(file, { readonly: true });
  try {
    return database.pragma('integrity_check', { simple: true });
  } finally {
    database.close();
  }
}

test(
  'disk full: the visitor is told to come back, nobody is told that all is well, and with room again everything goes on',
  { timeout: 60_000 },
  async () => {
    await using house = await startMortal();
    const patron = await makePatron(house);
    const paid = await patron.book();
    await patron.pay(paid);
    await patron.reaches(paid.order_id, 'confirmed');
    const waiting = await patron.book();
    await patron.rest();
    await house.tell({ kind: 'disk', full: true });
    // What is free inside the file is used up first.
    const fill = async () => {
      const said: string[] = [];
      for (const size of [3_000, 300, 20]) {
        for (let round = 0; said.at(-1) !== `${size}: full`; round += 1) {
          const values = [
            `fill-${size}-${round}`,
            size === 20 ? `order-${round}` : 'disk',
            'x'.repeat(size),
          ];
          await house
            .tell({
              kind: 'sql',
              sql: `INSERT INTO audit (id, at, actor, action, subject, detail) VALUES (?, 0, 'nobody', 'filled', ?, ?)`,
              values,
            })
            .catch((error: unknown) =>
              said.push(/full/i.test(String(error)) ? `${size}: full` : String(error)),
            );
        }
      }
      return said;
    };
    expect(await fill()).toEqual(['3000: full', '300: full', '20: full']);
    await patron.pay(waiting);
    // Whatever the visitor does: nobody tells him that it is done when it is not.
    const answers = [];
    for (let tries = 0; tries < 3; tries += 1)
      answers.push(
        (await ask(house, 'DELETE', `/api/orders/${waiting.order_id}/checkout_session`)).status,
      );
    const isConfirmed = (await patron.stateOf(waiting.order_id)) === 'confirmed';
    expect(answers.every((status) => (isConfirmed ? status < 600 : status >= 500))).toBe(true);
    expect((await ask(house, 'GET', `/api/event/${event}/`)).status).toBe(200);
    await house.tell({ kind: 'disk', full: false });
    await house.advance(2 * minute);
    await patron.reaches(waiting.order_id, 'confirmed');
    await until(async () => (await ask(house, 'GET', '/readyz')).status === 200);
    expect(
      await patron.rows('SELECT state FROM tickets WHERE order_id = ?', waiting.order_id),
    ).toEqual([{ state: 'valid' }, { state: 'valid' }]);
    await patron.rest();
    expect(await house.tell({ kind: 'broken' })).toEqual([]);
    await house.kill();
    expect(checkFile(house.folder)).toBe('ok');
  },
);

test(
  'a file that may not grow: writes fail, the process and the file survive, and after a restart nothing is lost',
  { timeout: 60_000 },
  async () => {
    let limit: number | null = null;
    await using house = await startMortal({ largestFileKb: () => limit });
    const patron = await makePatron(house);
    const before = await patron.book();
    await patron.pay(before);
    await patron.reaches(before.order_id, 'confirmed');
    await house.kill('SIGTERM');
    const { size } = await stat(join(house.folder, 'data/botteghino.sqlite'));
    limit = Math.ceil(size / 1024) + 64;
    await house.revive();
    const seats = (await patron.seats.objects(event))
      .filter(
        (object) =>
          object.kind === 'seat' &&
          object.status === 'free' &&
          object.left === null &&
          object.for_sale,
      )
      .map((object) => object.label);
    const server = {
      url: house.url,
      house: { standins: house.standins },
    } as unknown as TestServer;
    const answers: number[] = [];
    const orders: string[] = [];
    for (let round = 0; round < 80 && !answers.some((status) => status >= 500); round += 1) {
      const hold_token = await makeHoldToken(server);
      const selected_objects = [{ object_id: seats[round]!, ticket_type: 'intero' }];
      await holdObjects(server, hold_token, selected_objects, event);
      const answer = await ask(house, 'POST', `/api/event/${event}/book`, {
        body: { hold_token, selected_objects },
      });
      answers.push(answer.status);
      if (answer.status === 200) orders.push((answer.body as { order_id: string }).order_id);
    }
    expect(answers.some((status) => status >= 500)).toBe(true);
    expect(house.isDead()).toBe(false);
    expect((await ask(house, 'GET', '/healthz')).status).toBe(200);
    await house.kill();
    limit = null;
    await house.revive();
    // Everybody who was told yes has his order.
    expect(
      (await patron.rows<{ id: string }>('SELECT id FROM orders')).map((row) => row.id),
    ).toEqual(expect.arrayContaining([before.order_id, ...orders]));
    await house.advance(20 * minute);
    await until(
      async () => (await house.tell<unknown[]>({ kind: 'broken' })).length === 0,
      20_000,
    ).catch(() => {});
    expect(await house.tell({ kind: 'broken' })).toEqual([]);
    await house.kill();
    expect(checkFile(house.folder)).toBe('ok');
  },
);

test(
  'told to stop during a booking: the booking is answered or refused, never half, and the next start knows it',
  { timeout: 60_000 },
  async () => {
    await using house = await startMortal();
    const patron = await makePatron(house);
    const server = {
      url: house.url,
      house: { standins: house.standins, ctx: { seats: patron.seats } },
    } as unknown as TestServer;
    const all = await patron.seats.objects(event);
    const free = await findSeats({
      ...server,
      house: { ...server.house, ctx: { seats: { objects: async () => all } } },
    } as unknown as TestServer);
    const selected_objects = free.map((object_id) => ({ object_id, ticket_type: 'intero' }));
    const hold_token = await makeHoldToken(server);
    await holdObjects(server, hold_token, selected_objects, event);
    const rule = house.standins.stripe!.faults.add({
      on: 'request',
      method: 'POST',
      path: '/v1/checkout/sessions',
      action: 'delay',
      ms: 500,
    });
    const booking = ask(house, 'POST', `/api/event/${event}/book`, {
      body: { hold_token, selected_objects },
    });
    await until(async () => house.standins.stripe!.faults.log.length > 0);
    const stopped = house.kill('SIGTERM');
    const answer = await booking;
    expect(answer.status).toBe(200);
    await stopped;
    expect(house.ending()).toEqual({ code: 0, signal: null });
    house.standins.stripe!.faults.remove(rule.id);
    await house.revive();
    expect(
      await callOk(house, bookSeats, {
        params: { eventId: event },
        body: { hold_token, selected_objects },
      }),
    ).toEqual(answer.body);
    expect(await house.tell({ kind: 'broken' })).toEqual([]);
  },
);

test('Stripe hangs: the others are served as always, the event loop is free, and the booking ends as soon as Stripe does', async () => {
  await using server = await startServer();
  await callOk(server, getEvent, { params: { eventId: demoEvent } });
  const { faults } = server.house.standins!.stripe!;
  faults.add({
    on: 'request',
    method: 'POST',
    path: '/v1/checkout/sessions',
    action: 'hang',
    times: 'always',
  });
  const stuck = [
    makeOrder(server),
    makeOrder(server, { nth: 1 }),
    makeOrder(server, { nth: 2 }),
  ].map((order) => order.catch((error: unknown) => String(error)));
  await until(async () => faults.log.length >= 3);
  for (let round = 0; round < 20; round += 1) {
    const began = performance.now();
    await Promise.all([
      callOk(server, getEvent, { params: { eventId: demoEvent } }),
      callOk(server, listPublished, {}),
      makeHoldToken(server),
      ask(server, 'GET', '/healthz'),
    ]);
    expect(performance.now() - began).toBeLessThan(2_000);
  }
  faults.release();
  faults.clear();
  const orders = await Promise.all(stuck);
  expect(orders.filter((order) => typeof order === 'string' && !order.includes('503'))).toEqual([]);
  server.clock.advance(20 * minute);
  await server.runDue();
  server.clock.advance(2 * minute);
  await server.runDue();
  await expectHealthy(server);
  expect(
    await server.house.ctx.db('orders').whereIn('state', ['booking', 'awaiting_payment']),
  ).toEqual([]);
});

test('clocks jump two hours ahead and one back in the middle of orders: nobody loses money or seats, nothing stays stuck', async () => {
  await using server = await startServer();
  const early = await makeOrder(server);
  const open = await makeOrder(server, { nth: 1 });
  await payOrder(server, early.checkout_url);
  server.clock.advance(120 * minute);
  await server.runDue();
  const between = await makeOrder(server, { nth: 2 });
  server.clock.advance(-60 * minute);
  await payOrder(server, between.checkout_url);
  const late = await makeOrder(server, { nth: 3 });
  await payOrder(server, late.checkout_url);
  await server.runDue();
  for (const order of [early, between, late]) {
    await ask(server, 'GET', `/api/orders/${order.order_id}/status`);
    server.clock.advance(3_000);
    expect(
      (await callOk(server, orderStatus, { params: { orderId: order.order_id } }))
        .order_confirmed_at,
    ).not.toBeNull();
  }
  expect(
    (await callOk(server, orderStatus, { params: { orderId: open.order_id } })).order_deleted_at,
  ).not.toBeNull();
  server.clock.advance(90 * minute);
  await server.runDue();
  await expectHealthy(server);
});

/** By hand for a thousand: `RACES=1000`, which takes minutes. */
const races = Number(process.env['RACES'] ?? 60);

test(
  `${races} visitors cancel and pay at the same moment: each order ends one way, paid with its tickets or free with its seats`,
  { timeout: 20 * minute },
  async () => {
    await using server = await startServer({ worker: true });
    const { ctx, standins } = server.house;
    const ends = { confirmed: 0, deleted: 0 };
    const atOnce = 6;
    for (let done = 0; done < races; done += atOnce) {
      const orders: Booked[] = [];
      for (let nth = 0; nth < Math.min(atOnce, races - done); nth += 1)
        orders.push(await makeOrder(server));
      await Promise.all(
        orders.flatMap((order, index) => {
          // The page asks twice to pay, the button once to cancel: the later it comes, the nearer they meet.
          const pay = () => payOrder(server, order.checkout_url);
          const cancel = async () => {
            await pause(((done + index) % 8) * 12);
            return ask(server, 'DELETE', `/api/orders/${order.order_id}/checkout_session`);
          };
          return index % 2 === 0 ? [pay(), cancel()] : [cancel(), pay()];
        }),
      );
      for (const order of orders) {
        await until(async () => {
          await callOk(server, cancelCheckout, { params: { orderId: order.order_id } });
          return ['confirmed', 'deleted'].includes(
            (await ctx.db('orders').where({ id: order.order_id }).first()).state,
          );
        });
        const { state } = (await ctx.db('orders').where({ id: order.order_id }).first()) as {
          state: 'confirmed' | 'deleted';
        };
        ends[state] += 1;
        const session = await ctx.payments.read(sessionIn(order.checkout_url));
        expect([session.status, session.paid]).toEqual(
          state === 'confirmed' ? ['complete', true] : ['expired', false],
        );
        const statuses = [
          ...(
            await ctx.seats.read(
              demoEvent,
              order.selected_objects.map((object) => object.object_id),
            )
          ).values(),
        ].map((object) => object.status);
        expect(statuses).toEqual(Array(2).fill(state === 'confirmed' ? 'booked' : 'free'));
        if (state === 'confirmed') await freeAgain(server, order);
      }
    }
    expect(ends.confirmed + ends.deleted).toBe(races);
    expect(Math.min(ends.confirmed, ends.deleted)).toBeGreaterThan(0);
    await standins!.stripe!.tick();
    await expectHealthy(server);
    server.clock.advance(minute);
    expect(await compareBooks(ctx, new AbortController().signal)).toBe(0);
    console.log(`${races} races: ${ends.confirmed} paid, ${ends.deleted} cancelled`);
  },
);

/** The hall has fewer seats than there are races: the office gives the seats back, money and all sides agreeing. */
async function freeAgain(server: TestServer, order: Booked): Promise<void> {
  const { db, seats, now } = server.house.ctx;
  await seats.release(
    demoEvent,
    order.selected_objects.map(({ object_id }) => ({
      label: object_id,
      quantity: null,
      ticket_type: 'intero',
    })),
    order.order_id,
  );
  await db('tickets')
    .where({ order_id: order.order_id })
    .update({ state: 'void', ended_at: now() });
  await db('order_lines').where({ order_id: order.order_id }).update({ released_at: now() });
}
