/** Carts whose lines are known by heart (RULES P6); without Vitest, so that mutants meet them too. */
import assert from 'node:assert/strict';
import { priceCart } from '#server/domain/price/cart.ts';
import type {
  CartTicket,
  CodeRule,
  EveryRule,
  GroupRule,
  PackageRule,
  PriceFacts,
  PriceRule,
} from '#server/domain/price/rule.ts';

const base = {
  name: '',
  scope: { categories: null, ticket_types: null, channels: null, from: null, until: null },
  meets: false,
};

function every(id: string, changes: Partial<EveryRule> = {}): EveryRule {
  return {
    ...base,
    id,
    kind: 'every',
    n: 3,
    k: 1,
    price_cents: 0,
    grouped: 'cheapest',
    spread: true,
    least_cents: null,
    most: 10,
    ...changes,
  };
}

function couple(id: string, changes: Partial<PackageRule> = {}): PackageRule {
  const parts = [{ ticket_types: ['intero', 'ridotto'], count: 2 }];
  return { ...base, id, kind: 'package', parts, price_cents: 1_500, most: 1, ...changes };
}

function group(id: string, changes: Partial<GroupRule> = {}): GroupRule {
  const benefit = { percent: 50, price_cents: null, free_every: null };
  return { ...base, id, kind: 'group', from_places: 4, ...benefit, ...changes };
}

function code(id: string, off_cents: number, changes: Partial<CodeRule> = {}): CodeRule {
  return { ...base, id, kind: 'code', percent: null, off_cents, ...changes };
}

function seats(...prices: number[]): CartTicket[] {
  return prices.map((list_cents) => ({
    category: 'Platea',
    ticket_type: 'intero',
    list_cents,
    fee_cents: 0,
    service_cents: 0,
    whole: null,
  }));
}

/** What each line costs, and the rules that lower it. */
function linesOf(
  rules: readonly PriceRule[],
  cart: readonly CartTicket[],
  changes: Partial<PriceFacts> = {},
) {
  const opened = rules.map(({ id }) => id);
  const facts = { now: 0, channel: 'till', opened, ...changes } as const;
  return priceCart(rules, cart, facts).lines.map(({ price_cents, reasons }) => [
    price_cents,
    reasons.map(({ rule_id }) => rule_id).join(),
  ]);
}

export const cases = {
  'the cheapest of three is spread over the three, or costs nothing itself': () => {
    const cart = seats(3_200, 3_200, 3_200);
    const spread = linesOf([every('a')], cart).map(([cents]) => cents);
    assert.deepEqual(spread, [2_134, 2_133, 2_133]);
    const single = linesOf([every('a', { spread: false })], cart);
    assert.deepEqual(single, [
      [3_200, ''],
      [3_200, ''],
      [0, 'a'],
    ]);
  },
  'of four tickets the dearest is left over, and the three cheapest share': () => {
    assert.deepEqual(linesOf([every('a')], seats(5_000, 2_000, 2_000, 2_000)), [
      [5_000, ''],
      [1_334, 'a'],
      [1_333, 'a'],
      [1_333, 'a'],
    ]);
  },
  'in the buyer’s best way each round of the dearest has its own free ticket': () => {
    const best = every('a', { grouped: 'best', spread: false });
    const cart = seats(5_000, 4_000, 3_000, 300, 200, 100);
    const free = linesOf([best], cart).filter(([cents]) => cents === 0);
    assert.deepEqual(free.length, 2);
    assert.equal(linesOf([best], cart)[2]![0], 0);
  },
  'of rules that take the same the first by id is used, whatever their order': () => {
    for (const rules of [
      [every('b'), every('a')],
      [every('a'), every('b')],
    ])
      assert.ok(linesOf(rules, seats(3_000, 3_000, 3_000)).every(([, by]) => by === 'a'));
    const codes = [code('z', 100), code('y', 100)];
    assert.deepEqual(linesOf(codes, seats(1_000)), [[900, 'y']]);
  },
  'between equal sums one rule is better than two, of using rules and of adding ones': () => {
    const twice = [couple('a', { price_cents: 1_000 }), couple('b', { price_cents: 1_000 })];
    const lines = linesOf([...twice, group('z')], seats(1_000, 1_000, 1_000, 1_000));
    assert.ok(lines.every(([, by]) => by === 'z'));
    const met = [code('a', 100, { meets: true }), code('b', 100, { meets: true })];
    assert.deepEqual(linesOf([...met, code('z', 200)], seats(1_000)), [[800, 'z']]);
  },
  'of tickets at one price the names decide which is the free one': () => {
    const [one, other] = seats(1_000, 1_000);
    const cart = [{ ...one!, category: 'Loggione' }, other!];
    const rules = [every('a', { n: 2, spread: false })];
    assert.deepEqual(linesOf(rules, cart), [
      [1_000, ''],
      [0, 'a'],
    ]);
    const turned = linesOf(rules, cart.toReversed());
    assert.deepEqual(turned, linesOf(rules, cart).toReversed());
  },
  'a code and an agreement count only where they were opened': () => {
    const rules = [code('a', 100), { ...code('b', 300), kind: 'convention' as const }];
    assert.deepEqual(linesOf(rules, seats(1_000), { opened: [] }), [[1_000, '']]);
    assert.deepEqual(linesOf(rules, seats(1_000), { opened: ['a'] }), [[900, 'a']]);
    const shut = every('c', { n: 2, opened_by_code: true });
    assert.deepEqual(linesOf([shut], seats(1_000, 1_000), { opened: [] })[0], [1_000, '']);
  },
  'a code takes its part off a package where both may meet, and never the whole': () => {
    const cart = seats(1_000, 1_000);
    const met = [couple('a', { meets: true }), code('b', 100, { meets: true })];
    assert.deepEqual(linesOf(met, cart), [
      [650, 'b,a'],
      [650, 'b,a'],
    ]);
    const dear = [couple('a', { meets: true }), code('b', 900, { meets: true })];
    const cents = linesOf(dear.with(1, code('b', 900)), cart).map(([price]) => price);
    assert.deepEqual(cents, [100, 100]);
    const feed = cart.map((seat) => ({ ...seat, fee_cents: 300 }));
    assert.deepEqual(linesOf(dear, feed)[0], [1, 'b,a']);
  },
  'no ticket costs more than its list price where a package costs more than its tickets': () => {
    // The package keeps the two cheap ones from being those that are free.
    const rules = [couple('a', { price_cents: 2_831 }), every('b', { n: 2, spread: false })];
    const cart = seats(3_000, 3_000, 1_999, 100).map((seat, at) => ({
      ...seat,
      ticket_type: at < 2 ? 'ragazzi' : 'intero',
    }));
    assert.deepEqual(linesOf(rules, cart), [
      [3_000, ''],
      [732, 'b'],
      [1_999, ''],
      [100, ''],
    ]);
  },
};
