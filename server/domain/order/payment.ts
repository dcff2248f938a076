/**
 * The state of an order’s money, apart from the order’s own state; and how receipt numbers are
 * compared.
 */
import type { CheckoutStatus, OrderState } from './order.ts';

export const moneyStates = [
  'unpaid',
  'processing',
  'paid',
  'partially_refunded',
  'refunded',
  'deposit',
] as const;
export type MoneyState = (typeof moneyStates)[number];

/**
 * What becomes of the part payment of a reservation that ends unpaid: it goes back, or stays with
 * the house (RULES K5).
 */
export const depositEnds = ['returned', 'kept'] as const;
export type DepositEnd = (typeof depositEnds)[number];

interface MoneyFacts {
  state: OrderState;
  session_status: CheckoutStatus | null;
  paid_cents: number;
  refunded_cents: number;
  deposit_end: DepositEnd | null;
}

/**
 * A reservation of which a part is paid waits for the rest. A confirmed order that costs nothing is
 * paid. `refunded_cents` includes money on its way back.
 * `whereMoney` in db/order/order-list.ts says the same in SQL.
 */
export function moneyOf({
  state,
  session_status,
  paid_cents,
  refunded_cents,
  deposit_end,
}: MoneyFacts): MoneyState {
  if (deposit_end !== null && state === 'awaiting_payment') return 'deposit';
  if (paid_cents > 0) {
    if (refunded_cents >= paid_cents) return 'refunded';
    return refunded_cents > 0 ? 'partially_refunded' : 'paid';
  }
  if (state === 'confirmed') return 'paid';
  return state === 'awaiting_payment' && session_status === 'complete' ? 'processing' : 'unpaid';
}

/**
 * Stripe writes 1234-5678; people leave out the dash, type spaces or small letters. Two receipt
 * numbers are the same if their folded texts are.
 */
export function foldReceipt(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\s\p{Pd}_.]/gu, '')
    .toUpperCase();
}
