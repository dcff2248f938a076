/** `npm run standins` by itself: what other people's test suites start, with the keys they name, and errors in words. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stripe } from 'stripe';
import { expect, test } from 'vitest';
import { freePort, runChild, startChild } from '#tests/standins/standins-child.ts';
import { startReceiver } from './shop.ts';

const SECRET = 'sk_test_ofAnotherSuite01';
const SIGNED_WITH = 'whsec_ofAnotherSuite01';

test('a foreign suite starts it with its own keys and sells a ticket through the real SDK', async () => {
  const receiver = await startReceiver();
  const port = await freePort();
  await using child = await startChild([
    '--stripe-port',
    String(port),
    '--file',
    ':memory:',
    '--secret-key',
    SECRET,
    '--webhook-url',
    receiver.url,
    '--webhook-secret',
    SIGNED_WITH,
    '--public-url',
    'https://teatro.example/pay/',
  ]);
  expect([child.port, child.secretKey]).toEqual([port, SECRET]);
  expect(child.said()).toContain(`webhook secret  ${SIGNED_WITH}`);
  expect(child.said()).toContain('State in memory');
  const stripe = new Stripe(SECRET, {
    host: '127.0.0.1',
    port,
    protocol: 'http',
    telemetry: false,
  });
  const price = await stripe.prices.create({
    currency: 'eur',
    unit_amount: 2500,
    product_data: { name: 'Platea' },
  });
  const session = await stripe.checkout.sessions.create({
    mode: 'payment',
    success_url: 'http://localhost/ok',
    line_items: [{ price: price.id, quantity: 2 }],
  });
  expect(session.url!.split('#')[0]).toBe(`https://teatro.example/pay/c/pay/${session.id}`);
  const paid = await fetch(`http://127.0.0.1:${port}/v1/payment_pages/${session.id}/confirm`, {
    method: 'POST',
    body: new URLSearchParams({
      payment_method: 'pm_card_visa',
      expected_amount: '5000',
      email: 'anna@example.it',
      name: 'Anna',
    }),
  });
  expect(paid.status).toBe(200);
  await receiver.reached(4);
  const events = receiver.got.map(
    ({ raw, signature }) => stripe.webhooks.constructEvent(raw, signature, SIGNED_WITH).type,
  );
  expect(events).toContain('checkout.session.completed');
  const steering = await fetch(`http://127.0.0.1:${port}/_standin/faults`, {
    headers: { Authorization: `Bearer ${SECRET}` },
  });
  expect(steering.status).toBe(404);
  expect(await child.stop('SIGTERM')).toBe(0);
  await receiver.close();
});

test('any free port will do, pages are then at its own address, and faults are there when asked for', async () => {
  await using child = await startChild([
    '--stripe-port',
    '0',
    '--file',
    ':memory:',
    '--faults',
    '--retry-scale',
    '1',
  ]);
  expect(child.said()).toContain(`http://127.0.0.1:${child.port}/_standin/faults`);
  const stripe = new Stripe(child.secretKey, {
    host: '127.0.0.1',
    port: child.port,
    protocol: 'http',
    telemetry: false,
    maxNetworkRetries: 0,
  });
  const steer = (path: string, body: object): Promise<Response> =>
    fetch(`http://127.0.0.1:${child.port}/_standin/${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${child.secretKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  expect((await steer('faults', { path: '/v1/prices', action: '429' })).status).toBe(200);
  const create = (): Promise<Stripe.Price> =>
    stripe.prices.create({ currency: 'eur', unit_amount: 2500, product_data: { name: 'Platea' } });
  await expect(create()).rejects.toMatchObject({ statusCode: 429 });
  const price = await create();
  const session = await stripe.checkout.sessions.create({
    mode: 'payment',
    success_url: 'http://localhost/ok',
    line_items: [{ price: price.id, quantity: 1 }],
  });
  expect((await fetch(session.url!)).status).toBe(200);
  expect((await steer('clock', { advance_seconds: 24 * 3600 + 1 })).status).toBe(200);
  expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe('expired');
});

test('the file is in DATA_DIR, unless an option names another folder', async () => {
  const [named, other] = ['named', 'other'].map(() => mkdtempSync(join(tmpdir(), 'standins-')));
  const folderOf = async (options: string[]): Promise<string | undefined> => {
    await using child = await startChild(['--stripe-port', '0', ...options], { DATA_DIR: named! });
    return /^State in (.*)$/m.exec(child.said())?.[1];
  };
  expect(await folderOf([])).toBe(join(named!, 'standins.sqlite'));
  expect(await folderOf(['--data-dir', other!])).toBe(join(other!, 'standins.sqlite'));
  for (const folder of [named!, other!]) {
    expect(existsSync(join(folder, 'standins.sqlite'))).toBe(true);
    rmSync(folder, { recursive: true });
  }
});

test('whatever is wrong with the options is said in words, with the usage', async () => {
  expect(await runChild(['--help'])).toMatchObject({
    code: 0,
    said: expect.stringMatching(/--stripe-port N[\s\S]*--secret-key K[\s\S]*--faults/),
  });
  const wrong: [string[], RegExp][] = [
    [[], /Nothing to start/],
    [['--stripe-port', 'x'], /--stripe-port: a port .* found: x/],
    [['--stripe-port', '70000'], /--stripe-port/],
    [['--stripe-port', ''], /--stripe-port/],
    [['--stripe-port', '0', '--secret-key', 'sk_live_0123456789'], /--secret-key: sk_test_/],
    [
      ['--stripe-port', '0', '--secret-key', 'sk_test_abc'],
      /--secret-key: sk_test_ and at least 8 .* found only 3 behind sk_test_/,
    ],
    [
      ['--stripe-port', '0', '--webhook-url', 'http://localhost', '--webhook-secret', 'whsec_ab'],
      /--webhook-secret: .* at least 8 .* found only 2/,
    ],
    [['--stripe-port', '0', '--webhook-secret', 'whsec_0123456789'], /no --webhook-url/],
    [['--stripe-port', '0', '--webhook-url', 'localhost:3000'], /--webhook-url/],
    [['--stripe-port', '0', '--public-url', 'ftp://x'], /--public-url/],
    [['--stripe-port', '0', '--retry-scale', '0'], /--retry-scale/],
    [['--nonsense'], /nonsense/],
  ];
  const outcomes = await Promise.all(wrong.map(([options]) => runChild(options)));
  outcomes.forEach(({ code, said }, index) => {
    const [options, words] = wrong[index]!;
    expect([
      options,
      code,
      words.test(said),
      said.includes('Usage:'),
      / at .*\.ts:\d+/.test(said),
    ]).toEqual([options, 2, true, true, false]);
  });
}, 60_000);

test('a port that is taken, and a file that is none, are said in one line', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'standins-'));
  const file = join(folder, 'not-a-database');
  writeFileSync(file, 'x'.repeat(5000));
  await using child = await startChild(['--stripe-port', '0', '--file', ':memory:']);
  const [taken, noFile] = await Promise.all([
    runChild(['--stripe-port', String(child.port), '--file', ':memory:']),
    runChild(['--stripe-port', '0', '--file', file]),
  ]);
  expect(taken).toEqual({
    code: 1,
    said: expect.stringMatching(/^The stand-ins could not start: .*EADDRINUSE.*\n$/),
  });
  expect(noFile).toEqual({
    code: 1,
    said: expect.stringMatching(/^The stand-ins could not start: .*not a database.*\n$/),
  });
  rmSync(folder, { recursive: true });
}, 60_000);
