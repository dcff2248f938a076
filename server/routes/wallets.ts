/** Tickets for a phone's wallet: each route connects an endpoint to its use case. */
import * as wallets from '#server/contract/order/wallets.ts';
import type { Routing } from '#server/http/serve.ts';
import { applePass, googleTicket } from '#server/services/order/wallets.ts';

export function walletRoutes({ serve, ctx }: Routing): void {
  serve(wallets.downloadPass, ({ params }) => applePass(ctx, params.orderId, params.ticketId));
  serve(wallets.saveToGoogle, ({ params }) => googleTicket(ctx, params.orderId, params.ticketId));
}
