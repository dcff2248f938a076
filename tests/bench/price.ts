/** How long the price of a cart takes under twenty rules, and under the heaviest lawful ones. */
import { priceCart } from '#server/domain/price/cart.ts';
import { mostStates } from '#server/domain/price/cheapest.ts';
import type { CartTicket, PriceRule, RuleScope } from '#server/domain/price/rule.ts';

const all: RuleScope = {
  categories: null,
  ticket_types: null,
  channels: null,
  from: null,
  until: null,
};
const types = ['intero', 'ridotto', 'ragazzi', 'under 26'];

/** The rules of a house that likes them: six use tickets, fourteen add, three of these are opened. */
function makeRules(): PriceRule[] {
  const base = { meets: false, scope: all };
  const of = (...ticket_types: string[]): RuleScope => ({ ...all, ticket_types });
  const every = {
    ...base,
    kind: 'every',
    price_cents: 0,
    spread: true,
    least_cents: null,
  } as const;
  return [
    {
      ...every,
      id: 'a',
      name: '3x2',
      n: 3,
      k: 1,
      grouped: 'cheapest',
      most: 10,
      scope: of('intero'),
    },
    { ...every, id: 'b', name: '4x3', n: 4, k: 1, grouped: 'best', most: 5, scope: of('ridotto') },
    {
      ...base,
      id: 'c',
      name: 'Gruppo',
      kind: 'group',
      from_places: 20,
      percent: 10,
      price_cents: null,
      free_every: null,
      scope: of('intero', 'under 30'),
    },
    {
      ...base,
      id: 'd',
      name: 'Famiglia',
      kind: 'package',
      parts: [
        { ticket_types: ['intero'], count: 2 },
        { ticket_types: ['ragazzi'], count: 2 },
      ],
      price_cents: 6_000,
      most: 2,
      scope: of('intero', 'ragazzi'),
    },
    {
      ...base,
      id: 'e',
      name: 'Scuole',
      kind: 'group',
      from_places: 15,
      percent: null,
      price_cents: 800,
      free_every: 15,
      scope: of('under 26'),
    },
    { ...every, id: 'f', name: '2x1', n: 2, k: 1, grouped: 'best', most: 3, scope: of('under 26') },
    ...Array.from({ length: 14 }, (_, at): PriceRule => ({
      ...base,
      id: `z${at}`,
      name: `Convenzione ${at}`,
      kind: 'convention',
      percent: 5 + at,
      off_cents: null,
      meets: at % 2 === 0,
    })),
  ];
}

function makeCart(places: number): CartTicket[] {
  return Array.from({ length: places }, (_, at) => ({
    category: ['Platea', 'Palchi', 'Loggione'][at % 3]!,
    ticket_type: types[at % 4]!,
    list_cents: 1_000 + 500 * (at % 3) + 100 * (at % 4),
    fee_cents: 150,
    service_cents: 0,
    whole: null,
  }));
}

/** Four kinds of tickets in one package: of all rules at the bound those that take longest. */
function makeHeaviest(): PriceRule[] {
  const parts = types.map((type) => ({ ticket_types: [type], count: 1 }));
  const base = { id: 'p', name: 'Famiglia', scope: all, meets: false };
  return [{ ...base, kind: 'package', parts, price_cents: 1_500, most: 13 }];
}

const facts = { now: 0, channel: 'site', opened: ['z0', 'z2', 'z5'] } as const;
const asked = [
  { name: '10 places, 20 rules', rules: makeRules(), places: 10, goal: 2 },
  { name: '100 places, 20 rules', rules: makeRules(), places: 100, goal: 20 },
  { name: '100 places at the bound of states', rules: makeHeaviest(), places: 100, goal: 150 },
];

/** In ms of processor. */
function medianOf(run: () => void): { median: number; worst: number } {
  const times = Array.from({ length: 25 }, () => {
    const began = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1_000;
  }).toSorted((a, b) => a - b);
  return { median: times[Math.floor(times.length / 2)]!, worst: times.at(-1)! };
}

/** The floor: each of the most states that are allowed is looked at once for each of 100 places. */
function lookAtAll(): void {
  const costs = new Float64Array(mostStates);
  for (let place = 0; place < 100; place += 1)
    for (let at = 1; at < mostStates; at += 1)
      costs[at] = Math.min(costs[at]!, costs[at - 1]! + place);
}

const floor = medianOf(lookAtAll).median;
for (const { name, rules, places, goal } of asked) {
  const cart = makeCart(places);
  const { median, worst } = medianOf(() => priceCart(rules, cart, facts));
  const times = (median / floor).toFixed(3);
  console.log(
    `${name}: ${median.toFixed(2)} ms of processor, at most ${worst.toFixed(2)} (goal ${goal}), ratio ${times}`,
  );
}
