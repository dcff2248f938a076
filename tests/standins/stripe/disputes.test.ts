/**
 * Some test cards open disputes; a dispute blocks refunds and ends by evidence, by acceptance or by
 * its deadline.
 */
import { expect, test } from 'vitest';
import type Stripe from 'stripe';
import { eventsOf, lastCharge, lastDispute, refuses, startShop, type Shop } from './shop.ts';

async function disputed(shop: Shop, payment_method: string): Promise<Stripe.Dispute> {
  await shop.pay(payment_method);
  return lastDispute(shop);
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
  return lastDispute(shop);
}

async function typesOf(shop: Shop): Promise<string[]> {
  return (await eventsOf(shop.stripe))
    .filter(({ type }) => type.startsWith('charge.dispute.'))
    .map(({ type }) => type.replace('charge.dispute.', ''));
}

test('a disputed payment loses its money at once and cannot be refunded', async () => {
  await using shop = await startShop();
  const { disputes, refunds } = shop.stripe;
  const dispute = await disputed(shop, 'pm_card_createDispute');
  expect(dispute).toMatchObject({
    status: 'needs_response',
    reason: 'fraudulent',
    amount: 5000,
    is_charge_refundable: false,
    evidence: { customer_name: 'Anna' },
    balance_transactions: [{ amount: -5000, fee: 2000, net: -7000 }],
  });
  const payment_intent = dispute.payment_intent as string;
  expect(await lastCharge(shop)).toMatchObject({ id: dispute.charge, disputed: true });
  await refuses({ statusCode: 400, code: 'charge_disputed' }, refunds.create({ payment_intent }));
  expect(await typesOf(shop)).toEqual(['created', 'funds_withdrawn']);
  expect((await disputes.list({ payment_intent })).data).toHaveLength(1);
  expect((await disputes.list({ payment_intent: 'pi_none' })).data).toEqual([]);
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

test('giving up loses, and so does silence until the date', async () => {
  await using shop = await startShop();
  const { disputes } = shop.stripe;
  const given = await disputed(shop, 'pm_card_createDispute');
  expect(await disputes.close(given.id)).toMatchObject({ status: 'lost' });
  await refuses({ statusCode: 400 }, disputes.close(given.id));
  const silent = await disputed(shop, 'pm_card_createDispute');
  shop.clock.now = silent.evidence_details.due_by! * 1000;
  expect(await lastDispute(shop)).toMatchObject({
    id: silent.id,
    status: 'lost',
    evidence_details: { past_due: true },
  });
});

test('an inquiry takes no money and can be refunded', async () => {
  await using shop = await startShop();
  const { disputes, refunds } = shop.stripe;
  const inquiry = await disputed(shop, 'pm_card_createDisputeInquiry');
  expect(inquiry).toMatchObject({
    status: 'warning_needs_response',
    is_charge_refundable: true,
    balance_transactions: [],
  });
  const payment_intent = inquiry.payment_intent as string;
  expect(await refunds.create({ payment_intent })).toMatchObject({ status: 'succeeded' });
  expect(await answer(shop, inquiry.id, 'losing_evidence')).toMatchObject({
    status: 'warning_closed',
    balance_transactions: [],
  });
  const other = await disputed(shop, 'pm_card_createDisputeInquiry');
  expect(await disputes.close(other.id)).toMatchObject({ status: 'warning_closed' });
});
