/** Orders, events, phones and settings on the command line, beside a server that runs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readOrder } from '#server/contract/order/orders.ts';
import { heartbeat } from '#server/contract/door/phones.ts';
import { settings } from '#server/settings.ts';
import { askAdmin, runAdmin } from '#tests/support/admin-command.ts';
import { testOnBoth as it, testOnSqlite } from '#tests/support/both.ts';
import { ask, callOk, makeOrder, makePairedPhone, payOrder, until } from '#tests/support/make.ts';

const poor = 'pm_card_chargeDeclinedInsufficientFunds';

it('a declined card is kept with its reason: in the order, in its history, on the command line', async (server, admin) => {
  const order = await makeOrder(server);
  await payOrder(server, order.checkout_url, poor, { email: 'zoe@posta.it', name: 'Zoe' });
  await payOrder(server, order.checkout_url, 'pm_card_chargeDeclinedExpiredCard');
  const { db } = server.house.ctx;
  await until(async () => {
    await server.runDue();
    return (await db('declines')).length === 2;
  });
  const told = await callOk(server, readOrder, { params: { orderId: order.order_id } }, admin);
  const tries = told.timeline.filter(({ action }) => action === 'payment_declined');
  expect(tries.map(({ detail }) => (detail as { code: string }).code).toSorted()).toEqual([
    'expired_card',
    'insufficient_funds',
  ]);
  const shown = await runAdmin(server, ['order', 'show', told.number]);
  expect(shown).toMatchObject({ code: 0, err: '' });
  expect(shown.out).toMatch(/Da pagare/);
  expect(shown.out).toMatch(/rifiutato: fondi insufficienti/);
  expect(shown.out).toMatch(/rifiutato: carta scaduta/);
  // A third try succeeds, and the two stay.
  await payOrder(server, order.checkout_url);
  await until(async () => {
    await server.runDue();
    return (await db('payments')).length === 1;
  });
  const { body } = await askAdmin(server, ['order', 'show', told.number]);
  expect(body).toMatchObject({ ok: true, state: 'confirmed' });
  expect(JSON.stringify(body['story'])).toMatch(/rifiutato.*Pagamento ricevuto/);
});

testOnSqlite(
  'tickets leave again, and an order is read again at Stripe by the server that runs',
  async (server) => {
    const { db } = server.house.ctx;
    const order = await makeOrder(server);
    await payOrder(server, order.checkout_url, 'pm_card_visa', { email: 'zoe@posta.it' });
    await until(async () => {
      await server.runDue();
      return (await db('payments')).length === 1;
    });
    expect((await askAdmin(server, ['order', 'resend', order.order_id])).body).toMatchObject({
      ok: true,
    });
    const asking = askAdmin(server, ['order', 'reconcile', order.order_id]);
    await until(async () => (await db('audit').where({ action: 'order_read_again' })).length > 0);
    await server.runDue();
    expect(await asking).toMatchObject({ code: 0, body: { done: true, state: 'confirmed' } });
    expect((await runAdmin(server, ['order', 'show', 'ZZZZ'])).err).toContain('Nessun ordine');
    expect((await runAdmin(server, ['order', 'eat', 'ZZZZ'])).code).toBe(2);
  },
);

testOnSqlite(
  'a phone that is revoked on the command line is refused at once',
  async (server, admin) => {
    const phone = await makePairedPhone(server, admin, 'Varco Nord');
    const call = () =>
      ask(server, 'POST', heartbeat.path, { headers: phone.headers, body: { queue_length: 0 } });
    expect((await call()).status).toBe(200);
    expect((await runAdmin(server, ['phone', 'revoke', 'varco nord'])).code).toBe(0);
    expect((await call()).body).toMatchObject({ code: 'phone_revoked' });
    const shown = await runAdmin(server, ['event', 'show', 'la-locandiera']);
    expect(shown.out).toContain('Stato: pubblicato');
  },
);

test('every setting is listed, secrets are masked, and all faults are told at once', async () => {
  const env = {
    DATA_DIR: '/tmp/botteghino-is-not-here',
    PORT: 'tremila',
    LOG_LEVEL: 'loud',
    STRIPE_SECRET_KEY: 'sk_test_abcdefghijklmnop1234',
    SMTP_URL: 'smtp://zoe:parola-segreta@posta.teatro.it:587',
  };
  const { code, out } = await runAdmin({ settings: env }, ['config']);
  expect(code).toBe(1);
  expect(out).toContain('LOG_LEVEL può valere');
  expect(out).toContain('PORT deve essere un numero');
  expect(out).toContain('…1234');
  expect(out).not.toMatch(/abcdefgh|parola-segreta/);
  const source = readFileSync(join(import.meta.dirname, '../../../server/config.ts'), 'utf8');
  const read = [...source.matchAll(/\b[A-Z]{2,}(?:_[A-Z]+)+\b|env\['([A-Z]+)'\]/g)].map(
    ([whole, name]) => name ?? whole,
  );
  const known = settings.map(({ name }) => name);
  const unlisted = read.filter(
    (name) =>
      !known.includes(name) &&
      source.includes(`env['${name}']`) &&
      !['TERM', 'MAINPID'].includes(name),
  );
  expect(unlisted).toEqual([]);
});
