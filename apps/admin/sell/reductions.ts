/** What the seller opened for a buyer: codes of price rules, and a convention. */
import type { openTillCode } from '#server/contract/counter.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { SaleRule } from '#server/domain/price/sale-rule.ts';
import { spellCode } from '#server/domain/seat/contingent.ts';
import type { Till } from './basket.ts';
import type { SaleBody } from './use-sale.ts';

export type TillCode = ReplyOf<typeof openTillCode> & { code: string };

export interface Reductions {
  codes: readonly TillCode[];
  convention: Till['conventions'][number] | null;
}

export const noReductions: Reductions = { codes: [], convention: null };

export function withTillCode(reductions: Reductions, added: TillCode): Reductions {
  const code = spellCode(added.code) ?? added.code;
  const others = reductions.codes.filter((one) => one.code !== code);
  return { ...reductions, codes: [...others, { ...added, code }] };
}

export function rulesOfReductions({ codes, convention }: Reductions): SaleRule[] {
  return [...codes.map(({ rule }) => rule), ...(convention ? [convention] : [])];
}

/** Empty without any. */
export function bodyOfReductions({
  codes,
  convention,
}: Reductions): Pick<SaleBody, 'codes' | 'conventions'> {
  return {
    ...(codes.length > 0 && { codes: codes.map(({ code }) => code) }),
    ...(convention && { conventions: [convention.id] }),
  };
}
