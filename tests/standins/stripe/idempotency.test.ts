/** Idempotency keys: one effect per key, and which first answers are the answer for good. */
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { refusalOf, startShop, type Shop } from './shop.ts';

async function ask(
  shop: Shop,
  path: string,
  init: RequestInit & { headers?: Record<string, string> } = {},
): Promise<{
  status: number;
  headers: Headers;
  body: { error?: { type: string; code?: string; message: string; param?: string }; id?: string };
}> {
  const answer = await fetch(`${shop.running.url}${path}`, {
    ...init,
    headers: { Authorization: `Bearer ${shop.running.secretKey}`, ...init.headers },
  });
  return {
    status: answer.status,
    headers: answer.headers,
    body: (await answer.json()) as { error?: { type: string; message: string } },
  };
}

/** A form sent under a key. */
function keyed(
  key: string,
  body: string,
): { method: string; body: string; headers: Record<string, string> } {
  return {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'Idempotency-Key': key },
  };
}

test('the same key with the same parameters gives the first answer again', async () => {
  await using shop = await startShop();
  const init = {
    method: 'POST',
    body: 'name=Platea&metadata[a]=1',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'Idempotency-Key': 'order:1' },
  };
  const first = await ask(shop, '/v1/products', init);
  const second = await ask(shop, '/v1/products', { ...init, body: 'metadata[a]=1&name=Platea' });
  expect(second.body).toEqual(first.body);
  expect(first.headers.get('idempotent-replayed')).toBeNull();
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect(second.headers.get('original-request')).toBe(first.headers.get('request-id'));
  expect(second.headers.get('idempotency-key')).toBe('order:1');
  expect((await shop.stripe.products.list()).data).toHaveLength(1);
  shop.clock.now += 24 * 3_600_000 + 1;
  expect((await ask(shop, '/v1/products', init)).body.id).not.toBe(first.body.id);
});

test('the same key with other parameters, or for another call, is an idempotency error', async () => {
  await using shop = await startShop();
  const idempotencyKey = 'order:1';
  await shop.stripe.products.create({ name: 'Platea' }, { idempotencyKey });
  expect(
    await refusalOf(shop.stripe.products.create({ name: 'Galleria' }, { idempotencyKey })),
  ).toMatchObject({ statusCode: 400, type: 'StripeIdempotencyError' });
  expect(
    await refusalOf(shop.stripe.refunds.create({ charge: 'ch_1' }, { idempotencyKey })),
  ).toMatchObject({ statusCode: 400, type: 'StripeIdempotencyError' });
});

test('a refused request is not remembered, a declined card is', async () => {
  await using shop = await startShop();
  const price = await shop.price(2500);
  const params = {
    mode: 'payment',
    success_url: 'http://localhost/ok',
    line_items: [{ price: price.id, quantity: 1 }],
  } as const;
  await shop.stripe.prices.update(price.id, { active: false });
  await refusalOf(
    shop.stripe.checkout.sessions.create(
      { ...params, line_items: [...params.line_items] },
      { idempotencyKey: 'k' },
    ),
  );
  await shop.stripe.prices.update(price.id, { active: true });
  const made = await shop.stripe.checkout.sessions.create(
    { ...params, line_items: [...params.line_items] },
    { idempotencyKey: 'k' },
  );
  expect(made.status).toBe('open');
  const confirm = (): ReturnType<typeof ask> =>
    ask(shop, `/v1/payment_pages/${made.id}/confirm`, {
      method: 'POST',
      body: 'payment_method=pm_card_chargeDeclined&expected_amount=2500',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'Idempotency-Key': 'c' },
    });
  expect([(await confirm()).status, (await confirm()).status]).toEqual([402, 402]);
  expect((await shop.stripe.charges.list()).data).toHaveLength(1);
});

test('while a request is still on its way a second one with its key is told to wait', async () => {
  await using shop = await startShop();
  const headers = {
    Authorization: `Bearer ${shop.running.secretKey}`,
    'Content-Type': 'application/x-www-form-urlencoded',
    'Idempotency-Key': 'slow',
  };
  const slow = request(`${shop.running.url}/v1/products`, { method: 'POST', headers });
  const answered = new Promise<number | undefined>((resolve) => {
    slow.on('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
  });
  slow.write('name=Pla');
  const init = {
    method: 'POST',
    body: 'name=Platea',
    headers: { 'Content-Type': headers['Content-Type'], 'Idempotency-Key': 'slow' },
  };
  // The first bytes are on their way but may not have been read yet: ask until they have.
  let second = await ask(shop, '/v1/refunds', init);
  while (second.status !== 409) second = await ask(shop, '/v1/refunds', init);
  expect(second.body.error?.type).toBe('idempotency_error');
  slow.end('tea');
  expect(await answered).toBe(200);
  expect((await ask(shop, '/v1/products', init)).headers.get('idempotent-replayed')).toBe('true');
});

test('a first answer names itself as the original, a replay names the first, byte for byte', async () => {
  await using shop = await startShop();
  const send = async (): Promise<{ text: string; headers: Headers }> => {
    const answer = await fetch(`${shop.running.url}/v1/products`, {
      ...keyed('k', 'name=Platea'),
      headers: { ...keyed('k', '').headers, Authorization: `Bearer ${shop.running.secretKey}` },
    });
    return { text: await answer.text(), headers: answer.headers };
  };
  const [first, second] = [await send(), await send()];
  expect(first.headers.get('original-request')).toBe(first.headers.get('request-id'));
  expect(first.headers.get('stripe-should-retry')).toBe('false');
  expect(second.text).toBe(first.text);
  expect(second.headers.get('request-id')).not.toBe(first.headers.get('request-id'));
  expect(second.headers.get('original-request')).toBe(first.headers.get('request-id'));
});

test('what the state of things refused is refused again under its key; what the request itself got wrong may be put right', async () => {
  await using shop = await startShop();
  const session = await shop.open();
  await shop.confirm(session, {
    payment_method: 'pm_card_visa',
    expected_amount: 5000,
    email: 'anna@example.it',
    name: 'Anna',
  });
  const [charge] = (await shop.stripe.charges.list()).data;
  const refund = (key: string, params: object): ReturnType<Shop['stripe']['refunds']['create']> =>
    shop.stripe.refunds.create({ charge: charge!.id, ...params }, { idempotencyKey: key });
  const tooMuch = await refusalOf(refund('much', { amount: 6000 }));
  expect(tooMuch).toMatchObject({ statusCode: 400, param: 'amount' });
  const again = await refusalOf(refund('much', { amount: 6000 }));
  expect([
    again.message,
    again.headers?.['idempotent-replayed'],
    again.headers?.['original-request'],
  ]).toEqual([tooMuch.message, 'true', tooMuch.requestId]);

  const unsound = await refusalOf(refund('unsound', { reason: 'because' }));
  expect(unsound).toMatchObject({ statusCode: 400, param: 'reason' });
  expect((await refund('unsound', { amount: 1000 })).status).toBe('succeeded');

  await refund('rest', {});
  const over = await refusalOf(refund('over', {}));
  expect(over).toMatchObject({ code: 'charge_already_refunded' });
  expect((await refusalOf(refund('over', {}))).headers?.['idempotent-replayed']).toBe('true');
  const ended = await refusalOf(
    shop.stripe.checkout.sessions.expire(session.id, {}, { idempotencyKey: 'end' }),
  );
  const endedAgain = await refusalOf(
    shop.stripe.checkout.sessions.expire(session.id, {}, { idempotencyKey: 'end' }),
  );
  expect([endedAgain.message, endedAgain.headers?.['idempotent-replayed']]).toEqual([
    ended.message,
    'true',
  ]);
});

test('only what is posted heeds a key, and a key has at most 255 characters', async () => {
  await using shop = await startShop();
  const { id } = await shop.stripe.products.create({ name: 'Platea' }, { idempotencyKey: 'k' });
  for (const method of ['GET', 'DELETE']) {
    const answer = await ask(shop, `/v1/products/${id}`, {
      method,
      headers: { 'Idempotency-Key': 'k' },
    });
    expect([
      method,
      answer.status,
      answer.headers.get('idempotent-replayed'),
      answer.headers.get('idempotency-key'),
    ]).toEqual([method, 200, null, null]);
  }
  expect((await ask(shop, '/v1/products', keyed('x'.repeat(255), 'name=a'))).status).toBe(200);
  expect(
    (await ask(shop, '/v1/products', keyed('x'.repeat(256), 'name=a'))).body.error,
  ).toMatchObject({ type: 'invalid_request_error' });
  const none = [
    await ask(shop, '/v1/products', keyed('', 'name=b')),
    await ask(shop, '/v1/products', keyed('', 'name=b')),
  ];
  expect(none[0]!.body.id).not.toBe(none[1]!.body.id);
});

test('of many calls under one key at once one has the effect, and all others learn of it or are told to wait', async () => {
  await using shop = await startShop();
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => ask(shop, '/v1/products', keyed('k', 'name=Platea'))),
  );
  expect((await shop.stripe.products.list()).data).toHaveLength(1);
  const [product] = (await shop.stripe.products.list()).data;
  for (const { status, body } of answers)
    expect(status === 409 ? body.error?.code : body.id).toBe(
      status === 409 ? 'idempotency_key_in_use' : product!.id,
    );
  expect(answers.some(({ status }) => status === 200)).toBe(true);
  for (const { status, headers } of answers)
    expect([status, headers.get('stripe-should-retry')]).toEqual([
      status,
      status === 409 ? 'true' : 'false',
    ]);
});
