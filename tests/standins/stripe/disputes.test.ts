/** Disputes: opened by the test cards that do this, blocking refunds, and decided by evidence, by giving up or by silence. */
import { expect, test } from 'vitest';
import type Stripe from 'stripe';
import { payOutByHand, refusalOf, startShop, type Shop } from './shop.ts';

async function disputed(shop: Shop, payment_method: string): Promise<Stripe.Dispute> {
  const session = await shop.open();
  await shop.confirm(session, {
    payment_method,
    expected_amount: 5000,
    email: 'anna@example.it',
    name: 'Anna',
  });
  await shop.running.tick();
  return (await shop.stripe.disputes.list()).data[0]!;
}

async function typesOf(shop: Shop): Promise<string[]> {
  return (await shop.stripe.events.list({ limit: 100, type: 'charge.dispute.*' })).data
    .map((event) => event.type.replace('charge.dispute.', ''))
    .reverse();
}

test('a disputed payment loses its money at once and cannot be refunded', async () => {
  await using shop = await startShop();
  const dispute = await disputed(shop, 'pm_card_createDispute');
  expect(dispute).toMatchObject({
    status: 'needs_response',
    reason: 'fraudulent',
    amount: 5000,
    is_charge_refundable: false,
    evidence: { customer_name: 'Anna' },
    balance_transactions: [{ amount: -5000, fee: 2000, net: -7000 }],
  });
  expect(await shop.stripe.charges.retrieve(dispute.charge as string)).toMatchObject({
    disputed: true,
  });
  expect(
    await refusalOf(shop.stripe.refunds.create({ charge: dispute.charge as string })),
  ).toMatchObject({ statusCode: 400, code: 'charge_disputed' });
  expect(await typesOf(shop)).toEqual(['created', 'funds_withdrawn']);
  expect(
    (await shop.stripe.disputes.list({ payment_intent: dispute.payment_intent as string })).data,
  ).toHaveLength(1);
  expect((await shop.stripe.disputes.list({ charge: 'ch_none' })).data).toEqual([]);
});

test('winning evidence brings the money back, losing evidence does not', async () => {
  await using shop = await startShop();
  for (const [uncategorized_text, status, events] of [
    ['winning_evidence', 'won', ['updated', 'closed', 'funds_reinstated']],
    ['losing_evidence', 'lost', ['updated', 'closed']],
  ] as const) {
    const dispute = await disputed(shop, 'pm_card_createDisputeProductNotReceived');
    expect(dispute.reason).toBe('product_not_received');
    const before = (await typesOf(shop)).length;
    const sent = await shop.stripe.disputes.update(dispute.id, {
      evidence: { uncategorized_text },
    });
    expect(sent).toMatchObject({
      status: 'under_review',
      evidence_details: { has_evidence: true, submission_count: 1, submission_method: 'manual' },
    });
    await shop.running.tick();
    const closed = await shop.stripe.disputes.retrieve(dispute.id);
    expect(closed).toMatchObject({
      status,
      balance_transactions:
        status === 'won' ? [{ amount: -5000 }, { amount: 5000 }] : [{ amount: -5000 }],
    });
    expect((await typesOf(shop)).slice(before)).toEqual(events);
    expect(
      await refusalOf(
        shop.stripe.disputes.update(dispute.id, { evidence: { uncategorized_text: 'more' } }),
      ),
    ).toMatchObject({ statusCode: 400 });
  }
});

test('evidence can be kept as a draft, and any other text waits for the bank', async () => {
  await using shop = await startShop();
  const { id } = await disputed(shop, 'pm_card_createDispute');
  const draft = await shop.stripe.disputes.update(id, {
    evidence: { product_description: 'Due posti' },
    submit: false,
    metadata: { order: '7' },
  });
  expect(draft).toMatchObject({
    status: 'needs_response',
    metadata: { order: '7' },
    evidence: { product_description: 'Due posti' },
    evidence_details: { has_evidence: true, submission_count: 0 },
  });
  expect(await shop.stripe.disputes.update(id, { submit: true })).toMatchObject({
    status: 'under_review',
    evidence_details: { submission_count: 1 },
  });
  shop.clock.now += 30 * 24 * 3_600_000;
  expect((await shop.stripe.disputes.retrieve(id)).status).toBe('under_review');
  expect(
    await refusalOf(shop.stripe.disputes.update(id, { evidence: { receipt: 'file_1' } })),
  ).toMatchObject({ code: 'resource_missing', param: 'evidence[receipt]' });
});

test('giving up loses, and so does silence until the date', async () => {
  await using shop = await startShop();
  const given = await disputed(shop, 'pm_card_createDispute');
  expect(await shop.stripe.disputes.close(given.id)).toMatchObject({ status: 'lost' });
  expect(await refusalOf(shop.stripe.disputes.close(given.id))).toMatchObject({ statusCode: 400 });
  const silent = await disputed(shop, 'pm_card_createDispute');
  shop.clock.now = silent.evidence_details.due_by! * 1000;
  expect(await shop.stripe.disputes.retrieve(silent.id)).toMatchObject({
    status: 'lost',
    evidence_details: { past_due: true },
  });
});

test('an inquiry takes no money, can be refunded, and may become a dispute', async () => {
  await using shop = await startShop();
  const inquiry = await disputed(shop, 'pm_card_createDisputeInquiry');
  expect(inquiry).toMatchObject({
    status: 'warning_needs_response',
    is_charge_refundable: true,
    balance_transactions: [],
  });
  await shop.stripe.disputes.update(inquiry.id, {
    evidence: { uncategorized_text: 'escalate_inquiry_evidence' },
  });
  await shop.running.tick();
  expect(await shop.stripe.disputes.retrieve(inquiry.id)).toMatchObject({
    status: 'needs_response',
    is_charge_refundable: false,
    balance_transactions: [{ amount: -5000 }],
  });
  const answered = await disputed(shop, 'pm_card_createDisputeInquiry');
  await shop.stripe.disputes.update(answered.id, {
    evidence: { uncategorized_text: 'winning_evidence' },
  });
  await shop.running.tick();
  expect(await shop.stripe.disputes.retrieve(answered.id)).toMatchObject({
    status: 'warning_closed',
    balance_transactions: [],
  });
  const other = await disputed(shop, 'pm_card_createDisputeInquiry');
  expect(await shop.stripe.refunds.create({ charge: other.charge as string })).toMatchObject({
    status: 'succeeded',
  });
  expect(await shop.stripe.disputes.close(other.id)).toMatchObject({ status: 'warning_closed' });
});

test('a refund that still waits for money fails when the bank takes the payment back', async () => {
  await using shop = await startShop();
  await payOutByHand(shop.stripe);
  const inquiry = await disputed(shop, 'pm_card_createDisputeInquiry');
  shop.clock.now += 7 * 24 * 3_600_000;
  await shop.stripe.payouts.create({ amount: 4900, currency: 'eur' });
  const refund = await shop.stripe.refunds.create({
    charge: inquiry.charge as string,
    amount: 2000,
  });
  expect(refund).toMatchObject({ status: 'pending', pending_reason: 'insufficient_funds' });
  await shop.stripe.disputes.update(inquiry.id, {
    evidence: { uncategorized_text: 'escalate_inquiry_evidence' },
  });
  await shop.running.tick();
  expect(await shop.stripe.refunds.retrieve(refund.id)).toMatchObject({
    status: 'failed',
    failure_reason: 'charge_for_pending_refund_disputed',
  });
  expect(await shop.stripe.charges.retrieve(inquiry.charge as string)).toMatchObject({
    amount_refunded: 0,
    disputed: true,
  });
});

test('money that was only set aside is not disputed', async () => {
  await using shop = await startShop();
  await shop.stripe.paymentIntents.create({
    amount: 5000,
    currency: 'eur',
    capture_method: 'manual',
    payment_method: 'pm_card_createDispute',
    confirm: true,
  });
  await shop.running.tick();
  expect((await shop.stripe.disputes.list()).data).toEqual([]);
});
