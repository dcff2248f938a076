/** What the privacy policy promises: two years after an evening nobody finds its buyers any more, and the books still add up. */
import { expect } from 'vitest';
import { updateEvent } from '#db/event/events.ts';
import { transact } from '#db/engine/transact.ts';
import { askRefund, decideRefund } from '#server/contract/order/refunds.ts';
import { ask, callOk, demoEvent, makeAdmin } from '#tests/support/make.ts';
import { downloadTickets } from '#server/contract/order/documents.ts';
import { addressOf } from '#server/contract/endpoint.ts';
import { setHolder } from '#server/contract/order/holders.ts';
import { listMails, readMail } from '#server/contract/mails.ts';
import { addNote, changeBuyer } from '#server/contract/order/order-desk.ts';
import {
  exportOrders,
  getOrder,
  listOrders,
  readCheckoutSession,
  readOrder,
} from '#server/contract/order/orders.ts';
import { keepRetention } from '#server/services/person/keeping.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { readRetention, writeRetention } from '#server/contract/personal.ts';
import type { Retention } from '#server/domain/person/retention.ts';
import { readLegal } from '#server/contract/site.ts';
import { everyText } from '#tests/support/every-text.ts';
import { sellSeats } from '#tests/support/crowd.ts';
import { testWithSmtp } from '#tests/support/mail-day.ts';
import { expectSoundBooks, setPolicy } from '#tests/support/refunds.ts';
import { asRole } from '#tests/support/roles.ts';
import type { TestServer } from '#tests/support/server.ts';

const day = 24 * 3_600_000;
const never = new AbortController().signal;

/** The evening was so many months ago, and a day more. */
async function passMonths(server: TestServer, months: number): Promise<void> {
  const starts_at = new Date(server.clock.now());
  starts_at.setUTCMonth(starts_at.getUTCMonth() - months);
  await transact(server.house.ctx.db, (trx) =>
    updateEvent(trx, demoEvent, { starts_at: starts_at.getTime() - day, sales_closes_at: null }),
  );
}

async function forget(server: TestServer): Promise<void> {
  server.clock.advance(day + 1_000);
  await keepRetention(server.house.ctx, never);
}

/** Every text of the database in one: what is not in it is nowhere. */
async function allText(server: TestServer): Promise<string> {
  const texts = [...(await everyText(server))];
  // SQLite takes words out of its index when it merges its parts: only an erasure does not wait for that.
  return texts.map(([table, text]) => (table.includes('order_words') ? '' : text)).join();
}

testWithSmtp(
  'two years after the evening names, addresses and words of its buyers are gone everywhere; sums, states and numbers stay',
  async (server) => {
    let admin = await makeAdmin(server);
    const policy = {
      nominative: 1,
      holder_change: 1,
      refund_request: 'office',
      refund_stop_days: 0,
    } as const;
    await setPolicy(server, policy, demoEvent);
    const buyer = { name: 'Ermenegilda Zanetti', email: 'gilda@example.it' };
    const { order_id } = await makePaidOrder(server, buyer);
    const params = { orderId: order_id };
    const { db } = server.house.ctx;
    await db('orders').where({ id: order_id }).update({ buyer_phone: '+39 347 0001112' });
    const { tickets } = await callOk(server, getOrder, { params });
    const [one, two] = tickets.map(({ ticket_id }) => ticket_id) as [string, string];
    const name = (ticketId: string, first_name: string) =>
      ask(server, 'POST', addressOf(setHolder, { orderId: order_id, ticketId }), {
        body: { first_name, last_name: 'Zanetti', email: `${first_name}@example.it` },
      });
    await name(one, 'Fulgenzio');
    await name(two, 'Ludovica');
    const ill = { ticket_ids: [two], expected_cents: 3_200, reason: 'Ho la scarlattina' };
    const { refund_id: refundId } = await callOk(server, askRefund, { params, body: ill });
    await server.runDue();
    const no = { decision: 'refuse', note: 'Fuori termine' } as const;
    await callOk(server, decideRefund, { params: { refundId }, body: no }, admin);
    await server.runDue();
    const texts = { name: 'Ermenegilda Zanetti Cardella', contact: 'Cugino Trastullo, 333 1' };
    await callOk(server, changeBuyer, { params, body: texts }, admin);
    const text = 'Arriva con la stampella';
    await callOk(server, addNote, { params, body: { text, pinned: true } }, admin);
    const secrets = [
      'Cardella',
      'Trastullo',
      'stampella',
      'Zanetti',
      'Ermenegilda',
      'Fulgenzio',
      'Ludovica',
      'zanetti',
      'gilda@',
      '347 000',
      'scarlattina',
    ];
    const secretsIn = (told: string) => secrets.filter((secret) => told.includes(secret));
    expect(secretsIn(await allText(server))).toEqual(secrets);
    const readIt = () => callOk(server, readOrder, { params }, admin);
    const before = await readIt();

    await passMonths(server, 23);
    await forget(server);
    // His session is over by then, too.
    admin = await asRole(server, 'office');
    expect(await readIt()).toMatchObject({
      buyer_name: 'Ermenegilda Zanetti Cardella',
      buyer_forgotten_at: null,
    });
    await passMonths(server, 24);
    await forget(server);

    admin = await asRole(server, 'office');
    expect(secretsIn(await allText(server))).toEqual([]);
    const after = await readIt();
    expect(after).toMatchObject({
      buyer_name: null,
      buyer_email: null,
      buyer_phone: null,
      buyer_forgotten_at: expect.any(String),
      number: before.number,
      paid_cents: 6_400,
      receipt_number: before.receipt_number,
      payments: before.payments,
    });
    const session = await callOk(server, readCheckoutSession, { params }, admin);
    expect(secretsIn(JSON.stringify(session))).toEqual([]);
    expect(after.timeline[0]).toMatchObject({ action: 'buyer_forgotten', actor: 'system' });
    expect(after.timeline.length).toBe(before.timeline.length + 1);
    // The office still finds the order by its number, nobody by a name; the file for the accountant has its line.
    const found = async (q: string) =>
      (await callOk(server, listOrders, { query: { q } }, admin)).items.map(
        ({ order_id: id }) => id,
      );
    expect(await found(before.number)).toEqual([order_id]);
    for (const q of ['Zanetti', 'gilda@example.it']) expect(await found(q)).toEqual([]);
    const headers = admin;
    const exported = addressOf(exportOrders, undefined, { format: 'plain' });
    const file = await ask(server, 'GET', exported, { headers });
    expect(file.body).toContain(`${before.number},Confermato`);
    // Letters keep what they were, not to whom and what they said; none can be sent again.
    const { items } = await callOk(server, listMails, { query: { order_id } }, admin);
    const letters = items.map((mail) => [mail.state, mail.to_address, mail.forgotten_at !== null]);
    expect(new Set(letters.map(String))).toEqual(new Set(['sent,,true']));
    const { mail_id } = items[0]!;
    expect(await callOk(server, readMail, { params: { mailId: mail_id } }, admin)).toMatchObject({
      html: null,
      text: null,
      attachments: [],
      resend_to: null,
    });
    for (const [path, body] of [
      [`mails/${mail_id}/resend`, undefined],
      [`orders/${order_id}/resend`, { email: buyer.email }],
    ] as const)
      expect(await ask(server, 'POST', `/api/admin/${path}`, { headers, body })).toMatchObject({
        status: 410,
        body: { code: 'buyer_forgotten' },
      });
    // The order's page asks nobody for a name, and takes none.
    const page = await callOk(server, getOrder, { params });
    expect(page.event.nominative).toBe(false);
    expect(page.tickets.map(({ holder, holder_step }) => holder ?? holder_step)).toEqual([
      null,
      null,
    ]);
    expect((await name(one, 'Fulgenzio')).status).toBe(409);
    expect((await ask(server, 'GET', addressOf(downloadTickets, params))).status).toBe(200);
    await expectSoundBooks(server);
    expect(server.logged).toEqual([]);
  },
);

test('what is not settled yet keeps its buyer, and the day after it is settled he is forgotten', async (server) => {
  const [waits, disputed, asked, mailed, unpaid, done] = (await sellSeats(
    server.house.ctx.db,
    demoEvent,
    'old',
    [{}, {}, { refund: 'asked' as never }, {}, {}, {}],
  )) as [string, string, string, string, string, string];
  const { db } = server.house.ctx;
  await db('orders').update({ buyer_name: 'Eva Neri' });
  await db('orders').where({ id: waits }).update({ needs_attention: 'refund_failed' });
  await db('disputes').insert({
    id: 'dp_1',
    order_id: disputed,
    charge_id: 'ch_1',
    amount_cents: 1,
    reason: 'general',
    status: 'needs_response',
    created_at: 1,
    updated_at: 1,
  });
  await db('mails').insert({
    id: 'm1',
    order_id: mailed,
    kind: 'tickets',
    key: '',
    message_id: 'm1',
    state: 'waiting',
    attempts: 0,
    created_at: 1,
  });
  await db('orders')
    .where({ id: unpaid })
    .update({ state: 'awaiting_payment', confirmed_at: null });
  await passMonths(server, 24);
  await forget(server);
  const kept = () => db('orders').whereNotNull('buyer_name').orderBy('id').pluck('id');
  expect(await kept()).toEqual([waits, disputed, asked, mailed, unpaid]);
  await db('orders').where({ id: waits }).update({ needs_attention: null });
  await db('disputes').update({ closed_at: 2 });
  await db('refunds').update({ state: 'refused' });
  await db('mails').update({
    state: 'failed',
    last_error: 'rejected: 550 <eva@example.it> unknown',
  });
  await forget(server);
  expect([
    await kept(),
    (await db('mails').first()).last_error,
    await db('orders').where({ id: done }).first(),
  ]).toMatchObject([[unpaid], 'rejected', { buyer_forgotten_at: expect.any(Number) }]);
});

test('a stop in the middle loses nothing: the next day goes on, and nobody is written down twice', async (server) => {
  const { db } = server.house.ctx;
  await sellSeats(
    db,
    demoEvent,
    'old',
    Array.from({ length: 120 }, () => ({})),
  );
  await db('orders').update({ buyer_name: 'Eva Neri' });
  await passMonths(server, 25);
  const stopping = new AbortController();
  const dying = {
    ...server.house.ctx,
    fault: () => {
      throw new Error('the power goes');
    },
  };
  await expect(keepRetention(dying, never)).rejects.toThrow('the power goes');
  const left = async () =>
    Number((await db('orders').whereNotNull('buyer_name').count({ n: '*' }).first())!['n']);
  expect(await left()).toBe(70);
  // On the same day nobody begins again; and a server that is being stopped stops between two steps.
  await keepRetention(server.house.ctx, never);
  expect(await left()).toBe(70);
  server.clock.advance(day + 1_000);
  await keepRetention({ ...server.house.ctx, fault: () => stopping.abort() }, stopping.signal);
  expect(await left()).toBe(20);
  // Two processes at once: one of them does it.
  server.clock.advance(day + 1_000);
  await Promise.all([
    keepRetention(server.house.ctx, never),
    keepRetention(server.house.ctx, never),
  ]);
  expect([
    await left(),
    Number(
      (await db('audit').where({ action: 'buyer_forgotten' }).count({ n: '*' }).first())!['n'],
    ),
  ]).toEqual([0, 120]);
});

test('each kind goes after its own time, which the office sets within bounds; the Registro tells how many went, and nothing when none did', async (server) => {
  const { ctx } = server.house;
  const { db } = ctx;
  const admin = await makeAdmin(server);
  const { order_id } = await makePaidOrder(server, { email: 'eva@example.it' });
  await server.runDue();
  const { version, kinds } = await callOk(server, readRetention, {}, admin);
  const times = Object.fromEntries(kinds.map(({ kind, value }) => [kind, value])) as Retention;
  const put = (wanted: Partial<Retention>, of: number) =>
    ask(server, 'PUT', writeRetention.path, {
      headers: admin,
      body: { version: of, times: { ...times, ...wanted } },
    });
  expect(await put({ letters: 3 }, version)).toMatchObject({
    status: 422,
    body: { code: 'retention_wrong', detail: { kinds: ['letters'] } },
  });
  expect((await put({ letters: 60 }, version)).status).toBe(200);
  expect(await put({ letters: 70 }, version)).toMatchObject({
    status: 409,
    body: { code: 'retention_changed' },
  });
  const changed = await db('audit').where({ action: 'retention_changed' });
  expect(changed.map(({ detail }) => JSON.parse(detail))).toEqual([
    { letters: { from: 90, to: 60 } },
  ]);
  const reading = {
    event_id: demoEvent,
    direction: 'in',
    verdict: 'invalid',
    counts: 0,
    offline: 0,
    scanned_at: 1,
    corrected_at: 1,
    means: 'code',
    read: 'DGC:CODICE-ESTRANEO',
  };
  const now = server.clock.now();
  await db('admissions').insert([
    { ...reading, id: 'old', received_at: now - 8 * day },
    { ...reading, id: 'new', received_at: now - 4 * day },
  ]);
  const counted = {
    event_id: demoEvent,
    direction: 'in',
    people: 1,
    reason: 'press',
    words: 'Eva Neri',
    scanned_at: 1,
    corrected_at: 1,
    feed_seq: 1,
  };
  await db('heads').insert([
    { ...counted, id: 'old', received_at: now - 8 * day },
    { ...counted, id: 'new', received_at: now - 4 * day },
  ]);
  const notice = { type: 'charge.succeeded', outcome: 'nothing', tries: 1 };
  await db('webhook_events').delete();
  await db('webhook_events').insert([
    { ...notice, id: 'evt_old', received_at: now - 91 * day },
    { ...notice, id: 'evt_new', received_at: now - 80 * day },
  ]);
  const { id: user_id } = await db('users').first('id');
  await db('known_devices').delete();
  await db('known_devices').insert([
    { token_hash: 'old', user_id, created_at: now - 366 * day },
    { token_hash: 'new', user_id, created_at: now - 300 * day },
  ]);
  await db('mails')
    .where({ order_id })
    .update({ created_at: now - 61 * day });
  await forget(server);
  expect(await db('mails').where({ order_id }).first('to_address', 'text', 'html')).toEqual({
    to_address: 'eva@example.it',
    text: null,
    html: null,
  });
  expect(await db('admissions').orderBy('id').select('id', 'read')).toEqual([
    { id: 'new', read: 'DGC:CODICE-ESTRANEO' },
    { id: 'old', read: null },
  ]);
  expect(await db('heads').orderBy('id').select('id', 'words', 'people')).toEqual([
    { id: 'new', words: 'Eva Neri', people: 1 },
    { id: 'old', words: null, people: 1 },
  ]);
  expect(await db('webhook_events').pluck('id')).toEqual(['evt_new']);
  expect(await db('known_devices').pluck('token_hash')).toEqual(['new']);
  const told = async () =>
    (await db('audit').where({ action: 'retention_kept' }).orderBy('at')).map(({ detail }) =>
      JSON.parse(detail),
    );
  expect(await told()).toEqual([{ letters: 1, readings: 2, devices: 1, notices: 1 }]);
  await forget(server);
  expect(await told()).toHaveLength(1);
  expect(server.logged).toEqual([]);
});

test('a letter with somebody’s links is blank after a month', async (server) => {
  const { db } = server.house.ctx;
  const letter = (id: string, days: number) =>
    db('mails').insert({
      id,
      order_id: null,
      kind: 'order_links',
      key: '',
      message_id: id,
      state: 'sent',
      attempts: 1,
      created_at: server.clock.now() - days * day,
      to_address: 'eva@example.it',
      subject: 'Il link ai tuoi biglietti',
      text: 'https://…/orders/1',
      html: '<p>…</p>',
    });
  await letter('old', 40);
  await letter('new', 3);
  await forget(server);
  expect(await db('mails').orderBy('id').select('id', 'to_address', 'text', 'html')).toEqual([
    { id: 'new', to_address: 'eva@example.it', text: 'https://…/orders/1', html: '<p>…</p>' },
    { id: 'old', to_address: null, text: null, html: null },
  ]);
  const { html } = await callOk(server, readLegal, { params: { legalName: 'privacy' } });
  expect(html).toContain('24 mesi dopo l’evento');
});
