/**
 * Objects in the states that a test card, a wallet or a test account brings them into, held against the types that Stripe publishes for the pinned
 * version. All other states are held against them where a test comes to them: the shop does it with every answer.
 */
import { beforeAll, expect, test } from 'vitest';
import { TEST_CARDS } from '#server/standins/stripe/payment/cards.ts';
import { TEST_IBANS } from '#server/standins/stripe/payment/ibans.ts';
import { compare, openRecorder } from './record.ts';
import { startShop, type Shop } from './shop.ts';

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
  const { data } = await sessions.list(expanded('payment_intent.latest_charge'));
  for (const { id } of data.slice(0, 5)) {
    const expand = ['line_items.data.price.product', 'payment_intent.payment_method'];
    await sessions.retrieve(id, { expand });
  }
  await stripe.paymentIntents.list(expanded('payment_method'));
  await stripe.charges.list(expanded('balance_transaction', 'refunds', 'payment_intent'));
  await stripe.refunds.list(expanded('charge', 'balance_transaction'));
  await stripe.disputes.list(expanded('charge', 'payment_intent'));
  await stripe.balanceTransactions.list(expanded('source'));
  await stripe.prices.list(expanded('product'));
  await stripe.balance.retrieve();
  await stripe.events.list({ limit: 100 }).autoPagingToArray({ limit: 10_000 });
}

/** Pays with it, answering whatever question comes. */
async function tryToPay(
  shop: Shop,
  payment_method_data: object,
  outcome: 'approve' | 'refuse' = 'approve',
): Promise<void> {
  const session = await shop.open({
    line_items: [{ price: (shared ??= (await shop.price(2500)).id), quantity: 2 }],
    phone_number_collection: { enabled: true },
  });
  const contact = { email: 'anna@example.it', name: 'Anna', phone: '3331234567' };
  const { body } = await shop.confirm(session, { payment_method_data, ...contact });
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

test('every test card, every wallet and every test account, approved and refused, now and after days', async () => {
  await using shop = await startShop();
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
  for (const { iban } of TEST_IBANS)
    await tryToPay(shop, { type: 'sepa_debit', sepa_debit: { iban } });
  for (const { id, status } of (await charges.list({ limit: 100, created: { gt: before } })).data)
    if (status !== 'failed') await refunds.create({ charge: id, amount: 1000 });
  await readAll(shop);
  shop.clock.now += 180_000;
  await shop.running.tick();
  await readAll(shop);
  for (const state of [
    'charge failed',
    'charge succeeded',
    'charge pending',
    'dispute needs_response',
    'dispute warning_needs_response',
    'payment_intent requires_payment_method',
    'payment_intent processing',
    'refund pending',
    'refund succeeded',
    'refund failed',
    'event charge.dispute.created',
    'event payment_intent.requires_action',
    'event checkout.session.async_payment_failed',
    'event checkout.session.async_payment_succeeded',
  ])
    expect(shop.recorder.seen).toContain(state);
});

test('a session with everything that a shop can send', async () => {
  await using shop = await startShop();
  const field = (key: string, type: string, more: object = {}) =>
    ({ key, label: { type: 'custom', custom: key }, type, ...more }) as never;
  const session = await shop.open({
    locale: 'it',
    submit_type: 'book',
    allowed_payment_method_types: ['card', 'satispay'],
    phone_number_collection: { enabled: true },
    origin_context: 'web',
    client_reference_id: 'o1',
    custom_fields: [
      field('nome', 'text'),
      field('anni', 'numeric', { optional: true }),
      field('canale', 'dropdown', { dropdown: { options: [{ label: 'Amici', value: 'amici' }] } }),
    ],
    custom_text: { submit: { message: 'Grazie' } },
    payment_intent_data: {
      metadata: { a: '1' },
      description: 'Due posti',
      receipt_email: 'b@example.it',
      statement_descriptor: 'TEATRO',
    },
  });
  const { status } = await shop.confirm(session, {
    payment_method: 'pm_card_visa',
    email: 'anna@example.it',
    name: 'Anna',
    phone: '3331234567',
    custom_fields: { nome: 'Anna', anni: '30', canale: 'amici' },
  });
  expect(status).toBe(200);
  await shop.running.tick();
  await readAll(shop);
});
