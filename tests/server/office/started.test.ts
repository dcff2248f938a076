/**
 * What persons have started is one list, told from the rows of the work: who sees what, how far it
 * is, what stopped it, and the truth after a process has died.
 */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { makeBackup } from '#server/contract/backups.ts';
import { endpoints } from '#server/contract/all.ts';
import { addressOf } from '#server/contract/endpoint.ts';
import { sendMessage, stopMessage } from '#server/contract/messages.ts';
import { countAttention } from '#server/contract/office.ts';
import { postponeEvent } from '#server/contract/postponements.ts';
import { listStarted, stopStarted } from '#server/contract/started.ts';
import { seenWith } from '#server/domain/user/started.ts';
import { may } from '#server/domain/user/rights.ts';
import { isoOf } from '#server/domain/time/dates.ts';
import { keepBackups } from '#server/services/backup/keep.ts';
import { sendMessage as storePage } from '#server/services/mail/messages.ts';
import { runNoted } from '#server/services/kit/started-work.ts';
import { testOnBoth as it } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { ask, callOk, demoEvent, makeAdmin } from '#tests/support/make.ts';
import { copyOrder } from '#tests/support/many-orders.ts';
import { asRole } from '#tests/support/roles.ts';
import type { TestServer } from '#tests/support/server.ts';

const minute = 60_000;
type Someone = { cookie: string };

const listOf = async (server: TestServer, who: Someone) =>
  (await callOk(server, listStarted, {}, who)).items;
const countOf = async (server: TestServer, who: Someone) =>
  (await callOk(server, countAttention, {}, who)).started;

async function write(server: TestServer, who: Someone, recipients: number): Promise<string> {
  const body = {
    ask_key: randomUUID(),
    act: 'message' as const,
    filter: { event_id: demoEvent },
    subject: 'Parcheggio',
    body: 'È chiuso.',
    recipients,
  };
  return (await callOk(server, sendMessage, { body }, who)).message_id;
}

it('a message tells how far it is to everybody who may write, until it is stopped', async (server, admin) => {
  const { order_id } = await makePaidOrder(server, { email: 'eva@example.it' });
  await copyOrder(server.house.ctx.db, order_id, 24);
  await server.runDue();
  const [office, viewer] = [await asRole(server, 'office'), await asRole(server, 'viewer')];
  expect(await callOk(server, listStarted, {}, office)).toMatchObject({ running: 0, items: [] });
  const messageId = await write(server, admin, 25);
  const [waiting] = await listOf(server, office);
  expect(waiting).toMatchObject({
    work_id: messageId,
    kind: 'message',
    state: 'waiting',
    title: 'Parcheggio',
    event_title: 'La locandiera',
    own: false,
    done: 0,
    total: 25,
    unit: 'mails',
    stop: 'withdraw',
  });
  server.clock.advance(minute + 1);
  await storePage(server.house.ctx, messageId);
  // As if the mail server had taken them.
  const sent = { state: 'sent', sent_at: server.clock.now() };
  await server.house.ctx.db('mails').where({ kind: 'message' }).update(sent);
  expect(await listOf(server, admin)).toMatchObject([
    {
      state: 'running',
      own: true,
      done: 20,
      total: 25,
      stop: 'stop',
      moved_at: expect.any(String),
    },
  ]);
  expect(await countOf(server, office)).toBe(1);
  await callOk(server, stopMessage, { params: { messageId } }, office);
  expect(await listOf(server, office)).toMatchObject([
    { state: 'stopped', done: 20, stop: null, resume: true, ended_at: null },
  ]);
  expect(await countOf(server, office)).toBe(0);
  for (const who of [viewer, await asRole(server, 'cassa'), await asRole(server, 'door')])
    expect((await ask(server, 'GET', listStarted.path, { headers: who })).status).toBe(403);
});

it('a moved date is listed until its letters have left, with the letters that stay here', async (server, admin) => {
  await makePaidOrder(server, { email: 'eva@example.it' });
  await server.runDue();
  const { starts_at, version } = await server.house.ctx
    .db('events')
    .where({ id: demoEvent })
    .first();
  const day = 24 * 60 * minute;
  await callOk(
    server,
    postponeEvent,
    {
      params: { eventId: demoEvent },
      body: {
        version: Number(version),
        starts_at: isoOf(Number(starts_at) + 7 * day),
        answer_by: isoOf(server.clock.now() + day),
        if_silent: 'keep',
        tell_buyers: 1,
      },
    },
    admin,
  );
  expect(await listOf(server, admin)).toMatchObject([
    { kind: 'postponement', state: 'waiting', stop: 'withdraw', begins_at: expect.any(String) },
  ]);
  server.clock.advance(minute);
  expect(await listOf(server, admin)).toMatchObject([
    { kind: 'postponement', state: 'running', total: null },
  ]);
  await server.runDue();
  expect(await listOf(server, admin)).toMatchObject([
    { state: 'partly', done: 1, total: 1, failed: 1, trouble: 'mail_not_set_up' },
  ]);
  server.clock.advance(8 * day);
  // The admin's first session has ended by now.
  expect(await listOf(server, await asRole(server, 'office'))).toEqual([]);
});

it('a long file is seen by who may export it, ends at its author’s wish, and is called broken when its process is gone', async (server) => {
  await makeAdmin(server);
  const { ctx } = server.house;
  const [office, admin] = [await asRole(server, 'office'), await asRole(server, 'admin')];
  const begin = (work: 'orders_file' | 'registry_file', actor: `user:${string}`) =>
    runNoted(ctx, { work, actor }, async () => ({ name: 'f', type: 'text/csv', content: bytes() }));
  async function* bytes() {
    for (;;) yield Buffer.from('un ordine\r\n');
  }
  const { content } = await begin('orders_file', 'user:office');
  const reading = (content as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  await reading.next();
  expect(await listOf(server, admin)).toEqual([]);
  server.clock.advance(3_000);
  await reading.next();
  const [file] = await listOf(server, admin);
  expect(file).toMatchObject({ kind: 'orders_file', state: 'running', done: 11, own: false });
  const params = { workId: file!.work_id };
  const path = addressOf(stopStarted, params);
  expect((await ask(server, 'POST', path, { headers: admin })).status).toBe(404);
  await callOk(server, stopStarted, { params }, office);
  server.clock.advance(3_000);
  await expect(reading.next()).rejects.toThrow();
  expect(await listOf(server, office)).toMatchObject([{ state: 'stopped', stop: null }]);
  expect((await ask(server, 'POST', path, { headers: office })).body).toMatchObject({
    code: 'work_not_running',
  });

  const second = await begin('registry_file', 'user:admin');
  await (second.content as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]().next();
  server.clock.advance(3_000);
  expect(await listOf(server, office)).toHaveLength(1);
  expect(await countOf(server, admin)).toBe(1);
  await ctx.db('started_work').whereNull('ended_at').update({ process_id: 'killed' });
  expect(await listOf(server, admin)).toMatchObject([
    { kind: 'registry_file', state: 'broken', stop: null },
    { kind: 'orders_file' },
  ]);
  expect(await countOf(server, admin)).toBe(0);
  // What was over in a moment leaves nothing.
  await runNoted(ctx, { work: 'new_dates', actor: 'user:admin' }, async () => 0);
  expect(await ctx.db('started_work')).toHaveLength(2);
});

it('a backup by hand is under way, done, or broken off with its process and asked for again', async (server, admin) => {
  const { db } = server.house.ctx;
  await keepBackups(server.house.ctx);
  const asked = () => callOk(server, makeBackup, {}, admin);
  await asked();
  expect(await listOf(server, admin)).toMatchObject([{ kind: 'backup', state: 'running' }]);
  await keepBackups(server.house.ctx);
  expect(await listOf(server, admin)).toMatchObject([{ kind: 'backup', state: 'done' }]);
  server.clock.advance(minute);
  await asked();
  const begun = String(-server.clock.now());
  await db('settings').where({ key: 'backup_asked' }).update({ value: begun });
  await db('started_work').whereNull('ended_at').update({ process_id: 'killed' });
  expect((await listOf(server, admin))[0]).toMatchObject({ kind: 'backup', state: 'broken' });
  server.clock.advance(minute);
  expect(await asked()).toMatchObject({ running: true });
  await keepBackups(server.house.ctx);
  expect((await listOf(server, admin)).map(({ state }) => state)).toEqual([
    'done',
    'broken',
    'done',
  ]);
});

/** Papers of one order, one day or one page, which are ready at once. */
const short =
  /tickets\.pdf|calendar\.ics|turno\.pdf|chiusura\.(?:pdf|csv)|sheet\.pdf|look\/ticket\.pdf/;

test('every file of the office has its name in the list, and no role sees there what it may not export', () => {
  const files = Object.values(endpoints).filter(
    ({ file, path }) => file && path.includes('/admin/'),
  );
  expect(files.filter(({ work, path }) => work === undefined && !short.test(path))).toEqual([]);
  const loose = Object.values(endpoints).filter(
    ({ work, who }) =>
      work !== undefined &&
      (['office', 'cassa', 'viewer', 'door'] as const).some(
        (role) => may(role, seenWith[work]) && !may(role, who as 'refund'),
      ),
  );
  expect(loose).toEqual([]);
});
