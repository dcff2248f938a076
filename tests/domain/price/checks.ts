/** All that price rules are checked by, each under a name; the first thing wrong is thrown. */
import { cases } from './cases.ts';
import { cartChecks, checkCart } from './check-cart.ts';
import { checkReturns } from './check-returns.ts';

/** So many random carts are tried. */
const carts = 1_500;

function ofCarts(name: keyof typeof cartChecks): () => void {
  return () => {
    for (let seed = 1; seed <= carts; seed += 1) checkCart(seed, 6, [cartChecks[name]]);
  };
}

export const checks = {
  isLeast: ofCarts('isLeast'),
  sumsToTheCent: ofCarts('sumsToTheCent'),
  isSameInAnyOrder: ofCarts('isSameInAnyOrder'),
  isNoDearerThanWithFewer: ofCarts('isNoDearerThanWithFewer'),
  cases: () => {
    for (const [name, check] of Object.entries(cases))
      try {
        check();
      } catch (error) {
        throw new Error(name, { cause: error });
      }
  },
  returns: () => {
    for (let seed = 1; seed <= carts; seed += 1) checkReturns(seed, 6);
  },
};
export type CheckName = keyof typeof checks;
