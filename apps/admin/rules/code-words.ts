/** Italian words about the codes of a price rule, and their limits as a form holds them. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { listRuleCodes } from '#server/contract/price-codes.ts';
import { codeLimitBounds, isUsedUp, type CodeLimits } from '#server/domain/price/code.ts';
import { formatCount } from '#apps/shared/format.ts';

export type RuleCode = ReplyOf<typeof listRuleCodes>['items'][number];

/** "10 acquisti in tutto, 1 per indirizzo e-mail". */
export function limitWords(limits: CodeLimits): string {
  const { most_orders, most_tickets, most_orders_a_day, most_orders_an_address } = limits;
  const orders = (count: number) => formatCount(count, 'acquisto', 'acquisti');
  const parts = [
    most_orders === null ? null : `${orders(most_orders)} in tutto`,
    most_tickets === null
      ? null
      : `${formatCount(most_tickets, 'biglietto', 'biglietti')} in tutto`,
    most_orders_a_day === null ? null : `${orders(most_orders_a_day)} al giorno`,
    most_orders_an_address === null ? null : `${orders(most_orders_an_address)} per indirizzo`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? 'Senza limiti' : parts.join(', ');
}

/** "3 di 10 acquisti, 6 biglietti". */
export function codeUseWords(code: RuleCode): string {
  const { orders_used, tickets_used, most_orders, most_tickets } = code;
  if (orders_used === 0) return 'Mai usato';
  const of = (used: number, most: number | null, words: readonly [string, string]) =>
    most === null ? formatCount(used, ...words) : `${used} di ${formatCount(most, ...words)}`;
  return [
    of(orders_used, most_orders, ['acquisto', 'acquisti']),
    of(tickets_used, most_tickets, ['biglietto', 'biglietti']),
  ].join(', ');
}

export type CodeState = 'live' | 'used_up' | 'ended';

export function stateOfCode(code: RuleCode): CodeState {
  if (code.ended_at !== null) return 'ended';
  return isUsedUp(code) ? 'used_up' : 'live';
}

/** Empty: no limit. */
export type LimitsDraft = Record<keyof CodeLimits, string>;

export const noLimits: LimitsDraft = {
  most_orders: '',
  most_tickets: '',
  most_orders_a_day: '',
  most_orders_an_address: '',
};

export function draftOfLimits(limits: CodeLimits): LimitsDraft {
  const text = (limit: number | null) => (limit === null ? '' : String(limit));
  return {
    most_orders: text(limits.most_orders),
    most_tickets: text(limits.most_tickets),
    most_orders_a_day: text(limits.most_orders_a_day),
    most_orders_an_address: text(limits.most_orders_an_address),
  };
}

/** Null: a text is no limit. */
export function limitsOfDraft(draft: LimitsDraft): CodeLimits | null {
  if (!Object.values(draft).every(isLimit)) return null;
  const limit = (text: string) => (text.trim() === '' ? null : Number(text));
  return {
    most_orders: limit(draft.most_orders),
    most_tickets: limit(draft.most_tickets),
    most_orders_a_day: limit(draft.most_orders_a_day),
    most_orders_an_address: limit(draft.most_orders_an_address),
  };
}

export const limitFault = `Un limite è un numero da 1 a ${codeLimitBounds.max.toLocaleString('it-IT')}.`;

function isLimit(text: string): boolean {
  if (text.trim() === '') return true;
  const limit = Number(text);
  return (
    /^\d{1,6}$/.test(text.trim()) && limit >= codeLimitBounds.min && limit <= codeLimitBounds.max
  );
}
