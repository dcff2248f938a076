/** Part payments of a reservation: which may be taken, and what becomes of them (RULES K5). */
import type { EndReason } from '#server/domain/order/order.ts';
import type { DepositEnd } from '#server/domain/order/payment.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { changeOf, type PaymentAsk } from './counter.ts';

/** The house's own doing never costs the buyer the deposit. */
const keptAt: readonly EndReason[] = [
  'reservation_expired',
  'cancelled_by_office',
  'cancelled_by_visitor',
];

export function isKept(end: DepositEnd, reason: EndReason): boolean {
  return end === 'kept' && keptAt.includes(reason);
}

/**
 * Refuses deposit_wrong unless something of what is due stays due; payment_wrong for cash that
 * does not cover its part.
 */
export function requireDeposit(payments: readonly PaymentAsk[], due_cents: number): void {
  const sum = payments.reduce((total, { amount_cents }) => total + amount_cents, 0);
  const isPart = payments.length > 0 && payments.every(({ amount_cents }) => amount_cents > 0);
  if (!isPart || sum >= due_cents) throw new Refusal('deposit_wrong', { due_cents });
  changeOf(payments, sum);
}
