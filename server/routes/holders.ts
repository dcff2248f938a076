/** Names on tickets, and lost orders: endpoint to use case, one line each. */
import { findOrders, setHolder } from '#server/contract/holders.ts';
import { serve, type House } from '#server/http/serve.ts';
import { askForLinks } from '#server/services/site/find-orders.ts';
import { setHolder as nameHolder } from '#server/services/booking/holders.ts';

export function holderRoutes(house: House): void {
  serve(house, setHolder, ({ params, body }) =>
    nameHolder(house.ctx, { order_id: params.orderId, ticket_id: params.ticketId }, body),
  );
  serve(house, findOrders, ({ body }) => askForLinks(house.ctx, body.email));
}
