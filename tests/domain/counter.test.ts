/** Rules of the counter: prices by hand, change and the drawer. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  changeOf,
  countDrawer,
  expectedCash,
  spreadTotal,
  usualCash,
} from '#server/domain/counter/counter.ts';

const line = (price_cents: number, fee_cents: number) => ({
  object_label: 'A-1',
  place: 'A-1',
  whole_size: 0,
  buys: 1,
  kind: 'seat' as const,
  category: 'Platea',
  ticket_type: 'intero',
  type_label: 'Intero',
  price_id: 'p',
  price_cents,
  fee_cents,
  service_cents: Math.floor(fee_cents / 3),
  list_cents: null,
  price_reasons: null,
});

test('a lower total is spread to the cent: no line dearer than before, none below zero', () => {
  const cents = fc.integer({ min: 0, max: 20_000 });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(cents, fc.integer({ min: 0, max: 300 })), { minLength: 1, maxLength: 20 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (prices, share) => {
        const lines = prices.map(([price, fee]) => line(price, price > 0 ? fee : 0));
        const total_cents = lines.reduce((sum, one) => sum + one.price_cents + one.fee_cents, 0);
        fc.pre(total_cents > 0);
        const wanted = Math.max(1, Math.floor(total_cents * share));
        const spread = spreadTotal({ lines, total_cents, fee_cents: 0, service_cents: 0 }, wanted);
        const costs = spread.lines.map((one) => one.price_cents + one.fee_cents);
        expect(costs.reduce((sum, cost) => sum + cost, 0)).toBe(wanted);
        expect(spread.fee_cents).toBe(spread.lines.reduce((sum, one) => sum + one.fee_cents, 0));
        spread.lines.forEach((one, at) => {
          expect(Math.min(one.price_cents, one.fee_cents)).toBeGreaterThanOrEqual(0);
          expect(one.service_cents).toBeLessThanOrEqual(one.fee_cents);
          expect(costs[at]).toBeLessThanOrEqual(lines[at]!.price_cents + lines[at]!.fee_cents);
        });
      },
    ),
  );
});

test('nothing is given for nothing, and nothing above the list', () => {
  const plan = { lines: [line(1_000, 0)], total_cents: 1_000, fee_cents: 0, service_cents: 0 };
  for (const wanted of [0, -1, 1_001])
    expect(() => spreadTotal(plan, wanted)).toThrow('price_by_hand_wrong');
});

test('change is what was put on the table beyond the part in cash', () => {
  expect(
    changeOf(
      [
        { method: 'cash', amount_cents: 2_000, given_cents: 5_000 },
        { method: 'pos', amount_cents: 1_000 },
      ],
      3_000,
    ),
  ).toBe(3_000);
});

test('the drawer holds float, cash and what was put in, less what went out', () => {
  const facts = {
    float_cents: 10_000,
    cash_sales_cents: 6_400,
    cash_refunds_cents: 3_200,
    moved_in_cents: 500,
    moved_out_cents: 5_000,
  };
  expect(expectedCash(facts)).toBe(8_700);
  expect(countDrawer({ '5000': 1, '200': 3, '1': 7 })).toBe(5_607);
  expect(() => countDrawer({ '3': 1 })).toThrow('bad_request');
});

test('the usual banknotes for a sum are enough for it, each sum once', () => {
  expect(usualCash(6_400)).toEqual([6_500, 7_000, 8_000, 10_000]);
  expect(usualCash(2_000)).toEqual([5_000, 10_000]);
  expect(usualCash(0)).toEqual([]);
});
