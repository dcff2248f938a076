/** Mail to buyers: owed once, sent once whatever breaks. */
import { expect, inject, test } from 'vitest';
import { transact } from '#db/engine/transact.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import { storeMail } from '#server/services/kit/mail-queue.ts';
import { lookAtAll } from '#server/services/office/findings.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { mailsOf, sender, testWithSmtp } from '#tests/support/mail-day.ts';
import { callOk } from '#tests/support/make.ts';
import { readPdf } from '#tests/support/pdf.ts';
import { databaseKinds, startServer } from '#tests/support/server.ts';
import { cutAfterAcceptance, startSmtp } from '#tests/support/smtp.ts';
import { settingsOf } from '#tests/support/vendors.ts';

const hour = 3_600_000;
const email = 'eva@example.it';

testWithSmtp(
  'a confirmed order gets one mail, with its tickets as a PDF that a scanner reads and the evening for the calendar',
  async (server, smtp) => {
    const order = await makePaidOrder(server, { email, name: 'Nicolò D’Amico' });
    for (let again = 0; again < 3; again += 1) {
      server.clock.advance(40_000);
      await callOk(server, getOrder, { params: { orderId: order.order_id } });
      await server.runDue();
    }
    expect(smtp.received).toHaveLength(1);
    const { email: mail, to, from } = smtp.received[0]!;
    expect([to, from]).toEqual([[email], 'biglietti@teatro.it']);
    expect(mail).toMatchObject({
      from: { name: 'Teatro Goldoni', address: 'biglietti@teatro.it' },
      replyTo: [{ address: 'assistenza@teatro.it' }],
    });
    expect(mail.subject).toMatch(
      /^I tuoi biglietti per La locandiera – \p{L}+ \d+ \p{L}+ \d{4}, ore 21:00$/u,
    );
    expect(mail.text).toContain('Ciao Nicolò D’Amico,');
    expect(mail.html).toContain(`href="${server.url}/orders/${order.link_key}"`);
    const [pdf, calendar] = mail.attachments;
    const { tickets } = await callOk(server, getOrder, { params: { orderId: order.order_id } });
    expect([
      pdf!.mimeType,
      readPdf(Buffer.from(pdf!.content as ArrayBuffer)).pages.map(({ code }) => code),
    ]).toEqual(['application/pdf', tickets.map(({ code }) => code)]);
    expect([calendar!.mimeType, Buffer.from(calendar!.content as ArrayBuffer).toString()]).toEqual([
      'text/calendar',
      expect.stringContaining('BEGIN:VEVENT'),
    ]);
    expect(await mailsOf(server, order.order_id)).toMatchObject([
      {
        kind: 'tickets',
        state: 'sent',
        attempts: 1,
        to_address: email,
        message_id: mail.messageId,
        last_error: null,
      },
    ]);
    expect(server.logged).toEqual([]);
  },
);

testWithSmtp(
  'a server that asks for patience gets the same mail a little later, once',
  async (server, smtp) => {
    const order = await makePaidOrder(server, { email });
    await server.runDue();
    expect(await mailsOf(server, order.order_id)).toMatchObject([
      {
        state: 'waiting',
        attempts: 1,
        last_error: expect.stringContaining('no_answer: 451 Greylisted'),
      },
    ]);
    server.clock.advance(10_000);
    await server.runDue();
    expect(smtp.received).toHaveLength(1);
    server.clock.advance(60_000);
    await server.runDue();
    server.clock.advance(hour);
    await server.runDue();
    expect(smtp.received).toHaveLength(2);
    expect(new Set(smtp.received.map(({ email: mail }) => mail.messageId)).size).toBe(1);
    expect(await mailsOf(server, order.order_id)).toMatchObject([
      { state: 'sent', attempts: 2, last_error: null },
    ]);
  },
  { answers: { data: (count) => (count === 1 ? '451 Greylisted, come back in a minute' : null) } },
);

for (const database of databaseKinds) {
  test(`a line that breaks right after the server took the mail: the second try is the same mail (${database})`, async () => {
    await using smtp = await startSmtp();
    await using line = await cutAfterAcceptance(smtp, 1);
    await using server = await startServer({
      database,
      postgresUrl: inject('postgresUrl'),
      env: { SMTP_URL: line.url, ...sender },
    });
    const order = await makePaidOrder(server, { email });
    await server.runDue();
    expect(await mailsOf(server, order.order_id)).toMatchObject([{ state: 'waiting' }]);
    server.clock.advance(2 * 60_000);
    await server.runDue();
    expect(smtp.received.map(({ email: mail }) => mail.messageId)).toEqual([
      smtp.received[0]!.email.messageId,
      smtp.received[0]!.email.messageId,
    ]);
    expect(await mailsOf(server, order.order_id)).toMatchObject([{ state: 'sent' }]);
  });

  test(`a crash between the server’s yes and our mark: the second try is the same mail (${database})`, async () => {
    let deaths = 1;
    await using smtp = await startSmtp();
    await using server = await startServer({
      database,
      postgresUrl: inject('postgresUrl'),
      env: { SMTP_URL: smtp.url, ...sender },
      fault: (point) => {
        if (point === 'mail_accepted' && deaths > 0) {
          deaths -= 1;
          throw new Error('the process dies');
        }
      },
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

testWithSmtp(
  'a mail server that is away for two days: less and less often, then no more',
  async (server) => {
    const order = await makePaidOrder(server, { email });
    const passTime = async (hours: number, stepMinutes: number) => {
      for (let minutes = 0; minutes < hours * 60; minutes += stepMinutes) {
        await server.runDue();
        server.clock.advance(stepMinutes * 60_000);
      }
    };
    await passTime(1, 10);
    await server.runDue();
    const [inFirstHour] = await mailsOf(server, order.order_id);
    await passTime(49, 30);
    const [mail] = await mailsOf(server, order.order_id);
    expect(mail).toMatchObject({
      state: 'failed',
      last_error: expect.stringContaining('gave_up: connect '),
    });
    expect(inFirstHour!.attempts).toBeGreaterThanOrEqual(5);
    expect(mail!.attempts).toBeGreaterThan(40);
    expect(mail!.attempts).toBeLessThan(60);
    expect(await server.house.ctx.db('outbox').where({ task: 'send_mail' })).toEqual([]);
  },
  { env: { SMTP_URL: 'smtp://127.0.0.1:1', ...sender }, databases: ['sqlite'] },
);

let refusal: string | null = null;
testWithSmtp(
  'a refused sender: all mails wait and Salute says what was answered; mended, all leave at the next try',
  async (server, smtp) => {
    refusal = '550 5.1.0 Sender address rejected';
    const emails = [1, 2].map((count) => `eva${count}@example.it`);
    for (const address of emails) await makePaidOrder(server, { email: address });
    for (let times = 0; times < 4; times += 1) {
      await server.runDue();
      server.clock.advance(hour / 2);
    }
    expect(await server.house.ctx.db('mails').distinct('state')).toEqual([{ state: 'waiting' }]);
    expect((await lookAtAll(server.house.ctx)).get('mail')).toMatchObject({
      state: 'red',
      mend: expect.stringContaining('Sender address rejected'),
    });
    refusal = null;
    await using later = await server.restart();
    // Only the first is due: its success shows that the others need not wait.
    const outbox = later.house.ctx.db('outbox').where({ task: 'send_mail' });
    await outbox.clone().update({ run_at: later.clock.now() + hour });
    const first = await outbox.clone().first('id');
    await outbox.clone().where(first).update({ run_at: later.clock.now() });
    await later.runDue();
    expect(smtp.received.map(({ to }) => to[0]).toSorted()).toEqual(emails);
  },
  { answers: { mail: () => refusal } },
);

const blocked = '554 5.7.1 Its host says: sender IP is blocked using a list';
testWithSmtp(
  'mails whose recipients alone are blocked, the first ones to be sent, hold up no others',
  async (server, smtp) => {
    for (let nth = 0; nth < 8; nth += 1)
      await makePaidOrder(server, { email: `${nth < 4 ? 'mai' : 'eva'}${nth}@example.it` });
    for (let times = 0; times < 4; times += 1) {
      await server.runDue();
      server.clock.advance(hour / 120);
    }
    const emails = [4, 5, 6, 7].map((nth) => `eva${nth}@example.it`);
    expect(smtp.received.map(({ to }) => to[0]).toSorted()).toEqual(emails);
  },
  {
    answers: { rcpt: (address) => (address.startsWith('mai') ? blocked : null) },
    databases: ['sqlite'],
  },
);

testWithSmtp(
  'each thing is told once: the same wish again changes nothing, another key is another mail',
  async (server, smtp) => {
    const { ctx } = server.house;
    const { order_id } = await makePaidOrder(server, { email });
    await server.runDue();
    for (const key of ['first', 'first', 'second'])
      await transact(ctx.db, (trx) =>
        storeMail(ctx, trx, { order_id, kind: 'event_changed', key }),
      );
    await Promise.all(
      [1, 2, 3].map(() =>
        transact(ctx.db, (trx) => storeMail(ctx, trx, { order_id, kind: 'tickets' })),
      ),
    );
    await server.runDue();
    expect(smtp.received.map(({ email: mail }) => mail.subject!.slice(0, 12))).toEqual([
      'I tuoi bigli',
      'Novità per L',
      'Novità per L',
    ]);
    // Whoever rolls back has not written.
    await transact(ctx.db, async (trx) => {
      await storeMail(ctx, trx, { order_id, kind: 'event_changed', key: 'third' });
      throw new Error('never mind');
    }).catch(() => {});
    await server.runDue();
    expect(smtp.received).toHaveLength(3);
  },
);

test('several processes on one database send each mail once', async () => {
  await using smtp = await startSmtp();
  await using one = await startServer({
    database: 'postgres',
    postgresUrl: inject('postgresUrl'),
    env: { SMTP_URL: smtp.url, ...sender },
  });
  // Another process of the same house: the same database and the same vendors.
  const DATABASE_URL = one.house.ctx.db.client.config.connection.connectionString as string;
  await using two = await startServer({
    env: {
      DATABASE_URL,
      PUBLIC_URL: one.url,
      SMTP_URL: smtp.url,
      ...sender,
      ...settingsOf(one.house.standins!),
    },
  });
  const orders = [];
  for (let count = 0; count < 6; count += 1)
    orders.push((await makePaidOrder(one, { email: `eva${count}@example.it` })).order_id);
  await Promise.all([one, two, one, two].map((server) => server.runDue()));
  expect(smtp.received.map(({ to }) => to[0]).toSorted()).toEqual(
    orders.map((_, count) => `eva${count}@example.it`),
  );
});
