/** Orders that rules priced, given back ticket by ticket (RULES R7); without Vitest, for mutants. */
import assert from 'node:assert/strict';
import { priceCart } from '#server/domain/price/cart.ts';
import type { CartTicket, PriceFacts, PriceRule } from '#server/domain/price/rule.ts';
import { refundQuote } from '#server/domain/payment/refund-quote.ts';
import type { RefundFacts } from '#server/domain/payment/refund.ts';
import type { Ruled, RuledLine, Sum } from '#server/domain/payment/ruled-refund.ts';
import { leastTotal } from './every-way.ts';
import { randomCase, shuffled } from './random-carts.ts';

interface Sold {
  rules: readonly PriceRule[];
  cart: readonly CartTicket[];
  facts: PriceFacts;
}

export function ruledOf({ rules, cart, facts: at }: Sold): Ruled {
  const { lines } = priceCart(rules, cart, at);
  return {
    rules,
    facts: at,
    lines: lines.map(({ reasons, price_cents, fee_cents }, index) => ({
      line_id: `l${index}`,
      ticket: cart[index]!,
      names: reasons.map(({ name }) => name),
      paid: { price_cents, fee_cents },
      back: null,
    })),
  };
}

function amountOf(sums: readonly Sum[]): number {
  return sums.reduce((all, { price_cents, fee_cents }) => all + price_cents + fee_cents, 0);
}

export function factsOf(ruled: Ruled, changes: Partial<RefundFacts['event']> = {}): RefundFacts {
  const given = ruled.lines.flatMap(({ back }) => (back === null || back.asked ? [] : [back]));
  return {
    now: 1_000,
    confirmed: true,
    event: {
      cancelled: false,
      starts_at: 10_000,
      request: 'automatic',
      keeps_fees: true,
      asked_until: 5_000,
      stops_at: 9_000,
      ...changes,
    },
    paid_cents: amountOf(ruled.lines.map(({ paid }) => paid)),
    counted_cents: amountOf(given),
    counted_fee_cents: given.reduce((all, { fee_cents }) => all + fee_cents, 0),
    counted_service_cents: 0,
    disputed: false,
    lines: ruled.lines.map(({ line_id, paid, back }) => ({
      line_id,
      ...paid,
      service_cents: 0,
      ticket_live: back === null || back.asked,
      used: false,
      refund: back === null ? null : back.asked ? 'asked' : 'succeeded',
    })),
    ruled,
  };
}

/** The order after these lines were given back, or asked for. */
export function after(
  ruled: Ruled,
  line_ids: readonly string[],
  how: { with_fees?: boolean; asked?: boolean } = {},
) {
  const { with_fees = false, asked = false } = how;
  const quote = refundQuote(factsOf(ruled), { by: 'office', line_ids, with_fees });
  const lines = ruled.lines.map((line): RuledLine => {
    const { price_cents, fee_cents, chosen } = quote.lines.find(
      ({ line_id }) => line_id === line.line_id,
    )!;
    return chosen ? { ...line, back: { price_cents, fee_cents, asked } } : line;
  });
  return { quote, ruled: { ...ruled, lines } };
}

/** The tickets in random order, one or some at a time. */
export function checkReturns(seed: number, most: number): void {
  const sold = randomCase(seed, most);
  const paid_cents = priceCart(sold.rules, sold.cart, sold.facts).total_cents;
  let ruled = ruledOf(sold);
  const with_fees = seed % 2 === 0;
  let given = 0;
  const order = shuffled(
    ruled.lines.map(({ line_id }) => line_id),
    seed,
  );
  for (let at = 0; at < order.length;) {
    const size = 1 + ((seed + at) % 3);
    const { quote, ruled: next } = after(ruled, order.slice(at, at + size), { with_fees });
    at += size;
    ruled = next;
    const left = paid_cents - given;
    given += quote.amount_cents;
    const say = `seed ${seed}, ticket ${at}`;
    const rest = sold.cart.filter((_, index) => order.slice(at).includes(`l${index}`));
    const least = leastTotal(sold.rules, rest, sold.facts);
    assert.equal(amountOf(quote.lines), quote.amount_cents, say);
    for (const { price_cents, fee_cents } of quote.lines)
      assert.ok(Math.min(price_cents, fee_cents) >= 0, say);
    assert.ok(given <= paid_cents, say);
    // What remains may cost more than all did: then nothing is given.
    if (quote.amount_cents > 0) assert.ok(paid_cents - given >= least, say);
    const perOrder = sold.facts.per_order?.fee_cents ?? 0;
    if (perOrder === 0 && sold.cart.every(({ fee_cents }) => fee_cents === 0))
      assert.equal(quote.amount_cents, Math.max(0, left - least), say);
  }
  const kept = with_fees
    ? 0
    : amountOf(ruled.lines.map(({ paid }) => ({ ...paid, price_cents: 0 })));
  assert.equal(given, paid_cents - kept, `seed ${seed}`);
  const whole = refundQuote(factsOf(ruledOf(sold)), { by: 'office', line_ids: 'all', with_fees });
  assert.equal(whole.amount_cents, given);
  for (const [at, { paid }] of ruled.lines.entries())
    assert.equal(whole.lines[at]!.price_cents, paid.price_cents);
}
