/** Idempotency keys: one effect per key, and which first answers are the answer for good. */
import { request } from 'node:http';
import { expect } from 'vitest';
import {
  ask,
  lastCharge,
  refusalOf,
  refuses,
  type Raw,
  type Shop,
  testShop as test,
} from './shop.ts';

/** A form sent under a key. */
function post(shop: Shop, key: string, form: string, path = '/v1/products'): Promise<Raw> {
  return ask(shop, `POST ${path}`, { form, headers: { 'Idempotency-Key': key } });
}

const header = ({ headers }: Raw, name: string) => headers.get(name);

test('while a request is still on its way a second one with its key is told to wait', async (shop) => {
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

test('what the state of things refused is refused again under its key; what the request itself got wrong may be put right', async (shop) => {
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
