/** Names on tickets, and lost orders: each route connects an endpoint to its use case. */
import * as holders from '#server/contract/order/holders.ts';
import type { Routing } from '#server/http/serve.ts';
import { askForLinks } from '#server/services/site/find-orders.ts';
import { setHolder } from '#server/services/order/holders.ts';

export function holderRoutes({ serve, ctx }: Routing): void {
  serve(holders.setHolder, ({ params, body }) =>
    setHolder(ctx, { order_id: params.orderId, ticket_id: params.ticketId }, body),
  );
  serve(holders.findOrders, ({ body }) => askForLinks(ctx, body.email));
}
