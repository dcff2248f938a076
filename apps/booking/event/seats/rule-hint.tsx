/** The hint that one ticket more costs less; fetched only for events that have price rules. */
import { formatEuro } from '#apps/shared/format.ts';
import { noFees, type Fees } from '#server/domain/price/fees.ts';
import { hintFor } from '#server/domain/price/hint.ts';
import { ticketsOfLine } from '#server/domain/price/page-cart.ts';
import { factsOfSale, ruleOfSale } from '#server/domain/price/sale-rule.ts';
import type { Choice } from './choices.ts';
import type { SaleRules } from './opened-rules.ts';

interface RuleHintProps {
  choices: readonly Choice[];
  rules: SaleRules;
  per_order: Fees;
}

export function RuleHint({ choices, rules, per_order }: RuleHintProps) {
  return <output className="small">{sayHint(choices, rules, per_order)}</output>;
}

/** Null: there is nothing to gain. */
export function sayHint(
  choices: readonly Choice[],
  sale: SaleRules,
  per_order = noFees,
): string | null {
  const tickets = choices.flatMap(({ sold }) => (sold === null ? [] : ticketsOfLine(sold)));
  const facts = { ...factsOfSale(sale, 'site'), per_order };
  const hint = hintFor(sale.map(ruleOfSale), tickets, facts);
  const like = choices.find(
    ({ sold }) => sold?.category === hint?.category && sold?.ticket_type === hint?.ticket_type,
  );
  if (hint === null || like === undefined) return null;
  const { category, total_cents } = hint;
  const what = like.type_label === null ? category : `${category}, ${like.type_label}`;
  return `Con un biglietto in più paghi meno: aggiungine uno (${what}) e il totale scende a ${formatEuro(total_cents)}.`;
}
