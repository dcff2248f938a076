/** The hint against the price of every cart with one ticket more. */
import { expect, test } from 'vitest';
import { noFees } from '#server/domain/price/fees.ts';
import { priceCart } from '#server/domain/price/cart.ts';
import { hintFor, mostHinted } from '#server/domain/price/hint.ts';
import { randomCase } from './random-carts.ts';

test('of 500 random carts exactly those get a hint that one more ticket makes cheaper, and it names the least total', () => {
  let hinted = 0;
  for (let seed = 1; seed <= 500; seed += 1) {
    const { rules, cart, facts } = randomCase(seed, 5);
    const now = priceCart(rules, cart, facts).total_cents;
    const more = cart
      .filter(({ whole }) => whole === null)
      .map((ticket) => priceCart(rules, [...cart, { ...ticket }], facts).total_cents);
    const least = Math.min(...more);
    const hint = hintFor(rules, cart, facts);
    expect(hint?.total_cents ?? null, `seed ${seed}`).toBe(least < now ? least : null);
    if (hint !== null) hinted += 1;
  }
  expect(hinted).toBeGreaterThan(10);
});

test('a cart of more than twenty places, or of none, gets no hint', () => {
  const { rules, facts } = randomCase(1, 1);
  const ticket = { category: 'Platea', ticket_type: 'intero', list_cents: 1_000, ...noFees };
  const many = Array.from({ length: mostHinted + 1 }, () => ({ ...ticket, whole: null }));
  expect(hintFor(rules, many, facts)).toBeNull();
  expect(hintFor(rules, [], facts)).toBeNull();
});
