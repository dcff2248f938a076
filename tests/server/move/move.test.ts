/** Tickets move to other seats of their evening: order, buyer and holder stay, the new code counts and the old one is replaced, and the money of another price is settled. */
import { expect } from 'vitest';
import { admitTicket, readAdmission } from '#server/contract/door/admissions.ts';
import { readPresence } from '#server/contract/door/presence.ts';
import { blockedStatus } from '#server/domain/seat/block.ts';
import { moveTickets, proposeMove } from '#server/contract/order/moves.ts';
import { orderStatus, readOrder } from '#server/contract/order/orders.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { openDrawer, sellAtCounter } from '#tests/support/counter.ts';
import { ask, callOk, demoEvent, findSeats, aRefusal } from '#tests/support/make.ts';
import {
  makeSold,
  quoteOf,
  soldOf,
  tryMove,
  whoHas,
  wishesOf,
  type Office,
} from '#tests/support/move.ts';
import { expectSoundBooks } from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';

const verdictOf = async (server: TestServer, office: Office, code: string) =>
  (await callOk(server, readAdmission, { params: { ticketId: code } }, office)).verdict;

/** By a person's hand, whatever the hour. */
const letIn = async (server: TestServer, office: Office, code: string) =>
  (
    await callOk(
      server,
      admitTicket,
      { params: { ticketId: code }, body: { override: 'Prima dell’ora' } },
      office,
    )
  ).admission_id;

const insideNow = async (server: TestServer, office: Office) =>
  (await callOk(server, readPresence, { params: { eventId: demoEvent } }, office)).inside;

test('two tickets move to free seats of the same price: the old codes are replaced, the new ones let in, and one press puts them back', async (server, office) => {
  const sold = await makeSold(server, { count: 2 });
  const { db } = server.house.ctx;
  await db('tickets').where({ id: sold.tickets[0]! }).update({ holder_email: 'anna@verdi.it' });
  const to = await findSeats(server, { count: 2, nth: 3 });
  expect(await quoteOf(server, office, sold, to)).toMatchObject({
    difference_cents: 0,
    obstacle: null,
    orphans: [],
  });
  const body = { tickets: wishesOf(sold, to), expected_cents: 0, tell_buyer: true };
  const params = { orderId: sold.order_id };
  const moved = await callOk(server, moveTickets, { params, body }, office);
  expect(moved).toMatchObject({ may_undo: true, replayed: false, difference_end: 'none' });
  expect(await whoHas(server, [...sold.seats, ...to])).toEqual([
    'free',
    'free',
    sold.order_id,
    sold.order_id,
  ]);
  const now = await soldOf(server, sold.order_id);
  expect(now).toMatchObject({ tickets: sold.tickets, seats: to });
  for (const code of sold.codes) expect(await verdictOf(server, office, code)).toBe('moved');
  for (const code of now.codes) expect(await verdictOf(server, office, code)).toBe('admit');
  // Whoever did not hear the answer asks again.
  expect(await callOk(server, moveTickets, { params, body }, office)).toMatchObject({
    move_id: moved.move_id,
    replayed: true,
  });
  expect(await callOk(server, orderStatus, { params })).toMatchObject({
    order_confirmed_at: expect.any(String),
  });
  const file = await callOk(server, readOrder, { params }, office);
  expect(file.timeline.filter(({ action }) => action === 'tickets_moved')).toHaveLength(1);
  await server.runDue();
  expect(await db('mails').where({ kind: 'seats_changed' }).select('state', 'subject')).toEqual([
    { state: 'sent', subject: 'I tuoi posti sono cambiati' },
  ]);
  const codes = () => db('mails').where({ kind: 'holder_changed' }).select('state', 'to_address');
  const toHolder = { state: 'sent', to_address: 'anna@verdi.it' };
  expect(await codes()).toEqual([toHolder]);
  const back = await tryMove(server, office, now, sold.seats);
  expect(back.status).toBe(200);
  expect(await whoHas(server, [...sold.seats, ...to])).toEqual([
    sold.order_id,
    sold.order_id,
    'free',
    'free',
  ]);
  const last = await soldOf(server, sold.order_id);
  // The first papers name the seats that are theirs again.
  for (const code of sold.codes) expect(await verdictOf(server, office, code)).toBe('admit');
  for (const code of now.codes) expect(await verdictOf(server, office, code)).toBe('moved');
  expect(last.codes).not.toEqual(sold.codes);
  await server.runDue();
  // Also where the buyer gets no mail, the holder's code is another one.
  expect(await codes()).toEqual([toHolder, toHolder]);
  expect(await db('outbox').where({ task: 'settle_move' })).toEqual([]);
  await expectSoundBooks(server);
  expect(server.logged).toEqual([]);
});

it('a pair moves along its row by one, where one ticket takes the seat that the other leaves; a ring moves nobody', async (server, office) => {
  const [a, b, c] = await findSeats(server, { count: 3 });
  const sold = await makeSold(server, {
    selected_objects: [a!, b!].map((object_id) => ({ object_id, ticket_type: 'intero' })),
  });
  expect((await tryMove(server, office, sold, [b!, a!])).status).toBe(400);
  expect((await tryMove(server, office, sold, [b!, b!])).status).toBe(400);
  const moved = await tryMove(server, office, sold, [b!, c!], { rules_reason: 'Colonna' });
  expect(moved.status).toBe(200);
  expect(await whoHas(server, [a!, b!, c!])).toEqual(['free', sold.order_id, sold.order_id]);
  expect((await soldOf(server, sold.order_id)).seats).toEqual([b, c]);
  await expectSoundBooks(server);
});

test('a dearer seat is paid in cash into the open shift, a cheaper one is refunded, and of both the house may let go', async (server, office) => {
  const { db } = server.house.ctx;
  const sold = await makeSold(server, { count: 2 });
  const [box] = await findSeats(server, { count: 1, category: 'Galleria' });
  const one = { ...sold, tickets: [sold.tickets[0]!] };
  const { difference_cents } = await quoteOf(server, office, one, [box!]);
  expect(difference_cents).not.toBe(0);
  const rules_reason = 'Richiesta';
  const unsettled = await tryMove(server, office, one, [box!], {
    expected_cents: difference_cents,
    rules_reason,
  });
  expect(unsettled).toMatchObject(aRefusal(422, 'move_unsettled'));
  const seen = await tryMove(server, office, one, [box!], { rules_reason });
  expect(seen).toMatchObject(aRefusal(409, 'move_changed', { difference_cents }));
  expect(difference_cents).toBeLessThan(0);
  const refunded = await tryMove(server, office, one, [box!], {
    expected_cents: difference_cents,
    difference: { way: 'refunded' },
    rules_reason,
  });
  expect(refunded).toMatchObject({ status: 200, body: { may_undo: false } });
  await server.runDue();
  expect(await db('refunds').select('state', 'amount_cents', 'voids_tickets')).toEqual([
    { state: 'succeeded', amount_cents: -difference_cents, voids_tickets: 0 },
  ]);
  expect(await db('orders').first('total_cents', 'paid_cents', 'refunded_cents')).toEqual({
    total_cents: 6_400 + difference_cents,
    paid_cents: 6_400,
    refunded_cents: -difference_cents,
  });
  await expectSoundBooks(server);

  const again = await soldOf(server, sold.order_id);
  const at = again.seats.indexOf(box!);
  const cheap = { ...again, tickets: [again.tickets[at]!] };
  const dear = {
    expected_cents: -difference_cents,
    difference: { way: 'paid' as const, method: 'cash' as const, given_cents: 5_000 },
    rules_reason,
  };
  expect(await tryMove(server, office, cheap, [sold.seats[0]!], dear)).toMatchObject(
    aRefusal(409, 'shift_not_open'),
  );
  const shift = await openDrawer(server, office);
  expect((await tryMove(server, office, cheap, [sold.seats[0]!], dear)).status).toBe(200);
  expect(await db('payments').where({ method: 'cash' }).select('amount_cents', 'shift_id')).toEqual(
    [{ amount_cents: -difference_cents, shift_id: shift.shift_id }],
  );
  await server.runDue();
  await expectSoundBooks(server);

  const third = await soldOf(server, sold.order_id);
  const waived = { way: 'waived' as const, reason: 'Palco rotto' };
  const other = { ...third, tickets: [third.tickets[1]!] };
  expect(
    (
      await tryMove(server, office, other, [box!], {
        expected_cents: difference_cents,
        difference: waived,
        rules_reason,
      })
    ).status,
  ).toBe(200);
  expect(await db('orders').first('total_cents')).toEqual({ total_cents: 6_400 });
  await expectSoundBooks(server);
  expect(server.logged).toEqual([]);
});

it('a sale at the counter moves, its money goes back out of the drawer, and its old seats stay the house’s when that is asked for', async (server, office) => {
  await openDrawer(server, office);
  const { order_id } = await sellAtCounter(server, office);
  const sold = await soldOf(server, order_id);
  const [cheap] = await findSeats(server, { count: 1, category: 'Galleria' });
  const one = { ...sold, tickets: [sold.tickets[0]!] };
  const { difference_cents } = await quoteOf(server, office, one, [cheap!]);
  const moved = await tryMove(server, office, one, [cheap!], {
    expected_cents: difference_cents,
    difference: { way: 'refunded', handed_back: true },
    keep_reason: 'Poltrona rotta',
    rules_reason: 'Poltrona rotta',
  });
  expect(moved).toMatchObject({ status: 200, body: { may_undo: false } });
  expect(await whoHas(server, [sold.seats[0]!, sold.seats[1]!, cheap!])).toEqual([
    blockedStatus,
    order_id,
    order_id,
  ]);
  const { db } = server.house.ctx;
  expect(await db('blocked_places').select('place', 'state')).toEqual([
    { place: sold.seats[0], state: 'live' },
  ]);
  expect(await db('refunds').select('state', 'method', 'amount_cents')).toEqual([
    { state: 'succeeded', method: 'cash', amount_cents: -difference_cents },
  ]);
  await server.runDue();
  await expectSoundBooks(server);
});

test('places of a standing area move to seats and back', async (server, office) => {
  const { ctx } = server.house;
  const area = (await ctx.seats.objects(demoEvent)).find(({ kind }) => kind === 'area')!;
  const sold = await makeSold(server, {
    selected_objects: [{ object_id: area.label, ticket_type: 'intero', quantity: 2 }],
  });
  const seats = await findSeats(server, { count: 1 });
  const way = { way: 'waived' as const, reason: 'Non vede bene' };
  const one = { ...sold, tickets: [sold.tickets[0]!] };
  const { difference_cents: expected_cents } = await quoteOf(server, office, one, seats);
  const body = { expected_cents, difference: way, rules_reason: 'Non vede bene' };
  expect((await tryMove(server, office, one, seats, body)).status).toBe(200);
  const booked = async () =>
    (await ctx.seats.infos(demoEvent, [area.label])).get(area.label)!.area!.booked;
  expect([await booked(), await whoHas(server, seats)]).toEqual([1, [sold.order_id]]);
  await expectSoundBooks(server);
  const back = await tryMove(server, office, one, [area.label]);
  expect(back.status).toBe(200);
  expect([await booked(), await whoHas(server, seats)]).toEqual([2, ['free']]);
  expect(['admit', 'moved']).toContain(await verdictOf(server, office, sold.codes[0]!));
  await expectSoundBooks(server);
});

it('what may not move stays, and nothing of a refused move is left', async (server, office) => {
  const sold = await makeSold(server, { count: 2 });
  const other = await makeSold(server, { count: 1, nth: 2 });
  const to = await findSeats(server, { count: 2, nth: 4 });
  expect(await tryMove(server, office, sold, [other.seats[0]!])).toMatchObject(
    aRefusal(409, 'seats_not_free', { objects: other.seats }),
  );
  expect(await tryMove(server, office, sold, ['Platea-Z-99'])).toMatchObject(
    aRefusal(422, 'object_unknown'),
  );
  expect(
    await tryMove(server, office, { ...sold, tickets: other.tickets }, to.slice(0, 1)),
  ).toMatchObject(aRefusal(404, 'ticket_not_found'));
  // One seat between two others would be left alone.
  const [, lonely] = await findSeats(server, { count: 2, nth: 4 });
  const orphan = await tryMove(server, office, { ...sold, tickets: sold.tickets.slice(0, 1) }, [
    lonely!,
  ]);
  expect(orphan).toMatchObject(aRefusal(422, 'orphan_seats'));
  const { db } = server.house.ctx;
  await db('tickets').where({ id: sold.tickets[1] }).update({ state: 'void' });
  expect(await tryMove(server, office, sold, to)).toMatchObject(
    aRefusal(422, 'move_refused', { reason: 'ticket_over' }),
  );
  await db('tickets').where({ id: sold.tickets[1] }).update({ state: 'valid' });
  expect(await whoHas(server, [...sold.seats, ...to])).toEqual([
    sold.order_id,
    sold.order_id,
    'free',
    'free',
  ]);
  expect(await db('moves')).toEqual([]);
  await expectSoundBooks(server);
});

test('whoever is inside moves along: the new code has come in, the old seat is empty, and nothing that happened is changed', async (server, office) => {
  const sold = await makeSold(server, { count: 2 });
  const to = await findSeats(server, { count: 2, nth: 4 });
  await letIn(server, office, sold.codes[0]!);
  const before = await server.house.ctx.db('admissions').where({ counts: 1 });
  expect(await quoteOf(server, office, sold, to)).toMatchObject({ obstacle: null });
  expect((await tryMove(server, office, sold, to)).status).toBe(200);
  const now = await soldOf(server, sold.order_id);
  const verdicts = async (codes: string[]) =>
    Promise.all(codes.map((code) => verdictOf(server, office, code)));
  expect(await verdicts([...sold.codes, ...now.codes])).toEqual([
    'already_in',
    'moved',
    'already_in',
    'admit',
  ]);
  expect(await insideNow(server, office)).toBe(1);
  const { db } = server.house.ctx;
  expect(await db('admissions').where({ id: before[0].id }).first()).toEqual(before[0]);
  const scans = await db('admissions').where({ counts: 1 }).orderBy('corrected_at');
  expect(
    scans.map(({ place, direction, note, conflict_with }) => [
      place,
      direction,
      note,
      conflict_with,
    ]),
  ).toEqual([
    [sold.seats[0], 'in', null, null],
    [sold.seats[0], 'out', 'Cambio posto', null],
    [to[0], 'in', 'Cambio posto', null],
  ]);
  // The old seat is sold again, and its next guest stands against nobody.
  const next = await makeSold(server, {
    selected_objects: sold.seats.map((object_id) => ({ object_id, ticket_type: 'intero' })),
  });
  await letIn(server, office, next.codes[0]!);
  expect(await db('admissions').whereNotNull('conflict_with')).toEqual([]);
  expect(await insideNow(server, office)).toBe(2);
  await expectSoundBooks(server);
  expect(server.logged).toEqual([]);
});

it('seats are proposed for a group side by side: free ones, none of its own, of the same category; who has no ticket there is told so', async (server, office) => {
  const sold = await makeSold(server, { count: 3 });
  const other = await makeSold(server, { count: 2, nth: 1, email: 'bruno@example.it' });
  const params = { orderId: sold.order_id };
  const body = { ticket_ids: sold.tickets };
  const { tickets } = await callOk(server, proposeMove, { params, body }, office);
  expect(tickets.map(({ ticket_id }) => ticket_id)).toEqual(sold.tickets);
  const objects = tickets.map(({ object }) => object);
  const found = await server.house.ctx.seats.read(demoEvent, objects);
  const seats = objects.map((object) => found.get(object)!);
  expect(seats.map(({ status, category }) => [status, category])).toEqual(
    seats.map(() => ['free', 'Platea']),
  );
  const beside = seats.filter(({ left }) => left !== null && objects.includes(left));
  expect(beside).toHaveLength(2);
  const quote = await quoteOf(server, office, sold, objects);
  expect(quote).toMatchObject({ difference_cents: 0, obstacle: null, orphans: [] });
  expect((await tryMove(server, office, sold, objects)).status).toBe(200);
  const others = { ticket_ids: other.tickets };
  const refused = await ask(server, 'POST', `/api/admin/orders/${sold.order_id}/moves/propose`, {
    headers: office,
    body: others,
  });
  expect(refused.body).toMatchObject({ status: 404, code: 'ticket_not_found' });
});
