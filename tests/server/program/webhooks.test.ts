/** Other programs are told what happens: at least once, under an id that never changes, signed, and never behind our own walls. */
import { Webhook } from 'standardwebhooks';
import { expect, inject, test, vi } from 'vitest';
import { transact } from '#db/engine/transact.ts';
import * as webhooks from '#server/contract/program/webhooks.ts';
import { admitTicket, undoAdmission } from '#server/contract/door/admissions.ts';
import { connectPrograms, isPublicAddress } from '#server/adapters/program-line.ts';
import { webhookKinds, type WebhookKind } from '#server/domain/program/webhook.ts';
import { makeAddress } from '#server/services/program/addresses.ts';
import { newSecret } from '#server/services/program/signature.ts';
import { tellPrograms } from '#server/services/program/deliver.ts';
import { learnListeners } from '#server/services/kit/listeners.ts';
import { watchForPrograms } from '#server/services/program/watch.ts';
import { happened } from '#server/services/kit/happened.ts';
import { testOnBoth } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { ask, callOk, demoEvent, makeAdmin, until } from '#tests/support/make.ts';
import { nearLine, startReceiver, tellDue, type Receiver } from '#tests/support/programs.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const near = { programs: nearLine };
/** On both databases, of a house that may call this computer. */
const it = (name: string, run: (server: TestServer) => Promise<void>) =>
  testOnBoth(name, run, near);

async function listen(
  server: TestServer,
  receiver: { url: string },
  kinds: readonly WebhookKind[] = webhookKinds,
) {
  const admin = await makeAdmin(server);
  const body = { url: receiver.url, kinds: [...kinds], event_id: null };
  const made = await callOk(server, webhooks.makeProgramAddress, { body }, admin);
  const deliveries = async () =>
    (await callOk(server, webhooks.listProgramDeliveries, {}, admin)).items;
  return { ...made, admin, deliveries, about: { params: { addressId: made.id } } };
}

/** What a stranger's server does, by the library of Standard Webhooks, as late as is said. */
function isSigned(
  { headers, body }: Pick<Receiver['told'][number], 'headers' | 'body'>,
  secret: string,
  seconds = 0,
): boolean {
  vi.setSystemTime((Number(headers['webhook-timestamp']) + seconds) * 1_000);
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  } finally {
    vi.useRealTimers();
  }
}

it('a sale, an entry and its undoing are told with ids only, signed with the secret that was shown', async (server) => {
  await using receiver = await startReceiver();
  const { secret, admin } = await listen(server, receiver);
  const { order_id } = await makePaidOrder(server, { name: 'Eva Neri', email: 'eva@neri.it' });
  const { db } = server.house.ctx;
  const { number } = await db('orders').where({ id: order_id }).first('number');
  const tickets: string[] = await db('tickets').where({ order_id }).orderBy('id').pluck('id');
  await db('events').where({ id: demoEvent }).update({ admits_from: 0 });
  const params = { ticketId: tickets[0]! };
  const body = { direction: 'in', override: 'prova' } as const;
  const { admission_id } = await callOk(server, admitTicket, { params, body }, admin);
  const undo = { params, body: { admission_id, reason: 'errore' } };
  await callOk(server, undoAdmission, undo, admin);
  await tellDue(server);
  expect(receiver.told.map(({ kind }) => kind).toSorted()).toEqual([
    'admission.created',
    'admission.undone',
    'order.confirmed',
    'ticket.issued',
  ]);
  const dataOf = (kind: string) => receiver.told.find((one) => one.kind === kind)!.data;
  expect(dataOf('order.confirmed')).toEqual({ event_id: demoEvent, order_number: number });
  expect(dataOf('ticket.issued')).toMatchObject({ order_number: number, ticket_ids: tickets });
  expect(dataOf('admission.undone')).toMatchObject({ admission_id, ticket_ids: [tickets[0]] });
  const said = JSON.stringify(receiver.told);
  for (const personal of ['Eva', 'neri.it', order_id]) expect(said).not.toContain(personal);
  expect(receiver.told.every((one) => isSigned(one, secret))).toBe(true);
  const [told] = receiver.told;
  const { timestamp, ...rest } = JSON.parse(told!.body) as Record<string, string>;
  expect(Object.keys(rest)).toEqual(['type', 'data']);
  expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  // 32 bytes, written as base64 and not in its form for addresses.
  expect(secret).toMatch(/^whsec_[A-Za-z\d+/]{43}=$/);
  expect(isSigned(told!, newSecret())).toBe(false);
  expect(isSigned({ ...told!, body: `${told!.body} ` }, secret)).toBe(false);
  for (const header of ['webhook-id', 'webhook-timestamp'])
    expect(isSigned({ ...told!, headers: { ...told!.headers, [header]: '1' } }, secret)).toBe(
      false,
    );
  expect([299, 301].map((seconds) => isSigned(told!, secret, seconds))).toEqual([true, false]);
  await tellDue(server);
  expect(receiver.told).toHaveLength(4);
});

it('where nobody listens nothing is written, and an address hears only what it asked for', async (server) => {
  const { db } = server.house.ctx;
  await makePaidOrder(server);
  expect(await db('program_deliveries').select()).toEqual([]);
  await using receiver = await startReceiver();
  await listen(server, receiver, ['order.refunded']);
  await makePaidOrder(server);
  expect(await db('program_deliveries').select()).toEqual([]);
});

test('a sale costs the database no statement where nobody listens to it, and three where somebody does', async () => {
  const postgresUrl = inject('postgresUrl');
  await using server = await startServer({ ...near, database: 'postgres', postgresUrl });
  const { ctx } = server.house;
  const { order_id } = await makePaidOrder(server);
  // Of this transaction only: jobs ask the same database in their own time.
  const cost = async (action: 'order_confirmed' | 'event_saved', subject: string) => {
    let statements = 0;
    await transact(ctx.db, (trx) => {
      trx.on('query', () => {
        statements += 1;
      });
      return happened(ctx, trx, { actor: 'system', action, subject });
    });
    return statements;
  };
  const own = await cost('order_confirmed', order_id);
  const saved = await cost('event_saved', demoEvent);
  await using receiver = await startReceiver();
  const listenTo = (kinds: WebhookKind[]) =>
    makeAddress(ctx, { url: receiver.url, kinds, event_id: null }, 'cli');
  await listenTo(['event.changed']);
  expect(await cost('order_confirmed', order_id)).toBe(own);
  await listenTo(['order.confirmed', 'ticket.issued']);
  expect(await cost('order_confirmed', order_id)).toBe(own + 3);
  expect(await cost('event_saved', demoEvent)).toBe(saved + 2);
  expect(own).toBeLessThan(5);
});

it('a receiver that fails, hangs and dies gets everything in the end, each under one id', async (server) => {
  await using receiver = await startReceiver();
  const { deliveries, secret } = await listen(server, receiver, ['order.confirmed']);
  await makePaidOrder(server, {}, { count: 1 });
  receiver.answer = (response) => response.writeHead(500).end('guasto');
  await tellDue(server);
  expect((await deliveries())[0]).toMatchObject({
    state: 'waiting',
    status: 500,
    answer: 'guasto',
    failures: 1,
  });
  // It says nothing at all.
  receiver.answer = () => {};
  server.clock.advance(11_000);
  await tellDue(server);
  expect((await deliveries())[0]).toMatchObject({ status: null, fault: 'silent', failures: 2 });
  receiver.answer = (response) => response.socket!.destroy();
  server.clock.advance(31_000);
  await tellDue(server);
  expect((await deliveries())[0]).toMatchObject({ fault: 'unreachable', failures: 3 });
  await makePaidOrder(server, {}, { count: 1 });
  receiver.answer = null;
  server.clock.advance(4 * 60_000);
  await tellDue(server);
  expect((await deliveries()).map(({ state }) => state)).toEqual(['done', 'done']);
  expect(receiver.told).toHaveLength(5);
  expect(new Set(receiver.told.map(({ id }) => id)).size).toBe(2);
  expect(new Set(receiver.told.map(({ body }) => body)).size).toBe(2);
  // Each try has its own time, and is as fresh as the first.
  expect(new Set(receiver.told.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(4);
  expect(receiver.told.every((one) => isSigned(one, secret))).toBe(true);
});

it('after three days a message is given up and its address is off; a person sends it again under its id', async (server) => {
  await using receiver = await startReceiver();
  const { deliveries, admin, about } = await listen(server, receiver, ['order.confirmed']);
  await makePaidOrder(server);
  receiver.answer = (response) => response.writeHead(503).end();
  for (let nth = 0; nth < 40 && (await deliveries())[0]!.state === 'waiting'; nth += 1) {
    await tellDue(server);
    server.clock.advance(6 * 3_600_000 + 1_000);
  }
  const [given] = await deliveries();
  expect(given).toMatchObject({ state: 'given_up', status: 503 });
  expect(given!.failures).toBeGreaterThan(10);
  const before = receiver.told.length;
  const params = { deliveryId: given!.id };
  const again = await stillHere(server, admin);
  const addresses = await callOk(server, webhooks.listProgramAddresses, {}, again);
  expect(addresses.items[0]).toMatchObject({ off_why: 'silent', given_up: 1 });
  await callOk(server, webhooks.switchProgramAddress, { ...about, body: { on: true } }, again);
  await callOk(server, webhooks.resendProgramDelivery, { params }, again);
  receiver.answer = null;
  await tellDue(server);
  expect(receiver.told.slice(before).map(({ id }) => id)).toEqual([given!.id]);
});

/** Days have gone by: as if its owner had been here all the time. */
async function stillHere(server: TestServer, { cookie }: { cookie: string }) {
  await server.house.ctx.db('sessions').update({ last_seen_at: server.clock.now() });
  return { cookie };
}

it('an address that answers 410 is off until somebody switches it on; then what waits goes on', async (server) => {
  await using receiver = await startReceiver();
  const { admin, about } = await listen(server, receiver, ['order.confirmed']);
  await makePaidOrder(server, {}, { count: 1 });
  receiver.answer = (response) => response.writeHead(410).end();
  await tellDue(server);
  const [off] = (await callOk(server, webhooks.listProgramAddresses, {}, admin)).items;
  expect(off).toMatchObject({ off_why: 'gone', waiting: 1 });
  await makePaidOrder(server, {}, { count: 1 });
  server.clock.advance(60_000);
  await tellDue(server);
  expect(receiver.told).toHaveLength(1);
  receiver.answer = null;
  const on = { ...about, body: { on: true } };
  await callOk(server, webhooks.switchProgramAddress, on, admin);
  await tellDue(server);
  expect(receiver.told.map(({ id }) => id)).toEqual([receiver.told[0]!.id, receiver.told[0]!.id]);
});

it('an address that gets too much rests as long as it asks, for all its messages', async (server) => {
  await using receiver = await startReceiver();
  const { admin, about } = await listen(server, receiver, ['order.confirmed']);
  const { ctx } = server.house;
  const { order_id } = await makePaidOrder(server, {}, { count: 1 });
  await ctx.db('program_deliveries').delete();
  const sale = { actor: 'system', action: 'order_confirmed', subject: order_id } as const;
  const sell = () => transact(ctx.db, (trx) => happened(ctx, trx, sale));
  const rest = async () => {
    const admitted = await stillHere(server, admin);
    const { items } = await callOk(server, webhooks.listProgramAddresses, {}, admitted);
    const until = items[0]!.rest_until;
    return until === null ? 0 : Math.round((Date.parse(until) - server.clock.now()) / 60_000);
  };
  const hours = (count: number) => new Date(server.clock.now() + count * 3_600_000).toUTCString();
  let tries = 0;
  // A number is a date so many hours away.
  for (const [status, asked, minutes] of [
    [429, '600', 10],
    [503, 1, 60],
    [429, 'tra poco', 1],
    [502, undefined, 1],
    [504, '-5', 1],
    [503, undefined, 0],
    [500, -1, 0],
    [500, '9'.repeat(400), 360],
  ] as const) {
    await sell();
    const after = typeof asked === 'number' ? hours(asked) : asked;
    receiver.answer = (response) =>
      response.writeHead(status, after === undefined ? {} : { 'retry-after': after }).end();
    await tellDue(server);
    expect([after, await rest()]).toEqual([after, minutes]);
    // A message that comes meanwhile waits too, and the one that failed waits no longer than that.
    if (minutes > 0) {
      tries = receiver.told.length;
      await sell();
      await tellDue(server);
      expect(receiver.told).toHaveLength(tries);
    }
    await ctx.db('program_deliveries').delete();
    server.clock.advance(minutes * 60_000 + 1_000);
  }
  // A person who tries waits for nothing.
  receiver.answer = (response) => response.writeHead(429, { 'retry-after': '3600' }).end();
  await callOk(server, webhooks.pingProgramAddress, about, await stillHere(server, admin));
  await tellDue(server);
  expect(await rest()).toBe(60);
  receiver.answer = null;
  tries = receiver.told.length;
  await callOk(server, webhooks.pingProgramAddress, about, await stillHere(server, admin));
  await tellDue(server);
  expect(receiver.told).toHaveLength(tries + 1);
  server.clock.advance(3_600_000);
  await tellDue(server);
  expect(receiver.told).toHaveLength(tries + 2);
});

it('a process that dies between sending and noting sends it again under the same id', async (server) => {
  await using receiver = await startReceiver();
  const { deliveries } = await listen(server, receiver, ['order.confirmed']);
  await makePaidOrder(server);
  const { ctx } = server.house;
  const dying = {
    ...ctx,
    fault(point: string) {
      if (point === 'program_told') throw new Error('died');
    },
  };
  await tellPrograms(dying, new AbortController().signal);
  expect(receiver.told).toHaveLength(1);
  // Its lease still runs: nobody else sends it meanwhile.
  await tellDue(server);
  expect(receiver.told).toHaveLength(1);
  server.clock.advance(31_000);
  await tellDue(server);
  expect(receiver.told.map(({ id }) => id)).toEqual([receiver.told[0]!.id, receiver.told[0]!.id]);
  expect((await deliveries())[0]).toMatchObject({ state: 'done' });
});

it('several workers send each message once', async (server) => {
  await using receiver = await startReceiver();
  await listen(server, receiver, ['order.confirmed']);
  for (let nth = 0; nth < 4; nth += 1) await makePaidOrder(server, {}, { count: 1 });
  await Promise.all([tellDue(server), tellDue(server), tellDue(server)]);
  expect(receiver.told).toHaveLength(4);
  expect(new Set(receiver.told.map(({ id }) => id)).size).toBe(4);
});

it('while a secret is replaced both sign, and afterwards only the new one', async (server) => {
  await using receiver = await startReceiver();
  const { secret, admin, about } = await listen(server, receiver, ['order.confirmed']);
  const anew = await callOk(server, webhooks.rotateProgramSecret, about, admin);
  await callOk(server, webhooks.pingProgramAddress, about, admin);
  await tellDue(server);
  expect(receiver.told[0]!.kind).toBe('ping');
  expect([secret, anew.secret].map((one) => isSigned(receiver.told[0]!, one))).toEqual([
    true,
    true,
  ]);
  server.clock.advance(25 * 3_600_000);
  await callOk(server, webhooks.pingProgramAddress, about, await stillHere(server, admin));
  await tellDue(server);
  expect([secret, anew.secret].map((one) => isSigned(receiver.told[1]!, one))).toEqual([
    false,
    true,
  ]);
});

it('a sale that closes and the last places of a category are told once', async (server) => {
  const { ctx } = server.house;
  await using receiver = await startReceiver();
  await listen(server, receiver, ['sale.closed', 'seat.low', 'event.changed']);
  await watchForPrograms(ctx);
  await tellDue(server);
  expect(receiver.told).toEqual([]);
  // All but a few of a category are kept out of the hall.
  const [{ category_key }] = await ctx.db('places').where({ event_id: demoEvent }).limit(1);
  const rest = await ctx
    .db('places')
    .where({ event_id: demoEvent, category_key })
    .orderBy('place')
    .pluck('place');
  await ctx.db('order_lines').insert(await linesOn(server, category_key, rest.slice(2)));
  for (let nth = 0; nth < 2; nth += 1) await watchForPrograms(ctx);
  await tellDue(server);
  expect(receiver.told.map(({ kind }) => kind)).toEqual(['seat.low']);
  expect(receiver.told[0]!.data).toEqual({ event_id: demoEvent, category_key });
  await ctx
    .db('events')
    .where({ id: demoEvent })
    .update({ sales_closes_at: ctx.now() + 1_000 });
  server.clock.advance(2_000);
  for (let nth = 0; nth < 2; nth += 1) await watchForPrograms(ctx);
  await tellDue(server);
  expect(receiver.told.map(({ kind }) => kind)).toEqual(['seat.low', 'sale.closed']);
});

/** As if somebody had bought them. */
async function linesOn(server: TestServer, category: string, places: readonly string[]) {
  const { db, newId } = server.house.ctx;
  const { order_id } = await makePaidOrder(server, {}, { count: 1, category: 'Galleria' });
  const [line] = await db('order_lines').where({ order_id });
  return places.map((place, at) => {
    const seat = { id: newId(), position: at + 1, place, object_label: place, category };
    return { ...line, ...seat };
  });
}

test('nothing behind our own walls is called: not by its number, not by a name, not by a redirect', async () => {
  await using receiver = await startReceiver();
  const port = new URL(receiver.url).port;
  const line = connectPrograms({ allowed: [], deadlineMs: 2_000 });
  const open = connectPrograms({ allowed: ['127.0.0.0/8'], deadlineMs: 2_000 });
  const letter = (url: string) => ({ url, headers: {}, body: '{"id":"1","kind":"ping"}' });
  for (const host of [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '127.1',
    '0',
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '192.168.1.1',
    '[::1]',
    '[::]',
    '[::127.0.0.1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[fe80::1]',
    '[fd00::1]',
    '[2002:7f00:1::]',
    'localhost',
    'a.localhost',
  ])
    for (const scheme of ['https', 'http'])
      expect([host, await line.send(letter(`${scheme}://${host}:${port}/`))]).toEqual([
        host,
        { status: null, answer: null, fault: 'address_not_allowed' },
      ]);
  // A public number without TLS, and what is no address of the web.
  for (const url of ['http://93.184.216.34/', 'ftp://example.it/', 'file:///etc/passwd', 'x'])
    expect(line.accepts(url)).toBe(false);
  expect(line.accepts('https://example.it/webhook')).toBe(true);
  // A name that leads to this computer is found out when the line is made: `localhost` is one that always does.
  const other = connectPrograms({ allowed: ['10.9.9.9/32'], deadlineMs: 2_000 });
  const named = await other.send(letter(`http://localhost:${port}/`));
  expect(named.fault).toBe('address_not_allowed');
  expect(receiver.told).toEqual([]);
  // What may be called leads no further.
  receiver.answer = (response) =>
    response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end();
  expect(await open.send(letter(receiver.url))).toMatchObject({ status: 302, fault: null });
  expect(await open.send(letter(receiver.url.replace('127.0.0.1', 'localhost')))).toMatchObject({
    status: 302,
  });
  receiver.answer = (response) => response.writeHead(200).end('x'.repeat(5_000_000));
  const { answer } = await open.send(letter(receiver.url));
  expect(answer).toHaveLength(1_024);
  // Nor does an answer without end, or one that wants another protocol, keep us waiting.
  const hasty = connectPrograms({ allowed: ['127.0.0.0/8'], deadlineMs: 500 });
  receiver.answer = (response) => response.writeHead(202).write('x');
  expect(await hasty.send(letter(receiver.url))).toMatchObject({ status: 202, fault: null });
  receiver.answer = ({ socket }) =>
    socket!.write('HTTP/1.1 101 X\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
  expect(await hasty.send(letter(receiver.url))).toMatchObject({ status: 101, fault: null });
  for (const address of ['93.184.216.34', '8.8.8.8', '2606:4700::1111'])
    expect([address, isPublicAddress(address)]).toEqual([address, true]);
});

test('a name that leads elsewhere when it is asked again gains nothing: what is called are the very addresses that were looked at', async () => {
  await using receiver = await startReceiver();
  const url = receiver.url.replace('127.0.0.1', 'sito.example.it');
  const letter = { url, headers: {}, body: '{"id":"1","kind":"ping"}' };
  const answers: string[][] = [];
  let asked = 0;
  const line = connectPrograms({
    allowed: ['127.0.0.1/32'],
    deadlineMs: 2_000,
    resolve: ((_name: string, _options: object, done: (...found: unknown[]) => void) => {
      asked += 1;
      const found = answers.shift() ?? ['10.0.0.1'];
      done(
        null,
        found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    }) as never,
  });
  // The receiver stands for the public's network, and each line asks once.
  answers.push(['127.0.0.1'], ['169.254.169.254'], ['::ffff:10.0.0.1'], ['0.0.0.0', '127.0.0.1']);
  expect(await line.send(letter)).toMatchObject({ status: 204 });
  for (let nth = 0; nth < 2; nth += 1)
    expect(await line.send(letter)).toMatchObject({ fault: 'address_not_allowed' });
  // Of several addresses only those that may be called are tried.
  expect(await line.send(letter)).toMatchObject({ status: 204 });
  expect([asked, receiver.told.length]).toEqual([4, 2]);
});

testOnBoth('an address behind our walls is not even stored', async (server, admin) => {
  const post = (url: string) =>
    ask(server, 'POST', '/api/admin/programs/addresses', {
      headers: admin,
      body: { url, kinds: ['order.confirmed'], event_id: null },
    });
  for (const url of ['http://example.it/', 'https://127.0.0.1/', 'https://localhost/x'])
    expect((await post(url)).body).toMatchObject({ status: 422, code: 'address_not_allowed' });
  for (const url of ['javascript:alert(1)', 'https://ada:segreto@example.it/', 'https://'])
    expect((await post(url)).status).toBe(400);
  expect((await post('https://example.it/botteghino')).status).toBe(200);
});

testOnBoth(
  'one address that is silent keeps no other waiting',
  async (server) => {
    await using silent = await startReceiver();
    silent.answer = () => {};
    await using quick = await startReceiver();
    const { admin } = await listen(server, silent, ['order.confirmed']);
    const body = { url: quick.url, kinds: ['order.confirmed' as const], event_id: demoEvent };
    await callOk(server, webhooks.makeProgramAddress, { body }, admin);
    await makePaidOrder(server);
    const stopping = new AbortController();
    const telling = tellPrograms(server.house.ctx, stopping.signal);
    await until(async () => quick.told.length === 1);
    // A stop waits for nobody's silence, and nothing of it is counted as a failure.
    await until(async () => silent.told.length === 1);
    stopping.abort();
    await telling;
    const [row] = await server.house.ctx.db('program_deliveries').where({ state: 'waiting' });
    expect(row).toMatchObject({ failures: 0, locked_until: null });
  },
  { programs: connectPrograms({ allowed: ['127.0.0.0/8'], deadlineMs: 20_000 }) },
);

it('what another process has changed is known here a moment later', async (server) => {
  const { ctx } = server.house;
  await using receiver = await startReceiver();
  await listen(server, receiver, ['order.confirmed']);
  // As another process would: behind this one's back.
  await ctx.db('program_addresses').update({ off_at: ctx.now(), off_why: 'person' });
  await makePaidOrder(server, {}, { count: 1 });
  expect(await ctx.db('program_deliveries').select()).toHaveLength(1);
  server.clock.advance(3_000);
  await tellDue(server);
  await makePaidOrder(server, {}, { count: 1 });
  expect(await ctx.db('program_deliveries').select()).toHaveLength(1);
  expect(receiver.told).toEqual([]);
  await learnListeners(ctx);
});
