/**
 * An evening on a server that may die at any moment: purchases, cancellations, refunds, and the
 * checks at its end.
 */
import { expect } from 'vitest';
import { startComparison } from '#server/contract/breaks.ts';
import { cancelEvent, previewCancellation } from '#server/contract/order/refunds.ts';
import { ask, callOk, until, type Booked } from '#tests/support/make.ts';
import { undoMs } from '#server/domain/mail/message.ts';
import { event, soonOrLater, type Patron } from '#tests/support/patron.ts';

const minute = 60_000;

export async function buy(patron: Patron): Promise<Booked> {
  const order = await patron.book();
  await patron.pay(order);
  await patron.reaches(order.order_id, 'confirmed');
  await patron.rest();
  return order;
}

/**
 * Cancels the evening: each buyer gets all their money back once. The evening can then be played
 * again.
 */
export async function cancelAndRefund(patron: Patron, orders: readonly Booked[]): Promise<void> {
  const { house, admin } = patron;
  const params = { eventId: event };
  await house.persist(async () => {
    const preview = await callOk(house, previewCancellation, { params }, admin);
    const body = {
      expected_cents: preview.sum_cents,
      expected_orders: preview.orders,
      reason: 'Il tenore sta male',
    };
    await callOk(house, cancelEvent, { params, body }, admin);
  });
  await house.persist(() => house.advance(undoMs));
  const isEmpty = async (sql: string) => (await patron.rows(sql)).length === 0;
  const unfinished = 'SELECT id FROM refund_runs WHERE finished_at IS NULL';
  const open = `SELECT id FROM refunds WHERE run_id IS NOT NULL AND state <> 'succeeded'`;
  await soonOrLater(house, async () => (await isEmpty(unfinished)) && (await isEmpty(open)));
  await patron.rest();
  for (const { order_id } of orders) {
    const sums = 'SELECT refunded_cents, paid_cents FROM orders WHERE id = ?';
    expect(await patron.rows(sums, order_id)).toEqual([
      { refunded_cents: 5_900, paid_cents: 5_900 },
    ]);
  }
  await patron.rows('UPDATE refunds SET run_id = NULL');
  await patron.rows('DELETE FROM refund_runs');
  await patron.rows(
    `UPDATE events SET status = 'published', cancelled_at = NULL WHERE id = ?`,
    event,
  );
}

interface StripeObject {
  id: string;
  amount: number;
  metadata: Record<string, string>;
}

/** All objects of a kind at Stripe. */
export async function atStripe({ house }: Patron, path: string): Promise<StripeObject[]> {
  const { url, secretKey } = house.standins.stripe!;
  const found: StripeObject[] = [];
  for (let more = true; more;) {
    const query = new URLSearchParams({ limit: '100' });
    if (found.length > 0) query.set('starting_after', found.at(-1)!.id);
    const answer = await fetch(`${url}/v1/${path}?${query}`, {
      headers: { authorization: `Bearer ${secretKey}` },
    });
    const page = (await answer.json()) as { data: StripeObject[]; has_more: boolean };
    found.push(...page.data);
    more = page.has_more;
  }
  return found;
}

/** Expects that all invariants hold, at the latest after half a minute. */
export async function expectSoundBooks({ house }: Patron): Promise<void> {
  const broken = () => house.persist(() => house.tell<unknown[]>({ kind: 'broken' }));
  await until(async () => (await broken()).length === 0, 30_000).catch(() => {});
  expect(await broken()).toEqual([]);
}

/**
 * Expects that all sides agree: no broken invariant, no second session or refund at Stripe, no
 * difference in the nightly comparison.
 */
export async function expectPeace(patron: Patron): Promise<void> {
  const { house } = patron;
  await house.persist(() => house.tell({ kind: 'arm', point: null }));
  await house.persist(() => house.advance(20 * minute));
  await patron.rest();
  await expectSoundBooks(patron);
  const sessions = (await atStripe(patron, 'checkout/sessions')).map(
    (session) => session.metadata['order_id'],
  );
  expect(new Set(sessions).size).toBe(sessions.length);
  const refunds = await atStripe(patron, 'refunds');
  const wishes = refunds.map((refund) => refund.metadata['refund_id'] ?? refund.id);
  expect(new Set(wishes).size).toBe(wishes.length);
  expect(refunds.map((refund) => refund.id).toSorted()).toEqual(
    (
      await patron.rows<{ id: string }>(
        'SELECT stripe_refund_id AS id FROM refunds WHERE stripe_refund_id IS NOT NULL',
      )
    )
      .map((row) => row.id)
      .toSorted(),
  );
  await house.persist(() => callOk(house, startComparison, {}, patron.admin));
  await house.persist(() => house.advance(10_000));
  await until(
    async () =>
      (
        (
          await house.persist(() =>
            ask(house, 'GET', '/api/admin/comparison', { headers: patron.admin }),
          )
        ).body as { running: boolean }
      ).running === false,
    20_000,
  );
  expect(await patron.rows('SELECT kind, subject, detail FROM breaks')).toEqual([]);
}
