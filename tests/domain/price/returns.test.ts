/** What an order that rules priced gives back, ticket by ticket (RULES R7). */
import { expect, test } from 'vitest';
import type { CartTicket, PriceFacts, PriceRule } from '#server/domain/price/rule.ts';
import { refundQuote } from '#server/domain/payment/refund-quote.ts';
import { couple, threeForTwo } from '#tests/support/rules-in-force.ts';
import { after, checkReturns, factsOf, ruledOf } from './check-returns.ts';

const facts: PriceFacts = { now: 1_000, channel: 'site', opened: [] };

const ticket = (ticket_type = 'intero', fee_cents = 0): CartTicket => ({
  category: 'Platea',
  ticket_type,
  list_cents: ticket_type === 'intero' ? 3_200 : 1_000,
  fee_cents,
  service_cents: 0,
  whole: null,
});
const rule = { ...threeForTwo, id: 'r' } as PriceRule;

test('of three for two the first ticket gives nothing, the second what it cost, the last the rest', () => {
  const sold = ruledOf({ rules: [rule], cart: [ticket(), ticket(), ticket()], facts });
  const first = after(sold, ['l0']);
  expect(first.quote).toMatchObject({
    amount_cents: 0,
    because: expect.stringMatching(
      /^Non viene restituito nulla\. Restano due biglietti: senza 3x2 costano 64,00\s€\.$/,
    ),
  });
  const asked = refundQuote(factsOf(sold), { by: 'buyer', line_ids: ['l0'] });
  expect(asked).toMatchObject({ obstacle: 'nothing_left', because: first.quote.because });
  const second = after(first.ruled, ['l1']);
  expect(second.quote).toMatchObject({
    amount_cents: 3_200,
    because: expect.stringMatching(/^Resta un biglietto: senza 3x2 costa 32,00\s€\.$/),
  });
  expect(after(second.ruled, ['l2']).quote).toMatchObject({ amount_cents: 3_200, because: null });
  const all = refundQuote(factsOf(sold), { by: 'buyer', line_ids: 'all' });
  expect(all).toMatchObject({ amount_cents: 6_400, obstacle: null, because: null });
  expect(all.lines.map(({ price_cents }) => price_cents)).toEqual(
    sold.lines.map(({ paid }) => paid.price_cents),
  );
});

test('a ticket that a rule made free is given back with the others, with its order’s fees', () => {
  const cart = [ticket('intero', 150), ticket('intero', 150), ticket('intero', 150)];
  const sold = ruledOf({ rules: [{ ...rule, spread: false } as PriceRule], cart, facts });
  const all = refundQuote(factsOf(sold, { keeps_fees: false }), { by: 'buyer', line_ids: 'all' });
  expect(all).toMatchObject({ amount_cents: 6_700, fee_cents: 300, obstacle: null });
  expect(all.lines.every(({ chosen }) => chosen)).toBe(true);
  // Two remain, and bear the two fees that were paid.
  const one = after(sold, ['l0'], { with_fees: true });
  expect(one.quote).toMatchObject({ tickets_cents: 0, fee_cents: 0, amount_cents: 0 });
  const rest = after(one.ruled, ['l1', 'l2'], { with_fees: true });
  expect(rest.quote).toMatchObject({ tickets_cents: 6_400, fee_cents: 300 });
});

test('a package is left: what remains costs its list price; a cancelled evening gives what was paid', () => {
  const rules = [{ ...couple, price_cents: 3_500, id: 'c' } as PriceRule];
  const sold = ruledOf({ rules, cart: [ticket(), ticket('ridotto')], facts });
  const { quote } = after(sold, ['l1']);
  expect(quote).toMatchObject({
    amount_cents: 300,
    because: expect.stringMatching(/^Resta un biglietto: senza Coppia costa 32,00\s€\.$/),
  });
  const cancelled = factsOf(sold, { cancelled: true });
  const [, reduced] = sold.lines;
  expect(refundQuote(cancelled, { by: 'buyer', line_ids: ['l1'] })).toMatchObject({
    amount_cents: reduced!.paid.price_cents,
    because: null,
  });
});

test('fees of what remains are kept, and only those of tickets given back return', () => {
  const dear = { ...ticket('intero', 150), list_cents: 10_000 };
  const cheap = { ...ticket('intero', 150), list_cents: 1_000 };
  const twoFree = { ...rule, k: 2, spread: false } as PriceRule;
  const one = ruledOf({ rules: [twoFree], cart: [dear, cheap, cheap], facts });
  // 101,50 were paid, and two tickets remain that cost 11,50 each.
  expect(after(one, ['l0']).quote.amount_cents).toBe(10_150 - 2_300);
  const rules = [
    { ...rule, spread: false } as PriceRule,
    { ...couple, price_cents: 3_000, id: 'c' } as PriceRule,
  ];
  const reduced = { ...ticket('ridotto', 150), list_cents: 5_000 };
  const cart = [...Array.from({ length: 3 }, () => ticket('intero', 150)), reduced];
  const four = ruledOf({ rules, cart, facts });
  // Of the three that remain one is free now; the fee that was paid for it stays.
  expect(after(four, ['l3'], { with_fees: true }).quote).toMatchObject({
    tickets_cents: 3_000,
    fee_cents: 150,
  });
});

test('two wishes that wait are never worth more together than one of both', () => {
  const group = {
    ...rule,
    id: 'g',
    name: 'Gruppo',
    kind: 'group',
    from_places: 3,
    percent: 50,
    price_cents: null,
    free_every: null,
  } as PriceRule;
  const cart = Array.from({ length: 4 }, () => ticket());
  const sold = ruledOf({ rules: [group], cart, facts });
  const first = after(sold, ['l0'], { asked: true });
  expect(first.quote.amount_cents).toBe(1_600);
  const second = after(first.ruled, ['l1'], { asked: true });
  const both = after(sold, ['l0', 'l1']);
  expect([second.quote.amount_cents, both.quote.amount_cents]).toEqual([0, 0]);
});

test('whatever is given back in whatever parts, what remains is paid for, and all back is all that was paid', () => {
  for (let seed = 1; seed <= 1_500; seed += 1) checkReturns(seed, 6);
});
