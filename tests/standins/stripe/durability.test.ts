/** What was answered is there after a restart, and what is still to come comes then. */
import { expect, test } from 'vitest';
import { lastRefund, madeProducts, startShop } from './shop.ts';
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
