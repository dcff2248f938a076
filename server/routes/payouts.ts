/** Payouts: each route connects an endpoint to its use case. */
import * as payouts from '#server/contract/payouts.ts';
import type { Routing } from '#server/http/serve.ts';
import {
  askPayouts,
  payoutFile,
  payoutLines,
  payoutList,
  payoutPage,
} from '#server/services/reconcile/payout-view.ts';

export function payoutRoutes({ serve, ctx }: Routing): void {
  serve(payouts.listPayouts, ({ query }) => payoutList(ctx, query));
  serve(payouts.readPayout, ({ params }) => payoutPage(ctx, params.payoutId));
  serve(payouts.listPayoutLines, ({ params, query }) => payoutLines(ctx, params.payoutId, query));
  serve(payouts.exportPayout, ({ params, query }) =>
    payoutFile(ctx, params.payoutId, query.format),
  );
  serve(payouts.askPayouts, () => askPayouts(ctx));
}
