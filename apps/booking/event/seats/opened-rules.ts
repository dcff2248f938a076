/** The price rules that a visitor has opened, by codes and by a convention. */
import type { SaleRule } from '#server/domain/price/sale-rule.ts';
import type { SelectionState } from './selection.ts';

export type SaleRules = readonly SaleRule[];

export function openedRules({
  codes,
  convention,
}: Pick<SelectionState, 'codes' | 'convention'>): SaleRules {
  return [...codes.flatMap(({ found }) => found.rule ?? []), ...(convention ? [convention] : [])];
}
