/** Somebody asks what is held of them, for a copy, and to be erased: no table knows them afterwards, and the books still add up. */
import { unzipSync, strFromU8 } from 'fflate';
import { expect } from 'vitest';
import { updateEvent } from '#db/event/events.ts';
import { findBrokenSeals } from '#db/audit/audit-seals.ts';
import { transact } from '#db/engine/transact.ts';
import { admitTicket } from '#server/contract/door/admissions.ts';
import { addressOf } from '#server/contract/endpoint.ts';
import { sendMessage } from '#server/contract/messages.ts';
import { addNote, changeBuyer, writeDoorNote } from '#server/contract/order/order-desk.ts';
import { setHolder } from '#server/contract/order/holders.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import { askRefund, decideRefund } from '#server/contract/order/refunds.ts';
import { erasePerson, exportPerson, findPerson, listErasures } from '#server/contract/personal.ts';
import { sealRegistry } from '#server/services/reconcile/registry-seals.ts';
import { keepRetention } from '#server/services/person/keeping.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { pullDoor } from '#tests/support/door/door-phone.ts';
import { everyText, tablesWith } from '#tests/support/every-text.ts';
import { testWithSmtp } from '#tests/support/mail-day.ts';
import { ask, callOk, demoEvent, makeAdmin, makePairedPhone } from '#tests/support/make.ts';
import { expectSoundBooks, setPolicy } from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';

const hour = 3_600_000;
const never = new AbortController().signal;
const email = 'Gilda.Zanetti@città.example';
const otherSpelling = 'gilda.zanetti@xn--citt-3na.example';
const secrets = [
  'gilda.zanetti',
  'città.example',
  'vecchia.gilda',
  'Ermenegilda',
  'Zanetti',
  'Fulgenzio',
  '347 0001112',
  '3470001112',
  'Cugino Trastullo',
  'scarlattina',
  'stampella',
];

async function begun(server: TestServer, hoursAgo: number): Promise<void> {
  const starts_at = server.clock.now() - hoursAgo * hour;
  await transact(server.house.ctx.db, (trx) =>
    updateEvent(trx, demoEvent, { starts_at, ends_at: null, sales_closes_at: null }),
  );
}

/** Somebody of whom every corner of the house knows something, and somebody else beside them. */
async function liveMuch(server: TestServer, admin: { cookie: string }) {
  const { db } = server.house.ctx;
  await setPolicy(
    server,
    {
      nominative: 1,
      buyer_search: 'supervisors',
      holder_change: 1,
      refund_request: 'office',
      refund_stop_days: 0,
    },
    demoEvent,
  );
  const name = 'Ermenegilda Zanetti';
  const { order_id } = await makePaidOrder(server, { name, email: 'vecchia.gilda@example.it' });
  const params = { orderId: order_id };
  const texts = { email, phone: '+39 347 0001112', contact: 'Cugino Trastullo, 333 1' };
  await callOk(server, changeBuyer, { params, body: texts }, admin);
  const { tickets } = await callOk(server, getOrder, { params });
  const hold = (orderId: string, ticketId: string, holder: object) =>
    callOk(server, setHolder, { params: { orderId, ticketId }, body: holder as never });
  await hold(order_id, tickets[0]!.ticket_id, { first_name: 'Ermenegilda', last_name: 'Zanetti' });
  await hold(order_id, tickets[1]!.ticket_id, { first_name: 'Fulgenzio', last_name: 'Zanetti' });
  const wish = await callOk(server, askRefund, {
    params,
    body: {
      ticket_ids: [tickets[1]!.ticket_id],
      expected_cents: 3_200,
      reason: 'Ho la scarlattina',
    },
  });
  const refusal = { decision: 'refuse' as const, note: 'Detto a Ermenegilda Zanetti: no' };
  await callOk(
    server,
    decideRefund,
    { params: { refundId: wish.refund_id }, body: refusal },
    admin,
  );
  await callOk(
    server,
    addNote,
    { params, body: { text: 'Arriva con la stampella', pinned: true } },
    admin,
  );
  await callOk(
    server,
    writeDoorNote,
    {
      params: { orderId: order_id, ticketId: tickets[0]!.ticket_id },
      body: { text: 'Ha la stampella: entra dal lato' },
    },
    admin,
  );
  await callOk(
    server,
    admitTicket,
    {
      params: { ticketId: tickets[0]!.ticket_id },
      body: { override: 'La signora Zanetti Ermenegilda la conosco io' },
    },
    admin,
  );
  const other = await makePaidOrder(
    server,
    { name: 'Bruna Bassi', email: 'bruna@example.it' },
    { nth: 3 },
  );
  const others = await callOk(server, getOrder, { params: { orderId: other.order_id } });
  const [first, second] = others.tickets.map(({ ticket_id }) => ticket_id);
  await hold(other.order_id, first!, { first_name: 'Bruna', last_name: 'Bassi' });
  await hold(other.order_id, second!, { first_name: 'Ermenegilda', last_name: 'Zanetti', email });
  await callOk(
    server,
    sendMessage,
    {
      body: {
        ask_key: '0b6f6c1e-9a0e-4d4c-8f53-6d2f0a1b2c3d',
        act: 'message',
        recipients: 2,
        order_ids: [order_id, other.order_id],
        subject: 'Grazie',
        body: 'Grazie a tutti, e a Ermenegilda Zanetti.',
      },
    },
    admin,
  );
  await db('payments')
    .where({ order_id })
    .update({ note: 'Tel. 347.000.1112, sig.ra Zanetti Ermenegilda' });
  await db('orders')
    .where({ id: order_id })
    .update({ gift_reason: `Per ${otherSpelling}` });
  await db('declines').insert({
    id: 'ch_no',
    order_id: other.order_id,
    payment_intent: 'pi_no',
    amount_cents: 3_200,
    code: 'card_declined',
    buyer_email: email,
    at: server.clock.now(),
  });
  await db('reminders').insert({
    id: 'reminder',
    event_id: 'concerto-di-natale',
    email,
    email_hash: 'h',
    token_hash: 't',
    asked_at: server.clock.now(),
  });
  const room = { event_id: demoEvent, mode: 'off', minutes: 10, per_minute: 60 };
  await db('queues').insert({ ...room, seed: 's', seed_hash: 'h' });
  const arrival = server.clock.now() * 1_000;
  await db('queue_places').insert({
    place_hash: 'p',
    event_id: demoEvent,
    nonce: 'n',
    arrival,
    email: email.replace('Gilda', 'GILDA'),
  });
  await server.runDue();
  return { order_id, other: other.order_id, tickets };
}

async function sums(server: TestServer) {
  const { db } = server.house.ctx;
  return {
    orders: await db('orders')
      .orderBy('id')
      .select('id', 'number', 'state', 'total_cents', 'paid_cents', 'refunded_cents'),
    payments: await db('payments').orderBy('id').select('id', 'amount_cents', 'paid_at'),
    refunds: await db('refunds').orderBy('id').select('id', 'amount_cents', 'state'),
    lines: await db('order_lines').orderBy('id'),
    admissions: await db('admissions').orderBy('id').select('id', 'place', 'counts', 'scanned_at'),
  };
}

testWithSmtp(
  'whoever is erased stands in no text of any table, on no phone and in no search; sums, seals and other people stay',
  async (server) => {
    const admin = await makeAdmin(server);
    const { db } = server.house.ctx;
    const { order_id, other } = await liveMuch(server, admin);
    const { headers: phone } = await makePairedPhone(server, admin, 'Varco B', 'supervisor');
    server.clock.advance(61_000);
    await sealRegistry(server.house.ctx, never);
    await begun(server, 26);
    const known = await everyText(server);
    const all = [...known.values()].join('\n').toLowerCase();
    expect(secrets.filter((secret) => !all.includes(secret.toLowerCase()))).toEqual([]);
    const onPhone = async (since?: string) => pullDoor(server, demoEvent, phone, since);
    const before = await onPhone();
    expect(JSON.stringify(before)).toContain('Ermenegilda Zanetti');
    const books = await sums(server);
    const bruna = () =>
      db('orders').where({ id: other }).first('buyer_name', 'buyer_email', 'search_text');
    const beside = await bruna();

    const found = await callOk(server, findPerson, { body: { email: otherSpelling } }, admin);
    const counted = Object.fromEntries(found.held.map(({ kind, count }) => [kind, count]));
    expect(counted).toMatchObject({
      orders: 1,
      holders: 3,
      admissions: 1,
      payments: 1,
      declines: 1,
      refunds: 1,
      notes: 1,
      messages: 1,
      reminders: 2,
    });
    expect(found.orders.map(({ role, blocker }) => [role, blocker])).toEqual([
      ['buyer', null],
      ['holder', null],
    ]);
    expect(found.stripe).toMatchObject([{ payment_intent: expect.stringMatching(/^pi_/) }]);

    const wrong = await ask(server, 'POST', erasePerson.path, {
      headers: admin,
      body: { email, typed: 'bruna@example.it' },
    });
    expect([wrong.status, (wrong.body as { code: string }).code]).toEqual([
      422,
      'erasure_not_confirmed',
    ]);
    const asked = { email, typed: otherSpelling };
    const done = await callOk(server, erasePerson, { body: asked }, admin);
    expect(done).toMatchObject({ waiting: 0, remembered: true });

    expect(tablesWith(await everyText(server), [...secrets, 'citt-3na'])).toEqual([]);
    expect(await sums(server)).toEqual(books);
    expect(await bruna()).toEqual(beside);
    expect(await db('tickets').where({ order_id: other, holder: 'Bruna Bassi' })).toHaveLength(1);
    expect(await db('messages').first('body')).toEqual({
      body: 'Grazie a tutti, e a [cancellato].',
    });
    expect(await findBrokenSeals(db)).toEqual([]);
    await sealRegistry(server.house.ctx, never);
    expect(await findBrokenSeals(db)).toEqual([]);
    const changes = await onPhone(before.cursor);
    expect(changes.places.length).toBeGreaterThanOrEqual(4);
    expect(secrets.filter((secret) => JSON.stringify(changes).includes(secret))).toEqual([]);
    server.clock.advance(61_000);
    const whole = JSON.stringify(await onPhone());
    expect(secrets.filter((secret) => whole.includes(secret))).toEqual([]);
    expect((await callOk(server, findPerson, { body: { email } }, admin)).held).toEqual([]);
    const entry = await db('audit').where({ action: 'person_erased' }).first();
    expect(JSON.parse(entry.detail)).toEqual({ orders: 2 });
    const list = await callOk(server, listErasures, {}, admin);
    expect(list.items).toMatchObject([{ erased: 2, waiting: 0, actor_name: 'Ada' }]);
    expect(await db('orders').where({ id: order_id }).first('buyer_forgotten_at')).toMatchObject({
      buyer_forgotten_at: expect.any(Number),
    });
    await expectSoundBooks(server);
    expect(server.logged).toEqual([]);
  },
  { env: { CHART_DATABASE: '' } },
);

test('where only a surname stands the preview shows it, and the erasure leaves it to a person', async (server, admin) => {
  const { db } = server.house.ctx;
  const { order_id } = await makePaidOrder(server, { name: 'Maria-Ermenegilda Zanetti', email });
  const find = () => callOk(server, findPerson, { body: { email } }, admin);
  const words = (note: string) => db('payments').where({ order_id }).update({ note });
  await words('Pagato da Maria-Ermenegilda Zanetti');
  expect((await find()).mentions).toEqual([]);
  await words('Ha pagato il figlio della Zanetti, in contanti');
  const { mentions } = await find();
  expect(mentions).toMatchObject([
    { where: 'Nota di un pagamento', text: 'Ha pagato il figlio della Zanetti, in contanti' },
  ]);
  await db('tickets').where({ order_id }).update({ state: 'void' });
  await callOk(server, erasePerson, { body: { email, typed: email } }, admin);
  expect(await db('payments').where({ order_id }).pluck('note')).toEqual([
    'Ha pagato il figlio della Zanetti, in contanti',
  ]);
});

testWithSmtp(
  'a ticket of a coming evening stays whole and opens the door; a day after the evening its buyer goes without being asked again',
  async (server, smtp) => {
    const admin = await makeAdmin(server);
    const { db } = server.house.ctx;
    const { order_id } = await makePaidOrder(server, { name: 'Ermenegilda Zanetti', email });
    await server.runDue();
    const [told] = (await callOk(server, findPerson, { body: { email } }, admin)).orders;
    const { starts_at } = await db('events').where({ id: demoEvent }).first();
    expect(told).toMatchObject({ blocker: 'coming', erasable_at: expect.any(String) });
    expect(Date.parse(told!.erasable_at!)).toBeGreaterThanOrEqual(starts_at + 24 * hour);
    const row = await db('orders').where({ id: order_id }).first();
    expect(
      await callOk(server, erasePerson, { body: { email, typed: email } }, admin),
    ).toMatchObject({ waiting: 1 });
    expect(await db('orders').where({ id: order_id }).first()).toEqual(row);
    const { tickets } = await callOk(server, getOrder, { params: { orderId: order_id } });
    await db('events')
      .where({ id: demoEvent })
      .update({ admits_from: server.clock.now() - hour });
    expect(
      await callOk(
        server,
        admitTicket,
        { params: { ticketId: tickets[0]!.ticket_id }, body: {} },
        admin,
      ),
    ).toMatchObject({ counts: true });
    const sent = smtp.received.length;

    await begun(server, 23);
    server.clock.advance(25 * hour);
    await keepRetention(server.house.ctx, never);
    expect(tablesWith(await everyText(server), ['gilda.zanetti', 'zanetti'])).toEqual([]);
    await server.runDue();
    expect(smtp.received.length).toBe(sent);
    expect(await db('erasures').first('erased', 'done_at')).toEqual({
      erased: 1,
      done_at: expect.any(Number),
    });
    const kept = await db('audit').where({ action: 'retention_kept' }).first();
    expect(JSON.parse(kept.detail)).toMatchObject({ erased: 1 });
  },
);

testWithSmtp(
  'the copy for its owner has every word in data and on a page; the Registro tells that it was made, not of whom',
  async (server) => {
    const admin = await makeAdmin(server);
    await liveMuch(server, admin);
    const body = { email };
    const response = await fetch(server.url + addressOf(exportPerson), {
      method: 'POST',
      headers: { ...admin, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'application/zip',
    ]);
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
    expect(Object.keys(files)).toEqual(['dati.json', 'dati.html']);
    const json = strFromU8(files['dati.json']!);
    const html = strFromU8(files['dati.html']!);
    const lacks = (text: string) =>
      secrets.filter(
        (secret) => secret !== '3470001112' && !text.toLowerCase().includes(secret.toLowerCase()),
      );
    expect([lacks(json), lacks(html)]).toEqual([[], []]);
    expect(JSON.parse(json).orders).toMatchObject([
      { total_cents: 6_400, seats: [{}, {}], created_at: expect.stringMatching(/^20.*Z$/) },
    ]);
    expect(JSON.parse(json).waiting_rooms).toMatchObject([
      { event_id: demoEvent, entered_at: expect.stringMatching(/^20.*Z$/) },
    ]);
    expect(html).toContain('Avvisi della sala d’attesa');
    expect(json.toLowerCase()).not.toContain('bruna');
    const entry = await server.house.ctx.db('audit').where({ action: 'personal_exported' }).first();
    expect(JSON.stringify(entry).toLowerCase()).not.toContain('gilda');
    server.clock.advance(11 * 60_000);
    for (const { path } of [exportPerson, erasePerson])
      expect(
        await ask(server, 'POST', path, { headers: admin, body: { ...body, typed: email } }),
      ).toMatchObject({ status: 403, body: { code: 'confirm_again' } });
  },
);
