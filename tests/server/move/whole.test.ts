/** After the sale a table sold whole stays one thing of n places: kept back, moved, taken to another hall, counted by SQL. */
import { expect } from 'vitest';
import { blockSeats, releaseBlock } from '#server/contract/blocks.ts';
import { makeContingent, openContingent, releaseContingent } from '#server/contract/contingents.ts';
import { readEvent } from '#server/contract/event-desk.ts';
import { moveTickets, proposeMove, quoteMove } from '#server/contract/order/moves.ts';
import { proposeRehousing, startRehousing } from '#server/contract/rehousings.ts';
import { readReport } from '#server/contract/reports.ts';
import { readSeats } from '#server/contract/seats.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { comeBack, payAs } from '#tests/support/buyer.ts';
import { club, drawClub, openClub, seatsOfClub } from '#tests/support/club.ts';
import {
  aRefusal,
  ask,
  callOk,
  holdObjects,
  makeHoldToken,
  recordOf,
  tryBook,
  type Booked,
} from '#tests/support/make.ts';
import { soldOf, type Office, type Sold } from '#tests/support/move.ts';
import { expectSoundBooks, refundByOffice } from '#tests/support/refunds.ts';
import { finish } from '#tests/support/rehousing.ts';
import type { TestServer } from '#tests/support/server.ts';

const params = { eventId: club };
const kept = { color: 'violet' as const, release_at: null };

async function sell(server: TestServer, object_id: string, quantity: number): Promise<Sold> {
  const hold_token = await makeHoldToken(server);
  await holdObjects(server, hold_token, [{ object_id, ticket_type: 'intero' }], club);
  const selected_objects = [{ object_id, ticket_type: 'intero', quantity }];
  const { body } = await tryBook(server, { hold_token, selected_objects }, club);
  const booked = body as Booked;
  const order_id = await recordOf(server, booked);
  await payAs(server, booked);
  expect(await comeBack(server, { order_id })).toEqual({ confirmed: true });
  return soldOf(server, order_id);
}

async function linesOf({ house }: TestServer, { order_id }: Sold) {
  const lines: { place: string; object_label: string; whole_size: number }[] = await house.ctx
    .db('order_lines')
    .where({ order_id, released_at: null })
    .orderBy('position')
    .select('place', 'object_label', 'whole_size');
  return lines;
}

const placesOn = (label: string, count: number, from = 1) =>
  Array.from({ length: count }, (_, at) => `${label}#${at + from}`);

async function ownerOf(server: TestServer, label: string): Promise<string | null> {
  const { seatsio_event_key } = await server.house.ctx.db('events').where({ id: club }).first();
  const { status, order_id } = (await server.house.ctx.seats.read(seatsio_event_key, [label])).get(
    label,
  )!;
  return status === 'booked' ? order_id : status;
}

function tryMove(server: TestServer, office: Office, { order_id, tickets }: Sold, object: string) {
  return ask(server, 'POST', `/api/admin/orders/${order_id}/moves`, {
    body: { tickets: [{ ticket_id: tickets[0], object }], expected_cents: 0, tell_buyer: false },
    headers: office,
  });
}

/** Free places by our rows alone: not sold, not closed beside a sold place, not blocked. */
async function freeInSql({ house }: TestServer): Promise<number> {
  const rows: { n: number }[] = await house.ctx.db.from(
    house.ctx.db.raw(
      `(SELECT count(*) AS n FROM places p WHERE p.event_id = ? AND p.in_hall = 1
        AND NOT EXISTS (SELECT 1 FROM order_lines l WHERE l.event_id = p.event_id AND l.released_at IS NULL
          AND (l.place = p.place OR (p.in_whole = 1 AND l.object_label = p.object_label)))
        AND NOT EXISTS (SELECT 1 FROM blocked_places b WHERE b.event_id = p.event_id AND b.place = p.place)) AS counted`,
      [club],
    ),
  );
  return Number(rows[0]!.n);
}

/** The desk, the seat map and the report have the same figures as SQL; nothing is unguarded. */
async function expectCounted(server: TestServer, office: Office, free: number): Promise<void> {
  expect(await freeInSql(server)).toBe(free);
  // The desk asks the seat map once a second.
  server.clock.advance(2_000);
  expect((await callOk(server, readEvent, { params }, office)).counts.free).toBe(free);
  const seats = await callOk(server, readSeats, { params }, office);
  expect(seats.categories.reduce((sum, one) => sum + one.free, 0)).toBe(free);
  expect(seats.taken.filter(({ unguarded }) => unguarded)).toEqual([]);
  const report = { params: { report: 'hall' as const }, query: { event_id: club } };
  const { figures } = await callOk(server, readReport, report, office);
  const sums = figures.find(({ id }) => id === 'sums')!;
  const left = sums.columns.findIndex(({ key }) => key === 'left');
  expect(sums.rows[0]![left]).toBe(free);
  await expectSoundBooks(server);
}

test('a table is kept back with all its places, a code opens them all, and an empty chair of a sold one is neither free nor sold', async (server) => {
  const { office } = await openClub(server);
  await sell(server, 'T1', 8);
  const block = await callOk(
    server,
    blockSeats,
    { params, body: { ...kept, reason: 'Regia', objects: ['T2', 'C1-1'] } },
    office,
  );
  expect(block).toMatchObject({ objects: ['T2', 'C1-1'], places: 11 });
  const wish = { name: 'Amici', sale: 'code' as const, code: 'AMICI-26', areas: [] };
  const made = await callOk(
    server,
    makeContingent,
    { params, body: { ...kept, ...wish, objects: ['T3', 'Terrazza'] } },
    office,
  );
  expect(made).toMatchObject({ objects: ['T3', 'Terrazza'], places: 40, sold: 0 });
  const opened = await callOk(server, openContingent, { params, body: { code: 'AMICI-26' } });
  expect(opened).toMatchObject({ objects: ['T3', 'Terrazza'], places: 40 });
  await expectCounted(server, office, seatsOfClub - 10 - 11);
  const { taken } = await callOk(server, readSeats, { params }, office);
  const states = (label: string) =>
    placesOn(label, 10).map((place) => taken.find((one) => one.place === place)!);
  expect(states('T1').map(({ state }) => state)).toEqual([
    ...Array.from({ length: 8 }, () => 'sold'),
    'blocked',
    'blocked',
  ]);
  expect(states('T1').at(-1)).toMatchObject({ map_status: 'closed_in_whole', occupant: null });
  expect(states('T2').every((one) => one.block?.reason === 'Regia')).toBe(true);
  expect(
    await ask(server, 'POST', `/api/admin/events/${club}/blocks`, {
      body: { ...kept, reason: 'Tardi', objects: ['T1'] },
      headers: office,
    }),
  ).toMatchObject(aRefusal(409, 'seats_not_free', { objects: ['T1'] }));
  const blockId = { ...params, blockId: block.block_id };
  const { released } = await callOk(server, releaseBlock, { params: blockId }, office);
  expect(released).toMatchObject([{ objects: ['C1-1', 'T2'], places: 11 }]);
  await expectCounted(server, office, seatsOfClub - 10);
});

test('one ticket of a table that is moved takes the whole party, to a table that has room for it and to no chair', async (server) => {
  const { office } = await openClub(server);
  const eight = await sell(server, 'T1', 8);
  const ten = await sell(server, 'T2', 10);
  const orderId = eight.order_id;
  const tickets = [{ ticket_id: eight.tickets[3]!, object: 'T5' }];
  const quote = await callOk(server, quoteMove, { params: { orderId }, body: { tickets } }, office);
  expect(quote.tickets).toHaveLength(8);
  const keep = { tickets, expected_cents: 0, tell_buyer: false, keep_reason: 'Rotto' };
  await callOk(server, moveTickets, { params: { orderId }, body: keep }, office);
  expect(await linesOf(server, eight)).toEqual(
    placesOn('T5', 8).map((place) => ({ place, object_label: 'T5', whole_size: 10 })),
  );
  expect([await ownerOf(server, 'T1'), await ownerOf(server, 'T5')]).toEqual([
    'blockedByOffice',
    orderId,
  ]);
  await expectCounted(server, office, seatsOfClub - 30);
  for (const [object, reason] of [
    ['C1-1', 'other_kind'],
    ['S1', 'too_many'],
  ] as const)
    expect(await tryMove(server, office, ten, object)).toMatchObject(
      aRefusal(422, 'move_refused', { reason }),
    );
  expect(await tryMove(server, office, ten, 'T5')).toMatchObject(aRefusal(409, 'seats_not_free'));
  const apart = [0, 1].map((at) => ({ ticket_id: ten.tickets[at]!, object: `T${at + 6}` }));
  expect(
    await ask(server, 'POST', `/api/admin/orders/${ten.order_id}/moves`, {
      body: { tickets: apart, expected_cents: 0, tell_buyer: false },
      headers: office,
    }),
  ).toMatchObject(aRefusal(400, 'bad_request'));
  // A place given back stays closed; the others go on without it.
  await refundByOffice(server, office, ten, { ticket_ids: [ten.tickets[9]!] });
  await server.runDue();
  const wish = { params: { orderId: ten.order_id }, body: { ticket_ids: [ten.tickets[0]!] } };
  const [proposed] = (await callOk(server, proposeMove, wish, office)).tickets;
  expect((await tryMove(server, office, ten, proposed!.object)).status).toBe(200);
  expect((await linesOf(server, ten)).map(({ place }) => place)).toEqual(
    placesOn(proposed!.object, 9),
  );
  expect([await ownerOf(server, 'T2'), await ownerOf(server, proposed!.object)]).toEqual([
    'free',
    ten.order_id,
  ]);
  await expectCounted(server, office, seatsOfClub - 30);
});

test('in another hall each party has one table with room for it, and the house is recounted by SQL', async (server) => {
  const { office } = await openClub(server);
  const parties = [
    await sell(server, 'T1', 8),
    await sell(server, 'T2', 10),
    await sell(server, 'T30', 7),
    await sell(server, 'S1', 4),
    await sell(server, 'Terrazza', 30),
  ];
  const wish = { name: 'Amici', sale: 'code' as const, code: 'AMICI-26', areas: [] };
  const body = { ...kept, ...wish, objects: ['T9'] };
  const { contingent_id } = await callOk(server, makeContingent, { params, body }, office);
  await callOk(
    server,
    releaseContingent,
    { params: { ...params, contingentId: contingent_id } },
    office,
  );
  await drawClub(server, office, { key: 'gala', seats: (at) => (at % 2 === 0 ? 8 : 10) });
  const plan = await callOk(
    server,
    proposeRehousing,
    { params, body: { chart_key: 'gala' } },
    office,
  );
  expect(plan.counts).toMatchObject({ tickets: 59, unplaced: 0 });
  const { version, counts } = plan;
  const start = { version, refunds: false, mails: counts.mails, lost: counts.lost_without };
  await callOk(server, startRehousing, { params, body: start }, office);
  await finish(server);
  const { db } = server.house.ctx;
  expect(await db('rehousings').pluck('state')).toEqual(['done']);
  for (const [at, party] of parties.entries()) {
    const lines = await linesOf(server, party);
    const [{ object_label: label, whole_size }] = lines as [(typeof lines)[number]];
    expect(new Set(lines.map((line) => line.object_label)).size).toBe(1);
    expect(lines).toHaveLength([8, 10, 7, 4, 30][at]!);
    const places = await db('places').where({ event_id: club, object_label: label, in_hall: 1 });
    expect([places.length, places.every(({ in_whole }) => in_whole === 1)]).toEqual([
      whole_size,
      true,
    ]);
    const there = new Set(places.map(({ place }) => place));
    expect(lines.every(({ place }) => there.has(place))).toBe(true);
    expect(await ownerOf(server, label)).toBe(party.order_id);
  }
  // T1 has eight chairs now, which its party of eight keeps, codes and all.
  expect((await linesOf(server, parties[0]!))[0]).toMatchObject({ place: 'T1#1', whole_size: 8 });
  expect((await soldOf(server, parties[0]!.order_id)).codes).toEqual(parties[0]!.codes);
  const taken = await db('order_lines').where({ released_at: null }).sum({ n: 'whole_size' });
  expect(Number(taken[0]!['n'])).toBeGreaterThan(0);
  const drawn = 20 * 8 + 20 * 10 + 2 * 4 + 2 * 6 + 30;
  await expectCounted(server, office, drawn - 8 - 10 - 10 - 6 - 30);
});
