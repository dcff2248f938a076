/** What rules leave below fifty cents cannot be charged online and is nothing (RULES P6). */
import { expect, test } from 'vitest';
import { noFees } from '#server/domain/price/fees.ts';
import { priceCart } from '#server/domain/price/cart.ts';
import { priceLines } from '#server/domain/price/page-cart.ts';
import type { SaleChannel } from '#server/domain/price/rule.ts';

const scope = { categories: null, ticket_types: null, channels: null, from: null, until: null };
const less = (off_cents: number) => ({
  id: 'c',
  name: 'Invito',
  kind: 'code' as const,
  scope,
  meets: false,
  percent: null,
  off_cents,
});
const seat = { category: 'Platea', ticket_type: 'intero', list_cents: 1_000, ...noFees };

function pricedAt(channel: SaleChannel, off_cents: number, fee_cents = 0, count = 2) {
  const cart = Array.from({ length: count }, () => ({ ...seat, fee_cents, whole: null }));
  return priceCart([less(off_cents)], cart, { now: 0, channel, opened: ['c'] });
}

test('one to forty-nine cents are nothing online, each line says why, and the till takes them', () => {
  for (let left = 0; left <= 60; left += 2) {
    const off = 1_000 - left / 2;
    expect(pricedAt('till', off).total_cents).toBe(left);
    const { lines, total_cents } = pricedAt('site', off);
    expect(total_cents).toBe(left < 50 ? 0 : left);
    for (const { list_cents, price_cents, reasons } of lines)
      expect(list_cents - reasons.reduce((sum, why) => sum + why.off_cents, 0)).toBe(price_cents);
  }
  expect(pricedAt('site', 990).lines[0]).toEqual({
    list_cents: 1_000,
    price_cents: 0,
    ...noFees,
    reasons: [
      { rule_id: 'c', name: 'Invito', off_cents: 990 },
      { rule_id: 'too_little', name: 'Online sotto 0,50\u00a0€ non si paga', off_cents: 10 },
    ],
  });
});

test('the fee counts: with it the sum is charged, and of a sum that is nothing none is left', () => {
  expect(pricedAt('site', 999, 24)).toMatchObject({ total_cents: 50, fee_cents: 48 });
  expect(pricedAt('site', 999, 23)).toMatchObject({ total_cents: 0, fee_cents: 0 });
});

test('the page of the site and that of the till say the same sums as the sale', () => {
  const { category, ticket_type } = seat;
  const kind = { category, ticket_type };
  const asked = [{ ...kind, places_cents: [1_000, 1_000], bears: [], whole: null }];
  const rules = [less(990)];
  expect(priceLines(asked, rules, { channel: 'site' })).toEqual([
    {
      cents: 0,
      ...noFees,
      reason: 'Invito: 9,90\u00a0€ in meno; Online sotto 0,50\u00a0€ non si paga',
    },
  ]);
  expect(priceLines(asked, rules, { channel: 'till' })[0]).toMatchObject({ cents: 20 });
});

test('a list price of a few cents that no rule lowers stays as it is', () => {
  const cart = [{ ...seat, list_cents: 30, whole: null }];
  const facts = { now: 0, channel: 'site', opened: [] } as const;
  expect(priceCart([less(10)], cart, facts).total_cents).toBe(30);
});
