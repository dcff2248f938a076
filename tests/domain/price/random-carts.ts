/** Random rules and small carts, from a seed. */
import {
  borneIn,
  feesOn,
  feesPerOrder,
  type SoldSurcharge,
} from '#server/domain/price/surcharge.ts';
import type { CartTicket, PriceFacts, PriceRule, RuleScope } from '#server/domain/price/rule.ts';
import { randomOf } from '#tests/support/sold-houses.ts';

const categories = ['Platea', 'Palchi', 'Loggione'];
const types = ['intero', 'ridotto', 'ragazzi'];
const lists = [0, 100, 1_000, 1_250, 1_999, 2_500, 3_000, 3_333];

interface Chance {
  among: (count: number) => number;
  one: <T>(items: readonly T[]) => T;
  maybe: (percent: number) => boolean;
}

function chanceOf(seed: number): Chance {
  const random = randomOf(seed);
  const among = (count: number) => Math.floor(random() * count);
  return {
    among,
    one: (items) => items[among(items.length)]!,
    maybe: (percent) => among(100) < percent,
  };
}

function scopeOf({ one, maybe, among }: Chance): RuleScope {
  return {
    categories: maybe(30) ? [one(categories)] : null,
    ticket_types: maybe(40) ? types.slice(among(2), 2 + among(2)) : null,
    channels: maybe(10) ? ['till'] : null,
    from: maybe(8) ? one([999, 1_000, 1_001]) : null,
    until: maybe(8) ? one([999, 1_000, 1_001]) : null,
  };
}

function usingRule(chance: Chance, id: string): PriceRule {
  const { among, one, maybe } = chance;
  const base = {
    id,
    name: id,
    scope: scopeOf(chance),
    meets: maybe(50),
    opened_by_code: maybe(15),
  };
  const kind = among(4);
  if (kind === 0) {
    const parts = types
      .slice(0, 1 + among(2))
      .map((type) => ({ ticket_types: [type, one(types)], count: 1 + among(2) }));
    return { ...base, kind: 'package', parts, price_cents: 50 + among(6_000), most: 1 + among(4) };
  }
  if (kind === 1) {
    const isPercent = maybe(50);
    return {
      ...base,
      kind: 'group',
      from_places: 2 + among(4),
      percent: isPercent ? 5 + among(60) : null,
      price_cents: isPercent ? null : 50 + among(2_500),
      free_every: maybe(50) ? 1 + among(4) : null,
    };
  }
  const n = 2 + among(3);
  return {
    ...base,
    kind: 'every',
    n,
    k: 1 + among(n - 1),
    price_cents: maybe(70) ? 0 : among(2_000),
    grouped: maybe(50) ? 'cheapest' : 'best',
    spread: maybe(50),
    least_cents: maybe(10) ? among(10_000) : null,
    most: 1 + among(4),
  };
}

function addingRule(chance: Chance, id: string): PriceRule {
  const { among, maybe } = chance;
  const isPercent = maybe(60);
  return {
    id,
    name: id,
    kind: maybe(50) ? 'code' : 'convention',
    scope: scopeOf(chance),
    meets: maybe(50),
    percent: isPercent ? (maybe(10) ? 100 : 5 + among(60)) : null,
    off_cents: isPercent ? null : among(1_500),
  };
}

/** Of both kinds, flat or a part, on some categories, or once on the order. */
function surchargesFrom({ among, one, maybe }: Chance): SoldSurcharge[] {
  return Array.from({ length: among(4) }, () => {
    const per = maybe(30) ? 'order' : 'ticket';
    const isPercent = per === 'ticket' && maybe(40);
    return {
      kind: maybe(50) ? 'presale' : 'service',
      per,
      cents: isPercent ? null : one([1, 50, 150, 199]),
      percent: isPercent ? 1 + among(15) : null,
      categories: per === 'ticket' && maybe(30) ? [one(categories)] : null,
    };
  });
}

export interface Case {
  rules: PriceRule[];
  cart: CartTicket[];
  facts: PriceFacts;
}

/** `most`: of the tickets. */
export function randomCase(seed: number, most: number): Case {
  const chance = chanceOf(seed);
  const { among, one, maybe } = chance;
  const using = Array.from({ length: among(4) }, (_, at) => usingRule(chance, `u${at}`));
  const adding = Array.from({ length: among(3) }, (_, at) => addingRule(chance, `a${at}`));
  const prices = new Map<string, number>();
  const bears = surchargesFrom(chance);
  const cart: CartTicket[] = [];
  const size = 1 + among(most);
  while (cart.length < size) {
    const category = one(categories);
    const ticket_type = one(types);
    const name = `${category}|${ticket_type}`;
    prices.set(name, prices.get(name) ?? one(lists));
    const list_cents = prices.get(name)!;
    const fees = feesOn(borneIn(bears, category), list_cents);
    const ticket = { category, ticket_type, list_cents, ...fees };
    const places = maybe(10) ? Math.min(1 + among(3), most - cart.length) : 0;
    if (places > 1)
      for (let at = 0; at < places; at += 1)
        cart.push({ ...ticket, whole: `T${cart.length - at}` });
    else cart.push({ ...ticket, whole: null });
  }
  return {
    rules: [...using, ...adding],
    cart,
    facts: {
      now: 1_000,
      channel: maybe(80) ? 'site' : 'till',
      opened: [...using, ...adding].filter(() => maybe(80)).map(({ id }) => id),
      per_order: feesPerOrder(bears),
    },
  };
}

/** The same things in another order. */
export function shuffled<T>(items: readonly T[], seed: number): T[] {
  const random = randomOf(seed);
  return items
    .map((item) => ({ item, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
