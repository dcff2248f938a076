/** Mail to buyers: owed once, sent once whatever breaks, and what cannot be sent is before the office's eyes. */
import { expect, inject, test } from 'vitest';
import { transact } from '#db/transact.ts';
import { listMails, readMail, resendMail, resendTickets } from '#server/contract/mails.ts';
import { getOrder, listOrders } from '#server/contract/orders.ts';
import { queueMail } from '#server/services/mails.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { databaseKinds, startServer, type StartOptions, type TestServer } from '#tests/support/server.ts';
import { ask, callOk, demoEvent, makeAdmin, makeOrder } from '#tests/support/make.ts';
import { readPdf } from '#tests/support/pdf.ts';
import { asRole } from '#tests/support/roles.ts';
import { cutAfterAcceptance, startSmtp, type Answers, type Smtp } from '#tests/support/smtp.ts';

const hour = 3_600_000;
const email = 'eva@example.it';
const sender = { MAIL_FROM: 'Teatro Goldoni <biglietti@teatro.it>', ORGANISER_NAME: 'Teatro Goldoni', SUPPORT_EMAIL: 'assistenza@teatro.it' };

/** On both databases, with a mail server of the other side. */
function testWithSmtp(name: string, run: (server: TestServer, smtp: Smtp) => Promise<void>, { answers = {}, ...options }: StartOptions & { answers?: Answers } = {}): void {
  for (const database of databaseKinds) {
    test(`${name} (${database})`, async () => {
      await using smtp = await startSmtp(answers);
      await using server = await startServer({ database, postgresUrl: inject('postgresUrl'), env: { SMTP_URL: smtp.url, ...sender }, ...options });
      await run(server, smtp);
    });
  }
}

const mailsOf = async (server: TestServer, order_id: string) => server.house.ctx.db('mails').where({ order_id }).orderBy(['created_at', 'id']);

testWithSmtp('a confirmed order gets one mail, with its tickets as a PDF that a scanner reads and the evening for the calendar', async (server, smtp) => {
  const order = await makePaidOrder(server, { email, name: 'Nicolò D’Amico' });
  for (let again = 0; again < 3; again += 1) {
    server.clock.advance(40_000);
    await callOk(server, getOrder, { params: { orderId: order.order_id } });
    await server.runDue();
  }
  expect(smtp.received).toHaveLength(1);
  const { email: mail, to, from } = smtp.received[0]!;
  expect([to, from]).toEqual([[email], 'biglietti@teatro.it']);
  expect(mail).toMatchObject({ from: { name: 'Teatro Goldoni', address: 'biglietti@teatro.it' }, replyTo: [{ address: 'assistenza@teatro.it' }] });
  expect(mail.subject).toMatch(/^I tuoi biglietti per La locandiera – \p{L}+ \d+ \p{L}+ \d{4}, ore 21:00$/u);
  expect(mail.text).toContain('Ciao Nicolò D’Amico,');
  expect(mail.html).toContain(`href="${server.url}/orders/${order.order_id}"`);
  const [pdf, calendar] = mail.attachments;
  const { tickets } = await callOk(server, getOrder, { params: { orderId: order.order_id } });
  expect([pdf!.mimeType, readPdf(Buffer.from(pdf!.content as ArrayBuffer)).pages.map(({ code }) => code)]).toEqual(['application/pdf', tickets.map(({ code }) => code)]);
  expect([calendar!.mimeType, Buffer.from(calendar!.content as ArrayBuffer).toString()]).toEqual(['text/calendar', expect.stringContaining('BEGIN:VEVENT')]);
  expect(await mailsOf(server, order.order_id)).toMatchObject([{ kind: 'tickets', state: 'sent', attempts: 1, to_address: email, message_id: mail.messageId, last_error: null }]);
  expect(server.logged).toEqual([]);
});

testWithSmtp('a server that asks for patience gets the same mail a little later, once', async (server, smtp) => {
  const order = await makePaidOrder(server, { email });
  await server.runDue();
  expect(await mailsOf(server, order.order_id)).toMatchObject([{ state: 'waiting', attempts: 1, last_error: expect.stringContaining('no_answer: 451 Greylisted') }]);
  server.clock.advance(10_000);
  await server.runDue();
  expect(smtp.received).toHaveLength(1);
  server.clock.advance(60_000);
  await server.runDue();
  server.clock.advance(hour);
  await server.runDue();
  expect(smtp.received).toHaveLength(2);
  expect(new Set(smtp.received.map(({ email: mail }) => mail.messageId)).size).toBe(1);
  expect(await mailsOf(server, order.order_id)).toMatchObject([{ state: 'sent', attempts: 2, last_error: null }]);
}, { answers: { data: (count) => (count === 1 ? '451 Greylisted, come back in a minute' : null) } });

for (const database of databaseKinds) {
  test(`a line that breaks right after the server took the mail: the second try is the same mail (${database})`, async () => {
    await using smtp = await startSmtp();
    await using line = await cutAfterAcceptance(smtp, 1);
    await using server = await startServer({ database, postgresUrl: inject('postgresUrl'), env: { SMTP_URL: line.url, ...sender } });
    const order = await makePaidOrder(server, { email });
    await server.runDue();
    expect(await mailsOf(server, order.order_id)).toMatchObject([{ state: 'waiting' }]);
    server.clock.advance(2 * 60_000);
    await server.runDue();
    expect(smtp.received.map(({ email: mail }) => mail.messageId)).toEqual([smtp.received[0]!.email.messageId, smtp.received[0]!.email.messageId]);
    expect(await mailsOf(server, order.order_id)).toMatchObject([{ state: 'sent' }]);
  });

  test(`a crash between the server’s yes and our mark: the second try is the same mail (${database})`, async () => {
    let deaths = 1;
    await using smtp = await startSmtp();
    await using server = await startServer({
      database, postgresUrl: inject('postgresUrl'), env: { SMTP_URL: smtp.url, ...sender },
      fault: (point) => { if (point === 'mail_accepted' && deaths > 0) { deaths -= 1; throw new Error('the process dies'); } },
    });
    const order = await makePaidOrder(server, { email });
    await server.runDue();
    server.clock.advance(2 * 60_000);
    await server.runDue();
    expect(smtp.received).toHaveLength(2);
    expect(smtp.received[1]!.email.messageId).toBe(smtp.received[0]!.email.messageId);
    expect(await mailsOf(server, order.order_id)).toMatchObject([{ state: 'sent' }]);
  });
}

testWithSmtp('a refused mail is in front of the office, with the server’s words, and can be sent again to a corrected address', async (server, smtp) => {
  const admin = await makeAdmin(server);
  const { order_id } = await makePaidOrder(server, { email });
  await server.runDue();
  server.clock.advance(2 * hour);
  await server.runDue();
  const { items } = await callOk(server, listMails, { query: { state: 'failed' } }, admin);
  expect(items).toMatchObject([{ order_id, kind: 'tickets', state: 'failed', attempts: 1, trouble: { trouble: 'rejected', said: '550 No such user here' } }]);
  // To the same address the same answer, in a row of its own.
  const again = await callOk(server, resendMail, { params: { mailId: items[0]!.mail_id } }, admin);
  await server.runDue();
  expect(await callOk(server, readMail, { params: { mailId: again.mail_id } }, admin)).toMatchObject({ state: 'failed', resend_to: email });
  const sent = await callOk(server, resendTickets, { params: { orderId: order_id }, body: { email: ' eva.neri@example.it ' } }, admin);
  expect(sent.to_address).toBe('eva.neri@example.it');
  await server.runDue();
  expect(smtp.received.map(({ to }) => to)).toEqual([['eva.neri@example.it']]);
  expect((await callOk(server, readMail, { params: { mailId: sent.mail_id } }, admin))).toMatchObject({ state: 'sent', to_address: 'eva.neri@example.it' });
  const rows = await mailsOf(server, order_id);
  expect([rows.length, new Set(rows.map((row) => row.message_id)).size]).toEqual([3, 3]);
  const audit = await server.house.ctx.db('audit').where({ subject: order_id }).whereIn('action', ['buyer_email_changed', 'mail_resent']).orderBy(['at', 'id']);
  expect(audit.map((row) => row.action).toSorted()).toEqual(['buyer_email_changed', 'mail_resent', 'mail_resent']);
  expect(JSON.stringify(audit)).not.toContain('@');
  expect((await callOk(server, listOrders, { query: { q: 'eva.neri@example.it' } }, admin)).items.map((order) => order.order_id)).toEqual([order_id]);
}, { answers: { rcpt: (address) => (address === email ? '550 No such user here' : null) } });

testWithSmtp('an order without an address is not written to, and says so', async (server, smtp) => {
  const admin = await makeAdmin(server);
  const { order_id } = await makePaidOrder(server);
  await server.house.ctx.db('orders').where({ id: order_id }).update({ buyer_email: null });
  await server.runDue();
  const { items } = await callOk(server, listMails, {}, admin);
  expect(items).toMatchObject([{ state: 'failed', attempts: 0, to_address: null, trouble: { trouble: 'no_address', said: null } }]);
  expect(await ask(server, 'POST', `/api/admin/mails/${items[0]!.mail_id}/resend`, { headers: admin })).toMatchObject({ status: 422, body: { code: 'mail_address_missing' } });
  expect(await ask(server, 'POST', `/api/admin/orders/${order_id}/resend`, { headers: admin, body: {} })).toMatchObject({ status: 422, body: { code: 'mail_address_missing' } });
  for (const wrong of ['eva', 'a@b.it, c@d.it', 'a@b.it\r\nBcc: c@d.it', '']) expect([wrong, (await ask(server, 'POST', `/api/admin/orders/${order_id}/resend`, { headers: admin, body: { email: wrong } })).status]).toEqual([wrong, 400]);
  await server.house.ctx.db('orders').where({ id: order_id }).update({ buyer_email: 'nobody at all' });
  const again = await callOk(server, resendMail, { params: { mailId: items[0]!.mail_id } }, admin);
  await server.runDue();
  expect(await callOk(server, readMail, { params: { mailId: again.mail_id } }, admin)).toMatchObject({ state: 'failed', trouble: { trouble: 'bad_address' } });
  expect(smtp.received).toEqual([]);
});

testWithSmtp('a mail server that is away for two days: less and less often, then no more', async (server) => {
  const order = await makePaidOrder(server, { email });
  const tries = [];
  for (let minutes = 0; minutes < 50 * 60; minutes += 10) {
    await server.runDue();
    tries.push((await mailsOf(server, order.order_id))[0].attempts);
    server.clock.advance(10 * 60_000);
  }
  const [mail] = await mailsOf(server, order.order_id);
  expect(mail).toMatchObject({ state: 'failed', last_error: expect.stringContaining('gave_up: connect ') });
  expect(tries[6]).toBeGreaterThanOrEqual(5);
  expect(mail.attempts).toBeGreaterThan(40);
  expect(mail.attempts).toBeLessThan(60);
  expect(await server.house.ctx.db('outbox').where({ task: 'send_mail' })).toEqual([]);
}, { env: { SMTP_URL: 'smtp://127.0.0.1:1', ...sender } });

testWithSmtp('what is no longer true is not sent', async (server, smtp) => {
  const { ctx } = server.house;
  const { order_id } = await makePaidOrder(server, { email });
  await ctx.db('tickets').where({ order_id }).update({ state: 'void' });
  const open = await makeOrder(server, { nth: 1 });
  await ctx.db('orders').where({ id: open.order_id }).update({ buyer_email: email });
  await transact(ctx.db, async (trx) => {
    await queueMail(ctx, trx, { order_id, kind: 'awaiting' });
    await queueMail(ctx, trx, { order_id, kind: 'cancelled' });
    await queueMail(ctx, trx, { order_id, kind: 'refunded', key: 'nothing' });
    await queueMail(ctx, trx, { order_id: open.order_id, kind: 'awaiting' });
  });
  await server.runDue();
  expect((await mailsOf(server, order_id)).map(({ state, last_error }) => [state, last_error])).toEqual(Array.from({ length: 4 }, () => ['dropped', 'obsolete']));
  expect(smtp.received.map(({ email: mail }) => mail.subject)).toEqual([expect.stringMatching(/^Completa il pagamento: i tuoi posti sono riservati fino alle \d\d:\d\d$/)]);
});

testWithSmtp('each thing is told once: the same wish again changes nothing, another key is another mail', async (server, smtp) => {
  const { ctx } = server.house;
  const { order_id } = await makePaidOrder(server, { email });
  await server.runDue();
  for (const key of ['first', 'first', 'second']) await transact(ctx.db, (trx) => queueMail(ctx, trx, { order_id, kind: 'event_changed', key }));
  await Promise.all([1, 2, 3].map(() => transact(ctx.db, (trx) => queueMail(ctx, trx, { order_id, kind: 'tickets' }))));
  await server.runDue();
  expect(smtp.received.map(({ email: mail }) => mail.subject!.slice(0, 12))).toEqual(['I tuoi bigli', 'Novità per L', 'Novità per L']);
  // Whoever rolls back has not written.
  await transact(ctx.db, async (trx) => {
    await queueMail(ctx, trx, { order_id, kind: 'event_changed', key: 'third' });
    throw new Error('never mind');
  }).catch(() => {});
  await server.runDue();
  expect(smtp.received).toHaveLength(3);
});

testWithSmtp('a cancelled event takes itself out of the calendar', async (server, smtp) => {
  const { ctx } = server.house;
  const { order_id } = await makePaidOrder(server, { email });
  await server.runDue();
  await ctx.db('events').where({ id: demoEvent }).update({ status: 'cancelled' });
  await transact(ctx.db, (trx) => queueMail(ctx, trx, { order_id, kind: 'event_cancelled' }));
  await server.runDue();
  const [first, last] = smtp.received.map(({ email: mail }) => mail);
  const lineOf = (mail: typeof first, name: string) => new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(Buffer.from(mail!.attachments.at(-1)!.content as ArrayBuffer).toString())![1];
  expect([last!.subject, lineOf(last, 'METHOD'), lineOf(last, 'STATUS'), lineOf(last, 'UID')]).toEqual(['Evento annullato: La locandiera', 'CANCEL', 'CANCELLED', lineOf(first, 'UID')]);
  expect(Number(lineOf(last, 'SEQUENCE'))).toBeGreaterThan(Number(lineOf(first, 'SEQUENCE')));
});

testWithSmtp('a refund’s letter names its sum and its seats', async (server, smtp) => {
  const { ctx } = server.house;
  const { order_id } = await makePaidOrder(server, { email });
  await server.runDue();
  const [line] = await ctx.db('order_lines').where({ order_id }).orderBy('position');
  const refund = { id: 'r1', order_id, state: 'pending', origin: 'office', kind: 'stripe', amount_cents: 3200, fee_cents: 0, voids_tickets: 1, frees_seats: 0, idempotency_key: 'k1', actor: 'user:x', created_at: ctx.now() };
  await ctx.db('refunds').insert(refund);
  await ctx.db('refund_lines').insert({ refund_id: 'r1', order_id, line_id: line.id, price_cents: 3200, fee_cents: 0, live: 1 });
  await ctx.db('refunds').insert({ ...refund, id: 'r2', state: 'refused', idempotency_key: 'k2', reason: 'Ho la febbre', failure: 'È arrivata dopo il termine' });
  await transact(ctx.db, async (trx) => {
    await queueMail(ctx, trx, { order_id, kind: 'refunded', key: 'r1' });
    await queueMail(ctx, trx, { order_id, kind: 'refund_refused', key: 'r2' });
  });
  await server.runDue();
  const letters = smtp.received.slice(1).map(({ email: mail }) => mail);
  expect(letters.map(({ subject }) => subject).toSorted()).toEqual(['Abbiamo rimborsato 32,00\u00a0€', 'La tua richiesta di rimborso non è stata accolta']);
  const { lines } = await callOk(server, getOrder, { params: { orderId: order_id } });
  expect(letters.find(({ subject }) => subject!.startsWith('Abbiamo'))!.text).toContain(`Biglietto rimborsato: ${lines[0]!.seat}`);
  expect(letters.find(({ subject }) => subject!.startsWith('La tua'))!.text).toContain('Motivo: È arrivata dopo il termine');
  // His own reason is not read back to him as ours.
  expect(letters.map(({ text }) => text).join('')).not.toContain('febbre');
});

for (const database of databaseKinds) {
  test(`without a mail server the letters stay in the house, where the office reads them (${database})`, async () => {
    await using server = await startServer({ database, postgresUrl: inject('postgresUrl') });
    const admin = await makeAdmin(server);
    const orders = [];
    for (let nth = 0; nth < 3; nth += 1) {
      orders.push((await makePaidOrder(server, { email: `eva${nth}@example.it`, nth: 0 })).order_id);
      await server.runDue();
    }
    const list = (query: Record<string, string> = {}) => callOk(server, listMails, { query } as never, admin);
    const all = await list();
    expect([all.leaves, all.items.map((mail) => mail.order_id), all.items[0]]).toMatchObject([false, orders.toReversed(), { state: 'sent', kind: 'tickets', to_address: 'eva2@example.it', event_title: 'La locandiera', trouble: null }]);
    const first = await list({ limit: '2' });
    expect((await list({ limit: '2', cursor: first.next_cursor! })).items.map((mail) => mail.order_id)).toEqual([orders[0]]);
    for (const [query, found] of [[{ q: 'EVA1@' }, [orders[1]]], [{ q: all.items[0]!.order_number! }, [orders[2]]], [{ state: 'failed' }, []], [{ kind: 'refunded' }, []], [{ order_id: orders[0] }, [orders[0]]], [{ q: '%' }, []], [{ q: 'neri eva0' }, [orders[0]]]] as [Record<string, string>, string[]][]) {
      expect([query, (await list(query)).items.map((mail) => mail.order_id)]).toEqual([query, found]);
    }
    const mail = await callOk(server, readMail, { params: { mailId: all.items[0]!.mail_id } }, admin);
    expect(mail).toMatchObject({ text: expect.stringContaining('Ciao Eva Neri,'), html: expect.stringContaining('<!DOCTYPE html>'), next_try_at: null, resend_to: 'eva2@example.it' });
    expect(mail.attachments.map(({ type, path, bytes }) => [type, path, bytes > 500])).toEqual([
      ['application/pdf', `/api/orders/${orders[2]}/tickets.pdf`, true], ['text/calendar; charset=utf-8; method=PUBLISH', `/api/orders/${orders[2]}/calendar.ics`, true],
    ]);
    for (const { path } of mail.attachments) expect((await ask(server, 'GET', path!)).status).toBe(200);
    expect((await ask(server, 'GET', '/api/admin/mails/nobody', { headers: admin })).status).toBe(404);
    expect((await ask(server, 'GET', '/api/admin/mails/?cursor=nonsense', { headers: admin })).status).toBe(400);
    const door = await asRole(server, 'door');
    for (const path of ['/api/admin/mails/', `/api/admin/mails/${mail.mail_id}`]) expect([path, (await ask(server, 'GET', path)).status, (await ask(server, 'GET', path, { headers: door })).status]).toEqual([path, 401, 403]);
    expect(server.logged).toEqual([]);
  });
}

test('several processes on one database send each mail once', async () => {
  await using smtp = await startSmtp();
  await using one = await startServer({ database: 'postgres', postgresUrl: inject('postgresUrl'), env: { SMTP_URL: smtp.url, ...sender } });
  // Another process of the same house: the same database and the same vendors.
  const { seatsio, stripe } = one.house.standins!;
  const DATABASE_URL = one.house.ctx.db.client.config.connection.connectionString as string;
  await using two = await startServer({
    env: {
      DATABASE_URL, PUBLIC_URL: one.url, SMTP_URL: smtp.url, ...sender, SEATSIO_URL: seatsio!.url, SEATSIO_SECRET_KEY: seatsio!.secretKey, SEATSIO_WORKSPACE_KEY: seatsio!.workspaceKey,
      STRIPE_URL: stripe!.url, STRIPE_SECRET_KEY: stripe!.secretKey, STRIPE_WEBHOOK_SECRET: stripe!.webhookSecret!,
    },
  });
  const orders = [];
  for (let count = 0; count < 6; count += 1) orders.push((await makePaidOrder(one, { email: `eva${count}@example.it` })).order_id);
  await Promise.all([one, two, one, two].map((server) => server.runDue()));
  expect(smtp.received.map(({ to }) => to[0]).toSorted()).toEqual(orders.map((_, count) => `eva${count}@example.it`));
});
