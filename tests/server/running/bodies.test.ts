/** Bodies in flight take a bounded room, nobody's ordinary body is kept out by a flood, and nothing stays taken; tests/attack/bodies.proof.ts floods the product itself. */
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { finished } from 'node:stream/promises';
import Koa from 'koa';
import { expect, onTestFinished, test } from 'vitest';
import { asRefusal } from '#server/domain/refusal.ts';
import { answerError } from '#server/http/errors.ts';
import { BodyInFlight, bodyBytes, type Sender } from '#server/http/body-room.ts';
import { webhookFlood, type BodyFlood } from '#tests/attack/bodies.ts';
import { testOnce as it } from '#tests/support/both.ts';
import { ask, aRefusal, makeOrder, payOrder, until } from '#tests/support/make.ts';
import { startServer } from '#tests/support/server.ts';

const nothing = { bytes: 0, webhooks: 0, addresses: 0 };
const untilFree = () => until(() => Promise.resolve(bodyBytes().addresses === 0));
const megabyte = 1024 * 1024;

/** Sends what a flood sends, and keeps the answers. `named`: the address that a proxy names, per connection. */
function stand(
  url: string,
  { path, headers, bytes, withheld, connections }: BodyFlood,
  named: (nth: number) => string = () => '203.0.113.7',
) {
  const answers: string[] = [];
  const body = ' '.repeat(bytes - withheld);
  const sockets = Array.from({ length: connections }, (_, nth) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.once('data', (answer) => answers.push(String(answer)));
    const more = [`X-Forwarded-For: ${named(nth)}`, `Content-Length: ${bytes}`, ...headers];
    socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\n${more.join('\r\n')}\r\n\r\n${body}`);
    return socket;
  });
  return { answers, end: () => sockets.forEach((socket) => socket.destroy()) };
}

it('while webhook bodies are kept back, they take 8 MB, and an order is booked, paid and confirmed', async (server) => {
  const flood = stand(server.url, { ...webhookFlood, connections: 60 });
  // Sixteen of 510 KB have room.
  await until(() => Promise.resolve(flood.answers.length >= 44));
  expect(bodyBytes().webhooks).toBeGreaterThan(7 * megabyte);
  expect(bodyBytes().webhooks).toBeLessThanOrEqual(8 * megabyte);
  expect(flood.answers[0]).toMatch(
    /^HTTP\/1.1 503 [^]*Retry-After: 3[^]*Riprova tra qualche secondo/,
  );
  await payOrder(server, (await makeOrder(server)).checkout_url);
  const told = () => server.house.ctx.db('webhook_events').pluck('type');
  await until(async () => (await told()).includes('checkout.session.completed'));
  flood.end();
  await untilFree();
  expect(bodyBytes()).toEqual(nothing);
  expect(server.logged).toEqual([]);
});

test('what one address may keep in flight ends at 24 MB, counted as the proxy names it, and its small bodies and other addresses go on', async () => {
  await using server = await startServer({ env: { TRUST_PROXY: '1' } });
  // It may be called most often by one address.
  const measured = '/api/rum/events';
  const headers = ['Content-Type: application/json'];
  const flood = stand(
    server.url,
    { ...webhookFlood, path: measured, headers, bytes: 64_000, connections: 440 },
    (nth) => `2001:db8:0:1::${nth.toString(16)}`,
  );
  await until(() => Promise.resolve(flood.answers.length >= 40));
  expect(flood.answers.every((answer) => answer.startsWith('HTTP/1.1 503'))).toBe(true);
  expect(bodyBytes().bytes).toBeGreaterThan(23 * megabyte);
  expect(bodyBytes()).toMatchObject({ addresses: 1 });
  for (const [from, size] of [
    ['2001:db8:0:1::ffff', 5_000],
    ['2001:db8:0:2::1', 60_000],
    ['203.0.113.9', 60_000],
  ] as const) {
    const answer = await ask(server, 'POST', '/api/event/la-locandiera/book', {
      raw: JSON.stringify({ hold_token: 'x'.repeat(size) }),
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    });
    expect([from, answer]).toMatchObject([from, aRefusal(400, 'bad_request')]);
  }
  flood.end();
  await untilFree();
  expect(bodyBytes()).toEqual(nothing);
});

it('nobody sends more than 64 KB before he is known', async (server) => {
  const large = { raw: `{"x":"${'x'.repeat(70_000)}"}` };
  const json = { 'content-type': 'application/json' };
  for (const [method, path, status] of [
    ['POST', '/api/webhooks/stripe', 413],
    ['POST', '/api/event/la-locandiera/book', 413],
    ['POST', '/standins/stripe/v1/payment_methods', 413],
    ['PUT', '/api/admin/events/la-locandiera', 401],
    ['POST', '/api/scanner/admissions', 401],
  ] as const) {
    const answer = await ask(server, method, path, { ...large, headers: json });
    expect([path, answer.status]).toEqual([path, status]);
  }
  expect(
    await ask(server, 'POST', '/api/webhooks/stripe', { raw: '{}', headers: json }),
  ).toMatchObject(aRefusal(400, 'webhook_signature'));
  await untilFree();
});

/** A server of the guard alone: a request says from where it comes, who sends it, and what it takes. */
async function startGuarded(slow?: { lookMs: number; leastBytes: number }) {
  const app = new Koa();
  app.silent = true;
  app.use(async (ctx) => {
    ctx.request.ip = ctx.get('from');
    try {
      const body = new BodyInFlight(ctx, ctx.get('sender') as Sender);
      body.take(Number(ctx.get('takes')) * megabyte);
      await body.within(finished(ctx.req.resume()), slow);
      ctx.body = 'all';
    } catch (error) {
      answerError(ctx, asRefusal(error));
    }
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    await untilFree();
    expect(bodyBytes()).toEqual(nothing);
  });
  /** A body without its end; `heard` resolves with what it is answered. */
  return (from: string, takes: number, sender: Sender = 'unknown') => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const asked = `POST / HTTP/1.1\r\nHost: a\r\nFrom: ${from}\r\nTakes: ${takes}\r\nSender: ${sender}\r\n`;
    socket.write(`${asked}Content-Length: 10\r\n\r\nx`);
    const heard = once(socket, 'data').then(([bytes]) => {
      const answer = String(bytes);
      return /"code":"(\w+)"/.exec(answer)?.[1] ?? answer.split('\r\n').at(-1)!;
    });
    return {
      socket,
      heard,
      finish: () => socket.write('123456789'),
      leave: () => socket.destroy(),
    };
  };
}

const takes = (count: number) =>
  until(() => Promise.resolve(bodyBytes().bytes === count * megabyte));

test('all addresses together take 96 MB; what is known is not cut off for strangers, and a share for itself may be exceeded', async () => {
  const send = await startGuarded();
  const known = ['a', 'b', 'c'].map((from) => send(from, 30, 'known'));
  await takes(90);
  expect(await send('a', 1, 'known').heard).toBe('try_again');
  expect(await send('d', 7, 'known').heard).toBe('try_again');
  expect(await send('d', 7).heard).toBe('try_again');
  const stranger = send('d', 6);
  await takes(96);
  known[0]!.finish();
  expect(await known[0]!.heard).toBe('all');
  known[1]!.leave();
  await takes(36);
  stranger.finish();
  expect(await stranger.heard).toBe('all');
});

test('the oldest stranger’s body makes room for a new small one, and later for a large one', async () => {
  const send = await startGuarded();
  const old = [send('a', 12), send('a', 12)];
  await takes(24);
  const small = send('a', 0.001);
  await old[0]!.heard.then((code) => expect(code).toBe('try_again'));
  await takes(12.001);
  const other = send('a', 12);
  expect(await other.heard).toBe('try_again');
  await until(async () => {
    const larger = send('a', 12.5);
    const isIn = Promise.race([old[1]!.heard.then(() => true), larger.heard.then(() => false)]);
    return isIn;
  });
  small.finish();
  expect(await small.heard).toBe('all');
});

test('a body that brings too little for two looks is cut off', async () => {
  const send = await startGuarded({ lookMs: 30, leastBytes: 1 });
  const { socket } = send('a', 1);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(String(answer)).toMatch(/^HTTP\/1.1 408 [^]*Connection: close[^]*"code":"body_too_slow"/);
  await once(socket.resume(), 'close');
  await takes(0);
});
