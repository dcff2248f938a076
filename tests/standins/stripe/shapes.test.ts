/** Every object in every state that a test card, a wallet, a clock or a call can bring it into, held against the types that Stripe publishes for the pinned version. */
import { beforeAll, expect, test } from 'vitest';
import type Stripe from 'stripe';
import { TEST_CARDS } from '#server/standins/stripe/payment/cards.ts';
import { TEST_IBANS } from '#server/standins/stripe/payment/ibans.ts';
import { allEvents, compare, openRecorder, startRecordedShop, type Recorder } from './record.ts';
import { payOutByHand, type PageAnswer, type Shop } from './shop.ts';

beforeAll(() => {
  compare({}, 'Product');
}, 120_000);

const CONTACT = { email: 'anna@example.it', name: 'Anna', phone: '3331234567' };

/** Reads everything there is, with everything expanded that can be. */
async function readAll(shop: Shop): Promise<void> {
  const { stripe } = shop;
  for await (const session of stripe.checkout.sessions.list({
    limit: 100,
    expand: ['data.payment_intent.latest_charge'],
  })) {
    await stripe.checkout.sessions.retrieve(session.id, {
      expand: ['line_items.data.price.product', 'payment_intent.payment_method'],
    });
    await stripe.checkout.sessions.listLineItems(session.id);
  }
  await stripe.paymentIntents.list({ limit: 100, expand: ['data.payment_method'] });
  await stripe.charges.list({
    limit: 100,
    expand: ['data.balance_transaction', 'data.refunds', 'data.payment_intent'],
  });
  await stripe.refunds.list({ limit: 100, expand: ['data.charge', 'data.balance_transaction'] });
  await stripe.disputes.list({ limit: 100, expand: ['data.charge', 'data.payment_intent'] });
  await stripe.balanceTransactions.list({ limit: 100, expand: ['data.source'] });
  await stripe.payouts.list({ limit: 100 });
  await stripe.balance.retrieve();
  await stripe.products.list({ limit: 100 });
  await stripe.prices.list({ limit: 100, expand: ['data.product'] });
  await stripe.customers.list({ limit: 100 });
  await stripe.webhookEndpoints.list({ limit: 100 });
  await allEvents(stripe);
}

/** Pays with it, answering whatever question comes. */
async function tryToPay(
  shop: Shop,
  method: Record<string, unknown>,
  outcome: 'approve' | 'refuse' = 'approve',
): Promise<PageAnswer> {
  const session = await shop.open({ phone_number_collection: { enabled: true } });
  const first = await shop.confirm(session, { ...method, ...CONTACT, expected_amount: 5000 });
  await shop.stripe.checkout.sessions.retrieve(session.id, {
    expand: ['payment_intent.latest_charge', 'payment_intent.payment_method'],
  });
  if (!first.body.next_action) return first.body;
  const { body } = await shop.confirm(session, {
    next_action: first.body.next_action.id,
    outcome,
    expected_amount: 5000,
  });
  await shop.stripe.checkout.sessions.retrieve(session.id, {
    expand: ['payment_intent.latest_charge', 'payment_intent.payment_method'],
  });
  return body;
}

async function check(recorder: Recorder, shop: Shop): Promise<void> {
  await readAll(shop);
  expect([...new Set(recorder.complaints)]).toEqual([]);
}

test('the check itself finds what is missing, superfluous and out of range', () => {
  const product = { id: 'prod_1', object: 'product', active: 'yes', colour: 1 };
  const found = compare(product, 'Product');
  expect(found).toEqual(
    expect.arrayContaining(['Product.colour: not in the type', 'Product.name: missing']),
  );
  expect(found.some((line) => line.startsWith('Product.active'))).toBe(true);
  expect(
    compare({ status: 'half_open' }, 'Checkout.Session').filter((line) =>
      line.startsWith('Checkout.Session.status: "half_open" is not'),
    ),
  ).toHaveLength(1);
  expect(
    compare({ status: 'open' }, 'Checkout.Session').filter((line) =>
      line.startsWith('Checkout.Session.status'),
    ),
  ).toEqual([]);
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

test(
  'sessions: everything a shop can send, open, expired, free, and paid in every way',
  { timeout: 120_000 },
  async () => {
    const recorder = openRecorder();
    await using shop = await startRecordedShop(recorder);
    const session = await shop.open({
      locale: 'it',
      submit_type: 'book',
      allowed_payment_method_types: ['card', 'satispay'],
      phone_number_collection: { enabled: true },
      origin_context: 'web',
      client_reference_id: 'o1',
      custom_fields: [
        { key: 'nome', label: { type: 'custom', custom: 'Nome' }, type: 'text' },
        { key: 'anni', label: { type: 'custom', custom: 'Età' }, type: 'numeric', optional: true },
        {
          key: 'canale',
          label: { type: 'custom', custom: 'Come ci conosci' },
          type: 'dropdown',
          dropdown: { options: [{ label: 'Amici', value: 'amici' }] },
        },
      ],
      custom_text: { submit: { message: 'Grazie' } },
      payment_intent_data: {
        metadata: { a: '1' },
        description: 'Due posti',
        receipt_email: 'b@example.it',
        statement_descriptor: 'TEATRO',
      },
    });
    await shop.confirm(session, {
      payment_method: 'pm_card_visa',
      expected_amount: 5000,
      ...CONTACT,
      custom_fields: { nome: 'Anna', anni: '30', canale: 'amici' },
    });
    const line_items = [
      {
        quantity: 1,
        price_data: { currency: 'eur', unit_amount: 900, product_data: { name: 'Sciolto' } },
      },
    ];
    await shop.stripe.checkout.sessions.retrieve((await shop.open()).id);
    await shop.stripe.checkout.sessions.expire(
      (
        await shop.open({
          line_items,
          customer_email: 'c@example.it',
          excluded_payment_method_types: ['klarna'],
        })
      ).id,
    );
    const asked = await shop.open();
    await shop.confirm(asked, {
      payment_method: 'pm_card_authenticationRequired',
      expected_amount: 5000,
    });
    await shop.stripe.checkout.sessions.expire(asked.id);
    const free = await shop.open({
      line_items: [{ price: (await shop.price(0)).id, quantity: 1 }],
    });
    await shop.confirm(free, { expected_amount: 0, ...CONTACT });
    const anna = await shop.stripe.customers.create({ name: 'Anna', address: { city: 'Roma' } });
    await shop.confirm(await shop.open({ customer: anna.id }), {
      payment_method: 'pm_card_visa',
      expected_amount: 5000,
    });
    await shop.confirm(await shop.open({ customer_creation: 'always' }), {
      payment_method: 'pm_card_visa',
      expected_amount: 5000,
      ...CONTACT,
    });
    await shop.running.tick();
    await check(recorder, shop);
    for (const state of ['open', 'complete', 'expired'])
      expect(recorder.seen).toContain(`checkout.session ${state}`);
  },
);

test(
  'payments: every test card, approved and refused, with what follows by itself',
  { timeout: 120_000 },
  async () => {
    const recorder = openRecorder();
    await using shop = await startRecordedShop(recorder);
    for (const { number, behaviour, brand } of TEST_CARDS) {
      const card = { number, exp_month: 12, exp_year: 34, cvc: brand === 'amex' ? '1234' : '123' };
      await tryToPay(shop, { payment_method_data: { type: 'card', card } });
      if (behaviour.challenge)
        await tryToPay(shop, { payment_method_data: { type: 'card', card } }, 'refuse');
    }
    await shop.running.tick();
    await check(recorder, shop);
    for (const state of [
      'charge failed',
      'charge succeeded',
      'dispute needs_response',
      'dispute warning_needs_response',
      'event payment_intent.requires_action',
      'payment_intent requires_payment_method',
      'event charge.dispute.created',
    ]) {
      expect(recorder.seen).toContain(state);
    }
  },
);

test(
  'payments: every wallet and every test account, now and after days',
  { timeout: 120_000 },
  async () => {
    const recorder = openRecorder();
    await using shop = await startRecordedShop(recorder);
    for (const type of ['link', 'paypal', 'klarna', 'satispay']) {
      for (const outcome of ['approve', 'refuse'] as const)
        await tryToPay(
          shop,
          { payment_method_data: { type, billing_details: { email: 'anna@example.it' } } },
          outcome,
        );
    }
    for (const { iban } of TEST_IBANS)
      await tryToPay(shop, { payment_method_data: { type: 'sepa_debit', sepa_debit: { iban } } });
    for (const charge of (await shop.stripe.charges.list({ limit: 100 })).data) {
      if (charge.status !== 'failed')
        await shop.stripe.refunds.create({ charge: charge.id, amount: 1000 });
    }
    await readAll(shop);
    shop.clock.now += 180_000;
    await shop.running.tick();
    await check(recorder, shop);
    for (const state of [
      'charge pending',
      'payment_intent processing',
      'event checkout.session.async_payment_failed',
      'event checkout.session.async_payment_succeeded',
      'refund pending',
      'refund succeeded',
      'refund failed',
    ]) {
      expect(recorder.seen).toContain(state);
    }
  },
);

test(
  'refunds, disputes and payouts: every state they go through',
  { timeout: 120_000 },
  async () => {
    const recorder = openRecorder();
    await using shop = await startRecordedShop(recorder);
    const { stripe } = shop;
    const charge = async (payment_method: string): Promise<Stripe.Charge> => {
      await tryToPay(shop, { payment_method });
      await shop.running.tick();
      return (await stripe.charges.list({ limit: 1 })).data[0]!;
    };
    for (const method of ['pm_card_visa', 'pm_card_pendingRefund', 'pm_card_refundFail']) {
      const refund = await stripe.refunds.create({
        charge: (await charge(method)).id,
        amount: 1000,
        reason: 'requested_by_customer',
        metadata: { a: '1' },
      });
      await stripe.refunds.update(refund.id, { metadata: { a: '2' } });
    }
    const disputes: Stripe.Dispute[] = [];
    for (const method of [
      'pm_card_createDispute',
      'pm_card_createDispute',
      'pm_card_createDispute',
      'pm_card_createDisputeInquiry',
      'pm_card_createDisputeInquiry',
    ]) {
      await charge(method);
      disputes.push((await stripe.disputes.list({ limit: 1 })).data[0]!);
    }
    await stripe.disputes.update(disputes[0]!.id, {
      evidence: { uncategorized_text: 'winning_evidence' },
    });
    await stripe.disputes.update(disputes[1]!.id, {
      evidence: { uncategorized_text: 'losing_evidence' },
      metadata: { a: '1' },
    });
    await stripe.disputes.close(disputes[3]!.id);
    await stripe.disputes.update(disputes[4]!.id, {
      evidence: { uncategorized_text: 'escalate_inquiry_evidence' },
    });
    await readAll(shop);
    shop.clock.now += 10 * 24 * 3_600_000;
    await shop.running.tick();
    await payOutByHand(stripe);
    const drained = await charge('pm_card_bypassPending');
    const [available] = (await stripe.balance.retrieve()).available;
    const payout = await stripe.payouts.create({
      amount: available!.amount - 1000,
      currency: 'eur',
    });
    await stripe.payouts.update(payout.id, { metadata: { a: '1' } });
    await stripe.payouts.cancel(
      (await stripe.payouts.create({ amount: 1000, currency: 'eur' })).id,
    );
    await stripe.refunds.create({ charge: drained.id });
    shop.clock.now += 3 * 24 * 3_600_000;
    await shop.running.tick();
    await check(recorder, shop);
    for (const state of [
      'won',
      'lost',
      'warning_closed',
      'under_review',
      'warning_needs_response',
      'needs_response',
    ])
      expect(recorder.seen).toContain(`dispute ${state}`);
    for (const state of [
      'payout pending',
      'payout paid',
      'payout canceled',
      'event refund.failed',
      'event charge.dispute.funds_reinstated',
      'event charge.refund.updated',
    ])
      expect(recorder.seen).toContain(state);
  },
);

test('intents of the shop’s own: every state they go through', { timeout: 120_000 }, async () => {
  const recorder = openRecorder();
  await using shop = await startRecordedShop(recorder);
  const { paymentIntents } = shop.stripe;
  const facts = { amount: 5000, currency: 'eur', return_url: 'http://localhost/indietro' };
  await paymentIntents.create({ amount: 5000, currency: 'eur' });
  await paymentIntents.create({ amount: 5000, currency: 'eur', payment_method: 'pm_card_visa' });
  await paymentIntents.create({ ...facts, payment_method: 'pm_card_visa', confirm: true });
  await paymentIntents.create({
    ...facts,
    payment_method: 'pm_card_threeDSecure2Required',
    confirm: true,
  });
  await paymentIntents.create({ ...facts, payment_method: 'pm_success_at', confirm: true });
  await paymentIntents
    .create({ ...facts, payment_method: 'pm_card_chargeDeclined', confirm: true })
    .catch(() => null);
  await paymentIntents
    .create({
      ...facts,
      payment_method: 'pm_card_authenticationRequired',
      confirm: true,
      off_session: true,
    })
    .catch(() => null);
  const [one, two] = await Promise.all(
    [1, 2].map(() =>
      paymentIntents.create({
        ...facts,
        payment_method: 'pm_card_visa',
        confirm: true,
        capture_method: 'manual',
      }),
    ),
  );
  await readAll(shop);
  await paymentIntents.capture(one!.id, { amount_to_capture: 3000 });
  await paymentIntents.cancel(two!.id, { cancellation_reason: 'requested_by_customer' });
  await shop.running.tick();
  await check(recorder, shop);
  for (const state of [
    'requires_payment_method',
    'requires_confirmation',
    'requires_action',
    'processing',
    'requires_capture',
    'succeeded',
    'canceled',
  ]) {
    expect(recorder.seen).toContain(`payment_intent ${state}`);
  }
});
