/**
 * The rules of selling at the counter: how a sale is paid, prices by hand, free tickets, and what
 * must lie in the drawer (RULES K1 to K7).
 */
import { addFees, servicePart, type Fees } from '#server/domain/price/fees.ts';
import type { PlannedLine } from '#server/domain/order/order.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { may } from '#server/domain/user/rights.ts';
import type { Role } from '#server/domain/user/user.ts';

/**
 * How a person takes money: into the drawer, through a separate card reader, by bank transfer.
 */
export const counterMethods = ['cash', 'pos', 'transfer'] as const;
export type CounterMethod = (typeof counterMethods)[number];

/** Where an order was made. */
export const channels = ['web', 'counter'] as const;
export type Channel = (typeof channels)[number];

/**
 * The most seats that the office sells to a group in one sale, with a reason. Others sell as many
 * seats as a visitor may buy (RULES K1).
 */
export const mostCounterSeats = 100;
/** How long after its start an event without a known end can still be sold. */
export const unknownLengthMs = 4 * 3_600_000;

/**
 * `given_cents`: the cash that the customer put on the table. `receipt`: the card reader's
 * number.
 */
export interface PaymentAsk {
  method: CounterMethod;
  amount_cents: number;
  given_cents?: number;
  receipt?: string;
}

/**
 * The counter sells before the web opens and after it closes, until the evening is over (RULES
 * K1).
 */
export function isCounterOpen(
  event: { starts_at: number; ends_at: number | null },
  now: number,
): boolean {
  return now < (event.ends_at ?? event.starts_at + unknownLengthMs);
}

/**
 * Only the office sees the bank account, so only the office may say that a transfer came (RULES
 * K2). Refuses transfer_not_allowed.
 */
export function requireMayTake(role: Role, payments: readonly Pick<PaymentAsk, 'method'>[]): void {
  if (payments.some(({ method }) => method === 'transfer') && !may(role, 'book_transfers'))
    throw new Refusal('transfer_not_allowed');
}

/** Who sold an order, and the shifts of the sale and of each payment. */
interface SoldWhere {
  sold_by: string | null;
  shift_id: string | null;
  paid_in: readonly (string | null)[];
}

/**
 * Whether a person may hand back the money of an order, or end its gift: the office may for any
 * order, a cashier only for what they sold and what was paid in their own open shift (RULES K3).
 */
export function mayGiveBack(
  { id, role }: { id: string; role: Role },
  { sold_by, shift_id, paid_in }: SoldWhere,
  own_shift: string | null,
): boolean {
  if (may(role, 'refund')) return true;
  const isOwn = shift_id === null ? sold_by === id : shift_id === own_shift;
  return isOwn && paid_in.every((paid) => paid !== null && paid === own_shift);
}

/**
 * Refuses payment_wrong unless the parts add up to the total and the cash covers its part;
 * returns the change.
 */
export function changeOf(payments: readonly PaymentAsk[], total_cents: number): number {
  const sum = payments.reduce((total, { amount_cents }) => total + amount_cents, 0);
  if (sum !== total_cents) throw new Refusal('payment_wrong', { total_cents, paid_cents: sum });
  return payments.reduce((change, { method, amount_cents, given_cents }) => {
    if (given_cents === undefined) return change;
    if (method !== 'cash' || given_cents < amount_cents)
      throw new Refusal('payment_wrong', { amount_cents, given_cents });
    return change + given_cents - amount_cents;
  }, 0);
}

type Sums = { lines: PlannedLine[]; total_cents: number } & Fees;

/**
 * Spreads a lower total over the lines in proportion to their cost; the first lines get the odd
 * cents. A line keeps its fee while it costs at least as much, and what it costs without rules.
 */
export function spreadTotal({ lines, total_cents }: Sums, wanted_cents: number): Sums {
  if (wanted_cents < 1 || wanted_cents > total_cents)
    throw new Refusal('price_by_hand_wrong', { total_cents });
  const shares = lines.map((line) => {
    const cost = line.price_cents + line.fee_cents;
    return { line, cost, share: Math.floor((cost * wanted_cents) / total_cents) };
  });
  let odd = wanted_cents - shares.reduce((sum, { share }) => sum + share, 0);
  const spread = shares.map(({ line, cost: full, share }) => {
    const extra = odd > 0 && full > 0 ? 1 : 0;
    odd -= extra;
    const cost = share + extra;
    const fee_cents = Math.min(line.fee_cents, cost);
    const list_cents = line.list_cents ?? line.price_cents;
    const service_cents = servicePart(line, fee_cents);
    return { ...line, fee_cents, service_cents, price_cents: cost - fee_cents, list_cents };
  });
  return {
    lines: spread,
    total_cents: wanted_cents,
    ...addFees(spread),
  };
}

/** The coins and notes of a drawer, in cents. */
export const denominations = [
  50_000, 20_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10, 5, 2, 1,
] as const;

/**
 * `pieces`: how many of each coin or note, by its cents. Refuses bad_request for any other value.
 */
export function countDrawer(pieces: Readonly<Record<string, number>>): number {
  return Object.entries(pieces).reduce((sum, [value, count]) => {
    if (!denominations.some((known) => String(known) === value))
      throw new Refusal('bad_request', { fields: ['pieces'] });
    return sum + Number(value) * count;
  }, 0);
}

export interface DrawerFacts {
  float_cents: number;
  cash_sales_cents: number;
  cash_refunds_cents: number;
  moved_in_cents: number;
  moved_out_cents: number;
}

interface MethodSum {
  method: string;
  amount_cents: number;
}

/** What came into a drawer and left it, of the shift's sums by method and its moves. */
export function drawerOf(shift: {
  float_cents: number;
  payments: readonly MethodSum[];
  refunds: readonly MethodSum[];
  moves: readonly { amount_cents: number }[];
}): DrawerFacts {
  const cashOf = (sums: readonly MethodSum[]) =>
    sums.find(({ method }) => method === 'cash')?.amount_cents ?? 0;
  const moved = (sign: 1 | -1) =>
    shift.moves.reduce((sum, { amount_cents }) => sum + Math.max(0, sign * amount_cents), 0);
  return {
    float_cents: shift.float_cents,
    cash_sales_cents: cashOf(shift.payments),
    cash_refunds_cents: cashOf(shift.refunds),
    moved_in_cents: moved(1),
    moved_out_cents: moved(-1),
  };
}

/** The cash that should be in the drawer (RULES K3). */
export function expectedCash(facts: DrawerFacts): number {
  const came = facts.float_cents + facts.cash_sales_cents + facts.moved_in_cents;
  return came - facts.cash_refunds_cents - facts.moved_out_cents;
}

/**
 * Whether a shift is counted blind: before its count a cashier is told no sum of cash, nor what
 * gives it by subtraction; the office is (RULES K3).
 */
export function isBlind(role: Role, { closed_at }: { closed_at: number | null }): boolean {
  return closed_at === null && !may(role, 'see_shifts');
}

const banknotes = [500, 1_000, 2_000, 5_000, 10_000] as const;

/** The sums that customers give for a total: as few banknotes of each kind as are enough. */
export function usualCash(total_cents: number): number[] {
  const sums = banknotes.map((note) => Math.ceil(total_cents / note) * note);
  return [...new Set(sums)].filter((sum) => sum > total_cents).toSorted((a, b) => a - b);
}
