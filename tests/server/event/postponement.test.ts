/** Rinviato: a sold date moves to another day; tickets, mail, calendar, phones and wallets follow, buyers answer, the deadline applies its rule. */
import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'vitest';
import { readEvent } from '#server/contract/event-desk.ts';
import { getEvent } from '#server/contract/events.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import { postponeEvent, readPostponement } from '#server/contract/postponements.ts';
import { saveToGoogle } from '#server/contract/order/wallets.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { day, inDays, type Office } from '#tests/support/event-desk.ts';
import { pullDoor } from '#tests/support/door/door-phone.ts';
import {
  ask,
  callOk,
  demoEvent,
  makeAdmin,
  makePairedPhone,
  aRefusal,
} from '#tests/support/make.ts';
import {
  expectSoundBooks,
  feeEvent,
  makePaid,
  passTime,
  refundRows,
} from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';
import { passUndo } from '#tests/support/undo.ts';

const evening = { params: { eventId: feeEvent } };

interface Move {
  days?: number;
  answerDays?: number;
  if_silent?: 'keep' | 'refund';
  tell_buyers: number;
}

async function postpone(server: TestServer, admin: Office, move: Move) {
  const { version } = await callOk(server, readEvent, evening, admin);
  return callOk(
    server,
    postponeEvent,
    {
      ...evening,
      body: {
        version,
        starts_at: inDays(server, move.days ?? 60),
        answer_by: inDays(server, move.answerDays ?? 10),
        if_silent: move.if_silent ?? 'keep',
        reason: 'Il tenore è indisposto.',
        tell_buyers: move.tell_buyers,
      },
    },
    admin,
  );
}

const orderOf = (server: TestServer, order_id: string) =>
  callOk(server, getOrder, { params: { orderId: order_id } });

const answer = (server: TestServer, order_id: string, body: object) =>
  ask(server, 'POST', `/api/orders/${order_id}/postponement`, { body });

/** Reads the first ticket of the order as Google would. */
async function openWallet(server: TestServer, order_id: string) {
  const { ctx } = server.house;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  ctx.settings.googleWallet = {
    issuer_id: '3388000000012345678',
    client_email: 'biglietti@progetto.iam.gserviceaccount.com',
    private_key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  };
  const ticketId = (await orderOf(server, order_id)).tickets[0]!.ticket_id;
  return async () => {
    const { save_url } = await callOk(server, saveToGoogle, {
      params: { orderId: order_id, ticketId },
    });
    const claims = Buffer.from(save_url.split('.')[3]!, 'base64url').toString();
    const { eventTicketClasses, eventTicketObjects } = (JSON.parse(claims) as { payload: Pass })
      .payload;
    const [kind, ticket] = [eventTicketClasses[0]!, eventTicketObjects[0]!];
    return { ids: [kind.id, ticket.id], starts: kind.dateTime.start, code: ticket.barcode.value };
  };
}
interface Pass {
  eventTicketClasses: { id: string; dateTime: { start: string } }[];
  eventTicketObjects: { id: string; barcode: { value: string } }[];
}

test('everything of the evening moves along, tickets stay valid, and each buyer is written to once', async (server, admin) => {
  const bought = await makePaid(server, { count: 2 });
  const before = await callOk(server, readEvent, evening, admin);
  const icsOf = async () =>
    String((await ask(server, 'GET', `/api/orders/${bought.order_id}/calendar.ics`)).body);
  const codesOf = async () =>
    (await orderOf(server, bought.order_id)).tickets.map(({ code, state }) => [code, state]);
  const passOf = await openWallet(server, bought.order_id);
  const [codes, calendar, pass] = [await codesOf(), await icsOf(), await passOf()];
  expect(pass.starts).toBe(before.form.starts_at);
  expect(calendar).toContain('SEQUENCE:0');

  const { postponement } = await postpone(server, admin, { tell_buyers: 1 });
  expect(postponement).toMatchObject({ kept: 0, refunded: 0, silent: 1, closed_at: null });
  const after = await callOk(server, readEvent, evening, admin);
  expect(after).toMatchObject({ status: 'published', postponed_from: before.form.starts_at });
  const ahead = ({ starts_at, doors_at }: typeof before.form) =>
    Date.parse(starts_at) - Date.parse(doors_at!);
  expect(ahead(after.form)).toBe(ahead(before.form));
  expect(await codesOf()).toEqual(codes);
  // Google keeps what it has of an id: the new day comes under new ones, with the same code.
  const movedPass = await passOf();
  expect(movedPass).toMatchObject({ starts: after.form.starts_at, code: pass.code });
  expect(movedPass.ids.filter((id) => pass.ids.includes(id))).toEqual([]);

  await passUndo(server);
  const mails = await server.house.ctx.db('mails').where({ kind: 'event_postponed' });
  expect(mails.map((mail) => mail.order_id)).toEqual([bought.order_id]);
  const moved = await icsOf();
  expect(moved).toContain('SEQUENCE:1');
  expect(moved).not.toContain(calendar.match(/DTSTART:\w+/)![0]);
  expect(moved.match(/UID:.*/)![0]).toBe(calendar.match(/UID:.*/)![0]);
  const page = await callOk(server, getEvent, evening);
  expect(page.event.postponed_from).toBe(before.form.starts_at);
  expect((await ask(server, 'GET', `/event/${feeEvent}`)).status).toBe(200);
});

it('phones hear of the new times', async (server, admin) => {
  const phone = await makePairedPhone(server, admin);
  const { cursor } = await pullDoor(server, demoEvent, phone.headers);
  const params = { eventId: demoEvent };
  const rowNow = async () => server.house.ctx.db('events').where({ id: demoEvent }).first();
  const before = await rowNow();
  const { version } = await callOk(server, readEvent, { params }, admin);
  const times = { starts_at: inDays(server, 30), answer_by: inDays(server, 3) };
  const body = { version, ...times, if_silent: 'keep' as const, tell_buyers: 0 };
  await callOk(server, postponeEvent, { params, body }, admin);
  const row = await rowNow();
  expect(Number(row.feed_seq)).toBe(Number(before.feed_seq) + 1);
  const ahead = ({ starts_at, admits_from }: typeof row) => Number(starts_at) - Number(admits_from);
  expect(ahead(row)).toBe(ahead(before));
  expect(Number(row.starts_at)).toBe(Date.parse(times.starts_at));
  const { event } = await pullDoor(server, demoEvent, phone.headers, cursor);
  expect(event).toMatchObject({
    starts_at: new Date(Number(row.starts_at)).toISOString(),
    admits_from: new Date(Number(row.admits_from)).toISOString(),
  });
});

test('who keeps may still ask for the money; who has asked gets all of it, fees too, and nothing a second time', async (server, admin) => {
  const [first, second] = [
    await makePaid(server, { count: 2 }),
    await makePaid(server, { count: 1, nth: 1 }),
  ];
  expect((await answer(server, first.order_id, { answer: 'keep' })).body).toMatchObject({
    code: 'postponement_over',
  });
  await postpone(server, admin, { tell_buyers: 2 });
  const { postponement, paid_cents } = await orderOf(server, first.order_id);
  const asked = { answer: null, may_answer: true, refund_cents: paid_cents };
  expect(postponement).toMatchObject(asked);

  expect((await answer(server, first.order_id, { answer: 'keep' })).body).toMatchObject({
    answer: 'keep',
    answered_by: 'buyer',
    may_answer: true,
  });
  expect(
    await answer(server, first.order_id, { answer: 'refund', expected_cents: 1 }),
  ).toMatchObject(aRefusal(409, 'refund_changed'));
  expect(await refundRows(server, first.order_id)).toEqual([]);
  for (let n = 0; n < 2; n += 1)
    expect(
      await answer(server, first.order_id, { answer: 'refund', expected_cents: paid_cents }),
    ).toMatchObject({ status: 200, body: { answer: 'refund' } });
  expect(await answer(server, first.order_id, { answer: 'keep' })).toMatchObject(
    aRefusal(409, 'postponement_over'),
  );
  await server.runDue();
  expect(await refundRows(server, first.order_id)).toMatchObject([
    { origin: 'postponed', amount_cents: paid_cents, voids_tickets: 1, frees_seats: 1 },
  ]);
  const order = await orderOf(server, first.order_id);
  expect([order.refunded_cents, order.tickets.map((ticket) => ticket.state)]).toEqual([
    paid_cents,
    ['refunded', 'refunded'],
  ]);
  const counts = await callOk(server, readPostponement, evening, admin);
  expect(counts.postponement).toMatchObject({ kept: 0, refunded: 1, silent: 1 });
  expect((await orderOf(server, second.order_id)).postponement).toMatchObject({ answer: null });
  await expectSoundBooks(server);
});

for (const [if_silent, testOn] of [
  ['keep', it],
  ['refund', test],
] as const)
  testOn(
    `at the deadline silence means ${if_silent}; later buyers are not asked`,
    async (server) => {
      const admin = await makeAdmin(server);
      const silent = await makePaid(server, { count: 2 });
      const kept = await makePaid(server, { count: 1, nth: 1 });
      await postpone(server, admin, { tell_buyers: 2, if_silent });
      await answer(server, kept.order_id, { answer: 'keep' });
      server.clock.advance(1_000);
      const later = await makePaid(server, { count: 1, nth: 3 });
      expect((await orderOf(server, later.order_id)).postponement).toBeNull();
      expect(await answer(server, later.order_id, { answer: 'refund' })).toMatchObject(
        aRefusal(409, 'postponement_over'),
      );
      await passTime(server, 9 * day);
      expect((await orderOf(server, silent.order_id)).postponement?.may_answer).toBe(true);
      await passTime(server, 2 * day);
      await passTime(server, 60_000);
      const order = await orderOf(server, silent.order_id);
      expect(order.postponement).toMatchObject({
        answer: if_silent,
        answered_by: 'deadline',
        may_answer: false,
      });
      const gone = if_silent === 'refund';
      const state = gone ? 'refunded' : 'valid';
      expect(order.tickets.map((ticket) => ticket.state)).toEqual([state, state]);
      expect(order.refunded_cents).toBe(gone ? order.paid_cents : 0);
      for (const { order_id } of [kept, later])
        expect((await orderOf(server, order_id)).tickets[0]!.state).toBe('valid');
      const { db } = server.house.ctx;
      const question = await db('postponements').where({ event_id: feeEvent }).first();
      expect(question.closed_at).not.toBeNull();
      const audit = await db('audit').where({ subject: feeEvent }).pluck('action');
      expect(audit).toEqual(expect.arrayContaining(['event_postponed', 'postponement_closed']));
      await expectSoundBooks(server);
    },
  );

it('a process that dies between two silent orders goes on with the next: each is answered once', async (server, admin) => {
  const orders = [
    await makePaid(server, { count: 1 }),
    await makePaid(server, { count: 1, nth: 1 }),
  ];
  await postpone(server, admin, { tell_buyers: 2, if_silent: 'refund' });
  const { ctx } = server.house;
  const fault = ctx.fault;
  let deaths = 0;
  ctx.fault = (point) => {
    if (point !== 'silent_order_answered' || deaths === 2) return fault(point);
    deaths += 1;
    throw new Error('died');
  };
  await passTime(server, 11 * day);
  for (let round = 0; round < 4; round += 1) await passTime(server, 10 * 60_000);
  ctx.fault = fault;
  expect(deaths).toBe(2);
  for (const { order_id } of orders) {
    const order = await orderOf(server, order_id);
    expect(order.postponement?.answer).toBe('refund');
    expect(order.refunded_cents).toBe(order.paid_cents);
  }
  await expectSoundBooks(server);
});

it('a wrong day, an old version and another number of buyers change nothing', async (server, admin) => {
  await makePaid(server, { count: 1 });
  const { version, form } = await callOk(server, readEvent, evening, admin);
  const move = (changes: object) =>
    ask(server, 'POST', `/api/admin/events/${feeEvent}/postpone`, {
      headers: admin,
      body: {
        version,
        starts_at: inDays(server, 60),
        answer_by: inDays(server, 10),
        if_silent: 'keep',
        tell_buyers: 1,
        ...changes,
      },
    });
  for (const [changes, status, code] of [
    [{ version: version + 1 }, 409, 'event_changed'],
    [{ starts_at: form.starts_at }, 422, 'event_times_wrong'],
    [{ starts_at: inDays(server, -1) }, 422, 'event_times_wrong'],
    [{ answer_by: inDays(server, 61) }, 422, 'event_times_wrong'],
    [{ tell_buyers: 0 }, 409, 'buyers_to_tell'],
    [{ if_silent: 'forse' }, 400, 'bad_request'],
  ] as const)
    expect([changes, await move(changes)]).toMatchObject([changes, { status, body: { code } }]);
  expect(await callOk(server, readEvent, evening, admin)).toMatchObject({ version, form });
  expect(await server.house.ctx.db('postponements')).toEqual([]);
});

it('a date that moves again asks anew', async (server, admin) => {
  const bought = await makePaid(server, { count: 1 });
  await postpone(server, admin, { tell_buyers: 1, if_silent: 'refund' });
  await answer(server, bought.order_id, { answer: 'keep' });
  server.clock.advance(60_000);
  await postpone(server, admin, { tell_buyers: 1, days: 90, answerDays: 20 });
  expect((await orderOf(server, bought.order_id)).postponement).toMatchObject({ answer: null });
  // The first deadline has nothing to say any more.
  await passTime(server, 12 * day);
  expect((await orderOf(server, bought.order_id)).tickets[0]!.state).toBe('valid');
  expect((await orderOf(server, bought.order_id)).postponement).toMatchObject({ answer: null });
});
