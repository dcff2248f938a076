/** Differences with the providers: each route connects an endpoint to its use case. */
import * as breaks from '#server/contract/breaks.ts';
import type { Routing } from '#server/http/serve.ts';
import { breakList, settleBreak } from '#server/services/reconcile/breaks.ts';
import { askComparison, comparisonReport } from '#server/services/reconcile/comparison.ts';

export function breakRoutes({ serve, ctx }: Routing): void {
  serve(breaks.listBreaks, ({ query }) => breakList(ctx, query));
  serve(breaks.settleBreak, ({ params, body }, { user }) =>
    settleBreak(ctx, params.breakId, { ...body, note: body.note ?? null, user_id: user.id }),
  );
  serve(breaks.readComparison, () => comparisonReport(ctx));
  serve(breaks.startComparison, () => askComparison(ctx));
}
