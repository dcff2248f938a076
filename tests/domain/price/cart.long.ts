/** The long form: 100,000 random carts of up to eight places against every way to use the rules. */
import { test } from 'vitest';
import { checkCart } from './check-cart.ts';

test(
  '100,000 random carts of up to eight places cost the least that is lawful',
  { timeout: 3_600_000 },
  () => {
    for (let seed = 1; seed <= 100_000; seed += 1) checkCart(seed, 2 + (seed % 7));
  },
);
