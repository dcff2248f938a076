/**
 * The money of one event, counted into few numbers by day of Rome; seasons add these up without
 * reading payments.
 */
import type { Fees } from '#server/domain/price/fees.ts';
import { romeDay } from '#server/domain/time/rome-clock.ts';
import { numberWords, wayToPay } from './sales-count.ts';
import { Tally } from './tally.ts';

/** The stored JSON of an event; a text in a row is its index in `words`. */
export interface MoneyCount {
  words: string[];
  /** Rows of: day, way to pay, payments, cents, cents of Stripe's fees. */
  payments: number[][];
  /** Rows of: day, way to pay, refunds, cents, cents of surcharges. */
  refunds: number[][];
  /** Rows of: day, cents of surcharges. */
  presale: number[][];
  /** Rows of: day, cents of service commission less those given back; left out: there is none. */
  service?: number[][];
  /** Rows of: day, orders, cents that were left to the house; left out: there are none. */
  left?: number[][];
  /** Rows of: day, status, disputes, cents, cents that Stripe took for them. */
  disputes: number[][];
  /**
   * Online payments that are in no payout yet. Rows of: day, the day from which Stripe can pay
   * them out (`unknownDay`: not known yet), payments, cents, cents of Stripe's fees.
   */
  waiting: number[][];
  /** Rows of: day, id of the shift. */
  shifts: number[][];
}

export const unknownDay = -1;

interface Way {
  kind: string;
  method: string | null;
  amount_cents: number;
  shift_id: string | null;
  at: number;
}

/** The rows that db/report/money.ts reads. */
export interface MoneyRows {
  payments: readonly (Way & { stripe_fee_cents: number | null })[];
  refunds: readonly (Way & Fees)[];
  presale: readonly ({ at: number } & Fees)[];
  /** What buyers of a cancelled evening left to the house. */
  left: readonly { at: number; amount_cents: number }[];
  disputes: readonly { at: number; status: string; amount_cents: number; cost_cents: number }[];
  waiting: readonly {
    at: number;
    available_at: number | null;
    amount_cents: number;
    stripe_fee_cents: number | null;
  }[];
}

export function countMoney(rows: MoneyRows): MoneyCount {
  const moved = [...rows.payments, ...rows.refunds];
  const inDrawers = moved.flatMap(({ at, shift_id }) =>
    shift_id === null ? [] : { at, shift_id },
  );
  const { words, numberOf } = numberWords([
    ...moved.map(wayToPay),
    ...rows.disputes.map(({ status }) => status),
    ...inDrawers.map(({ shift_id }) => shift_id),
  ]);
  return {
    words,
    payments: tally(2, rows.payments, (one) => [
      [numberOf(wayToPay(one))],
      [1, one.amount_cents, one.stripe_fee_cents ?? 0],
    ]),
    refunds: tally(2, rows.refunds, (one) => [
      [numberOf(wayToPay(one))],
      [1, one.amount_cents, one.fee_cents],
    ]),
    presale: tally(1, rows.presale, ({ fee_cents }) => [[], [fee_cents]]),
    ...serviceOf(rows),
    ...leftOf(rows),
    disputes: tally(2, rows.disputes, ({ status, amount_cents, cost_cents }) => [
      [numberOf(status)],
      [1, amount_cents, cost_cents],
    ]),
    waiting: tally(2, rows.waiting, ({ available_at, amount_cents, stripe_fee_cents }) => [
      [available_at === null ? unknownDay : romeDay(available_at)],
      [1, amount_cents, stripe_fee_cents ?? 0],
    ]),
    shifts: tally(2, inDrawers, ({ shift_id }) => [[numberOf(shift_id)], []]),
  };
}

/** Left out where there is none, so that counts of before 1.5.0 stay right. */
function serviceOf({ presale, refunds }: MoneyRows): Pick<MoneyCount, 'service'> {
  const moved = [
    ...presale.map(({ at, service_cents }) => ({ at, cents: service_cents })),
    ...refunds.map(({ at, service_cents }) => ({ at, cents: -service_cents })),
  ].filter(({ cents }) => cents !== 0);
  return moved.length === 0 ? {} : { service: tally(1, moved, ({ cents }) => [[], [cents]]) };
}

/** Left out where there is none, so that counts of before 1.7.0 stay right. */
function leftOf({ left }: MoneyRows): Pick<MoneyCount, 'left'> {
  if (left.length === 0) return {};
  return { left: tally(1, left, ({ amount_cents }) => [[], [1, amount_cents]]) };
}

/** Groups rows by their day and further keys, and adds up the rest. */
function tally<T extends { at: number }>(
  keys: number,
  rows: readonly T[],
  partsOf: (row: T) => [key: number[], values: number[]],
): number[][] {
  const sums = new Tally(keys);
  for (const row of rows) {
    const [key, values] = partsOf(row);
    sums.add([romeDay(row.at), ...key], values);
  }
  return sums.rows();
}
