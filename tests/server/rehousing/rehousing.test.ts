/** Cambio di sala: a sold evening moves to another hall, in one run that may die anywhere, and can be called off while no mail has left. */
import { expect } from 'vitest';
import { admitTicket } from '#server/contract/door/admissions.ts';
import { callOffRehousing, seatByHand, solveRehousing } from '#server/contract/rehousings.ts';
import { solveAside } from '#server/services/rehousing/solve.ts';
import { testOnBoth as it, testOnSqlite as test } from '#tests/support/both.ts';
import {
  ask,
  callOk,
  demoEvent,
  findSeats,
  makeOrder,
  payOrder,
  aRefusal,
} from '#tests/support/make.ts';
import { makeSold, soldOf, type Office } from '#tests/support/move.ts';
import { expectSoundBooks } from '#tests/support/refunds.ts';
import {
  eventRow,
  expectRehoused,
  expectSeatsAt,
  finish,
  hallOf,
  openOne,
  propose,
  start,
  tryStart,
} from '#tests/support/rehousing.ts';
import { away, proposeElsewhere } from '#tests/support/rehousing-place.ts';
import { type TestServer } from '#tests/support/server.ts';
import { faultsOf, ownHalls, randomOf, sellHouse } from '#tests/support/sold-houses.ts';

const newHall = 'sala-nera';

const verdictOf = async (server: TestServer, office: Office, code: string): Promise<string> =>
  (await callOk(server, admitTicket, { params: { ticketId: code }, body: {} }, office)).verdict;

it('a sold evening moves to another hall: places there, new codes, old ones SPOSTATO, each buyer told once, and the sale goes on', async (server, office) => {
  const { ctx } = server.house;
  const pair = await makeSold(server, { count: 2 });
  const three = await makeSold(server, { count: 3, nth: 1, email: 'bruno@example.it' });
  const holder_email = 'anna@verdi.it';
  await ctx.db('tickets').where({ id: pair.tickets[0]! }).update({ holder_email });
  const unpaid = await makeOrder(server, { event: demoEvent, count: 2, nth: 2 });
  const before = await eventRow(server);
  const plan = await propose(server, office, newHall);
  expect(plan.counts).toMatchObject({ tickets: 7, unplaced: 0, mails: 2 });
  expect(plan.cost.split).toBe(0);
  await start(server, office, plan);
  expect((await ask(server, 'GET', `/api/event/${demoEvent}/`)).body).toMatchObject({
    sales: { state: 'paused' },
  });
  await server.runDue();
  expect(await openOne(server, office)).toMatchObject({ state: 'waiting', counts: { taken: 7 } });
  expect((await soldOf(server, pair.order_id)).codes).toEqual(pair.codes);
  await finish(server);
  const after = await eventRow(server);
  expect(after).toMatchObject({ chart_key: newHall, sale_paused: 0 });
  expect(after.seatsio_event_key).not.toBe(before.seatsio_event_key);
  for (const sold of [pair, three]) {
    const now = await soldOf(server, sold.order_id);
    expect(now.tickets.toSorted()).toEqual(sold.tickets.toSorted());
    await expectSeatsAt(server, now);
    expect(await verdictOf(server, office, sold.codes[0]!)).toBe('moved');
  }
  await payOrder(server, unpaid.checkout_url);
  await server.runDue();
  await expectSeatsAt(server, await soldOf(server, unpaid.order_id));
  const mails = await ctx.db('mails').where({ kind: 'seats_changed' }).orderBy('order_id');
  expect(mails.map(({ order_id }) => order_id)).toEqual([pair.order_id, three.order_id].toSorted());
  const codes = ctx.db('mails').where({ kind: 'holder_changed' });
  expect(await codes.select('state', 'to_address')).toEqual([
    { state: 'sent', to_address: holder_email },
  ]);
  await expect(ctx.seats.event(before.seatsio_event_key)).rejects.toThrow();
  expect(await verdictOf(server, office, (await soldOf(server, pair.order_id)).codes[1]!)).toBe(
    'admit',
  );
  expect((await ask(server, 'GET', `/api/event/${demoEvent}/`)).body).toMatchObject({
    sales: { state: 'open' },
  });
  expect(await ctx.db('rehousings').select('state')).toEqual([{ state: 'done' }]);
  await expectSoundBooks(server);
});

it('dead at each step of the run, the worker goes on: nothing is lost, nothing is doubled', async (server, office) => {
  const { ctx } = server.house;
  const pair = await makeSold(server, { count: 2 });
  await makeSold(server, { count: 3, nth: 1, email: 'bruno@example.it' });
  const points = [
    'rehousing_hall_made',
    'rehousing_order_taken',
    'rehousing_order_taken',
    'rehousing_taken',
    'rehousing_committed',
    'rehousing_left',
  ];
  const left = [...points];
  ctx.fault = (point) => {
    if (left[0] !== point) return;
    left.shift();
    throw new Error(`died at ${point}`);
  };
  await start(server, office, await proposeElsewhere(server, office, { chart_key: newHall }));
  for (let at = 0; at < 12; at += 1) {
    server.clock.advance(120_000);
    await server.runDue();
  }
  expect(left).toEqual([]);
  expect(await ctx.db('rehousings').select('state')).toEqual([{ state: 'done' }]);
  const now = await soldOf(server, pair.order_id);
  await expectSeatsAt(server, now);
  const { seatsio_event_key } = await eventRow(server);
  const booked = (await ctx.seats.objects(seatsio_event_key)).filter(
    ({ status }) => status === 'booked',
  );
  expect(booked).toHaveLength(5);
  expect(await eventRow(server)).toMatchObject(away);
  expect(await ctx.db('postponements').select('if_silent')).toEqual([{ if_silent: 'keep' }]);
  expect(await ctx.db('mails').where({ kind: 'event_postponed' }).pluck('state')).toEqual([
    'sent',
    'sent',
  ]);
  await expectRehoused(server);
});

test('called off before the first mail: everybody is where they were, with the tickets they have', async (server, office) => {
  const pair = await makeSold(server, { count: 2 });
  const before = await eventRow(server);
  const { ctx } = server.house;
  let deaths = 0;
  ctx.fault = (point) => {
    if (point !== 'rehousing_given_back' || deaths > 0) return;
    deaths += 1;
    throw new Error('died after the new hall had gone');
  };
  const plan = await start(server, office, await propose(server, office, newHall));
  await server.runDue();
  await callOk(server, callOffRehousing, { params: hallOf }, office);
  await server.runDue();
  server.clock.advance(120_000);
  await server.runDue();
  expect(deaths).toBe(1);
  expect(await openOne(server, office)).toMatchObject({ state: 'planned', counts: { taken: 0 } });
  expect(await eventRow(server)).toMatchObject({
    seatsio_event_key: before.seatsio_event_key,
    sale_paused: 0,
  });
  expect(await soldOf(server, pair.order_id)).toEqual(pair);
  await expectSeatsAt(server, pair);
  const again = (await openOne(server, office))!;
  expect(again.version).toBeGreaterThan(plan.version);
  await start(server, office, again);
  await finish(server);
  expect((await eventRow(server)).chart_key).toBe(newHall);
  await expectRehoused(server);
});

test('seats chosen by hand stay when the rest is solved again, and a stale plan is refused', async (server, office) => {
  await makeSold(server, { count: 2 });
  const three = await makeSold(server, { count: 3, nth: 1, email: 'bruno@example.it' });
  const plan = await propose(server, office, newHall);
  const [mine, other] = plan.groups.toSorted((a) => (a.order_id === three.order_id ? -1 : 1));
  const taken = other!.lines.map(({ to_object }) => to_object!);
  const lines = mine!.lines.map(({ line_id, to_object }, at) => ({
    line_id,
    object: taken[at] ?? to_object,
  }));
  const { version } = plan;
  const chosen = await callOk(
    server,
    seatByHand,
    { params: hallOf, body: { version, locked: true, lines } },
    office,
  );
  expect(chosen.counts.unplaced).toBe(2);
  const unplaced = await ask(server, 'POST', `/api/admin/events/${demoEvent}/rehousing/start`, {
    headers: office,
    body: { version: chosen.version, refunds: false, mails: chosen.counts.mails, lost: 0 },
  });
  expect(unplaced.body).toMatchObject({ status: 422, code: 'rehousing_unplaced' });
  const stale = await ask(server, 'POST', `/api/admin/events/${demoEvent}/rehousing/solve`, {
    headers: office,
    body: { version },
  });
  expect(stale.body).toMatchObject({ status: 409, code: 'rehousing_changed' });
  const solved = await callOk(
    server,
    solveRehousing,
    { params: hallOf, body: { version: chosen.version } },
    office,
  );
  expect(solved.counts.unplaced).toBe(0);
  const now = solved.groups.find(({ order_id }) => order_id === three.order_id)!;
  expect(now.lines.map(({ to_object }) => to_object)).toEqual(lines.map(({ object }) => object));
});

test('what was dearer goes back if the office wishes, a price never rises, and kept seats keep the sale closed until somebody opens it', async (server, office) => {
  const { ctx } = server.house;
  const sold = await makeSold(server, { count: 2 });
  const free = await findSeats(server, { count: 2, nth: 3 });
  const block = { objects: free, reason: 'Ospiti', color: 'grey', release_at: null };
  const blocked = await ask(server, 'POST', `/api/admin/events/${demoEvent}/blocks`, {
    headers: office,
    body: block,
  });
  expect(blocked.status).toBe(200);
  const plan = await propose(server, office, newHall, true);
  expect(plan.counts.refund_cents).toBeGreaterThan(0);
  expect(plan.counts).toMatchObject({ lost_with_refunds: 0, lost_without: 2 });
  expect(plan.groups.flatMap(({ lines }) => lines.map(({ end }) => end))).toEqual([
    'paid_back',
    'paid_back',
  ]);
  const { version, counts } = plan;
  expect(await tryStart(server, office, { version, mails: counts.mails })).toMatchObject(
    aRefusal(422, 'rehousing_losses', { tickets: 2 }),
  );
  await start(server, office, plan, true);
  await finish(server);
  const order = await ctx.db('orders').where({ id: sold.order_id }).first();
  expect(order.refunded_cents).toBe(plan.counts.refund_cents);
  expect(order.total_cents).toBe(order.paid_cents - plan.counts.refund_cents);
  expect((await eventRow(server)).sale_paused).toBe(1);
  await ask(server, 'POST', `/api/admin/events/${demoEvent}/rehousing/resume-sale`, {
    headers: office,
  });
  expect((await eventRow(server)).sale_paused).toBe(0);
  expect(await ctx.db('blocked_places')).toEqual([]);
  await server.runDue();
  await expectRehoused(server);
});

test('while an arena is being seated, everybody else is answered', async (server) => {
  const hall = ownHalls().get('arena')!;
  const groups = sellHouse(hall, { tickets: 1_000, random: randomOf(3) });
  const turn = { ended: false };
  const seating = solveAside({ hall, groups, stay: false }).finally(() => {
    turn.ended = true;
  });
  let answered = 0;
  while (!turn.ended) {
    const { status } = await ask(server, 'GET', `/api/event/${demoEvent}/`);
    if (!turn.ended && status === 200) answered += 1;
  }
  expect(faultsOf(hall, groups, await seating)).toEqual([]);
  expect(answered).toBeGreaterThan(5);
});
