/** What holds for the price of every cart (RULES P6); without Vitest, so that mutants meet it too. */
import assert from 'node:assert/strict';
import { addFees } from '#server/domain/price/fees.ts';
import { priceCart, type PricedCart } from '#server/domain/price/cart.ts';
import { leastTotal } from './every-way.ts';
import { randomCase, shuffled, type Case } from './random-carts.ts';

interface Tried extends Case {
  priced: PricedCart;
  seed: number;
}

function isLeast({ rules, cart, facts, priced }: Tried): void {
  assert.equal(priced.total_cents, leastTotal(rules, cart, facts));
}

function sumsToTheCent({ cart, priced: { lines, total_cents, ...all } }: Tried): void {
  const fees = addFees(lines);
  let prices = 0;
  for (const [at, line] of lines.entries()) {
    prices += line.price_cents;
    const offs = line.reasons.map(({ off_cents }) => off_cents);
    assert.equal(line.list_cents, cart[at]!.list_cents);
    assert.equal(line.list_cents - offs.reduce((all, off) => all + off, 0), line.price_cents);
    assert.ok(Math.min(line.price_cents, line.service_cents, ...offs) >= 0);
    assert.ok(line.service_cents <= line.fee_cents);
    if (line.price_cents === 0) assert.equal(line.fee_cents, 0);
  }
  const { fee_cents, service_cents } = all;
  assert.deepEqual(fees, { fee_cents, service_cents });
  assert.equal(prices + fee_cents, total_cents);
}

function isWithinList({ cart, facts, priced }: Tried): void {
  assert.ok(priced.total_cents <= priceCart([], cart, facts).total_cents);
}

function isSameInAnyOrder({ rules, cart, facts, priced, seed }: Tried): void {
  const other = priceCart(shuffled(rules, seed), shuffled(cart, seed + 1), facts);
  const spell = ({ lines }: PricedCart) => lines.map((line) => JSON.stringify(line)).toSorted();
  assert.deepEqual(spell(other), spell(priced));
}

function isNoDearerThanWithFewer({ rules, cart, facts, priced }: Tried): void {
  for (const rule of rules) {
    const fewer = rules.filter((one) => one !== rule);
    assert.ok(priceCart(fewer, cart, facts).total_cents >= priced.total_cents, rule.id);
  }
}

export const cartChecks = {
  isLeast,
  sumsToTheCent,
  isWithinList,
  isSameInAnyOrder,
  isNoDearerThanWithFewer,
};

/** `most`: of the tickets. */
export function checkCart(seed: number, most: number, checks = Object.values(cartChecks)): void {
  const tried = randomCase(seed, most);
  const priced = priceCart(tried.rules, tried.cart, tried.facts);
  for (const check of checks)
    try {
      check({ ...tried, priced, seed });
    } catch (error) {
      throw new Error(`${check.name}: seed ${seed}, most ${most}`, { cause: error });
    }
}
