/** Adds up the sales of some events, of all days or some, by all keys of the sales report. */
import { requireValue } from '#server/domain/require-value.ts';
import { romeDay } from '#server/domain/time/rome-clock.ts';
import { ways, type SalesCount, type Way } from './sales-count.ts';

export interface Sold {
  orders: number;
  places: number;
  /** Cents with fees, as sold. */
  cents: number;
  fee_cents: number;
}
interface DayOfSales extends Sold {
  paid_cents: number;
  payments: number;
  refunds: number;
  refunded_cents: number;
  refunded_fee_cents: number;
}
interface Paid {
  payments: number;
  cents: number;
}

export interface SalesSums {
  total: DayOfSales;
  /** The key is the number of the day in Rome. */
  byDay: Map<number, DayOfSales>;
  /** The key is the day relative to the event: negative before it, 0 on the day itself. */
  byDistance: Map<number, DayOfSales>;
  byHour: Sold[];
  byWay: Record<Way, Sold>;
  byCategory: Map<string, Sold>;
  byType: Map<string, Sold>;
  byPayment: Map<string, Paid>;
  /** In the order of `leadBuckets`. */
  byLead: Sold[];
}

/** Days between purchase and event: the upper bound of each group, and its name. */
export const leadBuckets = [
  { upTo: 0, name: 'Il giorno stesso' },
  { upTo: 1, name: 'Il giorno prima' },
  { upTo: 3, name: '2–3 giorni prima' },
  { upTo: 7, name: '4–7 giorni prima' },
  { upTo: 14, name: '8–14 giorni prima' },
  { upTo: 30, name: '15–30 giorni prima' },
  { upTo: 60, name: '31–60 giorni prima' },
  { upTo: Number.POSITIVE_INFINITY, name: 'Oltre 60 giorni prima' },
] as const;

/** The index in `leadBuckets`. */
export function leadBucketOf(days: number): number {
  return leadBuckets.findIndex(({ upTo }) => days <= upTo);
}

export interface CountedSales {
  starts_at: number;
  count: SalesCount;
}

/** Adds up the sales and entries from the first to the last of `days`, or all if null. */
export function sumSales(
  events: readonly CountedSales[],
  days: { first: number; last: number } | null,
): SalesSums {
  const sums = emptySums();
  const within = (day: number) => days === null || (day >= days.first && day <= days.last);
  for (const { starts_at, count } of events) {
    const evening = romeDay(starts_at);
    addOrders(sums, count, { evening, within });
    addLines(sums, count, within);
    addMoney(sums, count, { evening, within });
  }
  return sums;
}

interface Where {
  evening: number;
  within: (day: number) => boolean;
}

function addOrders(
  sums: SalesSums,
  { orders, hours }: SalesCount,
  { evening, within }: Where,
): void {
  for (const row of orders) {
    const [day, way] = row as [number, number];
    if (!within(day)) continue;
    addSold(sums.total, row);
    addSold(at(sums.byDay, day, emptyDay), row);
    addSold(at(sums.byDistance, day - evening, emptyDay), row);
    addSold(sums.byWay[ways[way] ?? 'web'], row);
    addSold(requireValue(sums.byLead[leadBucketOf(evening - day)], 'bucket of days'), row);
  }
  for (const row of hours) {
    const [day, hour] = row as [number, number];
    if (within(day)) addSold(requireValue(sums.byHour[hour], 'hour of the day'), row);
  }
}

/** Adds a row; its first two numbers are keys. */
function addSold(sold: Sold, row: readonly number[]): void {
  const [, , orders, places, cents, fee_cents] = row as Six;
  sold.orders += orders;
  sold.places += places;
  sold.cents += cents;
  sold.fee_cents += fee_cents;
}

/** Only the sums of one event. */
export function totalOf(
  { orders, payments, refunds }: SalesCount,
  days: { first: number; last: number } | null,
): DayOfSales {
  const within = ([day = 0]: readonly number[]) =>
    days === null || (day >= days.first && day <= days.last);
  const total = emptyDay();
  for (const row of orders) if (within(row)) addSold(total, row);
  for (const row of payments.filter(within)) {
    const [, , made, cents] = row as Four;
    total.payments += made;
    total.paid_cents += cents;
  }
  for (const row of refunds.filter(within)) {
    const [, , made, cents, fee_cents] = row as Five;
    total.refunds += made;
    total.refunded_cents += cents;
    total.refunded_fee_cents += fee_cents;
  }
  return total;
}

function addLines(sums: SalesSums, { lines, words }: SalesCount, within: Where['within']): void {
  for (const row of lines) {
    const [day, category, type, places, cents, fee_cents] = row as Six;
    if (!within(day)) continue;
    for (const sold of [
      at(sums.byCategory, words[category] ?? '', emptySold),
      at(sums.byType, words[type] ?? '', emptySold),
    ]) {
      sold.places += places;
      sold.cents += cents;
      sold.fee_cents += fee_cents;
    }
  }
}

function addMoney(
  sums: SalesSums,
  { payments, refunds, words }: SalesCount,
  { evening, within }: Where,
): void {
  const ofDay = (day: number) => [
    sums.total,
    at(sums.byDay, day, emptyDay),
    at(sums.byDistance, day - evening, emptyDay),
  ];
  for (const row of payments) {
    const [day, word, made, cents] = row as Four;
    if (!within(day)) continue;
    const paid = at(sums.byPayment, words[word] ?? '', () => ({ payments: 0, cents: 0 }));
    paid.payments += made;
    paid.cents += cents;
    for (const sum of ofDay(day)) {
      sum.payments += made;
      sum.paid_cents += cents;
    }
  }
  for (const row of refunds) {
    const [day, , made, cents, fee_cents] = row as Five;
    if (!within(day)) continue;
    for (const sum of ofDay(day)) {
      sum.refunds += made;
      sum.refunded_cents += cents;
      sum.refunded_fee_cents += fee_cents;
    }
  }
}

type Four = [number, number, number, number];
type Five = [...Four, number];
type Six = [...Five, number];

function at<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}

function emptySold(): Sold {
  return { orders: 0, places: 0, cents: 0, fee_cents: 0 };
}

export function emptyDay(): DayOfSales {
  return {
    ...emptySold(),
    paid_cents: 0,
    payments: 0,
    refunds: 0,
    refunded_cents: 0,
    refunded_fee_cents: 0,
  };
}

function emptySums(): SalesSums {
  return {
    total: emptyDay(),
    byDay: new Map(),
    byDistance: new Map(),
    byHour: Array.from({ length: 24 }, emptySold),
    byWay: { web: emptySold(), counter: emptySold(), free: emptySold() },
    byCategory: new Map(),
    byType: new Map(),
    byPayment: new Map(),
    byLead: leadBuckets.map(emptySold),
  };
}
