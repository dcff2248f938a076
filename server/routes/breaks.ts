/** Differences with the providers: endpoint to use case, one line each. */
import {
  listBreaks,
  readComparison,
  settleBreak,
  startComparison,
} from '#server/contract/breaks.ts';
import { serve, type House } from '#server/http/serve.ts';
import { breakList, settleBreak as settle } from '#server/services/reconcile/breaks.ts';
import { askComparison, comparisonReport } from '#server/services/reconcile/comparison.ts';

export function breakRoutes(house: House): void {
  serve(house, listBreaks, ({ query }) => breakList(house.ctx, query));
  serve(house, settleBreak, ({ params, body }, { user }) =>
    settle(house.ctx, params.breakId, {
      user_id: user.id,
      action: body.action,
      note: body.note ?? null,
    }),
  );
  serve(house, readComparison, () => comparisonReport(house.ctx));
  serve(house, startComparison, () => askComparison(house.ctx));
}
