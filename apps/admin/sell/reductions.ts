/** What the seller opened for a buyer: codes of price rules, and a convention. */
import type { openTillCode } from '#server/contract/counter.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { SaleRule } from '#server/domain/price/sale-rule.ts';
import { spellCode } from '#server/domain/seat/contingent.ts';
import type { Till } from './basket.ts';
import type { Refused, SaleBody } from './use-sale.ts';

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

/** The names of what a refused sale takes away: codes, or the convention. */
export function goneAfter({ codes, convention }: Reductions, refused: Refused | null): string[] {
  if (refused?.code === 'convention_unknown') return convention ? [convention.name] : [];
  if (refused?.code !== 'code_used_up' && refused?.code !== 'code_unknown') return [];
  const all = codes.map(({ code }) => code);
  // A refusal that names no code may be about any of them.
  return refused.named === null ? all : all.filter((code) => code === refused.named);
}

export function withoutGone(
  { codes, convention }: Reductions,
  gone: readonly string[],
): Reductions {
  return {
    codes: codes.filter(({ code }) => !gone.includes(code)),
    convention: convention && gone.includes(convention.name) ? null : convention,
  };
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
