/** What a price rule may say, and the bound of rules together (RULES P6). */
import { expect, test } from 'vitest';
import { mostStates, statesOf } from '#server/domain/price/cheapest.ts';
import { priceCart } from '#server/domain/price/cart.ts';
import type { CartTicket, PriceRule, UsingRule } from '#server/domain/price/rule.ts';
import {
  areCountable,
  ruleFaults,
  unknownNames,
  type RuleFault,
} from '#server/domain/price/rule-check.ts';
import { ruleOfTyped, type TypedRule } from '#server/domain/price/typed-rule.ts';
import {
  everyScope,
  typedCode,
  typedConvention,
  typedEvery,
  typedGroup,
  typedPackage,
} from '#tests/support/typed-rules.ts';

const now = Date.parse('2026-12-01T12:00:00Z');
const part = (count: number, ...ticket_types: string[]) => ({ ticket_types, count });
const parts = (...names: string[]) => names.map((name) => part(1, name));

const bounds: [RuleFault | null, TypedRule][] = [
  [null, typedEvery({ n: 2, k: 1, most: 1 })],
  [null, typedEvery({ n: 50, k: 49, most: 20, price_cents: 50, least_cents: 50 })],
  [null, typedEvery({ price_cents: 1_000_000, least_cents: 1_000_000 })],
  ['n', typedEvery({ n: 1, k: 0 })],
  ['n', typedEvery({ n: 51 })],
  ['n', typedEvery({ n: 2.5 })],
  ['k', typedEvery({ k: 0 })],
  ['k', typedEvery({ k: 3 })],
  ['price', typedEvery({ price_cents: 49 })],
  ['price', typedEvery({ price_cents: 1_000_001 })],
  ['least', typedEvery({ least_cents: 0 })],
  ['most', typedEvery({ most: 0 })],
  ['most', typedEvery({ most: 21 })],
  ['name', typedEvery({ name: '  ' })],
  [null, typedEvery({ name: '€'.repeat(60) })],
  ['name', typedEvery({ name: '€'.repeat(61) })],
  [null, typedPackage({ price_cents: 50, parts: [part(10, 'a'), ...parts('b', 'c', 'd')] })],
  ['parts', typedPackage({ parts: parts('a', 'b', 'c', 'd', 'e') })],
  ['parts', typedPackage({ parts: [] })],
  ['parts', typedPackage({ parts: [part(11, 'a')] })],
  ['parts', typedPackage({ parts: [part(0, 'a')] })],
  ['parts', typedPackage({ parts: [part(1)] })],
  ['parts', typedPackage({ parts: [part(1, 'a', 'b'), part(1, 'b')] })],
  ['parts', typedPackage({ scope: { ...everyScope, ticket_types: ['a'] } })],
  ['package_price', typedPackage({ price_cents: 0 })],
  ['package_price', typedPackage({ price_cents: 49 })],
  ['most', typedPackage({ most: 21 })],
  [null, typedGroup({ from_places: 2, percent: 1, free_every: 1 })],
  [null, typedGroup({ from_places: 200, percent: 100, free_every: 100 })],
  [null, typedGroup({ percent: null, price_cents: 0 })],
  ['from_places', typedGroup({ from_places: 1 })],
  ['from_places', typedGroup({ from_places: 201 })],
  ['percent', typedGroup({ percent: 0 })],
  ['percent', typedGroup({ percent: 101 })],
  ['benefit', typedGroup({ percent: null })],
  ['benefit', typedGroup({ price_cents: 500 })],
  ['free_every', typedGroup({ free_every: 0 })],
  [null, typedCode({ percent: 100 })],
  ['percent', typedCode({ percent: 0 })],
  ['benefit', typedCode({ percent: null })],
  ['benefit', typedCode({ off_cents: 500 })],
  [null, typedConvention({ off_cents: 50 })],
  ['off', typedConvention({ off_cents: 49 })],
  ['off', typedConvention({ off_cents: 1_000_001 })],
  ['scope', typedEvery({ scope: { ...everyScope, categories: [] } })],
  ['scope', typedEvery({ scope: { ...everyScope, ticket_types: ['a', 'a'] } })],
  ['scope', typedEvery({ scope: { ...everyScope, channels: [] } })],
  [null, typedEvery({ scope: { ...everyScope, first_day: '2026-12-01', last_day: '2026-12-01' } })],
  [
    'days',
    typedEvery({ scope: { ...everyScope, first_day: '2026-12-02', last_day: '2026-12-01' } }),
  ],
];

test('each bound of a rule holds exactly', () => {
  for (const [fault, rule] of bounds)
    expect(ruleFaults(rule)[0] ?? null, JSON.stringify(rule)).toBe(fault);
});

test('names that are not sold are found, also in a package', () => {
  const sold = { categories: ['Platea'], ticket_types: ['intero'] };
  const scope = { ...everyScope, categories: ['Platea', 'Loggione'] };
  expect(unknownNames(ruleOfTyped(typedPackage({ scope }), 'a'), sold)).toEqual([
    'Loggione',
    'ragazzo',
  ]);
  expect(unknownNames(ruleOfTyped(typedEvery(), 'a'), sold)).toEqual([]);
});

let last = 0;
const rules = (...typed: TypedRule[]) =>
  typed.map((rule) => ruleOfTyped(rule, `r${(last += 1)}`)) as UsingRule[];
const isRefused = (some: readonly PriceRule[]) => !areCountable(some, now);
const best = (n: number, most: number) => typedEvery({ grouped: 'best', n, most });
const pair = typedPackage({ parts: parts('a', 'b'), most: 19 });

test('six rules that use tickets count for one date, a seventh is refused unless it is over', () => {
  const six = rules(
    ...Array.from({ length: 6 }, (_, nth) =>
      typedEvery({ n: 50, scope: { ...everyScope, categories: [`C${nth}`] } }),
    ),
  );
  expect(isRefused(six)).toBe(false);
  expect(isRefused([...six, ...rules(typedGroup())])).toBe(true);
  const over = { ...everyScope, last_day: '2026-11-30' };
  expect(isRefused([...six, ...rules(typedEvery({ scope: over }))])).toBe(false);
  const code: PriceRule = {
    id: 'code',
    kind: 'code',
    name: 'Soci',
    scope: { categories: null, ticket_types: null, channels: null, from: null, until: null },
    meets: true,
    percent: 10,
    off_cents: null,
  };
  expect(isRefused([...six, code])).toBe(false);
});

test('rules with exactly the most states are saved, and reckoned; one state more is refused', () => {
  const exact = rules({ ...pair }, best(2, 12), best(2, 2));
  expect(statesOf(exact, () => 100)).toBe(mostStates);
  expect(isRefused(exact)).toBe(false);
  const cart: CartTicket[] = Array.from({ length: 100 }, (_, nth) => ({
    category: 'Platea',
    ticket_type: nth % 2 === 0 ? 'a' : 'b',
    list_cents: 1_000 + nth,
    fee_cents: 0,
    service_cents: 0,
    whole: null,
  }));
  const facts = { now, channel: 'site', opened: [] } as const;
  expect(priceCart(exact, cart, facts).total_cents).toBeGreaterThan(0);
  const more = rules({ ...pair }, best(2, 12), best(2, 3));
  expect(statesOf(more, () => 100)).toBe(70_000);
  expect(isRefused(more)).toBe(true);
  expect(() => priceCart(more, cart, facts)).toThrow(RangeError);
});

test('only rules that may want the same ticket at the same time are counted together', () => {
  const heavy = (scope: Partial<TypedRule['scope']>) =>
    typedPackage({
      parts: parts('a', 'b', 'c'),
      most: 20,
      scope: { ...everyScope, ...scope },
    });
  expect(isRefused(rules(heavy({}), heavy({})))).toBe(true);
  const apart = { categories: ['Platea'] };
  expect(isRefused(rules(heavy(apart), heavy({ categories: ['Palchi'] })))).toBe(false);
  // A third rule that meets both joins them.
  expect(isRefused(rules(heavy(apart), heavy({ categories: ['Palchi'] }), best(2, 20)))).toBe(true);
  expect(isRefused(rules(heavy({ channels: ['site'] }), heavy({ channels: ['till'] })))).toBe(
    false,
  );
  const [early, late] = [{ last_day: '2026-12-10' }, { first_day: '2026-12-11' }];
  expect(isRefused(rules(heavy(early), heavy(late)))).toBe(false);
  expect(isRefused(rules(heavy(early), heavy({ first_day: '2026-12-10' })))).toBe(true);
  // A rule that is over counts with none.
  expect(isRefused(rules(heavy({ last_day: '2026-11-30' }), heavy({})))).toBe(false);
  const types = typedPackage({ parts: parts('d', 'e', 'f'), most: 20 });
  expect(isRefused(rules(heavy({}), types))).toBe(false);
});
