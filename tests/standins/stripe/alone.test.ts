/** Other test suites start `npm run standins` with keys of their own; errors are told in words. */
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import type { Stripe } from 'stripe';
import { expect, test } from 'vitest';
import { freePort, runChild, startChild } from '#tests/standins/standins-child.ts';
import { makePrice, sdkAt, startReceiver } from './shop.ts';
import { newFile } from '#tests/standins/new-file.ts';

const SECRET = 'sk_test_ofAnotherSuite01';
const SIGNED_WITH = 'whsec_ofAnotherSuite01';
const IN_MEMORY = ['--file', ':memory:'];

/** Two places of 25 euros. */
async function sell(stripe: Stripe): Promise<Stripe.Checkout.Session> {
  const price = await makePrice(stripe, 2500);
  return stripe.checkout.sessions.create({
    mode: 'payment',
    success_url: 'http://localhost/ok',
    line_items: [{ price, quantity: 2 }],
  });
}

test('a foreign suite starts it with its own keys and sells a ticket through the real SDK', async () => {
  const receiver = await startReceiver();
  const port = await freePort();
  await using child = await startChild([
    '--stripe-port',
    String(port),
    ...IN_MEMORY,
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
  const stripe = sdkAt(port, SECRET);
  const session = await sell(stripe);
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
    ...IN_MEMORY,
    '--faults',
    '--retry-scale',
    '1',
  ]);
  const { port, secretKey } = child;
  const steering = `http://127.0.0.1:${port}/_standin`;
  expect(child.said()).toContain(`${steering}/faults`);
  const stripe = sdkAt(port, secretKey);
  const steer = async (path: string, body: object) => {
    const { status } = await fetch(`${steering}/${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${secretKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(status).toBe(200);
  };
  await steer('faults', { path: '/v1/prices', action: '429' });
  await expect(sell(stripe)).rejects.toMatchObject({ statusCode: 429 });
  const session = await sell(stripe);
  expect((await fetch(session.url!)).status).toBe(200);
  await steer('clock', { advance_seconds: 24 * 3600 + 1 });
  expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe('expired');
});

test('the file is in DATA_DIR, unless an option names another folder', async () => {
  using named = newFile();
  using other = newFile();
  const placeOf = async (options: string[]): Promise<string | undefined> => {
    const DATA_DIR = named.folder;
    await using child = await startChild(['--stripe-port', '0', ...options], { DATA_DIR });
    return /^State in (.*)$/m.exec(child.said())?.[1];
  };
  expect(await placeOf([])).toBe(named.file);
  expect(await placeOf(['--data-dir', other.folder])).toBe(other.file);
  for (const { file } of [named, other]) expect(existsSync(file)).toBe(true);
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
      // A refused secret may be a real one.
      options.some((option) => /^(sk|whsec)_/.test(option) && said.includes(option)),
    ]).toEqual([options, 2, true, true, false, false]);
  });
}, 60_000);

test('a port that is taken, and a file that is none, are said in one line', async () => {
  using place = newFile();
  writeFileSync(place.file, 'x'.repeat(5000));
  const busy = createServer().listen(0, '127.0.0.1');
  await once(busy, 'listening');
  const { port } = busy.address() as AddressInfo;
  for (const [options, why] of [
    [['--stripe-port', `${port}`, ...IN_MEMORY], 'EADDRINUSE'],
    [['--stripe-port', '0', '--file', place.file], 'not a database'],
  ] as [string[], string][])
    expect(await runChild(options)).toEqual({
      code: 1,
      said: expect.stringMatching(new RegExp(`^The stand-ins could not start: .*${why}.*\n$`)),
    });
  busy.close();
});
