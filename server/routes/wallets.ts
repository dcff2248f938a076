/** Tickets for a phone's wallet: endpoint to use case, one line each. */
import { downloadPass, saveToGoogle } from '#server/contract/wallets.ts';
import { serve, type House } from '#server/http/serve.ts';
import { applePass, googleTicket } from '#server/services/booking/wallets.ts';

export function walletRoutes(house: House): void {
  serve(house, downloadPass, ({ params }) => applePass(house.ctx, params.orderId, params.ticketId));
  serve(house, saveToGoogle, ({ params }) =>
    googleTicket(house.ctx, params.orderId, params.ticketId),
  );
}
