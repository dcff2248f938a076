/** The owner hears of it: one mail when something in Salute is not well, one when it is again, whatever restarts and however many processes look. */
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ensureCertificate } from '#server/adapters/local-certificate.ts';
import { watchHealth } from '#server/services/office/alerts.ts';
import { healthChecks } from '#server/services/office/checks.ts';
import { makeAddress } from '#server/services/program/addresses.ts';
import { lookAtAll } from '#server/services/office/findings.ts';
import { readHealth } from '#server/contract/health.ts';
import { testOnBoth as it } from '#tests/support/both.ts';
import { testWithSmtp } from '#tests/support/mail-day.ts';
import { ask, callOk, makeAdmin, makePairedPhone } from '#tests/support/make.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const minute = 60_000;
const owner = 'direzione@teatro.it';

async function pass(server: TestServer, minutes: number): Promise<void> {
  for (let n = 0; n < minutes; n += 1) {
    server.clock.advance(minute);
    // Two processes look at the same moment.
    await Promise.all([watchHealth(server.house.ctx), watchHealth(server.house.ctx)]);
    await server.runDue();
  }
}

function breakBooks(server: TestServer, violations: number): Promise<number> {
  return server.house.ctx.db('invariants').update({ violations }).then(Number);
}

testWithSmtp(
  'one mail when the books are wrong, none more while it lasts, not after a restart either, and one when all is well',
  async (server, smtp) => {
    const { db } = server.house.ctx;
    await db('invariants').delete();
    await db('invariants').insert({ name: 'x', checked_at: 1, violations: 0, sample: '[]' });
    await pass(server, 3);
    expect(smtp.received).toEqual([]);
    await breakBooks(server, 2);
    await pass(server, 30);
    expect(smtp.received.map(({ to, email }) => [to, email.subject])).toEqual([
      [[owner], 'I conti non tornano. (Teatro Goldoni)'],
    ]);
    const text = smtp.received[0]!.email.text!;
    expect(text).toContain('Regole non rispettate: 1. In Salute');
    expect(text).toContain(`${server.url}/admin/settings/health`);
    const later = await server.restart();
    await pass(later, 10);
    expect(smtp.received).toHaveLength(1);
    await breakBooks(later, 0);
    await pass(later, 30);
    expect(smtp.received.map(({ email }) => email.subject)).toEqual([
      'I conti non tornano. (Teatro Goldoni)',
      'Di nuovo a posto: Teatro Goldoni',
    ]);
    await later.close();
  },
  { env: { ALERT_MAIL: owner } },
);

testWithSmtp('without ALERT_MAIL the first administrator is told', async (server, smtp) => {
  await makeAdmin(server);
  const { email } = await server.house.ctx.db('users').first();
  await server.house.ctx
    .db('invariants')
    .insert({ name: 'x', checked_at: 1, violations: 1, sample: '[]' });
  await pass(server, 6);
  expect(smtp.received.map(({ to }) => to)).toEqual([[email]]);
});

let isRefusing = true;
testWithSmtp(
  'mail that does not leave makes no storm of alerts about mail',
  async (server, smtp) => {
    isRefusing = true;
    const { ctx } = server.house;
    await ctx.db('invariants').insert({ name: 'x', checked_at: 1, violations: 1, sample: '[]' });
    await pass(server, 120);
    const alerts = () => ctx.db('mails').where({ kind: 'health_alert' });
    // About the books, and about the mail that does not leave.
    expect(await alerts()).toHaveLength(2);
    isRefusing = false;
    await pass(server, 90);
    const subjects = (await alerts()).map(({ subject, state }) => [subject, state]);
    expect(subjects).toContainEqual(['La posta non parte. (Teatro Goldoni)', 'sent']);
    expect(subjects).toContainEqual(['Di nuovo a posto: Teatro Goldoni', 'sent']);
    expect(subjects).toHaveLength(3);
    expect(smtp.received.length).toBeGreaterThan(2);
  },
  {
    env: { ALERT_MAIL: owner },
    answers: { data: () => (isRefusing ? '451 Try again later' : null) },
    databases: ['sqlite'],
  },
);

it('each check says what is wrong and what to do, by a name that stays', async (server) => {
  const { ctx } = server.house;
  expect(healthChecks.map(({ name }) => name)).toEqual(
    expect.arrayContaining(
      'database invariants stripe seatsio mail webhook backlog backup disk certificate phones'.split(
        ' ',
      ),
    ),
  );
  const wrong = async (checked = ctx) =>
    [...(await lookAtAll(checked))].flatMap(([name, finding]) => (finding ? [name] : []));
  // Only its mail server is missing.
  expect(await wrong()).toEqual(['mail']);
  const admin = await makeAdmin(server);
  const { phone_id } = await makePairedPhone(server, admin);
  await ctx.db('phones').where({ id: phone_id }).update({ queue_length: 4 });
  await ctx.db('outbox').insert({
    id: 'late',
    task: 'send_mail',
    subject: 'nobody',
    run_at: server.clock.now() - 20 * minute,
    attempts: 1,
    bell: 0,
  });
  await ctx.db('mails').insert({
    id: 'late',
    kind: 'message',
    key: '',
    message_id: '<x@y>',
    state: 'waiting',
    attempts: 0,
    created_at: server.clock.now() - 20 * minute,
  });
  const wish = { url: 'https://spento.example/', kinds: [], event_id: null };
  const { id } = await makeAddress(ctx, wish, 'cli');
  await ctx.db('program_addresses').where({ id }).update({ off_at: 1, off_why: 'silent' });
  server.clock.advance(12 * minute);
  const leaving = { ...ctx, mail: { ...ctx.mail, leaves: true } };
  expect(await wrong(leaving)).toEqual(['mail', 'backlog', 'phones', 'programs']);
  const { findings } = await callOk(server, readHealth, {}, admin);
  expect(findings).toContainEqual({
    name: 'phones',
    state: 'amber',
    sentence: 'Un telefono della porta ha letture che nessuno ha ricevuto.',
    mend: expect.stringContaining('Portalo in rete'),
  });
});

test('an outside watcher with the token sees names and a red status; others see only that the process lives', async () => {
  const token = 'un-gettone-di-prova-lungo';
  await using server = await startServer({ env: { METRICS_TOKEN: token } });
  expect((await ask(server, 'GET', '/healthz')).body).toMatchObject({ status: 'ok' });
  expect((await ask(server, 'GET', '/healthz?detail')).status).toBe(404);
  const headers = { authorization: `Bearer ${token}` };
  const detail = () => ask(server, 'GET', '/healthz?detail', { headers });
  expect(await detail()).toMatchObject({
    status: 200,
    body: { status: 'amber', findings: [{ name: 'mail', state: 'amber' }] },
  });
  await server.house.ctx
    .db('invariants')
    .insert({ name: 'x', checked_at: 1, violations: 1, sample: '[]' });
  expect(await detail()).toMatchObject({
    status: 503,
    body: { status: 'red', findings: [{ name: 'invariants' }, { name: 'mail' }] },
  });
});

test('a certificate that is about to end is said two weeks before', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'botteghino-'));
  const made = await ensureCertificate({
    folder,
    names: { hosts: ['localhost'], addresses: ['127.0.0.1'] },
    now: Date.now(),
  });
  const site = createServer({ key: made.key, cert: made.cert });
  site.listen(0, '127.0.0.1');
  await new Promise((resolve) => site.once('listening', resolve));
  try {
    const publicUrl = `https://127.0.0.1:${(site.address() as AddressInfo).port}`;
    const check = healthChecks.find(({ name }) => name === 'certificate')!;
    const at = (now: number) => check.look({ publicUrl, memory: {}, now: () => now } as never);
    expect(await at(Date.now())).toBeNull();
    expect(await at(Date.now() + 5_000 * 24 * 60 * minute)).toMatchObject({ state: 'red' });
  } finally {
    site.close();
    await rm(folder, { recursive: true, force: true });
  }
});
