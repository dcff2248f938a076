/** Price rules as the office types them. */
import type { TypedRule, TypedScope } from '#server/domain/price/typed-rule.ts';

export const everyScope: TypedScope = {
  categories: null,
  ticket_types: null,
  channels: null,
  first_day: null,
  last_day: null,
};

type Changes<Kind extends TypedRule['kind']> = Partial<
  Omit<Extract<TypedRule, { kind: Kind }>, 'kind'>
>;

export function typedEvery(changes: Changes<'every'> = {}): TypedRule {
  return {
    kind: 'every',
    name: '3x2',
    scope: everyScope,
    meets: false,
    n: 3,
    k: 1,
    price_cents: 0,
    grouped: 'cheapest',
    spread: true,
    least_cents: null,
    most: 20,
    ...changes,
  };
}

export function typedPackage(changes: Changes<'package'> = {}): TypedRule {
  return {
    kind: 'package',
    name: 'Famiglia',
    scope: everyScope,
    meets: false,
    parts: [
      { ticket_types: ['intero'], count: 2 },
      { ticket_types: ['ragazzo'], count: 2 },
    ],
    price_cents: 6_000,
    most: 5,
    ...changes,
  };
}

export function typedGroup(changes: Changes<'group'> = {}): TypedRule {
  return {
    kind: 'group',
    name: 'Scuole',
    scope: everyScope,
    meets: false,
    from_places: 20,
    percent: 10,
    price_cents: null,
    free_every: 15,
    ...changes,
  };
}

export function typedCode(changes: Changes<'code'> = {}): TypedRule {
  return {
    kind: 'code',
    name: 'Under 26',
    scope: everyScope,
    meets: false,
    percent: 10,
    off_cents: null,
    ...changes,
  };
}

export function typedConvention(changes: Changes<'convention'> = {}): TypedRule {
  return {
    kind: 'convention',
    name: 'Soci FAI',
    scope: everyScope,
    meets: false,
    percent: null,
    off_cents: 300,
    ...changes,
  };
}
