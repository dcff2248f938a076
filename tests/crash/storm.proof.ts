/** Faults around a living process: a file may not grow, the process is told to stop. */
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { bookSeats } from '#server/contract/order/orders.ts';
import { ask, callOk, findSeats, holdObjects, makeHoldToken, until } from '#tests/support/make.ts';
import { startMortal } from '#tests/support/mortal.ts';
import { event, makePatron } from '#tests/support/patron.ts';
import type { TestServer } from '#tests/support/server.ts';
import { raceToPay } from './races.ts';

const minute = 60_000;

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

test('a file that may not grow: writes fail, the process and the file survive, and after a restart nothing is lost', async () => {
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
      ({ kind, status, left, for_sale }) =>
        kind === 'seat' && status === 'free' && left === null && for_sale,
    )
    .map(({ label }) => label);
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
  // Everybody who got a success answer has an order.
  const kept = await patron.rows<{ link_key: string }>('SELECT link_key FROM orders');
  expect(kept.map((row) => row.link_key)).toEqual(
    expect.arrayContaining([before.link_key, ...orders]),
  );
  await house.advance(20 * minute);
  await until(
    async () => (await house.tell<unknown[]>({ kind: 'broken' })).length === 0,
    20_000,
  ).catch(() => {});
  expect(await house.tell({ kind: 'broken' })).toEqual([]);
  await house.kill();
  expect(checkFile(house.folder)).toBe('ok');
});

test('told to stop during a booking: the booking is answered or refused, never half, and the next start knows it', async () => {
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
});

test('sixty visitors cancel and pay at the same moment: each order ends one way', () =>
  raceToPay(60));
