/** One refund in Stripe's dashboard gives back the money of several orders: to the cent everywhere. */
import { expect } from 'vitest';
import { invariants } from '#db/reconcile/invariants.ts';
import { keepBooks } from '#server/services/book/keep.ts';
import { compareBooks } from '#server/services/reconcile/comparison.ts';
import { readPayoutsHourly } from '#server/services/reconcile/payouts.ts';
import { readPayment } from '#server/services/payment/payment-record.ts';
import { sealRegistry } from '#server/services/reconcile/registry-seals.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { allowExchange, begun, pay } from '#tests/support/exchange.ts';
import { expectSoundBooks, makePaid, passTime, stateOf } from '#tests/support/refunds.ts';
import { atStripe, refundsAtStripe } from '#tests/support/stripe-desk.ts';

const day = 24 * 3_600_000;
const never = new AbortController().signal;

test('a whole refund in the dashboard is shared by the orders that have the money, in books and payouts too', async (server) => {
  const { ctx } = server.house;
  const { db } = ctx;
  await allowExchange(server);
  const old = await makePaid(server);
  const other = await begun(server, old, { ticket_ids: [old.tickets[0]!] });
  await pay(server, other);
  const { payment_intent } = old;
  const before = [await stateOf(server, old), await stateOf(server, other)];
  expect(before).toMatchObject([
    { paid_cents: 5_900, refunded_cents: 2_800 },
    { paid_cents: 3_200, refunded_cents: 0 },
  ]);
  await atStripe(server, 'POST', 'refunds', { payment_intent });
  for (let again = 0; again < 2; again += 1) await readPayment(ctx, payment_intent);
  // The old order has 31.00 left, the new one lives on the other 28.00.
  const rows = await db('refunds').where({ payment_intent }).orderBy('amount_cents');
  expect(rows).toMatchObject([
    { order_id: other.order_id, amount_cents: 2_800, stripe_refund_id: null, state: 'succeeded' },
    { order_id: old.order_id, amount_cents: 3_100, part_of_stripe: null, state: 'succeeded' },
  ]);
  expect(rows[0].part_of_stripe).toBe(rows[1].stripe_refund_id);
  expect([await stateOf(server, old), await stateOf(server, other)]).toMatchObject([
    { refunded_cents: 5_900, needs_attention: 'refunded_at_stripe' },
    { refunded_cents: 2_800, needs_attention: 'refunded_at_stripe' },
  ]);
  expect(await refundsAtStripe(server, payment_intent)).toMatchObject([{ amount: 5_900 }]);
  await expectSoundBooks(server);
  for (let n = 0; n < 12; n += 1) await passTime(server, day);
  await readPayoutsHourly(ctx, never);
  await sealRegistry(ctx, never);
  await keepBooks(ctx, never);
  const inBooks = (await db('book_rows').pluck('text'))
    .map((text: string) => JSON.parse(text))
    .filter(({ kind }) => kind === 'payout_line')
    .reduce((sum, { net_cents }) => sum + net_cents, 0);
  const paidOut = await db('payout_lines')
    .whereIn('kind', ['charge', 'refund'])
    .whereNot({ payout_id: '' })
    .sum({ net: 'net_cents' })
    .first();
  expect(inBooks).toBe(Number(paidOut?.net));
  const lines = await db('payout_lines').where({ kind: 'refund' }).whereNot({ payout_id: '' });
  expect(lines).toMatchObject([{ gross_cents: -5_900 }]);
  const broken = invariants.filter(({ name }) => name.startsWith('payout'));
  for (const rule of broken) expect(await rule.find(db, ctx.now())).toEqual([]);
  await compareBooks(ctx, never);
  expect(await db('breaks').select('kind', 'subject')).toEqual([]);
});
