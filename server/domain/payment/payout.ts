/**
 * Payouts from Stripe to the house's bank: the kind of each movement of the balance, and whether
 * it agrees with our book.
 */

/** Stripe's own words. A paid payout can still fail. */
export const payoutStates = ['pending', 'in_transit', 'paid', 'failed', 'canceled'] as const;
export type PayoutState = (typeof payoutStates)[number];

/**
 * `fee`: a fee of Stripe apart from any payment. `payout`: the payout itself, or its money that
 * came back.
 */
export const movementKinds = [
  'charge',
  'refund',
  'dispute',
  'fee',
  'adjustment',
  'payout',
] as const;
export type MovementKind = (typeof movementKinds)[number];

/** How the sums of a payout are divided; `foreign`: other sales on the same account. */
export const sumKinds = [...movementKinds, 'foreign'] as const;
export type SumKind = (typeof sumKinds)[number];

/** A movement as Stripe reports it. */
interface Movement {
  type: string;
  category: string;
}

const kindsOfCategories: Record<string, MovementKind> = {
  charge: 'charge',
  refund: 'refund',
  refund_failure: 'refund',
  partial_capture_reversal: 'refund',
  dispute: 'dispute',
  dispute_reversal: 'dispute',
  fee: 'fee',
  tax: 'fee',
  network_cost: 'fee',
  payout: 'payout',
  payout_reversal: 'payout',
};

export function movementKindOf({ type, category }: Movement): MovementKind {
  const known = Object.hasOwn(kindsOfCategories, category)
    ? kindsOfCategories[category]
    : undefined;
  if (known !== undefined) return known;
  return type.endsWith('_fee') ? 'fee' : 'adjustment';
}

/**
 * How a line compares to our book. `agrees`: a payment, refund or dispute of ours with the same
 * amount, and for a payment the same fee. `stripe`: of Stripe itself. `foreign`: of another sale
 * on the same account. The others are differences.
 */
export const lineStandings = [
  'agrees',
  'stripe',
  'foreign',
  'unknown',
  'amount_differs',
  'fee_differs',
  'twice',
] as const;
export type LineStanding = (typeof lineStandings)[number];

const differences: readonly LineStanding[] = ['unknown', 'amount_differs', 'fee_differs', 'twice'];

export function isDifference(standing: LineStanding): boolean {
  return differences.includes(standing);
}

/**
 * The amounts of a line and of our row for the same subject; null where our book has no such row.
 * `times`: how often this movement, or another one of the same payment, was paid out.
 */
export interface LineFacts {
  kind: MovementKind;
  gross_cents: number;
  fee_cents: number;
  is_ours: boolean;
  our_cents: number | null;
  our_fee_cents: number | null;
  times: number;
}

export function judgeLine(line: LineFacts): LineStanding {
  if (line.kind === 'fee' || line.kind === 'adjustment' || line.kind === 'payout')
    return line.times > 1 ? 'twice' : 'stripe';
  if (line.our_cents === null) return line.is_ours ? 'unknown' : 'foreign';
  if (line.times > 1) return 'twice';
  if (Math.abs(line.gross_cents) !== line.our_cents) return 'amount_differs';
  const feeDiffers =
    line.kind === 'charge' && line.our_fee_cents !== null && line.our_fee_cents !== line.fee_cents;
  return feeDiffers ? 'fee_differs' : 'agrees';
}

/** The paid amount of a payout, and the sum of its lines. */
interface PayoutCheck {
  amount_cents: number;
  sum_cents: number;
  /** The number of lines that differ. */
  faulty: number;
}

/** Counts the lines that differ; a wrong sum counts as one more difference. */
export function countDifferences({ amount_cents, sum_cents, faulty }: PayoutCheck): number {
  return faulty + (amount_cents === sum_cents ? 0 : 1);
}
