/** Adds up the money of some events, of all days or some. */
import type { MoneyCount } from './money-count.ts';

/** The numbers of MoneyCount in their order, by their keys. */
export interface MoneySums {
  payments: Map<string, number[]>;
  refunds: Map<string, number[]>;
  /** All surcharges, before refunds. */
  presale_cents: number;
  /** Service commission, less what was given back of it; null: there is none. */
  service_cents: number | null;
  /** What was left to the house; null: nothing was. */
  left_cents: number | null;
  disputes: Map<string, number[]>;
  waiting: Map<number, number[]>;
  shift_ids: Set<string>;
}

/** Adds up the movements from the first to the last of `days`, or all if null. */
export function sumMoney(
  counts: readonly MoneyCount[],
  days: { first: number; last: number } | null,
): MoneySums {
  const sums: MoneySums = {
    payments: new Map(),
    refunds: new Map(),
    presale_cents: 0,
    service_cents: null,
    left_cents: null,
    disputes: new Map(),
    waiting: new Map(),
    shift_ids: new Set(),
  };
  const inside = (rows: number[][]) =>
    rows.filter(([day = 0]) => days === null || (day >= days.first && day <= days.last));
  for (const { words, ...count } of counts) {
    const wordOf = (number: number) => words[number] ?? '';
    for (const part of ['payments', 'refunds', 'disputes'] as const)
      addRows(sums[part], inside(count[part]), wordOf);
    addRows(sums.waiting, inside(count.waiting), (day) => day);
    for (const [, cents = 0] of inside(count.presale)) sums.presale_cents += cents;
    for (const [, cents = 0] of inside(count.service ?? []))
      sums.service_cents = (sums.service_cents ?? 0) + cents;
    for (const [, , cents = 0] of inside(count.left ?? []))
      sums.left_cents = (sums.left_cents ?? 0) + cents;
    for (const [, shift = 0] of inside(count.shifts)) sums.shift_ids.add(wordOf(shift));
  }
  return sums;
}

function addRows<K>(
  sums: Map<K, number[]>,
  rows: readonly number[][],
  keyOf: (number: number) => K,
): void {
  for (const [, number = 0, ...values] of rows) {
    const sum = sums.get(keyOf(number)) ?? [];
    sums.set(
      keyOf(number),
      values.map((value, nth) => value + (sum[nth] ?? 0)),
    );
  }
}
