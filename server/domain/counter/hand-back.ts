/**
 * How money goes back by hand: in cash out of a drawer, through the card reader of a till, or by
 * transfer; by default in the proportion in which it was paid by hand (RULES K3).
 */
import { shareOut } from '#server/domain/price/share.ts';
import { counterMethods, type CounterMethod } from './counter.ts';

/**
 * One part of the money. `shift_id`: the open shift whose till pays; left out: one's own; null:
 * none, as for a transfer, or for what never came into a till.
 */
export interface HandPart {
  method: CounterMethod;
  amount_cents: number;
  shift_id?: string | null;
}

/** Money that was paid or given back by hand. */
interface Moved {
  method: string | null;
  amount_cents: number;
  shift_id: string | null;
}

/** What was paid in one way and not given back yet. */
export interface LeftByHand {
  method: CounterMethod;
  /** False: it never came into a till. */
  in_till: boolean;
  amount_cents: number;
}

const ways: readonly Omit<LeftByHand, 'amount_cents'>[] = counterMethods.flatMap((method) =>
  (method === 'transfer' ? [false] : [true, false]).map((in_till) => ({ method, in_till })),
);

/** A way that is none of the counter's is settled by transfer. */
function methodOf({ method }: Moved): CounterMethod {
  return counterMethods.find((known) => known === method) ?? 'transfer';
}

/** What of an order's payments by hand is left in each way. */
export function leftByHand(paid: readonly Moved[], back: readonly Moved[]): LeftByHand[] {
  const sum = (rows: readonly Moved[], way: (typeof ways)[number]) =>
    rows
      .filter((row) => methodOf(row) === way.method)
      .filter((row) => way.method === 'transfer' || (row.shift_id !== null) === way.in_till)
      .reduce((cents, { amount_cents }) => cents + amount_cents, 0);
  return ways
    .map((way) => ({ ...way, amount_cents: sum(paid, way) - sum(back, way) }))
    .filter(({ amount_cents }) => amount_cents > 0);
}

/**
 * The parts of a sum in proportion to what is left in each way, to the cent by largest remainder;
 * what exceeds it all goes back by transfer.
 */
export function proportionalParts(cents: number, left: readonly LeftByHand[]): HandPart[] {
  const weights = left.map(({ amount_cents }) => amount_cents);
  const own = Math.min(
    cents,
    weights.reduce((sum, weight) => sum + weight, 0),
  );
  const shares = shareOut(own, weights);
  const parts = left.map(({ method, in_till }, nth): HandPart => ({
    method,
    amount_cents: shares[nth] ?? 0,
    ...(!in_till && { shift_id: null }),
  }));
  const beyond = cents - own;
  const transfer = parts.find(({ method }) => method === 'transfer');
  if (transfer) transfer.amount_cents += beyond;
  else parts.push({ method: 'transfer', amount_cents: beyond, shift_id: null });
  return parts.filter(({ amount_cents }) => amount_cents > 0);
}

/** The sum of the parts. */
export function sumOfParts(parts: readonly Pick<HandPart, 'amount_cents'>[]): number {
  return parts.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
}
