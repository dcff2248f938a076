/** The step after the Stripe keys have changed: each route connects an endpoint to its use case. */
import * as change from '#server/contract/stripe-change.ts';
import type { Routing } from '#server/http/serve.ts';
import { renewPrices } from '#server/services/event/renew-prices.ts';
import { stripeChange } from '#server/services/office/stripe-change.ts';
import { removeTestOrders } from '#server/services/office/test-orders.ts';

export function stripeChangeRoutes({ serve, ctx }: Routing): void {
  serve(change.readStripeChange, () => stripeChange(ctx));
  serve(change.renewPrices, ({ body }, { actor }) =>
    renewPrices(ctx, {
      amounts: Object.fromEntries(body.amounts.map(({ price_id, cents }) => [price_id, cents])),
      actor,
    }),
  );
  serve(change.removeTestOrders, ({ body }, { actor }) =>
    removeTestOrders(ctx, { ...body, actor }),
  );
}
