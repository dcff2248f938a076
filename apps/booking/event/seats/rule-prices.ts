/** Applies price rules to the chosen places; fetched only for events that have rules. */
import { noFees } from '#server/domain/price/fees.ts';
import { priceLines } from '#server/domain/price/page-cart.ts';
import type { Choice } from './choices.ts';
import type { SaleRules } from './opened-rules.ts';

/** The choices at the lowest prices that the rules allow, each with the reason for its price. */
export function pricedByRules(
  choices: readonly Choice[],
  rules: SaleRules,
  per_order = noFees,
): Choice[] {
  const priced = priceLines(
    choices.flatMap(({ sold }) => sold ?? []),
    rules,
    { channel: 'site', per_order },
  ).values();
  return choices.map((choice) => {
    const line = choice.sold === null ? undefined : priced.next().value;
    if (line === undefined || line.reason === null) return choice;
    return { ...choice, ...line, list_cents: choice.cents };
  });
}
