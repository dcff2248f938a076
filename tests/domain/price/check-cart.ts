/** What holds for the price of every cart (RULES P6). */
import { expect } from 'vitest';
import { addFees } from '#server/domain/price/fees.ts';
import { priceCart } from '#server/domain/price/cart.ts';
import { leastTotal } from './every-way.ts';
import { randomCase, shuffled } from './random-carts.ts';

export function checkCart(seed: number, most: number): void {
  const { rules, cart, facts } = randomCase(seed, most);
  const { lines, total_cents, fee_cents, service_cents } = priceCart(rules, cart, facts);
  const say = `seed ${seed}, most ${most}`;
  expect(total_cents, say).toBe(leastTotal(rules, cart, facts));
  const sum = lines.reduce((all, line) => all + line.price_cents + line.fee_cents, 0);
  expect(sum, say).toBe(total_cents);
  expect(addFees(lines), say).toEqual({ fee_cents, service_cents });
  const { total_cents: list } = priceCart([], cart, facts);
  expect(total_cents, say).toBeLessThanOrEqual(list);
  for (const [at, line] of lines.entries()) {
    const off = line.reasons.reduce((all, reason) => all + reason.off_cents, 0);
    expect([line.list_cents, line.price_cents], say).toEqual([
      cart[at]!.list_cents,
      line.list_cents - off,
    ]);
    expect(Math.min(line.price_cents, line.service_cents), say).toBeGreaterThanOrEqual(0);
    expect(line.service_cents, say).toBeLessThanOrEqual(line.fee_cents);
    if (line.price_cents === 0) expect(line.fee_cents, say).toBe(0);
  }
  const other = priceCart(shuffled(rules, seed), shuffled(cart, seed + 1), facts);
  expect(other.total_cents, say).toBe(total_cents);
  const spell = (all: typeof lines) => all.map((line) => JSON.stringify(line)).toSorted();
  expect(spell(other.lines), say).toEqual(spell(lines));
  const fewer = priceCart(rules.slice(1), cart, facts);
  expect(fewer.total_cents, say).toBeGreaterThanOrEqual(total_cents);
}
