/** Rinviato: a sold date moves to another day; tickets, mail, calendar, phones and wallets follow, buyers answer, the deadline applies its rule. */
import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'vitest';
import { connectGoogleWallet } from '#server/adapters/wallet-google.ts';
import { readEvent } from '#server/contract/event-desk.ts';
import type { DoorChanges } from '#server/contract/door/door-list.ts';
import { getEvent } from '#server/contract/events.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import {
  answerPostponement,
  postponeEvent,
  readPostponement,
} from '#server/contract/postponements.ts';
import { saveToGoogle } from '#server/contract/order/wallets.ts';
import { testOnBoth } from '#tests/support/both.ts';
import { day, inDays, type Office } from '#tests/support/event-desk.ts';
import { ask, callOk, makeAdmin, makePairedPhone } from '#tests/support/make.ts';
import {
  expectSoundBooks,
  feeEvent,
  makePaid,
  passTime,
  refundRows,
} from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';

interface Move {
  days?: number;
  answerDays?: number;
  if_silent?: 'keep' | 'refund';
  tell_buyers: number;
}

async function postpone(server: TestServer, admin: Office, move: Move) {
  const { version } = await callOk(server, readEvent, { params: { eventId: feeEvent } }, admin);
  return callOk(
    server,
    postponeEvent,
    {
      params: { eventId: feeEvent },
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
  ctx.wallets.google = connectGoogleWallet(
    {
      issuer_id: '3388000000012345678',
      client_email: 'biglietti@progetto.iam.gserviceaccount.com',
      private_key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    },
    ctx,
  );
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

testOnBoth(
  'everything of the evening moves along, tickets stay valid, and each buyer is written to once',
  async (server) => {
    const admin = await makeAdmin(server);
    const bought = await makePaid(server, { count: 2 });
    const before = await callOk(server, readEvent, { params: { eventId: feeEvent } }, admin);
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
    const after = await callOk(server, readEvent, { params: { eventId: feeEvent } }, admin);
    expect(after).toMatchObject({ status: 'published', postponed_from: before.form.starts_at });
    const ahead = ({ starts_at, doors_at }: typeof before.form) =>
      Date.parse(starts_at) - Date.parse(doors_at!);
    expect(ahead(after.form)).toBe(ahead(before.form));
    expect(await codesOf()).toEqual(codes);
    // Google keeps what it has of an id: the new day comes under new ones, with the same code.
    const movedPass = await passOf();
    expect(movedPass).toMatchObject({ starts: after.form.starts_at, code: pass.code });
    expect(movedPass.ids.filter((id) => pass.ids.includes(id))).toEqual([]);

    await server.runDue();
    const mails = await server.house.ctx.db('mails').where({ kind: 'event_postponed' });
    expect(mails.map((mail) => mail.order_id)).toEqual([bought.order_id]);
    const moved = await icsOf();
    expect(moved).toContain('SEQUENCE:1');
    expect(moved).not.toContain(calendar.match(/DTSTART:\w+/)![0]);
    expect(moved.match(/UID:.*/)![0]).toBe(calendar.match(/UID:.*/)![0]);
    const page = await callOk(server, getEvent, { params: { eventId: feeEvent } });
    expect(page.event.postponed_from).toBe(before.form.starts_at);
    expect((await ask(server, 'GET', `/event/${feeEvent}`)).status).toBe(200);
  },
);

testOnBoth('phones hear of the new times', async (server) => {
  const admin = await makeAdmin(server);
  const before = await server.house.ctx.db('events').where({ id: 'la-locandiera' }).first();
  const phone = await makePairedPhone(server, admin);
  const since = `${before.feed_epoch}.${before.feed_seq}`;
  const path = `/api/scanner/events/la-locandiera/changes?wire=3&since=${since}`;
  const changes = async () =>
    (await ask(server, 'GET', path, { headers: phone.headers })).body as DoorChanges;
  const { version, form } = await callOk(
    server,
    readEvent,
    { params: { eventId: 'la-locandiera' } },
    admin,
  );
  await callOk(
    server,
    postponeEvent,
    {
      params: { eventId: 'la-locandiera' },
      body: {
        version,
        starts_at: inDays(server, 30),
        answer_by: inDays(server, 3),
        if_silent: 'keep',
        tell_buyers: 0,
      },
    },
    admin,
  );
  const row = await server.house.ctx.db('events').where({ id: 'la-locandiera' }).first();
  expect(Number(row.feed_seq)).toBe(Number(before.feed_seq) + 1);
  expect(Number(row.admits_from)).toBeGreaterThan(Date.parse(form.admits_from!) + 20 * day);
  expect((await changes()).event).toMatchObject({
    starts_at: new Date(Number(row.starts_at)).toISOString(),
    admits_from: new Date(Number(row.admits_from)).toISOString(),
  });
});

testOnBoth(
  'who keeps may still ask for the money; who has asked gets all of it, fees too, and nothing a second time',
  async (server) => {
    const admin = await makeAdmin(server);
    const [first, second] = [
      await makePaid(server, { count: 2 }),
      await makePaid(server, { count: 1, nth: 1 }),
    ];
    expect((await answer(server, first.order_id, { answer: 'keep' })).body).toMatchObject({
      code: 'postponement_over',
    });
    await postpone(server, admin, { tell_buyers: 2 });
    const { postponement, paid_cents } = await orderOf(server, first.order_id);
    expect(postponement).toMatchObject({
      answer: null,
      may_answer: true,
      refund_cents: paid_cents,
    });

    expect((await answer(server, first.order_id, { answer: 'keep' })).body).toMatchObject({
      answer: 'keep',
      answered_by: 'buyer',
      may_answer: true,
    });
    expect(
      await answer(server, first.order_id, { answer: 'refund', expected_cents: 1 }),
    ).toMatchObject({ status: 409, body: { code: 'refund_changed' } });
    expect(await refundRows(server, first.order_id)).toEqual([]);
    for (let n = 0; n < 2; n += 1)
      expect(
        (
          await callOk(server, answerPostponement, {
            params: { orderId: first.order_id },
            body: { answer: 'refund', expected_cents: paid_cents },
          })
        ).answer,
      ).toBe('refund');
    expect(await answer(server, first.order_id, { answer: 'keep' })).toMatchObject({
      status: 409,
      body: { code: 'postponement_over' },
    });
    await server.runDue();
    expect(await refundRows(server, first.order_id)).toMatchObject([
      { origin: 'postponed', amount_cents: paid_cents, voids_tickets: 1, frees_seats: 1 },
    ]);
    const order = await orderOf(server, first.order_id);
    expect([order.refunded_cents, order.tickets.map((ticket) => ticket.state)]).toEqual([
      paid_cents,
      ['refunded', 'refunded'],
    ]);
    const counts = await callOk(server, readPostponement, { params: { eventId: feeEvent } }, admin);
    expect(counts.postponement).toMatchObject({ kept: 0, refunded: 1, silent: 1 });
    expect((await orderOf(server, second.order_id)).postponement).toMatchObject({ answer: null });
    await expectSoundBooks(server);
  },
);

for (const if_silent of ['keep', 'refund'] as const)
  testOnBoth(
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
      expect(await answer(server, later.order_id, { answer: 'refund' })).toMatchObject({
        status: 409,
        body: { code: 'postponement_over' },
      });
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
      expect(order.tickets.map((ticket) => ticket.state)).toEqual(
        gone ? ['refunded', 'refunded'] : ['valid', 'valid'],
      );
      expect(order.refunded_cents).toBe(gone ? order.paid_cents : 0);
      expect((await orderOf(server, kept.order_id)).tickets[0]!.state).toBe('valid');
      expect((await orderOf(server, later.order_id)).tickets[0]!.state).toBe('valid');
      const question = await server.house.ctx
        .db('postponements')
        .where({ event_id: feeEvent })
        .first();
      expect(question.closed_at).not.toBeNull();
      const audit = await server.house.ctx.db('audit').where({ subject: feeEvent }).pluck('action');
      expect(audit).toEqual(expect.arrayContaining(['event_postponed', 'postponement_closed']));
      await expectSoundBooks(server);
    },
  );

testOnBoth(
  'a process that dies between two silent orders goes on with the next: each is answered once',
  async (server) => {
    const admin = await makeAdmin(server);
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
      expect([order.postponement?.answer, order.refunded_cents]).toEqual([
        'refund',
        order.paid_cents,
      ]);
    }
    await expectSoundBooks(server);
  },
);

testOnBoth(
  'a wrong day, an old version and another number of buyers change nothing',
  async (server) => {
    const admin = await makeAdmin(server);
    await makePaid(server, { count: 1 });
    const { version, form } = await callOk(
      server,
      readEvent,
      { params: { eventId: feeEvent } },
      admin,
    );
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
    const refused = [
      await move({ version: version + 1 }),
      await move({ starts_at: form.starts_at }),
      await move({ starts_at: inDays(server, -1) }),
      await move({ answer_by: inDays(server, 61) }),
      await move({ tell_buyers: 0 }),
      await move({ if_silent: 'forse' }),
    ];
    expect(refused.map(({ status, body }) => [status, (body as { code: string }).code])).toEqual([
      [409, 'event_changed'],
      [422, 'event_times_wrong'],
      [422, 'event_times_wrong'],
      [422, 'event_times_wrong'],
      [409, 'buyers_to_tell'],
      [400, 'bad_request'],
    ]);
    expect(await callOk(server, readEvent, { params: { eventId: feeEvent } }, admin)).toMatchObject(
      {
        version,
        form,
      },
    );
    expect(await server.house.ctx.db('postponements')).toEqual([]);
  },
);

testOnBoth('a date that moves again asks anew', async (server) => {
  const admin = await makeAdmin(server);
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
