/** Idempotency keys: one effect per key, and which first answers are the answer for good. */
import { request } from 'node:http';
import { expect, test } from 'vitest';
import {
  ask,
  lastCharge,
  madeProducts,
  refusalOf,
  refuses,
  startShop,
  type Raw,
  type Shop,
} from './shop.ts';

/** A form sent under a key. */
function post(shop: Shop, key: string, form: string, path = '/v1/products'): Promise<Raw> {
  return ask(shop, `POST ${path}`, { form, headers: { 'Idempotency-Key': key } });
}

const header = ({ headers }: Raw, name: string) => headers.get(name);

test('the same key with the same parameters gives the first answer again, which names itself as the original', async () => {
  await using shop = await startShop();
  const first = await post(shop, 'order:1', 'name=Platea&id=a');
  const second = await post(shop, 'order:1', 'id=a&name=Platea');
  expect(JSON.stringify(second.body)).toBe(JSON.stringify(first.body));
  expect([first, second].map((one) => header(one, 'idempotent-replayed'))).toEqual([null, 'true']);
  const original = header(first, 'request-id');
  for (const one of [first, second]) expect(header(one, 'original-request')).toBe(original);
  expect(header(second, 'request-id')).not.toBe(original);
  expect(header(second, 'idempotency-key')).toBe('order:1');
  expect(header(first, 'stripe-should-retry')).toBe('false');
  expect(await madeProducts(shop.stripe)).toHaveLength(1);
  shop.clock.now += 24 * 3_600_000 + 1;
  const later = await post(shop, 'order:1', 'name=Platea');
  expect(later.body.id).not.toBe(first.body.id);
});

test('the same key with other parameters, or for another call, is an idempotency error', async () => {
  await using shop = await startShop();
  const { products, refunds } = shop.stripe;
  const under = { idempotencyKey: 'order:1' };
  await products.create({ name: 'Platea' }, under);
  await refuses(
    { statusCode: 400, type: 'StripeIdempotencyError' },
    products.create({ name: 'Galleria' }, under),
    refunds.create({ payment_intent: 'pi_1' }, under),
  );
});

test('a refused request is not remembered, a declined card is', async () => {
  await using shop = await startShop();
  const { charges, checkout, prices } = shop.stripe;
  const price = (await shop.price(2500)).id;
  const open = () =>
    checkout.sessions.create(
      {
        mode: 'payment',
        success_url: 'http://localhost/ok',
        line_items: [{ price, quantity: 1 }],
      },
      { idempotencyKey: 'k' },
    );
  await prices.update(price, { active: false });
  await refusalOf(open());
  await prices.update(price, { active: true });
  const { id, status } = await open();
  expect(status).toBe('open');
  const form = 'payment_method=pm_card_chargeDeclined&expected_amount=2500';
  for (const _ of [1, 2])
    expect((await post(shop, 'c', form, `/v1/payment_pages/${id}/confirm`)).status).toBe(402);
  expect((await charges.list()).data).toHaveLength(1);
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
  // The first bytes are on their way but may not have been read yet: ask until they have.
  let second = await post(shop, 'slow', 'name=Platea', '/v1/refunds');
  while (second.status !== 409) second = await post(shop, 'slow', 'name=Platea', '/v1/refunds');
  expect(second.body.error?.type).toBe('idempotency_error');
  slow.end('tea');
  expect(await answered).toBe(200);
  expect(header(await post(shop, 'slow', 'name=Platea'), 'idempotent-replayed')).toBe('true');
});

test('what the state of things refused is refused again under its key; what the request itself got wrong may be put right', async () => {
  await using shop = await startShop();
  const { checkout, refunds } = shop.stripe;
  const session = await shop.open();
  await shop.confirm(session, { payment_method: 'pm_card_visa', email: 'anna@example.it' });
  const payment_intent = (await lastCharge(shop)).payment_intent as string;
  const refund = (idempotencyKey: string, params: object) =>
    refunds.create({ payment_intent, ...params }, { idempotencyKey });
  const twice = async (call: () => Promise<unknown>, refusal: object) => {
    const first = await refusalOf(call());
    expect(first).toMatchObject({ statusCode: 400, ...refusal });
    const again = await refusalOf(call());
    expect([again.message, again.headers]).toMatchObject([
      first.message,
      { 'idempotent-replayed': 'true', 'original-request': first.requestId },
    ]);
  };
  await twice(() => refund('much', { amount: 6000 }), { param: 'amount' });
  await refuses({ statusCode: 400, param: 'reason' }, refund('unsound', { reason: 'because' }));
  expect((await refund('unsound', { amount: 1000 })).status).toBe('succeeded');
  await refund('rest', {});
  await twice(() => refund('over', {}), { code: 'charge_already_refunded' });
  const end = { idempotencyKey: 'end' };
  await twice(() => checkout.sessions.expire(session.id, {}, end), {});
});

test('only what is posted heeds a key, and a key has at most 255 characters', async () => {
  await using shop = await startShop();
  const { id } = (await post(shop, 'k', 'name=Platea')).body;
  const headers = { 'Idempotency-Key': 'k' };
  const answer = await ask(shop, `GET /v1/products/${id}`, { headers });
  expect(answer.status).toBe(200);
  for (const name of ['idempotent-replayed', 'idempotency-key'])
    expect(header(answer, name)).toBeNull();
  expect((await post(shop, 'x'.repeat(255), 'name=a')).status).toBe(200);
  expect((await post(shop, 'x'.repeat(256), 'name=a')).body.error).toMatchObject({
    type: 'invalid_request_error',
  });
  const [one, other] = [await post(shop, '', 'name=b'), await post(shop, '', 'name=b')];
  expect(one.body.id).not.toBe(other.body.id);
});

test('of many calls under one key at once one has the effect, and all others learn of it or are told to wait', async () => {
  await using shop = await startShop();
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => post(shop, 'k', 'name=Platea')),
  );
  const made = await madeProducts(shop.stripe);
  expect(made).toHaveLength(1);
  for (const answer of answers)
    expect([
      answer.status,
      answer.body.error?.code ?? answer.body.id,
      header(answer, 'stripe-should-retry'),
    ]).toEqual(
      answer.status === 409 ? [409, 'idempotency_key_in_use', 'true'] : [200, made[0]!.id, 'false'],
    );
  expect(answers.some(({ status }) => status === 200)).toBe(true);
});
