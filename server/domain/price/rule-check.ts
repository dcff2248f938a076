/** What a price rule may say, and how many of them together (RULES P6). */
import { isAmount, leastCents, mostCents } from './price-bounds.ts';
import { mostStates, statesOf } from './cheapest.ts';
import {
  isInForce,
  isUsing,
  saleChannels,
  type PriceRule,
  type RuleScope,
  type UsingRule,
} from './rule.ts';
import type { TypedRule } from './typed-rule.ts';

interface Bound {
  min: number;
  max: number;
}

export const ruleBounds = {
  n: { min: 2, max: 50 },
  most: { min: 1, max: 20 },
  parts: { min: 1, max: 4 },
  count: { min: 1, max: 10 },
  percent: { min: 1, max: 100 },
  from_places: { min: 2, max: 200 },
  free_every: { min: 1, max: 100 },
  package_cents: { min: leastCents, max: mostCents },
} as const satisfies Record<string, Bound>;

export const longestRuleName = 60;
/** The most rules that use tickets and count for one date. */
export const mostUsingRules = 6;
/** The tickets of the largest cart for which the bound of states is held. */
const mostTickets = 100;

/** What is wrong with a typed rule, each with its sentence. */
export const ruleFaultWords = {
  name: `Dai un nome alla regola, al massimo ${longestRuleName} caratteri.`,
  n: 'Ogni quanti biglietti: da 2 a 50.',
  k: 'I biglietti scontati sono almeno uno, e meno di quelli del gruppo.',
  most: 'Quante volte per acquisto: da 1 a 20.',
  parts:
    'Di ogni parte scegli il tipo, ciascuno una volta sola, e da 1 a 10 biglietti; le parti sono al massimo quattro.',
  price: 'Il prezzo è 0, oppure va da 0,50 a 10.000,00 €.',
  package_price: 'Il prezzo del pacchetto va da 0,50 a 10.000,00 €.',
  least: 'La spesa minima va da 0,50 a 10.000,00 €.',
  percent: 'Lo sconto va dall’1 al 100 per cento.',
  benefit: 'Scegli una sola cosa: uno sconto in per cento, oppure in euro.',
  off: 'Lo sconto in euro va da 0,50 a 10.000,00 €.',
  from_places: 'Un gruppo comincia da un numero di posti tra 2 e 200.',
  free_every: 'Un accompagnatore gratis ogni quanti paganti: da 1 a 100.',
  scope: 'Scegli almeno un settore, un tipo e un modo di vendita.',
  days: 'L’ultimo giorno viene prima del primo.',
} as const;
export type RuleFault = keyof typeof ruleFaultWords;

/** What is wrong with a rule by itself, the first thing first. */
export function ruleFaults(rule: TypedRule): RuleFault[] {
  const { scope } = rule;
  const name = [...rule.name.trim()].length;
  const lists = [scope.categories, scope.ticket_types, scope.channels];
  const hasDays = scope.first_day !== null && scope.last_day !== null;
  return faultsWhere({
    name: name < 1 || name > longestRuleName,
    ...ownFaults(rule),
    scope: lists.some((list) => list !== null && !isChoice(list)),
    days: hasDays && scope.last_day! < scope.first_day!,
  });
}

function ownFaults(rule: TypedRule): Partial<Record<RuleFault, boolean>> {
  if (rule.kind === 'every')
    return {
      n: !isWithin(rule.n, ruleBounds.n),
      k: !isWithin(rule.k, { min: 1, max: rule.n - 1 }),
      price: !isAmount(rule.price_cents),
      least: rule.least_cents !== null && !isWithin(rule.least_cents, ruleBounds.package_cents),
      most: !isWithin(rule.most, ruleBounds.most),
    };
  if (rule.kind === 'package')
    return {
      parts: !areParts(rule.parts) || rule.scope.ticket_types !== null,
      package_price: !isWithin(rule.price_cents, ruleBounds.package_cents),
      most: !isWithin(rule.most, ruleBounds.most),
    };
  if (rule.kind !== 'group')
    return {
      benefit: (rule.percent === null) === (rule.off_cents === null),
      percent: rule.percent !== null && !isWithin(rule.percent, ruleBounds.percent),
      off: rule.off_cents !== null && !isWithin(rule.off_cents, ruleBounds.package_cents),
    };
  return {
    from_places: !isWithin(rule.from_places, ruleBounds.from_places),
    benefit: (rule.percent === null) === (rule.price_cents === null),
    percent: rule.percent !== null && !isWithin(rule.percent, ruleBounds.percent),
    price: rule.price_cents !== null && !isAmount(rule.price_cents),
    free_every: rule.free_every !== null && !isWithin(rule.free_every, ruleBounds.free_every),
  };
}

function faultsWhere(found: Partial<Record<RuleFault, boolean>>): RuleFault[] {
  return (Object.keys(found) as RuleFault[]).filter((fault) => found[fault]);
}

function isWithin(value: number, { min, max }: Bound): boolean {
  return Number.isInteger(value) && value >= min && value <= max;
}

/** Something is chosen, and nothing twice. */
function isChoice(list: readonly string[]): boolean {
  return list.length > 0 && new Set(list).size === list.length;
}

function areParts(parts: readonly { ticket_types: readonly string[]; count: number }[]): boolean {
  const types = parts.flatMap(({ ticket_types }) => ticket_types);
  return (
    isWithin(parts.length, ruleBounds.parts) &&
    parts.every(
      ({ ticket_types, count }) => ticket_types.length > 0 && isWithin(count, ruleBounds.count),
    ) &&
    isChoice(types)
  );
}

/** Names in the rule's scope that are not sold: sectors of the hall, and ticket types. */
export function unknownNames(
  { scope }: Pick<PriceRule, 'scope'>,
  sold: { categories: readonly string[]; ticket_types: readonly string[] },
): string[] {
  return [
    ...(scope.categories ?? []).filter((name) => !sold.categories.includes(name)),
    ...(scope.ticket_types ?? []).filter((name) => !sold.ticket_types.includes(name)),
  ];
}

/**
 * False for rules of one date that are too many, or whose states would be, in the largest cart of
 * any day to come.
 */
export function areCountable(rules: readonly PriceRule[], now: number): boolean {
  const coming = rules.filter(isUsing).filter(({ scope }) => (scope.until ?? Infinity) > now);
  const moments = [now, ...coming.flatMap(({ scope: { from } }) => from ?? [])];
  return (
    coming.length <= mostUsingRules &&
    moments.filter((at) => at >= now).every((moment) => areCountableAt(coming, moment))
  );
}

function areCountableAt(rules: readonly UsingRule[], now: number): boolean {
  return saleChannels.every((channel) => {
    const opened = rules.map(({ id }) => id);
    const inForce = rules.filter((rule) => isInForce(rule, { now, channel, opened }));
    return overlapping(inForce).every((part) => statesOf(part, () => mostTickets) <= mostStates);
  });
}

/** Rules that may want the same ticket, directly or through others, are weighed together. */
function overlapping(rules: readonly UsingRule[]): UsingRule[][] {
  let parts: UsingRule[][] = [];
  for (const rule of rules) {
    const touched = parts.filter((part) =>
      part.some((other) => shareTickets(rule.scope, other.scope)),
    );
    parts = [...parts.filter((part) => !touched.includes(part)), [...touched.flat(), rule]];
  }
  return parts;
}

function shareTickets(one: RuleScope, other: RuleScope): boolean {
  return (
    shareOne(one.categories, other.categories) && shareOne(one.ticket_types, other.ticket_types)
  );
}

function shareOne(one: readonly string[] | null, other: readonly string[] | null): boolean {
  return one === null || other === null || one.some((name) => other.includes(name));
}
