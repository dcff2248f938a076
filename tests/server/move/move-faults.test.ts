/** Moves that are cut off at any point, or race with a sale, a refund, an admission or each other: no seat is lost or doubled, and whoever was first has it. */
import { expect } from 'vitest';
import { ProviderUnavailable } from '#server/adapters/provider.ts';
import { admitTicket } from '#server/contract/door/admissions.ts';
import { compareBooks } from '#server/services/reconcile/comparison.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { ask, demoEvent, findSeats, makeOrder, aRefusal } from '#tests/support/make.ts';
import { makeSold, soldOf, tryMove, whoHas, type Office, type Sold } from '#tests/support/move.ts';
import { expectSoundBooks, refundByOffice } from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';

/** Of the places of these two, the order has exactly those that its tickets say, and the others are free. */
async function expectOneOf(server: TestServer, sold: Sold, to: readonly string[]): Promise<Sold> {
  const now = await soldOf(server, sold.order_id);
  const places = [...sold.seats, ...to];
  expect(await whoHas(server, places)).toEqual(
    places.map((place) => (now.seats.includes(place) ? sold.order_id : 'free')),
  );
  await expectSoundBooks(server);
  return now;
}

const quiet = new AbortController().signal;

test('dead at each point of a move: the task ends it one way or the other, and the comparison sees nothing', async (server, office) => {
  const { ctx } = server.house;
  const ends: Record<string, boolean> = {
    move_stored: false,
    move_seats_taken: false,
    tickets_moved: true,
    move_seats_left: true,
    move_taken_back: false,
  };
  const { fault } = ctx;
  let dies: string[] = [];
  ctx.fault = (point) => {
    if (!dies.includes(point)) return;
    dies = dies.filter((other) => other !== point);
    throw new Error(`died at ${point}`);
  };
  const pairs: string[][] = [];
  for (let nth = 0; nth < 10; nth += 1) pairs.push(await findSeats(server, { nth }));
  const moves: { sold: Sold; to: string[]; moved: boolean }[] = [];
  for (const [point, moved] of Object.entries(ends)) {
    const [from, to] = [pairs.pop()!, pairs.pop()!];
    const sold = await makeSold(server, {
      selected_objects: from.map((object_id) => ({ object_id, ticket_type: 'intero' })),
    });
    // The first time that the worker takes something back it dies once more.
    dies = point === 'move_taken_back' ? ['move_seats_taken', point] : [point];
    const { status } = await tryMove(server, office, sold, to);
    expect([point, status]).toEqual([point, point === 'move_seats_left' ? 200 : 500]);
    moves.push({ sold, to, moved });
  }
  await compareBooks(ctx, quiet);
  expect(await ctx.db('breaks')).toEqual([]);
  for (let at = 0; at < 3; at += 1) {
    server.clock.advance(61_000);
    await server.runDue();
  }
  ctx.fault = fault;
  for (const { sold, to, moved } of moves)
    expect((await expectOneOf(server, sold, to)).seats).toEqual(moved ? to : sold.seats);
  expect(await ctx.db('moves').whereIn('state', ['taking', 'moved'])).toEqual([]);
  expect(await ctx.db('outbox').where({ task: 'settle_move' })).toEqual([]);
});

it('dead with the new seats booked, and the whole order refunded before the task comes: all of them are free', async (server, office) => {
  const { ctx } = server.house;
  const sold = await makeSold(server, { count: 2 });
  const to = await findSeats(server, { count: 2, nth: 2 });
  const fault = ctx.fault;
  ctx.fault = (point) => {
    if (point === 'move_seats_taken') throw new Error('died');
  };
  expect((await tryMove(server, office, sold, to)).status).toBe(500);
  ctx.fault = fault;
  await refundByOffice(server, office, sold);
  await server.runDue();
  server.clock.advance(61_000);
  await server.runDue();
  const places = [...sold.seats, ...to];
  expect(await whoHas(server, places)).toEqual(places.map(() => 'free'));
  await expectSoundBooks(server);
});

it('where the seat map’s answer is lost nothing has moved, and the next try finds the seats free', async (server, office) => {
  const sold = await makeSold(server, { count: 2 });
  const to = await findSeats(server, { count: 2, nth: 2 });
  const { seats } = server.house.ctx;
  const take = seats.take;
  seats.take = async (...asked) => {
    await take(...asked);
    throw new ProviderUnavailable('seats.io', 'the line was cut', null);
  };
  expect(await tryMove(server, office, sold, to)).toMatchObject(aRefusal(503, 'provider_silent'));
  seats.take = take;
  expect((await tryMove(server, office, sold, to)).status).toBe(200);
  expect((await expectOneOf(server, sold, to)).seats).toEqual(to);
  // Silent when the old seats are given back: the tickets have moved, and the task goes on.
  const release = seats.release;
  seats.release = async () => {
    throw new ProviderUnavailable('seats.io', 'silent', null);
  };
  const moved = await soldOf(server, sold.order_id);
  expect((await tryMove(server, office, moved, sold.seats)).status).toBe(200);
  seats.release = release;
  expect(await whoHas(server, [...sold.seats, ...to])).toEqual(
    [...sold.seats, ...to].map(() => sold.order_id),
  );
  server.clock.advance(61_000);
  await server.runDue();
  expect((await expectOneOf(server, moved, sold.seats)).seats).toEqual(sold.seats);
});

type Rival = (
  server: TestServer,
  race: { office: Office; sold: Sold; to: string[] },
) => Promise<unknown>;

const rivals: Record<string, Rival> = {
  'another move': (server, { office, sold }) =>
    findSeats(server, { count: 2, nth: 5 }).then((other) => tryMove(server, office, sold, other)),
  'a visitor': (server, { to }) => makeOrder(server, { seats: to }).catch(() => null),
  'a refund': (server, { office, sold }) =>
    ask(server, 'POST', `/api/admin/orders/${sold.order_id}/refunds`, {
      body: { expected_cents: 6_400, expected_left_cents: 0, reason: 'Richiesta' },
      headers: office,
    }),
  'an admission': (server, { office, sold }) =>
    ask(server, admitTicket.method, `/api/admin/admissions/${sold.codes[0]}`, {
      body: { override: 'Prova' },
      headers: office,
    }),
};

test('a move races with another move, a visitor, a refund or an admission: one of the two wins, and the books and the seat map agree', async (server, office) => {
  const { db } = server.house.ctx;
  for (const [name, rival] of Object.entries(rivals))
    for (const isMoveFirst of [true, false]) {
      const sold = await makeSold(server, { count: 2 });
      const to = await findSeats(server, { count: 2, nth: 2 });
      const move = () => tryMove(server, office, sold, to);
      const other = () => rival(server, { office, sold, to });
      await Promise.all((isMoveFirst ? [move, other] : [other, move]).map((call) => call()));
      server.clock.advance(20 * 60_000);
      await server.runDue();
      server.clock.advance(60_000);
      await server.runDue();
      const live: { place: string; order_id: string }[] = await db('order_lines')
        .where({ event_id: demoEvent })
        .whereNull('released_at')
        .select('place', 'order_id');
      const booked = new Map(live.map(({ place, order_id }) => [place, order_id]));
      const places = [...new Set([...sold.seats, ...to, ...booked.keys()])];
      expect([name, await whoHas(server, places)]).toEqual([
        name,
        places.map((place) => booked.get(place) ?? 'free'),
      ]);
      expect(await db('moves').whereIn('state', ['taking', 'moved'])).toEqual([]);
      await expectSoundBooks(server);
    }
});
