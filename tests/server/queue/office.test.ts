/** What the office does with a waiting room: pause, message, close, the code of members, a full house; the counter never waits; and the mail when a turn is near. */
import { expect, vi } from 'vitest';
import { admitHold } from '#server/contract/counter.ts';
import { bookSeats, cancelCheckout } from '#server/contract/order/orders.ts';
import {
  askQueueMail,
  closeQueue,
  enterQueue,
  pauseQueue,
  readQueue,
  readQueueDesk,
  resumeQueue,
  setQueue,
  tellQueue,
} from '#server/contract/queue.ts';
import type { Ctx } from '#server/services/context.ts';
import { tellLoad, timed } from '#server/services/queue/load.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { testWithSmtp } from '#tests/support/mail-day.ts';
import {
  ask,
  callOk,
  findSeats,
  holdObjects,
  makeAdmin,
  makeHoldToken,
} from '#tests/support/make.ts';
import {
  Entrant,
  entrants,
  openNow,
  openRoom,
  params,
  passTime,
  plainRoom,
  room,
} from '#tests/support/queue.ts';

const hour = 3_600_000;
const path = `/api/admin/events/${params.eventId}/queue`;

test('a pause calls nobody and makes up for nothing, a message is read by all, a closed room takes nobody, and the book says who did it', async (server, admin) => {
  expect(await callOk(server, readQueueDesk, { params }, admin)).toMatchObject({
    mode: 'off',
    phase: 'off',
    seed_hash: null,
    seat_map_guards: true,
  });
  expect((await ask(server, 'POST', `${path}/pause`, { headers: admin })).body).toMatchObject({
    code: 'queue_off',
  });
  await openRoom(server, admin, { fixed_per_minute: 60 });
  const [first, second, third] = await entrants(server, 3);
  await openNow(server);
  const served = (await room(server)).serving;
  expect(served).toBeLessThan(3);
  await callOk(server, pauseQueue, { params }, admin);
  await passTime(server, 5);
  expect(await room(server)).toMatchObject({ phase: 'paused', serving: served });
  const told = await callOk(server, tellQueue, { params, body: { message: 'Un attimo.' } }, admin);
  expect([told.message, (await room(server)).message]).toEqual(['Un attimo.', 'Un attimo.']);
  await callOk(server, resumeQueue, { params }, admin);
  await passTime(server, 1);
  expect((await room(server)).serving).toBe(served + 1);
  await passTime(server, 3);
  const all = [first!, second!, third!];
  const byNumber = new Map<number, Entrant>();
  for (const one of all) byNumber.set((await one.place()).number!, one);
  expect(await byNumber.get(1)!.pass()).toBe('ok');
  const desk = await callOk(server, closeQueue, { params }, admin);
  expect(desk).toMatchObject({ phase: 'closed', waiting: 0, called: 2, inside: 1, done: 0 });
  expect(await byNumber.get(2)!.pass()).toBe('queue_closed');
  expect(await new Entrant(server).codeOf(enterQueue, { nonce: 'a'.repeat(22) })).toBe(
    'queue_closed',
  );
  // Who is inside may finish.
  expect(await byNumber.get(1)!.hold()).toHaveLength(32);
  const actions = await server.house.ctx
    .db('audit')
    .where({ subject: params.eventId })
    .whereLike('action', 'queue%')
    .orderBy('at')
    .pluck('action');
  expect(actions).toEqual([
    'queue_set',
    'queue_paused',
    'queue_told',
    'queue_resumed',
    'queue_closed',
  ]);
});

test('switched off, nobody waits and the seat map takes everybody’s tokens again; after the draw the opening stands', async (server, admin) => {
  await openRoom(server, admin);
  await entrants(server, 1);
  await openNow(server);
  const opens_at = new Date(server.clock.now() + hour).toISOString();
  const late = { ...plainRoom, opens_at };
  expect(
    (await ask(server, setQueue.method, path, { body: late, headers: admin })).body,
  ).toMatchObject({ code: 'queue_drawn' });
  await openRoom(server, admin, { mode: 'off' });
  expect(await callOk(server, readQueue, { params })).toMatchObject({ phase: 'off' });
  const chosen = (await findSeats(server)).map((object_id) => ({
    object_id,
    ticket_type: 'intero',
  }));
  const hold_token = await makeHoldToken(server);
  expect((await holdObjects(server, hold_token, chosen)).status).toBe(200);
  await callOk(server, bookSeats, { params, body: { hold_token, selected_objects: chosen } });
});

test('the code spares the wait, not the opening; wrong ones are counted, right ones not', async (server, admin) => {
  const opens_at = new Date(server.clock.now() + hour).toISOString();
  await openRoom(server, admin, { code: 'Soci-2027', fixed_per_minute: 1, opens_at });
  expect(await room(server)).toMatchObject({ has_code: true });
  const member = new Entrant(server);
  // Members behind one address who all come too early keep nobody out.
  for (let n = 0; n < 8; n += 1)
    expect(await member.pass({ code: 'soci-2027' })).toBe('queue_not_yet');
  expect(await member.pass({ code: 'soci-2026' })).toBe('queue_code_wrong');
  server.clock.advance(hour);
  await passTime(server, 4);
  const [waiting] = await entrants(server, 1);
  expect(await member.pass({ code: ' soci-2027' })).toBe('ok');
  expect(await member.hold()).toHaveLength(32);
  expect(await waiting!.pass({ code: 'SOCI-2027' })).toBe('ok');
  await passTime(server, 2);
  // They have no number, and nobody's wait is longer by them.
  expect(await room(server)).toMatchObject({ last: 0, serving: 0 });
  const guesser = new Entrant(server);
  const answers = [];
  for (let n = 0; n < 40; n += 1) answers.push(await guesser.pass({ code: `guess-${n}` }));
  expect(answers).toContain('too_many_requests');
  // Nor does a turn of one's own make guesses forgotten.
  server.clock.advance(hour);
  await guesser.pass({ code: 'soci-2027' });
  const inside = [];
  for (let n = 0; n < 8; n += 1) inside.push(await guesser.pass({ code: `guess-${n}` }));
  expect(inside.slice(0, 6)).toEqual([
    ...Array.from({ length: 5 }, () => 'queue_code_wrong'),
    'too_many_requests',
  ]);
});

test('so many inside at most: whoever is done or does not come makes room', async (server, admin) => {
  await openRoom(server, admin, { most_inside: 2, minutes: 2 });
  await entrants(server, 5);
  await openNow(server);
  await passTime(server, 5);
  expect((await room(server)).serving).toBe(2);
  server.clock.advance(2 * 60_000);
  await passTime(server, 2);
  expect((await room(server)).serving).toBe(4);
});

it('the counter does not wait', async (server, admin) => {
  await openRoom(server, admin);
  const hold_token = await makeHoldToken(server);
  const chosen = (await findSeats(server)).map((object_id) => ({ object_id }));
  expect((await holdObjects(server, hold_token, chosen)).status).toBe(403);
  await callOk(server, admitHold, { body: { event_id: params.eventId, hold_token } }, admin);
  expect((await holdObjects(server, hold_token, chosen)).status).toBe(200);
});

/** Six bookings of 850 ms, by a stopwatch that is set on. */
async function bookSlowly(ctx: Ctx): Promise<void> {
  const real = performance.now.bind(performance);
  let ahead = 0;
  using _ = vi.spyOn(performance, 'now').mockImplementation(() => real() + ahead);
  for (let n = 0; n < 6; n += 1)
    await timed(ctx, async () => {
      ahead += 850;
    });
}

test('a room that comes by itself comes when bookings are slow, lets those finish who had chosen, and goes when it is quiet', async (server, admin) => {
  const { ctx } = server.house;
  await openRoom(server, admin, { mode: 'auto', fixed_per_minute: null });
  expect(await room(server)).toMatchObject({ phase: 'off' });
  const chosen = (await findSeats(server)).map((object_id) => ({
    object_id,
    ticket_type: 'intero',
  }));
  const hold_token = await makeHoldToken(server);
  await holdObjects(server, hold_token, chosen);
  await bookSlowly(ctx);
  server.clock.advance(10_000);
  await tellLoad(ctx);
  // The rate is thought over, then the seat map hears of it.
  await passTime(server, 2);
  expect(await room(server)).toMatchObject({ phase: 'open', seed_hash: null, per_minute: 30 });
  const more = (await findSeats(server, { nth: 3 })).map((object_id) => ({
    object_id,
    ticket_type: 'intero',
  }));
  const stranger = await makeHoldToken(server);
  const held = await holdObjects(server, stranger, more);
  expect(held.status).toBe(403);
  await callOk(server, bookSeats, { params, body: { hold_token, selected_objects: chosen } });
  const [late] = await entrants(server, 1);
  await passTime(server, 3);
  expect(await late!.place()).toMatchObject({ number: 1, state: 'called' });
  // What was got with a pass books with that pass only: left out, it would be good for a second order.
  await late!.pass();
  const own = { hold_token: await late!.hold(), selected_objects: more };
  await holdObjects(server, own.hold_token, own.selected_objects);
  expect(await new Entrant(server).codeOf(bookSeats, own)).toBe('queue_no_pass');
  // Nor is it good for anything once its order was given back, and its turn goes on with another.
  const { order_id } = (await late!.call(bookSeats, own)).body as { order_id: string };
  await callOk(server, cancelCheckout, { params: { orderId: order_id } });
  expect(await late!.hold()).not.toBe(own.hold_token);
  const again = await holdObjects(server, own.hold_token, own.selected_objects);
  expect(again.status).toBe(400);
  expect(await new Entrant(server).codeOf(bookSeats, own)).toBe('hold_expired');
  server.clock.advance(6 * 60_000);
  await passTime(server, 2);
  expect(await room(server)).toMatchObject({ phase: 'off' });
});

testWithSmtp(
  'whoever asked is written to once when the turn is near, and the address is gone',
  async (server, smtp) => {
    const admin = await makeAdmin(server);
    await openRoom(server, admin, { fixed_per_minute: 1 });
    const all = await entrants(server, 30);
    await openNow(server);
    const numbers = await Promise.all(all.map(async (one) => (await one.place()).number!));
    const far = all[numbers.indexOf(15)]!;
    const other = all[numbers.indexOf(30)]!;
    for (const [one, email] of [
      [far, 'far@example.it'],
      [other, 'other@example.it'],
    ] as const)
      expect((await one.call(askQueueMail, { email })).body).toMatchObject({ mail: true });
    await passTime(server, 1);
    await server.runDue();
    expect(smtp.received).toHaveLength(0);
    await server.house.ctx.db('queues').update({ serving: 5 });
    await passTime(server, 2);
    await server.runDue();
    await passTime(server, 2);
    await server.runDue();
    expect(smtp.received.map(({ email }) => [email.to![0]!.address, email.subject])).toEqual([
      ['far@example.it', 'Fra poco tocca a te: La locandiera'],
    ]);
    expect(await far.place()).toMatchObject({ mail: false });
    // Who changes their mind, and who is left when the room closes, leave nothing either.
    expect((await other.call(askQueueMail, { email: null })).body).toMatchObject({ mail: false });
    await other.call(askQueueMail, { email: 'other@example.it' });
    await callOk(server, closeQueue, { params }, admin);
    await passTime(server, 1);
    expect(await server.house.ctx.db('queue_places').whereNotNull('email')).toEqual([]);
  },
);
