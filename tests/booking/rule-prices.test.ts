/** Price rules in the visitor's cart: what each place costs, why, and whether one more pays off. */
import { expect, test } from 'vitest';
import { listTotalOf, totalOf } from '#apps/booking/event/seats/choices.ts';
import { choicesOf } from '#apps/booking/event/seats/read-choices.ts';
import { sayHint } from '#apps/booking/event/seats/rule-hint.tsx';
import { pricedByRules } from '#apps/booking/event/seats/rule-prices.ts';
import { chosenName, type ChosenObject } from '#apps/shared/chosen-place.ts';
import type { PricedCategory } from '#server/domain/price/pricing.ts';
import type { SaleRule } from '#server/domain/price/sale-rule.ts';

const type = (ticketType: string, label: string, unit_amount: number) => ({
  price_id: ticketType,
  ticketType,
  label,
  unit_amount,
  fee_cents: 150,
  service_cents: 0,
  bears: [{ kind: 'presale' as const, cents: 150, percent: null }],
});
const pricing: PricedCategory[] = [
  {
    category: 'Platea',
    ticketTypes: [type('intero', 'Intero', 3_000), type('under', 'U26', 2_000)],
  },
  { category: 'Tavoli', ticketTypes: [type('tavolo', 'Tavolo', 10_001)] },
];

const base = { id: 'r', meets: false, scope: { categories: null, ticket_types: null } };
const threeForTwo: SaleRule = {
  ...base,
  kind: 'every',
  name: '3x2',
  n: 3,
  k: 1,
  price_cents: 0,
  grouped: 'cheapest',
  spread: true,
  least_cents: null,
  most: 10,
};
const fromThree: SaleRule = {
  ...base,
  kind: 'group',
  name: 'Gruppi',
  from_places: 3,
  percent: 40,
  price_cents: null,
  free_every: null,
};

const seat = (label: string, selectedTicketType: string): ChosenObject => ({
  label,
  labels: { own: label, parent: 'A', section: 'Platea' },
  objectType: 'Seat',
  category: { key: 1, label: 'Platea' },
  selectedTicketType,
});
const table: ChosenObject = {
  label: 'T1',
  labels: { own: 'T1' },
  objectType: 'Table',
  category: { key: 2, label: 'Tavoli' },
};
const whole = {
  category: 'Tavoli',
  category_key: '2',
  places: 3,
  minimum: 3,
  price_per: 'object' as const,
  labels: ['T1'],
};

const chosen = (objects: ChosenObject[]) =>
  choicesOf(objects, { pricing, whole: [whole], coming: new Map(), nameOf: chosenName });

test('each place shows its list price and the reason, fees included, and the sum is what the cart costs', () => {
  const choices = chosen([seat('1', 'intero'), seat('2', 'intero'), seat('3', 'intero')]);
  const priced = pricedByRules(choices, [threeForTwo]);
  expect(priced.map(({ cents, list_cents }) => [cents, list_cents])).toEqual([
    [2_150, 3_150],
    [2_150, 3_150],
    [2_150, 3_150],
  ]);
  expect(priced.map(({ reason }) => reason)).toEqual(Array(3).fill('3x2: il meno caro è gratis'));
  expect([totalOf(priced), listTotalOf(priced)]).toEqual([6_450, 9_450]);
  expect(pricedByRules(choices.slice(0, 2), [threeForTwo])).toEqual(choices.slice(0, 2));
});

test('a table sold whole is priced as its places, to the cent, and a choice without a price stays without', () => {
  const unknown = seat('9', 'gratis');
  const choices = chosen([table, unknown]);
  const [priced, other] = pricedByRules(choices, [threeForTwo]);
  expect(choices[0]!.sold!.places_cents.reduce((sum, cents) => sum + cents, 0)).toBe(10_001);
  expect(priced).toMatchObject({
    list_cents: 10_001 + 450,
    reason: expect.stringContaining('3x2'),
  });
  expect(priced!.cents).toBe(6_668 + 450);
  expect(other).toMatchObject({ cents: null, sold: null, reason: null });
});

test('the hint names the kind of ticket that makes the cart cheaper, and is silent where none does', () => {
  const two = chosen([seat('1', 'intero'), seat('2', 'under')]);
  expect(sayHint(two, [fromThree])?.replaceAll('\u00a0', ' ')).toBe(
    'Con un biglietto in più paghi meno: aggiungine uno (Platea, U26) e il totale scende a 46,50 €.',
  );
  expect(sayHint(two.slice(0, 1), [fromThree])).toBeNull();
  expect(sayHint(two, [threeForTwo])).toBeNull();
  expect(sayHint(two, [])).toBeNull();
});
