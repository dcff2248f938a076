/** Bookings that cost nothing: their buyer, the click in the mail, places that are let go and taken back, and the day before (RULES O6, O21). */
import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { admitTicket, readAdmission, sendAdmissions } from '#server/contract/door/admissions.ts';
import { getEvent } from '#server/contract/events.ts';
import { confirmFreeOrder, giveBackFree, mailConfirmation } from '#server/contract/order/free.ts';
import { moveTickets } from '#server/contract/order/moves.ts';
import { getOrder, orderStatus } from '#server/contract/order/orders.ts';
import { queuePlacesToLetGo } from '#server/services/payment/let-go.ts';
import { remindFree } from '#server/services/payment/day-before.ts';
import { checkInvariants } from '#server/services/reconcile/invariants.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { pullDoor } from '#tests/support/door/door-phone.ts';
import { proved, type CodeMaker } from '#tests/support/door/proof.ts';
import {
  aBuyer,
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
import { club, openClub } from '#tests/support/club.ts';
import { sellGifts, setPolicy } from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';
import { bookStanding } from '#tests/support/standing.ts';

const minute = 60_000;

/** A free evening that begins in two hours. */
async function makeFree(
  server: TestServer,
  policy: object = {},
  category = 'Platea',
): Promise<void> {
  const starts_at = server.clock.now() + 120 * minute;
  const hours = { starts_at, doors_at: null, admits_from: null, ends_at: null };
  await sellGifts(server, category);
  await setPolicy(server, { ...hours, ...policy }, demoEvent);
}

const pageOf = (server: TestServer, { link_key }: { link_key: string }) =>
  callOk(server, getOrder, { params: { orderId: link_key } });
const mailsOf = ({ house }: TestServer, kind: string) =>
  house.ctx.db('mails').where({ kind }).select();
const statusAtMap = async (server: TestServer, label: string) =>
  (await server.house.ctx.seats.read(demoEvent, [label])).get(label)?.status;

const broken = async ({ house }: TestServer) =>
  (await checkInvariants(house.ctx)).filter(({ violations }) => violations > 0);

/** Lets the periodic job and the tasks run. */
async function letTimePass(server: TestServer, ms: number): Promise<void> {
  server.clock.advance(ms);
  await queuePlacesToLetGo(server.house.ctx);
  for (let turn = 0; turn < 3; turn += 1) await server.runDue();
}

test('a free booking needs a name and an address, which count before it is stored; then it is confirmed at once and cannot be lost', async (server) => {
  await makeFree(server, { max_per_email: 3 });
  const held = await holdSeats(server);
  const { db } = server.house.ctx;
  expect(await tryBook(server, { ...held, buyer: null })).toMatchObject({ status: 400 });
  const bare = { hold_token: held.hold_token, selected_objects: held.selected_objects };
  const book = (body: object) => ask(server, 'POST', `/api/event/${demoEvent}/book`, { body });
  expect(await book(bare)).toMatchObject(aRefusal(422, 'buyer_needed'));
  for (const buyer of [
    { name: ' ', email: 'eva@example.it' },
    { name: 'Eva', email: 'eva@' },
  ])
    expect(await book({ ...bare, buyer })).toMatchObject({ status: 400 });
  expect(await db('orders').select('id')).toEqual([]);
  expect((await tryBook(server, held)).status).toBe(200);
  await server.runDue();
  expect(await mailsOf(server, 'tickets')).toMatchObject([{ state: 'sent' }]);
  // Two at a time do not slip through together.
  const more = [];
  for (const nth of [0, 2, 4, 6]) more.push(await holdSeats(server, { nth, count: 1 }));
  const buyer = { ...aBuyer, email: 'EVA@example.it' };
  const answers = await Promise.all(more.map((one) => tryBook(server, { ...one, buyer })));
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused).toHaveLength(3);
  expect(refused[0]).toMatchObject(aRefusal(422, 'too_many_for_address', { left: 0 }));
  const free = more[answers.indexOf(refused[0]!)]!;
  const other = await tryBook(server, { ...free, buyer: { name: 'Ada', email: 'ada@x.it' } });
  expect(other.status).toBe(200);
  expect(await broken(server)).toEqual([]);
});

test('a booking that is confirmed by a click waits without a session; only the key of its mail confirms it, once and in time', async (server) => {
  await makeFree(server, { free_confirm: 1 });
  const event = await callOk(server, getEvent, { params: { eventId: demoEvent } });
  expect(event.rights).toContain(
    'I posti gratuiti si confermano dall’e-mail che ti mandiamo, entro 15 minuti.',
  );
  const order = await makeOrder(server);
  const params = { orderId: order.link_key };
  const status = () => callOk(server, orderStatus, { params });
  const waiting = {
    order_confirmed_at: null,
    order_deleted_at: null,
    checkout_session_status: null,
  };
  await server.runDue();
  expect(await status()).toMatchObject({ ...waiting, checkout_url: null });
  // No overlay offers this order: the page of a second booking is led to it.
  const more = await holdSeats(server, { nth: 1, hold_token: order.hold_token });
  const second = await tryBook(server, more);
  const pending = { order_id: order.link_key, checkout_url: null };
  expect(second).toMatchObject(aRefusal(409, 'order_pending', pending));
  const [mail] = await mailsOf(server, 'confirm_click');
  expect(mail).toMatchObject({ state: 'sent', to_address: 'eva@example.it' });
  const [, key] = /\/orders\/[\w-]{22}#([\w-]{22})/.exec(mail.text)!;
  // Opening the link is not enough, as mail scanners do; the order's own link confirms nothing.
  await ask(server, 'GET', `/orders/${order.link_key}`);
  const confirm = (body: object) =>
    ask(server, 'POST', `/api/orders/${order.link_key}/confirmation`, { body });
  expect(await confirm({ key: order.link_key })).toMatchObject(aRefusal(410, 'confirmation_gone'));
  expect(await pageOf(server, order)).toMatchObject({
    state: 'awaiting_payment',
    free: { confirm_mail: 'eva@example.it' },
  });
  await callOk(server, mailConfirmation, { params });
  await server.runDue();
  expect(await mailsOf(server, 'confirm_click')).toHaveLength(2);
  // Of the click and the end of its time at once one wins, and the seats go with it.
  await callOk(server, confirmFreeOrder, { params, body: { key: key! } });
  expect(await confirm({ key })).toMatchObject({ status: 204 });
  expect((await status()).order_confirmed_at).not.toBeNull();

  const late = await makeOrder(server, { nth: 1 });
  const { click_key } = await server.house.ctx
    .db('orders')
    .where({ id: late.order_id })
    .first('click_key');
  const calls: unknown[] = [];
  const { payments } = server.house.ctx;
  const { read } = payments;
  payments.read = (id) => {
    calls.push(id);
    return read(id);
  };
  server.clock.advance(16 * minute);
  const click = ask(server, 'POST', `/api/orders/${late.link_key}/confirmation`, {
    body: { key: click_key },
  });
  expect(await click).toMatchObject(aRefusal(410, 'confirmation_gone'));
  await pageOf(server, late);
  await server.runDue();
  expect(await pageOf(server, late)).toMatchObject({
    state: 'deleted',
    end_reason: 'click_expired',
  });
  expect(calls).toEqual([]);
  expect(await statusAtMap(server, late.selected_objects[0]!.object_id)).toBe('free');
  expect(await broken(server)).toEqual([]);
});

test('a free place is let go in time unless its guest has come; who comes late has it back while it is free, and loses it to the next order', async (server) => {
  await makeFree(server, { free_until_minutes: 15 });
  const admin = await makeAdmin(server);
  const [mine, other] = [await makeOrder(server), await makeOrder(server, { nth: 1 })];
  const [early, late] = (await pageOf(server, mine)).tickets;
  const [gone, quick] = (await pageOf(server, other)).tickets;
  const verdictOf = async ({ code }: { code: string }) =>
    (await callOk(server, readAdmission, { params: { ticketId: code } }, admin)).verdict;
  const admit = (code: string, override?: string) =>
    callOk(
      server,
      admitTicket,
      { params: { ticketId: code }, body: { direction: 'in', ...(override && { override }) } },
      admin,
    );
  const seatOf = async ({ ticket_id }: { ticket_id: string }) =>
    (await server.house.ctx.db('tickets').where({ id: ticket_id }).first('place')).place as string;
  expect((await admit(early!.code)).verdict).toBe('admit');
  expect((await pageOf(server, mine)).free?.kept_until).toBeTypeOf('string');

  await letTimePass(server, 104 * minute);
  expect(await verdictOf(late!)).toBe('admit');
  await letTimePass(server, 1 * minute);
  expect(await Promise.all([early!, late!, gone!].map(verdictOf))).toEqual([
    'already_in',
    'verify',
    'verify',
  ]);
  expect(await statusAtMap(server, await seatOf(early!))).toBe('booked');
  expect(await statusAtMap(server, await seatOf(late!))).toBe('free');
  expect((await pageOf(server, mine)).tickets).toMatchObject([{ let_go: false }, { let_go: true }]);

  expect(await broken(server)).toEqual([]);

  // A visitor has the place in the cart when its guest comes: the guest has it.
  const cart = await holdSeats(server, { seats: [await seatOf(late!)] });
  expect(await admit(late!.code, 'Era in coda')).toMatchObject({ verdict: 'admit', counts: true });
  expect(await tryBook(server, cart)).toMatchObject(aRefusal(409, 'seats_taken'));
  expect(await verdictOf(late!)).toBe('already_in');
  server.clock.advance(16 * minute);
  await letTimePass(server, 0);
  expect(await statusAtMap(server, await seatOf(late!))).toBe('booked');

  // The next order has the place: the earlier ticket ends.
  await setPolicy(server, { sales_closes_at: server.clock.now() + 60 * minute }, demoEvent);
  const next = await makeOrder(server, {
    seats: [await seatOf(gone!), await seatOf(quick!)],
    buyer: { name: 'Ada', email: 'ada@example.it' },
  });
  expect(await verdictOf(gone!)).toBe('cancelled');
  expect(await admit(gone!.code, 'Protesta')).toMatchObject({
    verdict: 'cancelled',
    counts: false,
  });
  expect(await verdictOf((await pageOf(server, next)).tickets[0]!)).toBe('admit');
  expect((await pageOf(server, other)).tickets).toMatchObject([
    { state: 'void', let_go: true },
    { state: 'void', let_go: true },
  ]);
  // A ticket that moves onto such a place ends the earlier one, too.
  const spare = await makeOrder(server, { nth: 2, count: 1 });
  const moving = (await pageOf(server, next)).tickets[0]!.ticket_id;
  await server.house.ctx
    .db('tickets')
    .where({ order_id: spare.order_id })
    .update({ let_go_minutes: 15 });
  await letTimePass(server, 0);
  const target = spare.selected_objects[0]!.object_id;
  expect((await pageOf(server, spare)).tickets).toMatchObject([{ let_go: true, state: 'valid' }]);
  await callOk(
    server,
    moveTickets,
    {
      params: { orderId: next.order_id },
      body: {
        tickets: [{ ticket_id: moving, object: target }],
        expected_cents: 0,
        rules_reason: 'Resta un posto isolato',
        tell_buyer: false,
      },
    },
    admin,
  );
  expect((await pageOf(server, spare)).tickets).toMatchObject([{ let_go: true, state: 'void' }]);
  await server.runDue();
  expect(await broken(server)).toEqual([]);
});

test('phones know a kept place by list and clock; a scan made in time takes it back, a sale that was first keeps it, and of both at once one wins', async (server) => {
  await makeFree(server, { free_until_minutes: 15 });
  const { db } = server.house.ctx;
  const admin = await makeAdmin(server);
  const phone = await makePairedPhone(server, admin);
  const codes = (await db('events').where({ id: demoEvent }).first()) as CodeMaker;
  const orders = [];
  for (const nth of [0, 0, 0, 0]) orders.push(await makeOrder(server, { nth, count: 1 }));
  const placeOf = ({ selected_objects }: Booked) => selected_objects[0]!.object_id;
  const [mine, sold, raced, again] = orders.map(placeOf) as [string, string, string, string];
  const listed = async (since?: string) => {
    const list = await pullDoor(server, demoEvent, phone.headers, since);
    return { ...list, at: (place: string) => list.places.find((one) => one.place === place)! };
  };
  const first = await listed();
  expect(first.at(mine).ticket).toMatchObject({ state: 'kept', kept_minutes: 15 });
  const inTime = new Date(server.clock.now() + 100 * minute).toISOString();
  let seq = 0;
  const scan = (place: string, corrected_at: string) =>
    callOk(
      server,
      sendAdmissions,
      {
        body: {
          items: [
            proved(codes, {
              admission_id: randomBytes(16).toString('base64url'),
              seq: seq++,
              event_id: demoEvent,
              place,
              revision: 1,
              read: null,
              direction: 'in',
              gate: 'Varco A',
              verdict: 'admit',
              counts: true,
              override: null,
              scanned_at: corrected_at,
              corrected_at,
              offline: true,
            }),
          ],
        },
      },
      phone.headers,
    );
  await letTimePass(server, 105 * minute);
  const after = await listed(first.cursor);
  expect(after.at(mine).ticket).toMatchObject({ state: 'let_go', note: 'Posto liberato' });

  // The phone let in before the time and has signal again now.
  await scan(mine, inTime);
  expect((await tryBook(server, await holdSeats(server, { seats: [mine] }))).status).toBe(409);
  const buyer = { name: 'Ada', email: 'ada@example.it' };
  await makeOrder(server, { seats: [sold], buyer });
  await scan(sold, inTime);
  const later = await listed(after.cursor);
  expect(later.at(sold)).toMatchObject({ given: [1], ticket: { revision: 2, state: 'valid' } });
  expect(await db('order_lines').where({ place: sold }).whereNull('released_at')).toHaveLength(1);

  for (const place of [raced, again]) {
    const held = await holdSeats(server, { seats: [place] });
    const { tickets } = await pageOf(server, orders[[mine, sold, raced, again].indexOf(place)]!);
    const body = { direction: 'in', override: 'È qui' };
    const [sale, guest] = await Promise.all([
      tryBook(server, { ...held, buyer }),
      ask(server, 'POST', `/api/admin/admissions/${tickets[0]!.code}`, { headers: admin, body }),
    ]);
    const verdict = (guest.body as { verdict: string }).verdict;
    expect([
      [200, 'cancelled'],
      [409, 'admit'],
    ]).toContainEqual([sale.status, verdict]);
    const live = await db('order_lines').where({ place }).whereNull('released_at');
    expect(live).toHaveLength(1);
  }
  server.clock.advance(16 * minute);
  for (let turn = 0; turn < 3; turn += 1) await server.runDue();
  expect(await broken(server)).toEqual([]);
});

test('an evening that is put off takes its places back; a mail goes out the day before; a ticket that is given back frees its seat', async (server) => {
  await makeFree(server, {
    free_until_minutes: 15,
    starts_at: server.clock.now() + 72 * 60 * minute,
  });
  const order = await makeOrder(server);
  const params = { orderId: order.link_key };
  await remindFree(server.house.ctx);
  expect(await mailsOf(server, 'day_before')).toEqual([]);
  server.clock.advance(60 * 60 * minute);
  for (let turn = 0; turn < 2; turn += 1) await remindFree(server.house.ctx);
  await server.runDue();
  const mails = await mailsOf(server, 'day_before');
  expect(mails).toMatchObject([{ state: 'sent', to_address: 'eva@example.it' }]);
  expect(mails[0].text).toContain('#non-vengo');

  const [first, second] = (await pageOf(server, order)).tickets;
  await callOk(server, giveBackFree, { params, body: { ticket_ids: [first!.ticket_id] } });
  await server.runDue();
  const place = order.selected_objects.map(({ object_id }) => object_id);
  const statuses = await Promise.all(place.map((label) => statusAtMap(server, label)));
  expect(statuses.toSorted()).toEqual(['booked', 'free']);
  const again = ask(server, 'POST', `/api/orders/${order.link_key}/give_back`, {
    body: { ticket_ids: [first!.ticket_id, second!.ticket_id] },
  });
  expect(await again).toMatchObject({ status: 409 });

  await letTimePass(server, 12 * 60 * minute - 10 * minute);
  expect((await pageOf(server, order)).tickets.find(({ let_go }) => let_go)).toBeDefined();
  await setPolicy(server, { starts_at: server.clock.now() + 600 * minute }, demoEvent);
  await letTimePass(server, 0);
  const page = await pageOf(server, order);
  expect(page.tickets.some(({ let_go }) => let_go)).toBe(false);
  expect(await broken(server)).toEqual([]);
});

/** A free evening of the club that lets go of its tables in fifteen minutes. */
async function openFreeClub(server: TestServer): Promise<Record<string, string>> {
  const { office } = await openClub(server);
  await sellGifts(server, 'Tavoli', club);
  const evening = { starts_at: server.clock.now() + 30 * minute, free_until_minutes: 15 };
  const hours = { doors_at: null, admits_from: null, ends_at: null, sales_closes_at: null };
  await setPolicy(server, { ...evening, ...hours }, club);
  return office;
}

test('a table is let go if none of its guests has come; sold again in part it is lost to all of them, and one who comes while it is free keeps it from others', async (server) => {
  const admin = await openFreeClub(server);
  const take = (table: string, quantity: number) =>
    makeOrder(server, {
      event: club,
      selected_objects: [{ object_id: table, ticket_type: 'intero', quantity }],
    });
  const [gone, half, back] = [await take('T1', 10), await take('T2', 7), await take('T3', 8)];
  const guest = async (order: Booked, nth: number) => {
    const { db } = server.house.ctx;
    const [ticket] = await db('tickets')
      .where({ order_id: order.order_id })
      .whereLike('place', `%#${nth}`);
    return ticket as { code_end: string; id: string; place: string; let_go_at: number | null };
  };
  const admit = async (order: Booked, nth: number, override?: string) =>
    callOk(
      server,
      admitTicket,
      {
        params: { ticketId: (await guest(order, nth)).id },
        body: { direction: 'in', ...(override && { override }) },
      },
      admin,
    );
  expect(await admit(half, 7)).toMatchObject({ verdict: 'admit' });
  await letTimePass(server, 16 * minute);
  const { seats, db } = server.house.ctx;
  const status = async (label: string) => (await seats.read(club, [label])).get(label)?.status;
  expect(await Promise.all(['T1', 'T2', 'T3'].map(status))).toEqual(['free', 'booked', 'free']);
  expect((await guest(half, 2)).let_go_at).toBeNull();
  expect((await admit(back, 5, 'Sono arrivati')).verdict).toBe('admit');
  await letTimePass(server, 0);
  expect(await status('T3')).toBe('booked');
  expect(await admit(back, 6)).toMatchObject({ verdict: 'verify' });
  expect((await guest(back, 6)).let_go_at).not.toBeNull();

  await setPolicy(server, { sales_closes_at: server.clock.now() + 60 * minute }, club);
  const told = async () =>
    (await db('places').where({ event_id: club, place: 'T1#9' }).first('feed_seq')).feed_seq;
  const before = Number(await told());
  const next = await take('T1', 6);
  expect(Number(await told())).toBeGreaterThan(before);
  for (const nth of [2, 9])
    expect(await admit(gone, nth, 'Protesta')).toMatchObject({
      verdict: 'cancelled',
      counts: false,
    });
  expect((await admit(next, 2)).verdict).toBe('admit');
  expect(await broken(server)).toEqual([]);
});

test('of a standing area a new guest has a number that is no late guest’s, as long as there is one', async (server) => {
  await makeFree(server, { free_until_minutes: 15 }, 'Galleria');
  const late = await bookStanding(server, 1);
  const { db } = server.house.ctx;
  const seatOf = async ({ order_id }: Booked) => (await db('tickets').where({ order_id }).first())!;
  await setPolicy(server, { sale_paused: 1 }, demoEvent);
  await letTimePass(server, 105 * minute);
  expect((await seatOf(late)).let_go_at).toBeNull();
  await setPolicy(server, { sale_paused: 0 }, demoEvent);
  await letTimePass(server, 0);
  expect((await seatOf(late)).let_go_at).not.toBeNull();
  const next = await bookStanding(server, 1);
  expect((await seatOf(next)).place).not.toBe((await seatOf(late)).place);
  expect(await seatOf(late)).toMatchObject({ state: 'valid' });
  expect(await broken(server)).toEqual([]);
});

test('dead after the click was asked for, or after places were let go: the next call or task ends it', async (server) => {
  await makeFree(server, { free_confirm: 1, free_until_minutes: 15 });
  const { ctx } = server.house;
  const { fault } = ctx;
  let dies = 'click_asked';
  ctx.fault = (point) => {
    if (point !== dies) return;
    dies = '';
    throw new Error(`died at ${point}`);
  };
  const held = await holdSeats(server);
  const seat = held.selected_objects[0]!.object_id;
  expect((await tryBook(server, held)).status).toBe(500);
  expect((await tryBook(server, held)).status).toBe(200);
  const [order] = await ctx.db('orders').select('id', 'link_key', 'click_key', 'state');
  expect(order).toMatchObject({ state: 'awaiting_payment' });
  expect(await mailsOf(server, 'confirm_click')).toHaveLength(1);
  const params = { orderId: order.link_key };
  await callOk(server, confirmFreeOrder, { params, body: { key: order.click_key } });
  dies = 'let_go_stored';
  await letTimePass(server, 106 * minute);
  expect(dies).toBe('');
  await letTimePass(server, 2 * minute);
  expect(await statusAtMap(server, seat)).toBe('free');
  ctx.fault = fault;
  expect(await broken(server)).toEqual([]);
});

test('a ticket that is given back after its place went to another booking leaves that one alone; two clicks at the end of the time have one outcome', async (server) => {
  await makeFree(server, { free_confirm: 1, free_until_minutes: 15 });
  const { db } = server.house.ctx;
  const keyOf = async ({ order_id }: Booked) =>
    (await db('orders').where({ id: order_id }).first('click_key')).click_key as string;
  const click = async (order: Booked) =>
    ask(server, 'POST', `/api/orders/${order.link_key}/confirmation`, {
      body: { key: await keyOf(order) },
    });
  const late = await makeOrder(server, { count: 1 });
  expect((await click(late)).status).toBe(204);
  await letTimePass(server, 106 * minute);
  const seats = [late.selected_objects[0]!.object_id];
  const evil = { name: 'Eva\r\nBcc: spia@example.it', email: 'Ada@Example.it' };
  const next = await makeOrder(server, { seats, buyer: evil });
  const { tickets } = await pageOf(server, late);
  const body = { ticket_ids: [tickets[0]!.ticket_id] };
  await callOk(server, giveBackFree, { params: { orderId: late.link_key }, body });
  await letTimePass(server, 0);
  expect(await statusAtMap(server, seats[0]!)).toBe('booked');
  const [mail] = await db('mails').where({ order_id: next.order_id });
  expect([mail.state, mail.to_address, `${mail.subject}`.includes('\n')]).toEqual([
    'sent',
    'Ada@example.it',
    false,
  ]);
  const answers = await Promise.all([click(next), click(next)]);
  expect(answers.map(({ status }) => status)).toEqual([204, 204]);
  expect(await mailsOf(server, 'tickets')).toHaveLength(2);
  await callOk(server, giveBackFree, {
    params: { orderId: next.link_key },
    body: { ticket_ids: (await pageOf(server, next)).tickets.map(({ ticket_id }) => ticket_id) },
  });
  await server.runDue();
  expect(await click(next)).toMatchObject({ status: 204 });
  expect((await pageOf(server, next)).tickets).toMatchObject([{ state: 'void' }]);
  expect(await statusAtMap(server, seats[0]!)).toBe('free');
  expect(await broken(server)).toEqual([]);
});
