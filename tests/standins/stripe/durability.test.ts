/**
 * Nothing answered is lost and nothing is done twice, across restarts, kills at any moment and a
 * file that another process holds.
 */
import { expect, test } from 'vitest';
import Database from 'better-sqlite3';
import { openStore } from '#server/standins/kit/store.ts';
import { startStripe } from '#server/standins/stripe/server.ts';
import { stripeSchema } from '#server/standins/stripe/statements/schema.ts';
import { killAtRandomMoments } from './kills.ts';
import { lastCharge, lastRefund, madeProducts, outcomeOf, sdkAt, startShop } from './shop.ts';
import { newFile } from '#tests/standins/new-file.ts';

test('a restart keeps keys, objects, idempotency and what is still to come: deliveries, a question, a slow refund, a dispute', async () => {
  using place = newFile();
  const before = await startShop(place);
  const { secretKey, webhookSecret } = before.running;
  const start = async (payment_method: string) => {
    const session = await before.open();
    return { ...session, asked: await before.confirm(session, { payment_method }) };
  };
  const question = await start('pm_card_authenticationRequired');
  const slow = await before.stripe.checkout.sessions.retrieve(
    (await start('pm_card_pendingRefund')).id,
  );
  await before.stripe.refunds.create({
    payment_intent: slow.payment_intent as string,
  });
  await start('pm_card_createDispute');
  await before.running.tick();
  before.receiver.got.splice(0);
  before.receiver.answers.push(...Array<number>(100).fill(503));
  const { id } = await start('pm_card_visa');
  await before.stripe.products.create({ name: 'Loggione' }, { idempotencyKey: 'once' });
  await before.receiver.reached(4);
  await before[Symbol.asyncDispose]();

  await using after = await startShop(place);
  const { checkout, disputes, products } = after.stripe;
  expect(after.running).toMatchObject({ secretKey, webhookSecret });
  expect(await checkout.sessions.retrieve(id)).toMatchObject({
    status: 'complete',
    payment_status: 'paid',
  });
  await products.create({ name: 'Loggione' }, { idempotencyKey: 'once' });
  const made = await madeProducts(after.stripe);
  expect(made.filter(({ name }) => name === 'Loggione')).toHaveLength(1);
  const next_action = question.asked.body.next_action?.id;
  const answer = await after.confirm(question, { next_action, outcome: 'approve' });
  expect(answer.body.status).toBe('complete');
  after.clock.now += 200_000;
  await after.running.tick();
  expect(after.receiver.got.map(({ type }) => type)).toEqual(
    expect.arrayContaining([
      'charge.succeeded',
      'payment_intent.succeeded',
      'checkout.session.completed',
    ]),
  );
  expect((await lastRefund(after)).status).toBe('succeeded');
  expect((await disputes.list()).data).toHaveLength(1);
});

test('killed at random moments in the middle of its work, it never does anything twice and keeps what it answered', () =>
  killAtRandomMoments(3));

test('while somebody else holds the file, reading goes on, and writing waits its turn without holding up the process', async () => {
  using place = newFile();
  await using shop = await startShop({ ...place, checked: false });
  const { prices, products } = shop.stripe;
  const other = new Database(place.file);
  await products.create({ name: 'Platea' });
  other.exec('BEGIN IMMEDIATE');
  let isWritten = false;
  const writing = products.create({ name: 'Galleria' }).finally(() => {
    isWritten = true;
  });
  for (let n = 0; n < 5; n += 1) await prices.list();
  expect(isWritten).toBe(false);
  other.exec('COMMIT');
  expect((await writing).name).toBe('Galleria');
  other.close();
  expect(await madeProducts(shop.stripe)).toHaveLength(2);
});

test('a full disk gives nobody a success that is not kept, and is forgotten once there is room again', async () => {
  using place = newFile();
  const store = openStore(place.file, stripeSchema);
  const running = await startStripe({ store, now: Date.now, port: 0, publicUrl: '' });
  const stripe = sdkAt(running.port, running.secretKey);
  const create = () =>
    Promise.allSettled(
      Array.from({ length: 60 }, (_, index) =>
        stripe.products.create(
          { name: `Fila ${index} ${'x'.repeat(1400)}` },
          { idempotencyKey: `k${index}` },
        ),
      ),
    );
  const there = async () => (await madeProducts(stripe)).map(({ id }) => id).toSorted();
  const { page_count } = (await store.get<{ page_count: number }>('PRAGMA page_count'))!;
  await store.write((writer) => writer.get(`PRAGMA max_page_count = ${page_count + 8}`));
  const silence = console.error;
  console.error = () => undefined;
  const made: string[] = [];
  let failed = 0;
  for (const outcome of await create())
    if (outcome.status === 'fulfilled') made.push(outcome.value.id);
    else {
      failed += 1;
      expect(outcome.reason).toMatchObject({ statusCode: 500, type: 'StripeAPIError' });
    }
  console.error = silence;
  expect(failed).toBeGreaterThan(0);
  expect(await there()).toEqual(made.toSorted());
  await store.write((writer) => writer.get('PRAGMA max_page_count = 1000000'));
  expect((await create()).every(({ status }) => status === 'fulfilled')).toBe(true);
  expect(await there()).toHaveLength(60);
  await running.close();
  await store.close();
});

test('a file that an older version wrote goes on: what was open ends, what was paid settles and can be refunded', async () => {
  using place = newFile();
  const before = await startShop(place);
  const open = await before.open({ expires_at: before.clock.now / 1000 + 1860 });
  const visa = { payment_method: 'pm_card_visa', email: 'anna@example.it' };
  await before.confirm(await before.open(), visa);
  await before[Symbol.asyncDispose]();
  const store = openStore(place.file, stripeSchema);
  // It knew neither the list of what is to come nor what a card goes on to do.
  await store.write(async (writer) => {
    await writer.run('DROP TABLE stripe_later');
    await writer.run(
      "UPDATE stripe_objects SET private = '{}' WHERE kind IN ('charge', 'payment_intent')",
    );
  });
  await store.close();

  await using after = await startShop(place);
  await after.running.tick();
  const charge = await lastCharge(after);
  expect(charge).toMatchObject({
    balance_transaction: expect.stringMatching(/^txn_/),
    receipt_number: expect.any(String),
  });
  const payment_intent = charge.payment_intent as string;
  const refund = await after.stripe.refunds.create({ payment_intent, amount: 100 });
  expect(refund.status).toBe('succeeded');
  after.clock.now += 1_860_000;
  expect(await outcomeOf(after, open.id)).toBe('expired unpaid, 0 charged');
});
