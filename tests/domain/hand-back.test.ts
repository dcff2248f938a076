/** How money goes back by hand: in the proportion in which it was paid, to the cent. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { counterMethods } from '#server/domain/counter/counter.ts';
import { leftByHand, proportionalParts, sumOfParts } from '#server/domain/counter/hand-back.ts';

const cash = (amount_cents: number, shift_id: string | null = 'turno') => ({
  method: 'cash',
  amount_cents,
  shift_id,
});
const pos = (amount_cents: number) => ({ method: 'pos', amount_cents, shift_id: 'turno' });

test('a part of a mixed payment goes back in its proportion, and the rest in what is left of it', () => {
  const paid = [cash(2_000), pos(5_400)];
  expect(proportionalParts(7_400, leftByHand(paid, []))).toEqual([
    { method: 'cash', amount_cents: 2_000 },
    { method: 'pos', amount_cents: 5_400 },
  ]);
  expect(proportionalParts(1_000, leftByHand(paid, []))).toEqual([
    { method: 'cash', amount_cents: 270 },
    { method: 'pos', amount_cents: 730 },
  ]);
  expect(proportionalParts(5_400, leftByHand(paid, [cash(2_000)]))).toEqual([
    { method: 'pos', amount_cents: 5_400 },
  ]);
});

test('what never came into a till takes nothing out of one, and Stripe’s money goes by transfer', () => {
  expect(proportionalParts(700, leftByHand([cash(700, null)], []))).toEqual([
    { method: 'cash', amount_cents: 700, shift_id: null },
  ]);
  expect(proportionalParts(700, [])).toEqual([
    { method: 'transfer', amount_cents: 700, shift_id: null },
  ]);
  const stranger = [{ method: 'other', amount_cents: 500, shift_id: null }];
  expect(proportionalParts(700, leftByHand(stranger, []))).toEqual([
    { method: 'transfer', amount_cents: 700, shift_id: null },
  ]);
});

test('any sum in any parts comes to the sum, and takes no more in a way than came in it', () => {
  const moved = fc.record({
    method: fc.constantFrom<string | null>(...counterMethods, 'other', null),
    amount_cents: fc.integer({ min: 1, max: 100_000 }),
    shift_id: fc.constantFrom('turno', null),
  });
  fc.assert(
    fc.property(
      fc.array(moved, { maxLength: 5 }),
      fc.array(moved, { maxLength: 3 }),
      fc.integer({ min: 0, max: 300_000 }),
      (paid, back, cents) => {
        const left = leftByHand(paid, back);
        const parts = proportionalParts(cents, left);
        expect(sumOfParts(parts)).toBe(cents);
        expect(parts.every(({ amount_cents }) => amount_cents > 0)).toBe(true);
        for (const { method, in_till, amount_cents } of left) {
          const taken = parts.filter((one) => one.method === method);
          const own = taken.filter(({ shift_id }) => (shift_id === undefined) === in_till);
          if (method !== 'transfer') expect(sumOfParts(own)).toBeLessThanOrEqual(amount_cents);
        }
      },
    ),
  );
});
