/** Entries against the book: a guest whose ticket has ended is inside, the office hears of it, and the place is not sold until a person decides (RULES A20). */
import { expect } from 'vitest';
import { listEntriesAgainst, settleEntryAgainst } from '#server/contract/door/against.ts';
import { blockAreaPlaces, blockSeats, releaseBlock } from '#server/contract/blocks.ts';
import { admitTicket, readAdmission, undoAdmission } from '#server/contract/door/admissions.ts';
import { listConflicts, settleConflict } from '#server/contract/door/conflicts.ts';
import { confirmOrder } from '#server/contract/office.ts';
import { giveBackFree } from '#server/contract/order/free.ts';
import { moveTickets } from '#server/contract/order/moves.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import { readPresence } from '#server/contract/door/presence.ts';
import { removeTestOrders } from '#server/contract/stripe-change.ts';
import type { AgainstAnswer } from '#server/domain/door/against.ts';
import { queuePlacesToLetGo } from '#server/services/payment/let-go.ts';
import { compareBooks } from '#server/services/reconcile/comparison.ts';
import { checkInvariants } from '#server/services/reconcile/invariants.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { phoneOf } from '#tests/support/door/door-phone.ts';
import type { CodeMaker } from '#tests/support/door/proof.ts';
import {
  aRefusal,
  ask,
  callOk,
  demoEvent,
  holdSeats,
  makeAdmin,
  makeOrder,
  makePairedPhone,
  tryBook,
  type Booked,
} from '#tests/support/make.ts';
import {
  makePaid,
  refundByOffice,
  seatStatuses,
  sellGifts,
  setPolicy,
  type PaidOrder,
} from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';
import { bookedStanding, bookStanding, standingArea } from '#tests/support/standing.ts';

const minute = 60_000;

/** An evening that begins in an hour, with a phone that has its list. */
async function openDoor(server: TestServer) {
  const starts_at = server.clock.now() + 60 * minute;
  await setPolicy(
    server,
    { starts_at, doors_at: null, admits_from: null, ends_at: null },
    demoEvent,
  );
  const admin = await makeAdmin(server);
  const { headers } = await makePairedPhone(server, admin);
  const { db } = server.house.ctx;
  const codes = (await db('events').where({ id: demoEvent }).first()) as CodeMaker;
  const tokens = [headers.authorization.replace('Bearer ', '')];
  const phone = phoneOf(server, { event_id: demoEvent, tokens, codes });
  const at = () => ({ corrected_at: new Date(server.clock.now()).toISOString(), offline: true });
  const door = {
    admin,
    phone,
    placeOf: ({ selected_objects }: PaidOrder) => selected_objects[0]!.object_id,
    /** The phone has no signal: it lets in what it knew. */
    letIn: async (place: string, changes: object = {}) => {
      const scan = phone.scan(place, { ...at(), ...changes });
      const [result] = await phone.send(scan);
      return { ...result!, scan };
    },
    cards: (query: { open?: '1' } = {}) => callOk(server, listEntriesAgainst, { query }, admin),
    settle: (admissionId: string, as: AgainstAnswer, note?: string) =>
      callOk(server, settleEntryAgainst, { params: { admissionId }, body: { as, note } }, admin),
    inside: async () =>
      (await callOk(server, readPresence, { params: { eventId: demoEvent } }, admin)).inside,
    verdictOf: async (ticketId: string) =>
      (await callOk(server, readAdmission, { params: { ticketId } }, admin)).verdict,
    /** What a visitor who wants exactly this place is told. */
    buys: async (place: string) => {
      const held = await holdSeats(server, { seats: [place] }).catch(() => null);
      return held === null ? 409 : (await tryBook(server, held)).status;
    },
  };
  return door;
}

async function work(server: TestServer, ms = 0): Promise<void> {
  server.clock.advance(ms);
  for (let turn = 0; turn < 3; turn += 1) await server.runDue();
}

const sell = (server: TestServer, nth = 0) => makePaid(server, { event: demoEvent, count: 1, nth });

/** The office confirms what was booked: guests of the house have it, or they have paid in cash. */
async function confirm(
  server: TestServer,
  admin: Record<string, string>,
  { order, method = 'guest' }: { order: Booked; method?: 'guest' | 'cash' },
): Promise<Booked> {
  const { order_id } = order;
  const { total_cents } = await server.house.ctx.db('orders').where({ id: order_id }).first();
  const body = { method, reason: 'Amici', expected_cents: total_cents };
  await callOk(server, confirmOrder, { params: { orderId: order_id }, body }, admin);
  return order;
}

async function expectInvariants(server: TestServer): Promise<void> {
  await work(server, 11 * minute);
  const found = await checkInvariants(server.house.ctx);
  expect(found.filter(({ violations }) => violations > 0)).toEqual([]);
}

async function expectSound(server: TestServer): Promise<void> {
  await expectInvariants(server);
  await compareBooks(server.house.ctx, new AbortController().signal);
  expect(await server.house.ctx.db('breaks').whereNull('settled_at')).toEqual([]);
}

test('a phone without signal lets in a refunded ticket: the office has a card, the place is taken back and stays off sale until a person says that the guest is out', async (server) => {
  const door = await openDoor(server);
  const order = await sell(server);
  const place = door.placeOf(order);
  await refundByOffice(server, door.admin, order);
  await work(server);
  expect(await seatStatuses(server, order, demoEvent)).toEqual(['free']);
  server.clock.advance(7 * minute);
  const { result, against, scan } = await door.letIn(place);
  expect([result, against]).toEqual(['stored', 'refunded']);
  await work(server);
  expect(await seatStatuses(server, order, demoEvent)).toEqual(['booked']);
  expect(await door.buys(place)).toBe(409);
  expect([await door.inside(), await door.verdictOf(order.tickets[0]!)]).toEqual([1, 'refunded']);
  const { number } = await server.house.ctx.db('orders').where({ id: order.order_id }).first();
  const { items, open } = await door.cards({ open: '1' });
  expect([open, items]).toEqual([
    1,
    [
      expect.objectContaining({
        admission_id: scan.admission_id,
        ticket_id: order.tickets[0],
        place,
        against: 'refunded',
        gate: 'Varco 1',
        offline: true,
        minutes_after: 7,
        order: { order_id: order.order_id, order_number: number },
        kept: true,
        out_at: null,
        sold_to: null,
        settled: null,
      }),
    ],
  ]);
  expect((await callOk(server, listConflicts, { query: {} }, door.admin)).items).toEqual([]);
  await expectSound(server);

  // The guest stays: the place is never sold. Then the guest goes.
  expect(await door.settle(scan.admission_id, 'stays', 'È la suocera')).toMatchObject({
    kept: true,
    settled: { as: 'stays', by: 'Ada', note: 'È la suocera' },
  });
  await work(server);
  expect([await door.inside(), await seatStatuses(server, order, demoEvent)]).toEqual([
    1,
    ['booked'],
  ]);
  expect((await door.cards({ open: '1' })).open).toBe(0);
  expect(await door.settle(scan.admission_id, 'left')).toMatchObject({ kept: false });
  await work(server);
  expect([await door.inside(), await seatStatuses(server, order, demoEvent)]).toEqual([
    0,
    ['free'],
  ]);
  const params = { admissionId: scan.admission_id };
  const again = await ask(server, 'POST', `/api/admin/entries-against/${params.admissionId}`, {
    headers: door.admin,
    body: { as: 'stays' },
  });
  expect(again).toMatchObject(aRefusal(409, 'conflict_gone'));
  expect(await door.buys(place)).toBe(200);
  await expectSound(server);
});

it('a ticket that is refunded while its guest is inside says RIMBORSATO, nobody is offered to let it in, its place is not put on sale; a mistake takes the entry back', async (server) => {
  const door = await openDoor(server);
  const [order, early] = [await sell(server), await sell(server, 1)];
  const place = door.placeOf(order);
  const { scan } = await door.letIn(place);
  // This phone's scan arrives after the refund.
  const unsent = door.phone.scan(door.placeOf(early), {
    corrected_at: new Date(server.clock.now()).toISOString(),
    offline: true,
  });
  server.clock.advance(3 * minute);
  await refundByOffice(server, door.admin, order);
  await refundByOffice(server, door.admin, early);
  await work(server);
  const against = (await door.cards()).items.map(({ minutes_after, kept }) => [
    minutes_after,
    kept,
  ]);
  expect(against).toEqual([[-3, true]]);
  expect(await seatStatuses(server, order, demoEvent)).toEqual(['booked']);
  expect(await seatStatuses(server, early, demoEvent)).toEqual(['free']);
  expect((await door.phone.send(unsent))[0]).toMatchObject({ against: 'refunded' });
  await work(server);
  expect(await seatStatuses(server, early, demoEvent)).toEqual(['booked']);
  expect([await door.buys(place), await door.buys(door.placeOf(early))]).toEqual([409, 409]);

  // A supervisor cannot let in another one with it; an exit counts.
  const [ticketId] = order.tickets as [string];
  const desk = (direction: 'in' | 'out') =>
    callOk(
      server,
      admitTicket,
      { params: { ticketId }, body: { direction, ...(direction === 'in' && { override: 'Sì' }) } },
      door.admin,
    );
  expect(await desk('in')).toMatchObject({ verdict: 'refunded', counts: false });
  expect(await desk('out')).toMatchObject({ verdict: 'out', counts: true });
  await work(server);
  const known = (await door.cards()).items.find((one) => one.admission_id === scan.admission_id)!;
  expect(known.out_at).not.toBeNull();
  expect(await seatStatuses(server, order, demoEvent)).toEqual(['booked']);
  await door.settle(scan.admission_id, 'left');
  await door.settle(unsent.admission_id, 'mistake', 'Letto per sbaglio');
  await work(server);
  expect(await door.inside()).toBe(0);
  expect(await seatStatuses(server, order, demoEvent)).toEqual(['free']);
  expect(await seatStatuses(server, early, demoEvent)).toEqual(['free']);
  expect((await door.cards()).items.map(({ settled }) => settled?.as).toSorted()).toEqual([
    'left',
    'mistake',
  ]);
  await expectSound(server);
});

test('a place that was sold again stays with its new buyer, whom the card names; when that buyer gives it up, the guest keeps it; a scan taken back lets it go', async (server) => {
  const door = await openDoor(server);
  const order = await sell(server);
  const place = door.placeOf(order);
  await refundByOffice(server, door.admin, order);
  await work(server);
  const next = await makePaid(server, {
    event: demoEvent,
    selected_objects: order.selected_objects,
  });
  server.clock.advance(minute);
  const { scan } = await door.letIn(place);
  const { number, buyer_name } = await server.house.ctx
    .db('orders')
    .where({ id: next.order_id })
    .first();
  const [card] = (await door.cards()).items;
  expect(card).toMatchObject({
    kept: false,
    sold_to: { order_id: next.order_id, order_number: number, buyer_name },
  });
  expect(await door.verdictOf(next.tickets[0]!)).toBe('admit');
  // A user of the door reads the numbers, not the name.
  await server.house.ctx.db('users').update({ role: 'door' });
  expect((await door.cards()).items[0]).toMatchObject({
    order: { order_id: null },
    sold_to: { order_id: null, order_number: number, buyer_name: null },
  });
  await server.house.ctx.db('users').update({ role: 'admin' });
  await work(server);
  await expectSound(server);
  // Both have come: the card that names the buyer is the only question to a person.
  const bought = await door.letIn(place, { revision: 2 });
  const clashes = await callOk(server, listConflicts, { query: {} }, door.admin);
  expect([bought.result, clashes.items, clashes.open]).toEqual(['conflict', [], 0]);
  expect((await door.cards()).items).toHaveLength(1);
  await callOk(
    server,
    undoAdmission,
    {
      params: { ticketId: next.tickets[0]! },
      body: { admission_id: bought.scan.admission_id, reason: 'Torna domani' },
    },
    door.admin,
  );
  await refundByOffice(server, door.admin, next);
  await work(server);
  expect(await seatStatuses(server, order, demoEvent)).toEqual(['booked']);
  expect((await door.cards()).items[0]).toMatchObject({ kept: true, sold_to: null });
  expect(await door.buys(place)).toBe(409);
  await callOk(
    server,
    undoAdmission,
    {
      params: { ticketId: order.tickets[0]! },
      body: { admission_id: scan.admission_id, reason: 'Persona sbagliata' },
    },
    door.admin,
  );
  await work(server);
  expect([(await door.cards()).open, await seatStatuses(server, order, demoEvent)]).toEqual([
    0,
    ['free'],
  ]);
  await expectSound(server);
});

test('a scan that arrives while the seat is being freed, and deaths at each step, leave the guest on a kept place and the books in agreement', async (server) => {
  const { ctx } = server.house;
  const door = await openDoor(server);
  const order = await sell(server);
  const place = door.placeOf(order);
  const { fault } = ctx;
  let meanwhile: (() => Promise<unknown>) | null = () => door.letIn(place);
  let waiting: Promise<unknown> = Promise.resolve();
  // The phone is heard after the seat map has let the seat go, and before our book has.
  const release = ctx.seats.release.bind(ctx.seats);
  ctx.seats.release = async (...args: Parameters<typeof release>) => {
    await release(...args);
    waiting = meanwhile?.() ?? Promise.resolve();
    meanwhile = null;
    await waiting;
  };
  await refundByOffice(server, door.admin, order);
  await work(server);
  ctx.seats.release = release;
  await work(server);
  expect(await seatStatuses(server, order, demoEvent)).toEqual(['booked']);
  expect(await door.buys(place)).toBe(409);
  const [card] = (await door.cards()).items;
  expect(card).toMatchObject({ kept: true });
  await expectSound(server);

  // It dies after the answer was stored, and again after the seat map was asked.
  let dies = ['refund_seats_released', 'let_go_stored'];
  ctx.fault = (point) => {
    if (!dies.includes(point)) return fault(point);
    dies = dies.filter((one) => one !== point);
    throw new Error(`died at ${point}`);
  };
  await door.settle(card!.admission_id, 'left');
  for (let turn = 0; turn < 4; turn += 1) await work(server, minute);
  expect(await seatStatuses(server, order, demoEvent)).toEqual(['free']);
  expect(await server.house.ctx.db('order_lines').whereNull('released_at')).toEqual([]);
  const again = await makePaid(server, {
    event: demoEvent,
    selected_objects: order.selected_objects,
  });
  await refundByOffice(server, door.admin, again);
  await work(server, minute);
  await door.letIn(place, { revision: 2 });
  for (let turn = 0; turn < 4; turn += 1) await work(server, minute);
  expect(dies).toEqual([]);
  expect(await seatStatuses(server, order, demoEvent)).toEqual(['booked']);
  ctx.fault = fault;
  await expectSound(server);
});

it('a standing place is kept by number', async (server) => {
  const door = await openDoor(server);
  const { db } = server.house.ctx;
  const { order_id } = await confirm(server, door.admin, { order: await bookStanding(server, 2) });
  await work(server);
  const before = await bookedStanding(server);
  await refundByOffice(server, door.admin, { order_id });
  await work(server);
  expect(await bookedStanding(server)).toBe(before - 2);
  const [place] = await db('order_lines').where({ order_id }).orderBy('place').pluck('place');
  const { scan } = await door.letIn(place);
  await work(server, minute);
  expect(await bookedStanding(server)).toBe(before - 1);
  expect((await door.cards()).items).toMatchObject([{ place, against: 'void', kept: true }]);
  await expectSound(server);
  await door.settle(scan.admission_id, 'left');
  await work(server, minute);
  expect(await bookedStanding(server)).toBe(before - 2);
  await expectSound(server);
});

it('whoever came in and moved before the refund goes out with the old paper too, and nobody comes in with it', async (server) => {
  const door = await openDoor(server);
  const [order, spare] = [await sell(server), await sell(server, 3)];
  const place = door.placeOf(order);
  const target = door.placeOf(spare);
  await refundByOffice(server, door.admin, spare);
  await work(server);
  const { code: oldCode } = (
    await callOk(server, getOrder, { params: { orderId: order.link_key } })
  ).tickets[0]!;
  await door.letIn(place);
  const [ticket_id] = order.tickets as [string];
  const body = {
    tickets: [{ ticket_id, object: target }],
    expected_cents: 0,
    rules_reason: 'Resta un posto isolato',
    tell_buyer: false,
  };
  const params = { orderId: order.order_id };
  await callOk(server, moveTickets, { params, body }, door.admin);
  await refundByOffice(server, door.admin, order);
  await work(server);
  const scans = (direction: 'in' | 'out') =>
    callOk(server, admitTicket, { params: { ticketId: oldCode }, body: { direction } }, door.admin);
  expect(await door.inside()).toBe(1);
  expect(await scans('in')).toMatchObject({ verdict: 'replaced', counts: false });
  const listed = (await door.phone.pull()).places.find((one) => one.place === target);
  expect(listed?.ticket).toMatchObject({ state: 'refunded', moved_from: [{ place, revision: 1 }] });
  expect(await scans('out')).toMatchObject({ verdict: 'out', counts: true });
  expect([await door.inside(), (await door.cards()).items]).toEqual([
    0,
    [expect.objectContaining({ place: target, kept: true })],
  ]);
});

it('what a person said of a second way in is no answer to the card of the same scan, nor the other way round', async (server) => {
  const door = await openDoor(server);
  const order = await sell(server);
  const [ticketId] = order.tickets as [string];
  const params = { ticketId };
  const first = await callOk(
    server,
    admitTicket,
    { params, body: { direction: 'in' } },
    door.admin,
  );
  server.clock.advance(minute);
  const { scan } = await door.letIn(door.placeOf(order));
  const conflict = { params: { admissionId: scan.admission_id } };
  const sayConflict = { ...conflict, body: { as: 'same_person' as const } };
  await callOk(server, settleConflict, sayConflict, door.admin);
  const undo = { admission_id: first.admission_id, reason: 'Persona sbagliata' };
  await callOk(server, undoAdmission, { params, body: undo }, door.admin);
  await refundByOffice(server, door.admin, order);
  await work(server);
  expect(await door.cards({ open: '1' })).toMatchObject({
    open: 1,
    items: [{ admission_id: scan.admission_id, kept: true, settled: null }],
  });
  expect(await seatStatuses(server, order, demoEvent)).toEqual(['booked']);
  const wrong = await ask(server, 'POST', `/api/admin/conflicts/${scan.admission_id}`, {
    headers: door.admin,
    body: { as: 'copy' },
  });
  expect(wrong).toMatchObject(aRefusal(409, 'conflict_gone'));
  expect(await door.settle(scan.admission_id, 'stays')).toMatchObject({ kept: true });
});

it('when the office seats the new buyer elsewhere, the guest has the place', async (server) => {
  const door = await openDoor(server);
  const [order, spare] = [await sell(server), await sell(server, 3)];
  const place = door.placeOf(order);
  await refundByOffice(server, door.admin, order);
  await refundByOffice(server, door.admin, spare);
  await work(server);
  const { selected_objects } = order;
  const next = await makePaid(server, { event: demoEvent, selected_objects });
  server.clock.advance(minute);
  const { scan } = await door.letIn(place);
  const body = {
    tickets: [{ ticket_id: next.tickets[0]!, object: door.placeOf(spare) }],
    expected_cents: 0,
    rules_reason: 'Il posto è occupato',
    tell_buyer: false,
  };
  const params = { orderId: next.order_id };
  await callOk(server, moveTickets, { params, body }, door.admin);
  await work(server, minute);
  expect((await door.cards()).items).toMatchObject([{ place, kept: true, sold_to: null }]);
  expect(await seatStatuses(server, order, demoEvent)).toEqual(['booked']);
  expect(await door.buys(place)).toBe(409);
  await expectSound(server);
  await door.settle(scan.admission_id, 'left');
  await work(server, minute);
  expect(await seatStatuses(server, order, demoEvent)).toEqual(['free']);
  await expectSound(server);
});

it('when the new guest of a free place has not come in time, the guest who sits there has it, and phones hear whose it is', async (server) => {
  const door = await openDoor(server);
  await sellGifts(server, 'Platea');
  await setPolicy(server, { free_until_minutes: 15 }, demoEvent);
  const order = await makeOrder(server, { count: 1 });
  const ticketOf = async ({ link_key }: { link_key: string }) =>
    (await callOk(server, getOrder, { params: { orderId: link_key } })).tickets[0]!;
  const place = order.selected_objects[0]!.object_id;
  const back = { ticket_ids: [(await ticketOf(order)).ticket_id] };
  await callOk(server, giveBackFree, { params: { orderId: order.link_key }, body: back });
  await work(server);
  const next = await makeOrder(server, {
    seats: [place],
    buyer: { name: 'Ada', email: 'ada@example.it' },
  });
  const { ticket_id } = await ticketOf(next);
  server.clock.advance(minute);
  const { scan } = await door.letIn(place);
  expect((await door.cards()).items).toMatchObject([
    { against: 'void', kept: false, sold_to: { order_id: next.order_id } },
  ]);

  server.clock.advance(46 * minute);
  await queuePlacesToLetGo(server.house.ctx);
  for (let turn = 0; turn < 3; turn += 1) await work(server, minute);
  expect((await door.cards()).items).toMatchObject([{ kept: true, sold_to: null }]);
  expect(await seatStatuses(server, order, demoEvent)).toEqual(['booked']);
  expect([await door.buys(place), await door.verdictOf(ticket_id)]).toEqual([409, 'cancelled']);
  const heard = async (since?: string) => {
    const { cursor, places } = await door.phone.pull(since);
    return { cursor, state: places.find((one) => one.place === place)?.ticket?.state };
  };
  const first = await heard();
  expect(first.state).toBe('void');
  await expectSound(server);

  // The place is free again for the late guest of the next order.
  await door.settle(scan.admission_id, 'left');
  await work(server, minute);
  expect(await door.verdictOf(ticket_id)).toBe('verify');
  const free = await heard(first.cursor);
  expect(free.state).toBe('let_go');
  // The first guest comes back in.
  const again = await door.letIn(place);
  expect(again.against).toBe('void');
  await work(server, minute);
  expect(await door.verdictOf(ticket_id)).toBe('cancelled');
  expect((await heard(free.cursor)).state).toBe('void');
  await expectSound(server);
});

test('a guest who comes in while the house gives a blocked seat or area back has the place; while the block stands the guest has none', async (server) => {
  const door = await openDoor(server);
  const { ctx } = server.house;
  const params = { eventId: demoEvent };
  const wish = { reason: 'Regia', color: 'orange' as const, release_at: null };
  const [order, other] = [await sell(server), await sell(server, 3)];
  const [place, stays] = [order, other].map(door.placeOf) as [string, string];
  await refundByOffice(server, door.admin, order);
  await refundByOffice(server, door.admin, other);
  const standing = await confirm(server, door.admin, { order: await bookStanding(server, 1) });
  await refundByOffice(server, door.admin, standing);
  await work(server);
  const [{ place: number }] = await ctx.db('order_lines').where({ order_id: standing.order_id });
  const makeBlock = (object: string) =>
    callOk(server, blockSeats, { params, body: { objects: [object], ...wish } }, door.admin);
  const [seat] = [await makeBlock(place), await makeBlock(stays)];
  const area = await callOk(
    server,
    blockAreaPlaces,
    { params, body: { object: standingArea, places: 60, ...wish } },
    door.admin,
  );
  server.clock.advance(minute);
  // The phone is heard while the seat map lets the block go.
  const unblock = ctx.seats.unblock.bind(ctx.seats);
  ctx.seats.unblock = async (...args: Parameters<typeof unblock>) => {
    await door.letIn(place);
    await unblock(...args);
  };
  const unblockPlaces = ctx.seats.unblockPlaces.bind(ctx.seats);
  ctx.seats.unblockPlaces = async (...args: Parameters<typeof unblockPlaces>) => {
    await door.letIn(number);
    await unblockPlaces(...args);
  };
  for (const { block_id: blockId } of [seat, area])
    await callOk(server, releaseBlock, { params: { ...params, blockId } }, door.admin);
  Object.assign(ctx.seats, { unblock, unblockPlaces });
  await door.letIn(stays);
  for (let turn = 0; turn < 3; turn += 1) await work(server, minute);
  const kept = (await door.cards()).items.map((card) => [card.place, card.kept]);
  expect(Object.fromEntries(kept)).toEqual({ [place]: true, [number]: true, [stays]: false });
  expect(await seatStatuses(server, order, demoEvent)).toEqual(['booked']);
  expect([await bookedStanding(server), await door.buys(place)]).toEqual([1, 409]);
  await expectSound(server);
});

test('an order of test money that is taken out leaves its place to the guest who sits there, and no entry names it', async (server) => {
  const door = await openDoor(server);
  const { ctx } = server.house;
  const guests = [];
  for (const nth of [0, 3]) {
    const order = await makeOrder(server, { nth, count: 1 });
    guests.push(await confirm(server, door.admin, { order, method: 'cash' }));
    await refundByOffice(server, door.admin, order, { with_money: false });
  }
  await work(server);
  const [stays, left] = guests as [Booked, Booked];
  const scans = [];
  for (const { selected_objects } of guests) {
    await makePaid(server, { event: demoEvent, selected_objects });
    server.clock.advance(minute);
    scans.push((await door.letIn(selected_objects[0]!.object_id)).scan);
  }
  await door.settle(scans[1]!.admission_id, 'left');
  await work(server);
  ctx.payments.live = true;
  await callOk(server, removeTestOrders, { body: { orders: 2 } }, door.admin);
  await work(server, minute);
  expect(await ctx.db('admissions').whereNotNull('against_order_id')).toEqual([]);
  expect((await door.cards({ open: '1' })).items).toMatchObject([
    { place: stays.selected_objects[0]!.object_id, kept: true, sold_to: null },
  ]);
  expect(await seatStatuses(server, stays, demoEvent)).toEqual(['booked']);
  expect(await seatStatuses(server, left, demoEvent)).toEqual(['free']);
  // The stand-in's account has the removed orders' payments still.
  await expectInvariants(server);
});
