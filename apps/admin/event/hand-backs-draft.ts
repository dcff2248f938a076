/** What a person chooses in the list of refunds to hand over, and the sums of it. */
import type { Asked, ReplyOf } from '#server/contract/endpoint.ts';
import type { handBackTogether, listHandBacks } from '#server/contract/hand-back.ts';
import { counterMethods, type CounterMethod } from '#server/domain/counter/counter.ts';
import { sumOfParts } from '#server/domain/counter/hand-back.ts';
import { isReason } from '#apps/admin/kit/form/typed-reason.tsx';
import { noTill } from '#apps/admin/order/refund/hand-back-draft.ts';

export type HandBacks = ReplyOf<typeof listHandBacks>;
export type ToHand = HandBacks['items'][number];

/** `paid`: each part as it was paid. */
export type Way = CounterMethod | 'paid';

export interface HandBacksDraft {
  /** The chosen refunds. */ ids: ReadonlySet<string>;
  /** Other ways than as it was paid, by refund. */ ways: Readonly<Record<string, Way>>;
  till: string | null;
  reason: string;
}

export const newDraft: HandBacksDraft = { ids: new Set(), ways: {}, till: null, reason: '' };

export function chosenOf({ ids }: HandBacksDraft, { items }: HandBacks): ToHand[] {
  return items.filter(({ refund_id }) => ids.has(refund_id));
}

/** How many parts go back in each way, and their sum. */
function sumsByMethod(draft: HandBacksDraft, chosen: readonly ToHand[]) {
  const parts = chosen.flatMap(({ refund_id, amount_cents, ways }) => {
    const way = draft.ways[refund_id] ?? 'paid';
    return way === 'paid' ? ways : [{ method: way, amount_cents }];
  });
  return counterMethods.flatMap((method) => {
    const own = parts.filter((part) => part.method === method);
    return own.length === 0 ? [] : [{ method, refunds: own.length, cents: sumOfParts(own) }];
  });
}

interface HandBacksState {
  sums: ReturnType<typeof sumsByMethod>;
  total_cents: number;
  /** Something goes back in cash or by card. */ inTills: boolean;
  /** The chosen till; '' if it must be chosen. */ till: string;
  open: HandBacks['tills'][number] | undefined;
  /** The drawer has less than is handed over. */ lacks: boolean;
  /** Whether a reason must be typed. */ wantsReason: boolean;
  /** What is sent; null: something is missing. */
  body: Asked<typeof handBackTogether>['body'] | null;
}

export function handBacksState(
  draft: HandBacksDraft,
  { tills }: HandBacks,
  chosen: readonly ToHand[],
): HandBacksState {
  const sums = sumsByMethod(draft, chosen);
  const inTills = sums.some(({ method }) => method !== 'transfer');
  const till = draft.till ?? tills.find(({ own }) => own)?.shift_id ?? '';
  const open = tills.find(({ shift_id }) => shift_id === till);
  const cash = sums.find(({ method }) => method === 'cash')?.cents ?? 0;
  const lacks = cash > (open?.in_drawer_cents ?? Infinity);
  const wantsReason = inTills && (lacks || open?.own === false);
  const isReady = (!inTills || till !== '') && (!wantsReason || isReason(draft.reason));
  const total_cents = sumOfParts(chosen);
  const body = {
    items: chosen.map(({ refund_id }) => {
      const way = draft.ways[refund_id] ?? 'paid';
      return way === 'paid' ? { refund_id } : { refund_id, method: way };
    }),
    ...(inTills && { shift_id: till === noTill ? null : till }),
    expected_cents: total_cents,
    ...(wantsReason && { drawer_reason: draft.reason.trim() }),
  };
  return {
    sums,
    total_cents,
    inTills,
    till,
    open,
    lacks,
    wantsReason,
    body: isReady ? body : null,
  };
}
