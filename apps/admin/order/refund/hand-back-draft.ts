/** What a person types about money that goes back by hand, and what of it is sent. */
import type { Asked, ReplyOf } from '#server/contract/endpoint.ts';
import type { quoteHandBack } from '#server/contract/hand-back.ts';
import type { makeRefund } from '#server/contract/order/refunds.ts';
import { counterMethods, type CounterMethod } from '#server/domain/counter/counter.ts';
import { sumOfParts, type HandPart } from '#server/domain/counter/hand-back.ts';
import { readEuro } from '#apps/admin/kit/form/euro-field.tsx';
import { isReason } from '#apps/admin/kit/form/typed-reason.tsx';

export type HandQuote = ReplyOf<typeof quoteHandBack>;
type Till = HandQuote['tills'][number];
type Handing = Pick<Asked<typeof makeRefund>['body'], 'ways' | 'drawer_reason'>;

/** `noTill`: cash and card outside the tills. */
export const noTill = 'none';

/** `till`, `amounts`: null until they are changed. */
export interface HandDraft {
  till: string | null;
  amounts: Record<CounterMethod, string> | null;
  reason: string;
}

export const newHandDraft: HandDraft = { till: null, amounts: null, reason: '' };

/** The chosen till; '' if it must be chosen. */
export function tillOf({ till }: HandDraft, { ways, tills }: HandQuote): string {
  if (till !== null) return till;
  const own = tills.find((one) => one.own)?.shift_id ?? '';
  const inTills = ways.filter(({ method }) => method !== 'transfer');
  const isOutside = inTills.length > 0 && inTills.every(({ shift_id }) => shift_id === null);
  return isOutside ? noTill : own;
}

function euro(cents: number): string {
  return cents === 0 ? '' : (cents / 100).toFixed(2).replace('.', ',');
}

/** The typed amounts, or those in which it was paid. */
export function amountsOf(
  { amounts }: HandDraft,
  { ways }: HandQuote,
): Record<CounterMethod, string> {
  if (amounts !== null) return amounts;
  const of = (method: CounterMethod) =>
    euro(sumOfParts(ways.filter((way) => way.method === method)));
  return { cash: of('cash'), pos: of('pos'), transfer: of('transfer') };
}

export interface HandState {
  till: Till | undefined;
  /** Cents that no part has yet; below zero: the parts are too much. */
  missing_cents: number;
  /** Cash that the chosen drawer does not have. */
  lacks_cents: number;
  /** Whether a reason must be typed. */
  wantsReason: boolean;
  /** What is sent; null: something is missing. */
  handing: Handing | null;
}

/** `mayOverrule`: the person may take more than lies in the drawer, with a reason. */
export function handState(
  draft: HandDraft,
  quote: HandQuote,
  { amount_cents, mayOverrule }: { amount_cents: number; mayOverrule: boolean },
): HandState {
  const typed = amountsOf(draft, quote);
  const cents = counterMethods.map((method) =>
    typed[method].trim() === '' ? 0 : readEuro(typed[method]),
  );
  const chosen = tillOf(draft, quote);
  const till = quote.tills.find(({ shift_id }) => shift_id === chosen);
  const parts = counterMethods.flatMap((method, nth): HandPart[] => {
    const part = cents[nth] ?? 0;
    const shift_id = method === 'transfer' || chosen === noTill ? null : chosen;
    return part === 0 ? [] : [{ method, amount_cents: part, shift_id }];
  });
  const inTills = parts.filter(({ method }) => method !== 'transfer');
  const cash = sumOfParts(parts.filter(({ method }) => method === 'cash'));
  const missing_cents = amount_cents - sumOfParts(parts);
  const lacks_cents = Math.max(0, cash - (till?.in_drawer_cents ?? cash));
  const isOthers = inTills.length > 0 && till?.own === false;
  const wantsReason = mayOverrule && (isOthers || lacks_cents > 0);
  const isReady =
    !cents.includes(null) &&
    missing_cents === 0 &&
    (inTills.length === 0 || chosen !== '') &&
    (mayOverrule || lacks_cents === 0) &&
    (!wantsReason || isReason(draft.reason));
  const isTouched = draft.till !== null || draft.amounts !== null;
  const handing = {
    ...(isTouched && { ways: parts }),
    ...(wantsReason && { drawer_reason: draft.reason.trim() }),
  };
  return { till, missing_cents, lacks_cents, wantsReason, handing: isReady ? handing : null };
}
