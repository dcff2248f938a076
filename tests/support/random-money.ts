/**
 * Random money of a season: cash and cards, refunds, disputes, and payouts that contain some of
 * it.
 */
import type { Pool } from '#db/engine/dialect.ts';

/** A number from 0 up to, but not including, this one. */
export type Chance = (below: number) => number;

const hour = 3_600_000;

export function handedOver(id: string, order_id: string, facts: object) {
  const how = { kind: 'manual', method: 'cash', actor: 'user:u', disputed: 0 };
  return { id, order_id, ...how, ...facts };
}

export function givenBack(id: string, order_id: string, facts: object) {
  return {
    id,
    order_id,
    state: 'succeeded',
    origin: 'office',
    kind: 'manual',
    fee_cents: 0,
    voids_tickets: 1,
    frees_seats: 1,
    idempotency_key: id,
    actor: 'user:u',
    ...facts,
  };
}

interface Money {
  id: string;
  total_cents: number;
  at: number;
  /** Half of it is refunded. */
  gone: boolean;
  shift_ids: string[];
  below: Chance;
}

/** Adds payments in one or two parts, and refunds, some of which are refused or fail. */
export async function addMoney(db: Pool, money: Money): Promise<void> {
  const { id, total_cents, at, gone, shift_ids, below } = money;
  const first = below(3) === 0 ? 500 : total_cents;
  const payment_intent = await addPayment(db, money, { id: `${id}-0`, amount_cents: first, at });
  if (total_cents > first)
    await addPayment(db, money, {
      id: `${id}-1`,
      amount_cents: total_cents - first,
      at: at + 26 * hour,
    });
  if (!gone) return;
  const byStripe = payment_intent !== null && below(2) === 0;
  await db('refunds').insert(
    givenBack(id, id, {
      state: ['succeeded', 'pending', 'failed', 'asked'][below(4)],
      ...(byStripe
        ? { kind: 'stripe', payment_intent }
        : { method: 'cash', shift_id: shift_ids[below(2)] }),
      amount_cents: total_cents / 2,
      fee_cents: 150,
      created_at: at + below(90) * hour,
      decided_at: below(2) === 0 ? at + 99 * hour : null,
    }),
  );
}

/** Its payment intent, if it was paid online. */
async function addPayment(
  db: Pool,
  { id: order_id, shift_ids, below }: Money,
  { id, amount_cents, at }: { id: string; amount_cents: number; at: number },
): Promise<string | null> {
  const facts = { amount_cents, paid_at: at };
  if (below(2) === 0) {
    const method = ['cash', 'pos', 'transfer'][below(3)];
    const shift_id = method === 'cash' ? shift_ids[below(2)] : null;
    await db('payments').insert(handedOver(id, order_id, { ...facts, method, shift_id }));
    return null;
  }
  const [payment_intent, charge_id] = [`pi-${id}`, `ch-${id}`];
  const stripe_fee_cents = [null, 25, 90][below(3)]!;
  const method = ['card', 'satispay', null][below(3)];
  await db('payments').insert({
    ...handedOver(id, order_id, facts),
    kind: 'stripe',
    actor: 'stripe',
    method,
    payment_intent,
    charge_id,
    stripe_fee_cents,
  });
  const payout_id = ['', '', 'po-1', 'po-2', null][below(5)]!;
  const line = {
    id: `bt-${id}`,
    payout_id,
    kind: 'charge',
    type: 'charge',
    category: 'charge',
    source_id: charge_id,
    charge_id,
    gross_cents: amount_cents,
    fee_cents: 90,
    net_cents: amount_cents - 90,
    created_at: at,
    available_at: at + below(999) * hour,
  };
  if (payout_id !== null) await db('payout_lines').insert(line);
  if (below(6) > 0) return payment_intent;
  const dispute_id = `dp-${id}`;
  await db('disputes').insert({
    id: dispute_id,
    order_id,
    charge_id,
    amount_cents,
    reason: 'fraudulent',
    status: ['needs_response', 'lost', 'won', 'warning_closed'][below(4)],
    created_at: at + below(400) * hour,
    updated_at: at,
  });
  const cost = { kind: 'dispute', category: 'dispute', fee_cents: 2_000, payout_id: 'po-2' };
  if (below(2) === 0)
    await db('payout_lines').insert({
      ...line,
      ...cost,
      id: `bt-${dispute_id}`,
      source_id: dispute_id,
    });
  return payment_intent;
}
