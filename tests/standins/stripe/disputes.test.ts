/** Disputes: opened by the test cards that do this, blocking refunds, and decided by evidence, by giving up or by silence. */
import { expect, test } from 'vitest';
import type Stripe from 'stripe';
import { payOutByHand, refuses, startShop, type Shop } from './shop.ts';

async function disputed(shop: Shop, payment_method: string): Promise<Stripe.Dispute> {
  await shop.pay(payment_method);
  return (await shop.stripe.disputes.list()).data[0]!;
}

/** Sends this as evidence, and lets the bank decide. */
async function answer(shop: Shop, id: string, uncategorized_text: string): Promise<Stripe.Dispute> {
  const { disputes } = shop.stripe;
  const sent = await disputes.update(id, { evidence: { uncategorized_text } });
  expect(sent).toMatchObject({
    status: expect.stringMatching(/^(warning_)?under_review$/),
    evidence_details: { has_evidence: true, submission_count: 1, submission_method: 'manual' },
  });
  await shop.running.tick();
  return disputes.retrieve(id);
}

async function typesOf(shop: Shop): Promise<string[]> {
  return (await shop.stripe.events.list({ limit: 100, type: 'charge.dispute.*' })).data
    .map((event) => event.type.replace('charge.dispute.', ''))
    .reverse();
}

test('a disputed payment loses its money at once and cannot be refunded', async () => {
  await using shop = await startShop();
  const { charges, disputes, refunds } = shop.stripe;
  const dispute = await disputed(shop, 'pm_card_createDispute');
  expect(dispute).toMatchObject({
    status: 'needs_response',
    reason: 'fraudulent',
    amount: 5000,
    is_charge_refundable: false,
    evidence: { customer_name: 'Anna' },
    balance_transactions: [{ amount: -5000, fee: 2000, net: -7000 }],
  });
  const [charge, payment_intent] = [dispute.charge as string, dispute.payment_intent as string];
  expect(await charges.retrieve(charge)).toMatchObject({ disputed: true });
  await refuses({ statusCode: 400, code: 'charge_disputed' }, refunds.create({ charge }));
  expect(await typesOf(shop)).toEqual(['created', 'funds_withdrawn']);
  expect((await disputes.list({ payment_intent })).data).toHaveLength(1);
  expect((await disputes.list({ charge: 'ch_none' })).data).toEqual([]);
});

test('winning evidence brings the money back, losing evidence does not', async () => {
  await using shop = await startShop();
  for (const [text, status, events, moved] of [
    ['winning_evidence', 'won', ['updated', 'closed', 'funds_reinstated'], [-5000, 5000]],
    ['losing_evidence', 'lost', ['updated', 'closed'], [-5000]],
  ] as const) {
    const { id, reason } = await disputed(shop, 'pm_card_createDisputeProductNotReceived');
    expect(reason).toBe('product_not_received');
    const before = (await typesOf(shop)).length;
    expect(await answer(shop, id, text)).toMatchObject({
      status,
      balance_transactions: moved.map((amount) => ({ amount })),
    });
    expect((await typesOf(shop)).slice(before)).toEqual(events);
    const more = { evidence: { uncategorized_text: 'more' } };
    await refuses({ statusCode: 400 }, shop.stripe.disputes.update(id, more));
  }
});

test('evidence can be kept as a draft; giving up loses, and so does silence until the date', async () => {
  await using shop = await startShop();
  const { disputes } = shop.stripe;
  const { id } = await disputed(shop, 'pm_card_createDispute');
  const evidence = { product_description: 'Due posti' };
  expect(await disputes.update(id, { evidence, submit: false })).toMatchObject({
    status: 'needs_response',
    evidence_details: { submission_count: 0 },
  });
  const sent = { status: 'under_review', evidence_details: { submission_count: 1 } };
  expect(await disputes.update(id, { submit: true })).toMatchObject(sent);
  const given = await disputed(shop, 'pm_card_createDispute');
  expect(await disputes.close(given.id)).toMatchObject({ status: 'lost' });
  await refuses({ statusCode: 400 }, disputes.close(given.id));
  const silent = await disputed(shop, 'pm_card_createDispute');
  shop.clock.now = silent.evidence_details.due_by! * 1000;
  expect(await disputes.retrieve(silent.id)).toMatchObject({
    status: 'lost',
    evidence_details: { past_due: true },
  });
});

test('an inquiry takes no money, can be refunded, and may become a dispute', async () => {
  await using shop = await startShop();
  const { disputes, refunds } = shop.stripe;
  const inquire = () => disputed(shop, 'pm_card_createDisputeInquiry');
  const inquiry = await inquire();
  const free = { is_charge_refundable: true, balance_transactions: [] };
  expect(inquiry).toMatchObject({ status: 'warning_needs_response', ...free });
  expect(await answer(shop, inquiry.id, 'escalate_inquiry_evidence')).toMatchObject({
    status: 'needs_response',
    is_charge_refundable: false,
    balance_transactions: [{ amount: -5000 }],
  });
  const { id, charge } = await inquire();
  expect(await refunds.create({ charge: charge as string })).toMatchObject({ status: 'succeeded' });
  expect(await disputes.close(id)).toMatchObject({ status: 'warning_closed' });
});

test('a refund that still waits for money fails when the bank takes the payment back', async () => {
  await using shop = await startShop();
  const { charges, payouts, refunds } = shop.stripe;
  await payOutByHand(shop.stripe);
  const inquiry = await disputed(shop, 'pm_card_createDisputeInquiry');
  const charge = inquiry.charge as string;
  shop.clock.now += 7 * 24 * 3_600_000;
  await payouts.create({ amount: 4900, currency: 'eur' });
  const refund = await refunds.create({ charge, amount: 2000 });
  expect(refund).toMatchObject({ status: 'pending', pending_reason: 'insufficient_funds' });
  await answer(shop, inquiry.id, 'escalate_inquiry_evidence');
  expect(await refunds.retrieve(refund.id)).toMatchObject({
    status: 'failed',
    failure_reason: 'charge_for_pending_refund_disputed',
  });
  expect(await charges.retrieve(charge)).toMatchObject({ amount_refunded: 0, disputed: true });
});
