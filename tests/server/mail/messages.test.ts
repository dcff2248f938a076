/** Writing to many buyers: whom it reaches, what they read, calling off, pacing, and a crash in the middle. */
import { randomUUID } from 'node:crypto';
import { expect, inject, test } from 'vitest';
import {
  listMessageMails,
  listMessages,
  previewLetter,
  previewMessage,
  readMessage,
  sendMessage,
  testMessage,
  resumeMessage,
  stopMessage,
  withdrawMessage,
} from '#server/contract/messages.ts';
import { sendMessage as storePage } from '#server/services/mail/messages.ts';
import { testOnBoth as it } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { mailsOf, sender, testWithSmtp } from '#tests/support/mail-day.ts';
import { ask, callOk, demoEvent, makeAdmin, makeOrder } from '#tests/support/make.ts';
import { copyOrder } from '#tests/support/many-orders.ts';
import { databaseKinds, startServer, type TestServer } from '#tests/support/server.ts';
import { startSmtp } from '#tests/support/smtp.ts';

const minute = 60_000;
const filter = { event_id: demoEvent };
const words = { subject: 'Novità per {evento}', body: 'Ciao {nome},\n\nposti {posti}.\n{link}' };

type Admin = Awaited<ReturnType<typeof makeAdmin>>;
type Wish = Partial<Parameters<typeof callOk<typeof sendMessage>>[2]['body']>;

/** To everybody of the evening. */
async function send(server: TestServer, admin: Admin, wish: Wish = {}): Promise<string> {
  const act = wish.act ?? 'message';
  const { recipients } = await callOk(
    server,
    previewMessage,
    { body: { act, ...(wish.order_ids ? { order_ids: wish.order_ids } : { filter }) } },
    admin,
  );
  const body = {
    ask_key: randomUUID(),
    act,
    ...(wish.order_ids ? {} : { filter }),
    ...(act === 'message' ? words : {}),
    recipients,
    ...wish,
  };
  return (await callOk(server, sendMessage, { body }, admin)).message_id;
}

/** As the worker would, page after page. */
async function workThrough(server: TestServer, pages = 4): Promise<void> {
  for (let page = 0; page < pages; page += 1) {
    server.clock.advance(page === 0 ? minute + 1 : 11_000);
    await server.runDue();
  }
}

testWithSmtp(
  'a message reaches each address once, names who is left out and why, and reads as its preview',
  async (server, smtp) => {
    const admin = await makeAdmin(server);
    const { db } = server.house.ctx;
    const first = await makePaidOrder(server, { email: 'eva@example.it', name: 'Eva Neri' });
    await makePaidOrder(server, { email: 'EVA@example.it', name: 'Eva Neri' });
    const lost = await makePaidOrder(server, { email: 'ugo@example.it' });
    await db('orders').where({ id: lost.order_id }).update({ buyer_email: null });
    const gone = await makePaidOrder(server, { email: 'ida@example.it' });
    await db('tickets').where({ order_id: gone.order_id }).update({ state: 'refunded' });
    const forgotten = await makePaidOrder(server, { email: 'leo@example.it' });
    await db('orders').where({ id: forgotten.order_id }).update({ buyer_forgotten_at: 1 });
    await makeOrder(server);
    await server.runDue();
    smtp.received.length = 0;

    const reach = await callOk(server, previewMessage, { body: { act: 'message', filter } }, admin);
    expect(reach).toMatchObject({ orders: 6, recipients: 1, merged: 1, leaves: true });
    expect(reach.left_out.map(({ reason, count }) => [reason, count])).toEqual([
      ['forgotten', 1],
      ['not_confirmed', 1],
      ['no_tickets', 1],
      ['no_address', 1],
    ]);
    const letter = await callOk(
      server,
      previewLetter,
      { body: { ...words, body: '<b>{nome}</b> & {posti}', order_id: first.order_id } },
      admin,
    );
    expect(letter.html).toContain('&lt;b&gt;Eva Neri&lt;/b&gt; &amp; ');
    expect(letter.html).not.toContain('<b>');

    const id = await send(server, admin);
    await server.runDue();
    expect(smtp.received).toHaveLength(0);
    await workThrough(server);
    expect(smtp.received.map(({ to }) => to[0]!.toLowerCase())).toEqual(['eva@example.it']);
    const { email } = smtp.received[0]!;
    expect(email.subject).toBe('Novità per La locandiera');
    expect(email.text).toContain('Ciao Eva Neri,');
    expect(email.text!.match(/\/orders\//g)).toHaveLength(4);
    expect(email.text).toContain('Comunicazione di servizio');
    const params = { messageId: id };
    expect(await callOk(server, readMessage, { params }, admin)).toMatchObject({
      recipients: 1,
      left_out: 4,
      counts: { sent: 1, queued: 0 },
      finished_at: expect.any(String),
    });
    const { items } = await callOk(server, listMessages, { query: filter }, admin);
    expect(items.map(({ message_id }) => message_id)).toEqual([id]);
    expect(server.logged).toEqual([]);
  },
);

testWithSmtp(
  'a refused address is told as such, and the others get theirs',
  async (server) => {
    const admin = await makeAdmin(server);
    await makePaidOrder(server, { email: 'eva@example.it' });
    await makePaidOrder(server, { email: 'nobody@example.it' });
    const messageId = await send(server, admin);
    await workThrough(server);
    const { items } = await callOk(
      server,
      listMessageMails,
      { params: { messageId }, query: { state: 'bounced' } },
      admin,
    );
    expect(items).toMatchObject([
      { to_address: 'nobody@example.it', trouble: { trouble: 'rejected', said: '550 Unknown' } },
    ]);
    const beyond = await callOk(
      server,
      listMessageMails,
      { params: { messageId }, query: { cursor: '999999999999999.x' } },
      admin,
    );
    expect(beyond.items).toEqual([]);
    const { counts } = await callOk(server, readMessage, { params: { messageId } }, admin);
    expect(counts).toMatchObject({ sent: 1, bounced: 1 });
  },
  { answers: { rcpt: (to) => (to.startsWith('nobody') ? '550 Unknown' : null) } },
);

for (const database of databaseKinds) {
  test(`it dies between two pages, and in the middle of mails: nobody is left out and nobody is written to twice (${database})`, async () => {
    const deaths = new Map([
      ['message_page_stored', 1],
      ['mail_accepted', 1],
    ]);
    let armed = false;
    await using smtp = await startSmtp();
    await using server = await startServer({
      database,
      postgresUrl: inject('postgresUrl'),
      env: { SMTP_URL: smtp.url, ...sender },
      fault: (point) => {
        const left = armed ? (deaths.get(point) ?? 0) : 0;
        if (left === 0) return;
        deaths.set(point, left - 1);
        throw new Error('the process dies');
      },
    });
    const admin = await makeAdmin(server);
    const { order_id } = await makePaidOrder(server, { email: 'eva@example.it' });
    await copyOrder(server.house.ctx.db, order_id, 24);
    await server.runDue();
    smtp.received.length = 0;
    armed = true;
    const messageId = await send(server, admin);
    await workThrough(server, 5);
    expect([...deaths.values()]).toEqual([0, 0]);
    // A second try is the same mail: a mail server that has it drops it.
    const ids = new Map(smtp.received.map(({ email, to }) => [email.messageId, to[0]!]));
    expect(smtp.received).toHaveLength(26);
    const guests = Array.from({ length: 24 }, (_, at) => `guest${at}@example.it`);
    expect([...ids.values()].toSorted()).toEqual(['eva@example.it', ...guests].toSorted());
    const { counts } = await callOk(server, readMessage, { params: { messageId } }, admin);
    expect(counts).toMatchObject({ sent: 25, queued: 0 });
    const { db } = server.house.ctx;
    expect(await db('outbox').where({ task: 'send_message' })).toEqual([]);
    // Paced: two pages, with a pause between them.
    const stored: number[] = await db('mails').where({ kind: 'message' }).pluck('created_at');
    const times = stored.map(Number).toSorted((one, other) => one - other);
    const pauses = times.flatMap((at, index) =>
      at - (times[index - 1] ?? at) > 2_000 ? [index] : [],
    );
    expect(pauses).toEqual([20]);
  });
}

it('it can be called off until it begins, and not after', async (server, admin) => {
  const { order_id } = await makePaidOrder(server, { email: 'eva@example.it' });
  const first = await send(server, admin);
  await callOk(server, withdrawMessage, { params: { messageId: first } }, admin);
  await workThrough(server);
  expect((await mailsOf(server, order_id)).map(({ kind }) => kind)).toEqual(['tickets']);
  // What was called off is no message of the last hour.
  const second = await send(server, admin);
  await workThrough(server);
  const late = await ask(server, 'POST', `/api/admin/messages/${second}/withdraw`, {
    headers: admin,
  });
  expect([late.status, late.body]).toMatchObject([409, { code: 'message_begun' }]);
  expect((await mailsOf(server, order_id)).map(({ kind }) => kind)).toEqual(['tickets', 'message']);
  const actions = await server.house.ctx.db('audit').where({ subject: first }).pluck('action');
  expect(actions.toSorted()).toEqual(['message_queued', 'message_withdrawn']);
});

it('a message that is being sent can be stopped: the rest waits, who has it is listed, and resumed it reaches the others only', async (server, admin) => {
  const { order_id } = await makePaidOrder(server, { email: 'eva@example.it' });
  const { db } = server.house.ctx;
  await copyOrder(db, order_id, 44);
  const messageId = await send(server, admin);
  const params = { messageId };
  const refused = async (what: string) =>
    (await ask(server, 'POST', `/api/admin/messages/${messageId}/${what}`, { headers: admin }))
      .body;
  expect(await refused('stop')).toMatchObject({ code: 'message_not_running' });
  await workThrough(server, 1);
  await callOk(server, stopMessage, { params }, admin);
  expect(await refused('stop')).toMatchObject({ code: 'message_not_running' });
  await workThrough(server, 3);
  const told = () => db('mails').where({ kind: 'message' }).pluck('to_address');
  expect(await told()).toHaveLength(20);
  const stopped = await callOk(server, readMessage, { params }, admin);
  expect(stopped).toMatchObject({ stopped_at: expect.any(String), finished_at: null });
  expect(stopped.counts.queued).toBe(25);
  await callOk(server, resumeMessage, { params }, admin);
  expect(await refused('resume')).toMatchObject({ code: 'message_not_stopped' });
  await workThrough(server, 4);
  expect(new Set(await told()).size).toBe(45);
  expect(await told()).toHaveLength(45);
  expect(await callOk(server, readMessage, { params }, admin)).toMatchObject({
    stopped_at: null,
    finished_at: expect.any(String),
  });
  expect(await db('audit').where({ subject: messageId }).orderBy('at').pluck('action')).toEqual([
    'message_queued',
    'message_stopped',
    'message_resumed',
  ]);
});

testWithSmtp(
  'a message that is stopped takes back the mails that no mail server has heard of, and nobody gets two',
  async (server, smtp) => {
    const admin = await makeAdmin(server);
    const { order_id } = await makePaidOrder(server, { email: 'eva@example.it' });
    const { ctx } = server.house;
    await copyOrder(ctx.db, order_id, 24);
    await server.runDue();
    smtp.received.length = 0;
    const messageId = await send(server, admin);
    const params = { messageId };
    const stored = () => ctx.db('mails').where({ kind: 'message' }).pluck('state');
    server.clock.advance(minute + 1);
    await storePage(ctx, messageId);
    expect(await stored()).toHaveLength(20);
    await callOk(server, stopMessage, { params }, admin);
    await workThrough(server, 2);
    expect([await stored(), smtp.received]).toEqual([[], []]);
    expect(await ctx.db('outbox').where({ task: 'send_mail' })).toEqual([]);
    const { counts } = await callOk(server, readMessage, { params }, admin);
    expect(counts).toMatchObject({ queued: 25, sent: 0 });

    // Stopped while its last page is leaving: what is at the mail server arrives, the others wait.
    await callOk(server, resumeMessage, { params }, admin);
    await storePage(ctx, messageId);
    server.clock.advance(11_000);
    await storePage(ctx, messageId);
    await Promise.all([server.runDue(), callOk(server, stopMessage, { params }, admin)]);
    const later = await callOk(server, readMessage, { params }, admin);
    expect(later).toMatchObject({ stopped_at: expect.any(String), finished_at: null });
    expect(later.counts).toMatchObject({ sent: smtp.received.length });
    await callOk(server, resumeMessage, { params }, admin);
    await workThrough(server, 3);
    expect(new Set(smtp.received.map(({ to }) => to[0])).size).toBe(25);
    expect(smtp.received).toHaveLength(25);
  },
  { databases: ['sqlite'] },
);

it('a click that is heard twice is one message; a number that has changed, and a second message within the hour, are refused', async (server, admin) => {
  await makePaidOrder(server, { email: 'eva@example.it' });
  const ask_key = randomUUID();
  const clicks = [0, 1, 2].map(() => send(server, admin, { ask_key }));
  const [one, ...others] = await Promise.all(clicks);
  expect(await send(server, admin, { ask_key })).toBe(one);
  expect(others).toEqual([one, one]);
  const refused = async (wish: object) =>
    (
      (
        await ask(server, 'POST', '/api/admin/messages/', {
          headers: admin,
          body: {
            ask_key: randomUUID(),
            act: 'message',
            filter,
            ...words,
            recipients: 1,
            ...wish,
          },
        })
      ).body as { code: string }
    ).code;
  expect(await refused({})).toBe('message_too_soon');
  expect(await refused({ recipients: 2 })).toBe('recipients_changed');
  expect(await refused({ body: 'Ciao {cognome}' })).toBe('text_placeholder_unknown');
  expect(await refused({ body: 'a'.repeat(5_001) })).toBe('bad_request');
  server.clock.advance(61 * minute);
  const together = await Promise.all([0, 1, 2, 3].map(() => refused({})));
  expect(together.filter((code) => code === 'message_too_soon')).toHaveLength(3);
  expect(await refused({ filter: { event_id: 'none' } })).toBe('nobody_to_write_to');
  expect(await refused({ order_ids: ['x'] })).toBe('bad_request');
  const again = await send(server, admin, { again: true });
  expect(again).not.toBe(one);
  server.clock.advance(61 * minute);
  await send(server, admin);
  const { db } = server.house.ctx;
  expect(await db('messages').pluck('id')).toHaveLength(4);
});

it('tickets are sent again to the orders that were chosen, and a test goes to who wrote it', async (server, admin) => {
  const { order_id } = await makePaidOrder(server, { email: 'eva@example.it' });
  const other = await makePaidOrder(server, { email: 'ugo@example.it' });
  const messageId = await send(server, admin, { act: 'tickets', order_ids: [order_id] });
  await workThrough(server);
  const kinds = async (id: string) => (await mailsOf(server, id)).map(({ kind }) => kind);
  expect(await kinds(order_id)).toEqual(['tickets', 'tickets']);
  expect(await kinds(other.order_id)).toEqual(['tickets']);
  // No mail server: nobody outside has read it, and that is what is said.
  const { counts, leaves } = await callOk(server, readMessage, { params: { messageId } }, admin);
  expect([counts['kept'], leaves]).toEqual([1, false]);
  const sent = await callOk(server, testMessage, { body: { ...words, order_id } }, admin);
  await server.runDue();
  const mail = await server.house.ctx.db('mails').where({ id: sent.mail_id }).first();
  expect(mail).toMatchObject({
    kind: 'message_test',
    state: 'sent',
    to_address: sent.to_address,
    subject: 'Prova: Novità per La locandiera',
  });
  expect(await kinds(order_id)).toEqual(['tickets', 'tickets']);
});

it('the file holds the orders that were chosen, and no others', async (server, admin) => {
  const { order_id } = await makePaidOrder(server, { email: 'eva@example.it' });
  await makePaidOrder(server, { email: 'ugo@example.it' });
  const path = `/api/admin/orders/export.csv?ids=${order_id},none`;
  const file = await ask(server, 'GET', path, { headers: admin });
  const lines = String(file.body).trim().split('\r\n');
  expect([file.status, lines.length]).toEqual([200, 2]);
  expect(lines[1]).toContain('eva@example.it');
});
