/**
 * The sales of one event, counted into few numbers by day of Rome and by the keys of reports.
 * Seasons add these up and never read an order.
 */
import { requireValue } from '#server/domain/require-value.ts';
import { romeDay, romeHour } from '#server/domain/time/rome-clock.ts';
import { Tally } from './tally.ts';

/** The channel of a sale; free orders are separate. */
export const ways = ['web', 'counter', 'free'] as const;
export type Way = (typeof ways)[number];

/** The stored JSON of an event; a text in a row is its index in `words`. */
export interface SalesCount {
  words: string[];
  /** Rows of: day, index in `ways`, orders, places, cents with fees, cents of fees. */
  orders: number[][];
  /** Rows of: day, hour, and then as in `orders`. */
  hours: number[][];
  /** Rows of: day, category, ticket type, places, cents with fees, cents of fees. */
  lines: number[][];
  /** Rows of: day, way to pay, payments, cents. */
  payments: number[][];
  /** Rows of: day, way to pay, refunds, cents with fees, cents of fees. */
  refunds: number[][];
}

/** The rows that db/report/sales.ts reads. */
interface Rows {
  orders: readonly {
    id: string;
    channel: 'web' | 'counter';
    total_cents: number;
    confirmed_at: number;
  }[];
  lines: readonly {
    order_id: string;
    category: string;
    type_label: string;
    price_cents: number;
    fee_cents: number;
  }[];
  payments: readonly {
    kind: string;
    method: string | null;
    amount_cents: number;
    paid_at: number;
  }[];
  refunds: readonly { kind: string; amount_cents: number; fee_cents: number; at: number }[];
}

export function countSales({ orders, lines, payments, refunds }: Rows): SalesCount {
  const { words, numberOf } = numberWords([
    ...lines.flatMap(({ category, type_label }) => [category, type_label]),
    ...payments.map(wayToPay),
    ...refunds.map(({ kind }) => kind),
  ]);
  const byOrder = new Tally(2);
  const byHour = new Tally(2);
  const byLine = new Tally(3);
  const byPayment = new Tally(2);
  const byRefund = new Tally(2);
  const sums = new Map(
    orders.map((order) => {
      const day = romeDay(order.confirmed_at);
      return [order.id, { order, day, places: 0, cents: 0, fees: 0 }];
    }),
  );
  for (const line of lines) {
    const sum = sums.get(line.order_id);
    // The next count includes an order that was confirmed between the two queries.
    if (sum === undefined) continue;
    const cents = line.price_cents + line.fee_cents;
    sum.places += 1;
    sum.cents += cents;
    sum.fees += line.fee_cents;
    const key = [sum.day, numberOf(line.category), numberOf(line.type_label)];
    byLine.add(key, [1, cents, line.fee_cents]);
  }
  for (const { order, day, places, cents, fees } of sums.values()) {
    const way = ways.indexOf(order.total_cents === 0 ? 'free' : order.channel);
    byOrder.add([day, way], [1, places, cents, fees]);
    byHour.add([day, romeHour(order.confirmed_at)], [1, places, cents, fees]);
  }
  for (const payment of payments)
    byPayment.add(
      [romeDay(payment.paid_at), numberOf(wayToPay(payment))],
      [1, payment.amount_cents],
    );
  for (const { kind, amount_cents, fee_cents, at } of refunds)
    byRefund.add([romeDay(at), numberOf(kind)], [1, amount_cents, fee_cents]);
  return {
    words,
    orders: byOrder.rows(),
    hours: byHour.rows(),
    lines: byLine.rows(),
    payments: byPayment.rows(),
    refunds: byRefund.rows(),
  };
}

/** The first and the last counted day; null: there is none. */
export function daysOf(parts: readonly number[][][]): { first: number; last: number } | null {
  const days = parts.flat().map(([day = 0]) => day);
  if (days.length === 0) return null;
  return { first: Math.min(...days), last: Math.max(...days) };
}

export function wayToPay({ kind, method }: { kind: string; method: string | null }): string {
  return method ?? kind;
}

/** Each word once, and its index; the same words always get the same indexes. */
export function numberWords(all: readonly string[]): {
  words: string[];
  numberOf: (word: string) => number;
} {
  const words = [...new Set(all)].toSorted();
  const numbers = new Map(words.map((word, at) => [word, at]));
  return { words, numberOf: (word) => requireValue(numbers.get(word), 'number of this word') };
}
