/** "Avvisami": one question, one yes, one mail when the sale opens, and then the address is gone. */
import { expect } from 'vitest';
import { listMails } from '#server/contract/mails.ts';
import { readEvent } from '#server/contract/event-desk.ts';
import { cancelEvent, previewCancellation } from '#server/contract/order/refunds.ts';
import { confirmReminder, dropReminder, readReminder } from '#server/contract/reminders.ts';
import { save } from '#tests/support/event-desk.ts';
import { testWithSmtp } from '#tests/support/mail-day.ts';
import { ask, callOk, demoEvent, makeAdmin, type Answered, aRefusal } from '#tests/support/make.ts';
import { expectSoundBooks, setPolicy } from '#tests/support/refunds.ts';
import { asRole } from '#tests/support/roles.ts';
import type { TestServer } from '#tests/support/server.ts';
import type { Smtp } from '#tests/support/smtp.ts';
import { passUndo } from '#tests/support/undo.ts';

const hour = 3_600_000;
const params = { eventId: demoEvent };

/** The sale opens in so many hours. */
async function closeUntil(server: TestServer, hours = 24): Promise<void> {
  const sales_opens_at = server.clock.now() + hours * hour;
  await setPolicy(server, { sales_opens_at }, demoEvent);
}

async function wish(server: TestServer, email: unknown, eventId = demoEvent): Promise<Answered> {
  const answer = await ask(server, 'POST', `/api/event/${eventId}/reminder`, { body: { email } });
  await server.runDue();
  return answer;
}

function letters(smtp: Smtp, to: string) {
  return smtp.received
    .filter(({ email }) => email.to![0]!.address === to)
    .map(({ email }) => email);
}

function tokenIn(smtp: Smtp, to: string): string {
  const { text } = letters(smtp, to).at(-1)!;
  return /avviso#([\w-]{22})(?![\w-])/.exec(text!)?.[1] ?? `no link: ${text}`;
}

async function sayYes(server: TestServer, smtp: Smtp, to: string): Promise<string> {
  await wish(server, to);
  const token = tokenIn(smtp, to);
  await callOk(server, confirmReminder, { body: { token } });
  await server.runDue();
  return token;
}

async function refusal(server: TestServer, path: string, token: string) {
  const { status, body } = await ask(server, 'POST', path, { body: { token } });
  return [status, (body as { code: string }).code];
}

/** Whatever our tables still say of an address. */
async function traces(server: TestServer, email: string): Promise<number> {
  const { db } = server.house.ctx;
  const mails = await db('mails')
    .where({ to_address: email })
    .orWhere('text', 'like', `%/avviso#%`);
  return (await db('reminders').where({ email })).length + mails.length;
}

testWithSmtp(
  'whoever has said yes gets one mail when the sale opens, by the clock; then no table knows the address',
  async (server, smtp) => {
    const admin = await makeAdmin(server);
    await closeUntil(server);
    await wish(server, 'eva@example.it');
    expect(letters(smtp, 'eva@example.it').map(({ subject }) => subject)).toEqual([
      'Vuoi un avviso per La locandiera?',
    ]);
    const token = tokenIn(smtp, 'eva@example.it');
    const stored = await server.house.ctx.db('reminders').first();
    expect(JSON.stringify(stored)).not.toContain(token);
    expect(await callOk(server, readReminder, { body: { token } })).toMatchObject({
      event: { id: demoEvent },
      confirmed: false,
    });
    expect(await callOk(server, readEvent, { params }, admin)).toMatchObject({ reminders: 0 });
    for (const _ of ['once', 'twice'])
      expect(await callOk(server, confirmReminder, { body: { token } })).toMatchObject({
        confirmed: true,
      });
    expect(await callOk(server, readEvent, { params }, admin)).toMatchObject({ reminders: 1 });
    await wish(server, 'mai@example.it');

    server.clock.advance(23 * hour);
    await server.runDue();
    expect(letters(smtp, 'eva@example.it')).toHaveLength(1);
    server.clock.advance(hour);
    await server.runDue();
    await server.runDue();
    expect(letters(smtp, 'eva@example.it').map(({ subject }) => subject)).toEqual([
      'Vuoi un avviso per La locandiera?',
      'È aperta la vendita: La locandiera',
    ]);
    expect(letters(smtp, 'mai@example.it')).toHaveLength(1);
    expect([
      await traces(server, 'eva@example.it'),
      await traces(server, 'mai@example.it'),
    ]).toEqual([0, 0]);
    expect(await refusal(server, readReminder.path, token)).toEqual([410, 'reminder_gone']);
    // The office's mailbox tells that there were mails, and not to whom.
    const { items } = await callOk(server, listMails, {}, await asRole(server, 'admin'));
    expect(items.map(({ to_address }) => to_address)).toEqual([null, null, null]);
    expect(await wish(server, 'eva@example.it')).toMatchObject(aRefusal(409, 'sale_not_waiting'));
    await expectSoundBooks(server);
  },
);

testWithSmtp(
  'a process that dies between two mails, or a mail server that is silent, tells nobody twice and forgets nobody',
  async (server, smtp) => {
    await closeUntil(server);
    const people = ['a@example.it', 'b@example.it', 'c@example.it'];
    for (const email of people) await sayYes(server, smtp, email);
    server.clock.advance(24 * hour);
    const { ctx } = server.house;
    const fault = ctx.fault;
    let deaths = 0;
    ctx.fault = (point) => {
      if ((point === 'reminders_told' || point === 'mail_accepted') && deaths < 2) {
        deaths += 1;
        throw new Error(`died at ${point}`);
      }
      fault(point);
    };
    for (let round = 0; round < 6; round += 1) {
      await server.runDue();
      server.clock.advance(hour / 60);
    }
    ctx.fault = fault;
    expect(deaths).toBe(2);
    for (const email of people) {
      const told = letters(smtp, email).filter(({ subject }) => subject!.startsWith('È aperta'));
      // A mail that was accepted just before the process died goes out again under the same Message-ID, which mail programs drop.
      expect(new Set(told.map(({ messageId }) => messageId)).size).toBe(1);
      expect(await traces(server, email)).toBe(0);
    }
    expect(await ctx.db('mails').where({ kind: 'sale_open' })).toHaveLength(3);
  },
);

testWithSmtp(
  'a link is good for 48 hours, and without a yes the address goes by itself',
  async (server, smtp) => {
    await closeUntil(server, 100);
    await wish(server, 'eva@example.it');
    const token = tokenIn(smtp, 'eva@example.it');
    server.clock.advance(48 * hour + 1);
    expect(await refusal(server, confirmReminder.path, token)).toEqual([410, 'reminder_gone']);
    await server.runDue();
    expect(await traces(server, 'eva@example.it')).toBe(0);
    expect(await server.house.ctx.db('outbox')).toEqual([]);
  },
  { databases: ['sqlite'] },
);

testWithSmtp(
  'the answer is the same for known and unknown addresses; one address gets one letter in ten minutes and five a day, and a yes no second question',
  async (server, smtp) => {
    await closeUntil(server, 100);
    const token = await sayYes(server, smtp, 'eva@example.it');
    for (const email of ['eva@example.it', 'EVA@example.it', 'otto@città.it'])
      expect(await wish(server, email)).toMatchObject({ status: 202, body: '' });
    expect(letters(smtp, 'eva@example.it')).toHaveLength(1);
    expect(letters(smtp, 'EVA@example.it')).toHaveLength(0);
    for (let round = 0; round < 8; round += 1) {
      await wish(server, 'otto@città.it');
      await wish(server, 'Otto@xn--citt-3na.it');
      server.clock.advance(10 * 60_000 + 1);
    }
    expect(letters(smtp, 'otto@xn--citt-3na.it')).toHaveLength(5);
    // The newest link counts.
    const newest = tokenIn(smtp, 'otto@xn--citt-3na.it');
    expect(await callOk(server, confirmReminder, { body: { token: newest } })).toMatchObject({
      confirmed: true,
    });
    for (const _ of ['once', 'twice']) await callOk(server, dropReminder, { body: { token } });
    expect(await refusal(server, readReminder.path, token)).toEqual([410, 'reminder_gone']);
    expect(await traces(server, 'eva@example.it')).toBe(0);
    expect(await wish(server, 'nessuno')).toMatchObject({ status: 400 });
    expect(await wish(server, 'eva@example.it', 'mai-sentito')).toMatchObject({ status: 404 });
  },
  { databases: ['sqlite'] },
);

testWithSmtp(
  'one address asks for letters from one network twenty times an hour, no more',
  async (server, smtp) => {
    await closeUntil(server);
    const from = (n: number) =>
      ask(server, 'POST', `/api/event/${demoEvent}/reminder`, {
        body: { email: `n${n}@example.it` },
        headers: { 'x-forwarded-for': '198.51.100.7' },
      });
    const statuses: number[] = [];
    for (let n = 0; n < 21; n += 1) statuses.push((await from(n)).status);
    expect([...new Set(statuses.slice(0, 20)), statuses[20]]).toEqual([202, 429]);
    expect(smtp.received).toEqual([]);
  },
  { databases: ['sqlite'], env: { TRUST_PROXY: '1' } },
);

testWithSmtp(
  'a cancelled event, one that is over, and a sale that opens earlier or later are all noticed',
  async (server, smtp) => {
    const admin = await makeAdmin(server);
    await closeUntil(server, 24);
    await sayYes(server, smtp, 'eva@example.it');
    const later = new Date(server.clock.now() + 30 * hour).toISOString();
    const event = await callOk(server, readEvent, { params }, admin);
    const moved = await save(server, admin, event, { sales_opens_at: later });
    server.clock.advance(25 * hour);
    await server.runDue();
    expect(letters(smtp, 'eva@example.it')).toHaveLength(1);
    const now = new Date(server.clock.now()).toISOString();
    // A day later the office has to log in again.
    const office = await asRole(server, 'admin');
    await save(server, office, moved, { sales_opens_at: now });
    await server.runDue();
    expect(letters(smtp, 'eva@example.it')).toHaveLength(1);
    await passUndo(server);
    expect(letters(smtp, 'eva@example.it')).toHaveLength(2);

    await closeUntil(server, 24);
    await sayYes(server, smtp, 'otto@example.it');
    const { sum_cents, orders } = await callOk(
      server,
      previewCancellation,
      { params, query: {} },
      office,
    );
    await callOk(
      server,
      cancelEvent,
      {
        params,
        body: { expected_cents: sum_cents, expected_orders: orders, reason: 'Allagamento' },
      },
      office,
    );
    await passUndo(server);
    expect([
      letters(smtp, 'otto@example.it').length,
      await traces(server, 'otto@example.it'),
    ]).toEqual([1, 0]);
    expect(await server.house.ctx.db('outbox')).toEqual([]);
  },
  { databases: ['sqlite'] },
);
