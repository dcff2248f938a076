/**
 * Objects in the states that a test card or a wallet brings them into, held against the types that
 * Stripe publishes for the pinned version. All other states are held against them where a test
 * comes to them: the shop does it with every answer.
 */
import { beforeAll, expect, test } from 'vitest';
import { TEST_CARDS } from '#server/standins/stripe/payment/cards.ts';
import { compare, openRecorder } from './record.ts';
import { type Shop, testShop as it } from './shop.ts';

beforeAll(() => {
  compare({}, 'Product');
}, 120_000);

/** Reads everything there is, with everything expanded that can be. */
async function readAll({ stripe }: Shop): Promise<void> {
  const { sessions } = stripe.checkout;
  const expanded = (...parts: string[]) => ({
    limit: 100,
    expand: parts.map((part) => `data.${part}`),
  });
  await sessions.list(expanded('payment_intent.latest_charge.balance_transaction'));
  const { data } = await sessions.list({ limit: 100 });
  for (const { payment_intent } of data)
    if (payment_intent !== null) await stripe.paymentIntents.retrieve(payment_intent as string);
  await stripe.charges.list({ limit: 100 });
  await stripe.refunds.list({ limit: 100 });
  await stripe.disputes.list({ limit: 100 });
  await stripe.balanceTransactions.list(expanded('source'));
  await stripe.prices.list(expanded('product'));
  await stripe.events.list({ limit: 100 }).autoPagingToArray({ limit: 10_000 });
}

/** Pays with the card and passes the bank's question if there is one. */
async function tryToPay(
  shop: Shop,
  data: Record<string, unknown>,
  outcome: 'approve' | 'refuse' = 'approve',
): Promise<void> {
  const session = await shop.open({
    line_items: [{ price: (shared ??= (await shop.price(2500)).id), quantity: 2 }],
  });
  const contact = { email: 'anna@example.it', name: 'Anna' };
  const made = await shop.method(data);
  const { body } = await shop.confirm(session, { payment_method: made.body.id, ...contact });
  if (!body.next_action) return;
  await shop.stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent'] });
  await shop.confirm(session, { next_action: body.next_action.id, outcome });
}

let shared: string | undefined;

test('the check itself finds what is missing, superfluous and out of range', () => {
  const product = { id: 'prod_1', object: 'product', active: 'yes', colour: 1 };
  const found = compare(product, 'Product');
  expect(found).toEqual(
    expect.arrayContaining(['Product.colour: not in the type', 'Product.name: missing']),
  );
  expect(found.some((line) => line.startsWith('Product.active'))).toBe(true);
  const ofStatus = (status: string) =>
    compare({ status }, 'Checkout.Session').filter((line) =>
      line.startsWith('Checkout.Session.status'),
    );
  expect(ofStatus('half_open')).toEqual([expect.stringContaining('"half_open" is not')]);
  expect(ofStatus('open')).toEqual([]);
  expect(compare({ type: 'refund.created', data: { object: { colour: 1 } } }, 'Event')).toContain(
    'Event.data.object.colour: not in the type',
  );
  const recorder = openRecorder();
  recorder.check({ object: 'list', data: [product] });
  recorder.check({ message: 'not found' });
  expect(recorder.complaints).toEqual(
    expect.arrayContaining(['unknown object: undefined', 'Product.colour: not in the type ()']),
  );
});

it('every test card and every wallet, approved and refused, now and after days', async (shop) => {
  const { charges, refunds } = shop.stripe;
  shared = undefined;
  for (const { number, behaviour, brand } of TEST_CARDS) {
    const cvc = brand === 'amex' ? '1234' : '123';
    const byCard = { type: 'card', card: { number, exp_month: 12, exp_year: 34, cvc } };
    await tryToPay(shop, byCard);
    if (behaviour.challenge) await tryToPay(shop, byCard, 'refuse');
  }
  await shop.running.tick();
  const before = Math.floor(shop.clock.now / 1000);
  shop.clock.now += 1000;
  const billing_details = { email: 'anna@example.it' };
  for (const type of ['link', 'paypal', 'klarna', 'satispay'])
    for (const outcome of ['approve', 'refuse'] as const)
      await tryToPay(shop, { type, billing_details }, outcome);
  const later = await charges.list({ limit: 100, created: { gte: before + 1 } });
  for (const { payment_intent, status } of later.data)
    if (status !== 'failed')
      await refunds.create({ payment_intent: payment_intent as string, amount: 1000 });
  await readAll(shop);
  shop.clock.now += 180_000;
  await shop.running.tick();
  await readAll(shop);
  for (const state of [
    'charge failed',
    'charge succeeded',
    'dispute needs_response',
    'dispute warning_needs_response',
    'payment_intent requires_payment_method',
    'refund succeeded',
    'event charge.dispute.created',
    'event payment_intent.requires_action',
  ])
    expect(shop.recorder.seen).toContain(state);
});
