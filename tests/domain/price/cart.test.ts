/** The price of a cart under rules (RULES P6): known carts, and random ones against every way. */
import { test } from 'vitest';
import { cases } from './cases.ts';
import { checkCart } from './check-cart.ts';

test('2,000 random carts of up to six places cost the least that is lawful, whatever the order', () => {
  for (let seed = 1; seed <= 2_000; seed += 1) checkCart(seed, 6);
});

for (const [name, check] of Object.entries(cases)) test(name, check);
