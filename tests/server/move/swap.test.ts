/** Two tickets of one or of two orders change seats in one act, also where the process dies on the way: no seat is ever free or doubled. */
import { expect } from 'vitest';
import { admitTicket, readAdmission } from '#server/contract/door/admissions.ts';
import type { Asked } from '#server/contract/endpoint.ts';
import { quoteSwap, swapTickets } from '#server/contract/order/moves.ts';
import { compareBooks } from '#server/services/reconcile/comparison.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { aRefusal, ask, callOk, findSeats, type Answered } from '#tests/support/make.ts';
import { makeSold, soldOf, whoHas, type Office, type Sold } from '#tests/support/move.ts';
import { expectSoundBooks, refundByOffice } from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';

const trySwap = (
  server: TestServer,
  office: Office,
  { from, with: other }: { from: Sold; with: Sold },
  body: Partial<Asked<typeof swapTickets>['body']> = {},
): Promise<Answered> =>
  ask(server, 'POST', `/api/admin/orders/${from.order_id}/swaps`, {
    body: {
      ticket_id: from.tickets[0],
      object: from.seats[0],
      with_ticket_id: other.tickets[0],
      with_object: other.seats[0],
      tell_buyer: false,
      ...body,
    },
    headers: office,
  });

const verdictOf = async (server: TestServer, office: Office, code: string) =>
  (await callOk(server, readAdmission, { params: { ticketId: code } }, office)).verdict;

const soldOn = (server: TestServer, seat: string, email?: string) =>
  makeSold(server, {
    selected_objects: [{ object_id: seat, ticket_type: 'intero' }],
    ...(email && { email }),
  });

/** Two orders with one seat each, that are not neighbours. */
async function twoOf(server: TestServer, nth = 0): Promise<[Sold, Sold]> {
  const [a] = await findSeats(server, { count: 1, nth });
  const one = await soldOn(server, a!);
  const [b] = await findSeats(server, { count: 1, nth: nth + 3 });
  return [one, await soldOn(server, b!, 'bruno@example.it')];
}

async function expectSwapped(server: TestServer, office: Office, [one, other]: [Sold, Sold]) {
  const places = [one.seats[0]!, other.seats[0]!];
  expect(await whoHas(server, places)).toEqual([other.order_id, one.order_id]);
  const [mine, theirs] = [await soldOf(server, one.order_id), await soldOf(server, other.order_id)];
  expect([mine.seats, theirs.seats]).toEqual([other.seats, one.seats]);
  // The papers of before are followed to the new seats.
  for (const { codes } of [one, other])
    expect(await verdictOf(server, office, codes[0]!)).toBe('moved');
  for (const { codes } of [mine, theirs])
    expect(await verdictOf(server, office, codes[0]!)).toBe('admit');
  expect(await server.house.ctx.db('moves').whereNot({ state: 'done' })).toEqual([]);
  await expectSoundBooks(server);
}

test('two orders change seats: each ticket has the other’s place, the old papers are followed there, and the same call again changes nothing', async (server, office) => {
  const { db } = server.house.ctx;
  const [one, other] = await twoOf(server);
  const params = { orderId: one.order_id };
  const { section, row, seat } = (await db('places').where({ place: other.seats[0] }).first()) as {
    section: string;
    row: string;
    seat: string;
  };
  const q = `${section} ${row} ${seat}`;
  const quote = await callOk(
    server,
    quoteSwap,
    { params, body: { ticket_id: one.tickets[0]!, q } },
    office,
  );
  expect(quote.seats).toMatchObject([
    { ticket_id: other.tickets[0], object: other.seats[0], obstacle: null, uneven: false },
  ]);
  const pair = { from: one, with: other };
  expect(await trySwap(server, office, pair, { tell_buyer: true })).toMatchObject({
    status: 200,
    body: { replayed: false },
  });
  expect(await trySwap(server, office, pair)).toMatchObject({
    status: 200,
    body: { replayed: true },
  });
  await expectSwapped(server, office, [one, other]);
  await server.runDue();
  expect(await db('mails').where({ kind: 'seats_changed' }).select('state')).toEqual([
    { state: 'sent' },
    { state: 'sent' },
  ]);
  expect(await db('orders').distinct('total_cents')).toEqual([{ total_cents: 3_200 }]);
  // Back again: the first papers name their own seats.
  const back = {
    from: await soldOf(server, one.order_id),
    with: await soldOf(server, other.order_id),
  };
  expect((await trySwap(server, office, back)).status).toBe(200);
  for (const { codes } of [one, other])
    expect(await verdictOf(server, office, codes[0]!)).toBe('admit');
  await expectSoundBooks(server);
  expect(server.logged).toEqual([]);
});

test('two tickets of one order change seats, and the seat map hears nothing', async (server, office) => {
  const sold = await makeSold(server, { count: 2 });
  const [a, b] = sold.tickets.map((ticket, at) => ({
    ...sold,
    tickets: [ticket],
    seats: [sold.seats[at]!],
  }));
  server.house.ctx.seats.keepBack = () => Promise.reject(new Error('told'));
  expect((await trySwap(server, office, { from: a!, with: b! })).status).toBe(200);
  const now = await soldOf(server, sold.order_id);
  expect(new Map(now.tickets.map((id, at) => [id, now.seats[at]]))).toEqual(
    new Map(sold.tickets.map((id, at) => [id, sold.seats[1 - at]])),
  );
  expect(await whoHas(server, sold.seats)).toEqual([sold.order_id, sold.order_id]);
  await expectSoundBooks(server);
});

test('dead at each step after the swap, the task tells the seat map the rest', async (server, office) => {
  const { ctx } = server.house;
  const { fault } = ctx;
  for (const [nth, point] of ['tickets_swapped', 'swap_kept_back', 'swap_seat_told'].entries()) {
    const pair = await twoOf(server, 2 * nth);
    let isDue = true;
    ctx.fault = (at) => {
      if (at !== point || !isDue) return;
      isDue = false;
      throw new Error(`died at ${point}`);
    };
    await trySwap(server, office, { from: pair[0], with: pair[1] });
    expect(isDue).toBe(false);
    await compareBooks(ctx, new AbortController().signal);
    expect(await ctx.db('breaks')).toEqual([]);
    server.clock.advance(61_000);
    await server.runDue();
    await expectSwapped(server, office, pair);
  }
  ctx.fault = fault;
  expect(await ctx.db('outbox').where({ task: 'settle_move' })).toEqual([]);
});

test('one ticket is refunded before the seat map hears of the swap: its seat is free, the other order has its own', async (server, office) => {
  const { ctx } = server.house;
  const { fault } = ctx;
  const [one, other] = await twoOf(server);
  ctx.fault = (at) => {
    if (at === 'tickets_swapped') throw new Error('died');
  };
  expect((await trySwap(server, office, { from: one, with: other })).status).toBe(500);
  ctx.fault = fault;
  await refundByOffice(server, office, one);
  await server.runDue();
  server.clock.advance(61_000);
  await server.runDue();
  expect(await whoHas(server, [one.seats[0]!, other.seats[0]!])).toEqual([other.order_id, 'free']);
  await expectSoundBooks(server);
});

it('a seat of another price needs a reason, and each keeps the price that was paid; what may not move stays', async (server, office) => {
  const { db } = server.house.ctx;
  const [dear] = await findSeats(server, { count: 1 });
  const [cheap] = await findSeats(server, { count: 1, category: 'Galleria' });
  const one = await soldOn(server, dear!);
  const other = await soldOn(server, cheap!);
  const pair = { from: one, with: other };
  expect(await trySwap(server, office, pair)).toMatchObject(aRefusal(422, 'move_unsettled'));
  const paid = await db('tickets').orderBy('id').select('id', 'price_cents');
  expect((await trySwap(server, office, pair, { reason: 'Si sono accordati' })).status).toBe(200);
  expect(await db('tickets').orderBy('id').select('id', 'price_cents')).toEqual(paid);
  await expectSoundBooks(server);
  const seats = { object: other.seats[0]!, with_object: one.seats[0]! };
  expect(
    await trySwap(server, office, pair, { ...seats, with_ticket_id: one.tickets[0]! }),
  ).toMatchObject({ status: 400 });
  await db('tickets').where({ id: other.tickets[0] }).update({ state: 'void' });
  expect(await trySwap(server, office, pair, { ...seats, reason: 'Ancora' })).toMatchObject(
    aRefusal(422, 'move_refused', { reason: 'ticket_over' }),
  );
});

it('two guests who are inside swap: each has left before the other comes, though a phone’s clock was ahead', async (server, office) => {
  const { db } = server.house.ctx;
  const pair = await twoOf(server);
  for (const { tickets } of pair)
    await callOk(server, admitTicket, { params: { ticketId: tickets[0]! }, body: {} }, office);
  await db('admissions').where({ place: pair[1].seats[0] }).increment('corrected_at', 60_000);
  expect((await trySwap(server, office, { from: pair[0], with: pair[1] })).status).toBe(200);
  expect(await db('admissions').whereNotNull('conflict_with')).toEqual([]);
  for (const { order_id } of pair) {
    const { codes } = await soldOf(server, order_id);
    expect(await verdictOf(server, office, codes[0]!)).toBe('already_in');
  }
  // The desk lets one out after those scans, which are still to come.
  const params = { ticketId: pair[0].tickets[0]! };
  await callOk(server, admitTicket, { params, body: { direction: 'out' } }, office);
  const { codes } = await soldOf(server, pair[0].order_id);
  expect(await verdictOf(server, office, codes[0]!)).toBe('admit');
});
