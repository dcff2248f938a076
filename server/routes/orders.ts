/** Orders: each route connects an endpoint to its use case. */
import * as exchanges from '#server/contract/order/exchanges.ts';
import * as free from '#server/contract/order/free.ts';
import * as links from '#server/contract/order/links.ts';
import * as ticketLinks from '#server/contract/order/ticket-links.ts';
import * as moves from '#server/contract/order/moves.ts';
import * as orders from '#server/contract/order/orders.ts';
import { customerOf } from '#server/http/limits.ts';
import type { Routing } from '#server/http/serve.ts';
import { placeCookie } from '#server/http/queue-cookie.ts';
import { timed } from '#server/services/queue/load.ts';
import { bookSeats } from '#server/services/booking/booking.ts';
import { renewLink } from '#server/services/mail/new-link.ts';
import { moveTickets, quoteMove } from '#server/services/move/move.ts';
import { changeTypes, quoteTypes } from '#server/services/move/retype.ts';
import { swapTickets } from '#server/services/move/swap.ts';
import { quoteSwap } from '#server/services/office/swap-seats.ts';
import { proposeMove } from '#server/services/move/propose.ts';
import { quoteExchange, quoteOwnExchange } from '#server/services/refund/exchange-quote.ts';
import { orderFor } from '#server/services/office/order-desk.ts';
import { orderFile } from '#server/services/office/order-export.ts';
import {
  checkoutSession,
  orderAsBuyer,
  orderList,
  orderPage,
  orderStatus,
  orderTickets,
  orderTotals,
} from '#server/services/refund/orders.ts';
import {
  handOnTicket,
  linkedCalendar,
  linkedGoogle,
  linkedPass,
  linkedTicket,
} from '#server/services/order/ticket-link.ts';
import { seatsAgain } from '#server/services/booking/seats-again.ts';
import { confirmByClick, mailClickAgain } from '#server/services/payment/click.ts';
import { giveBackFree } from '#server/services/refund/give-back.ts';
import { cancelOrder } from '#server/services/payment/settle.ts';

export function orderRoutes({ serve, ctx }: Routing): void {
  serve(orders.bookSeats, ({ params, body }, { http }) =>
    timed(ctx, () => {
      const from = { place: placeCookie(http), network: customerOf(http.ip) };
      return bookSeats(ctx, params.eventId, { ...body, ...from });
    }),
  );
  serve(orders.orderStatus, ({ params }) => orderStatus(ctx, params.orderId));
  serve(orders.cancelCheckout, ({ params }) => cancelOrder(ctx, params.orderId));
  serve(free.confirmFreeOrder, ({ params, body }) => confirmByClick(ctx, params.orderId, body.key));
  serve(free.mailConfirmation, ({ params }) => mailClickAgain(ctx, params.orderId));
  serve(free.giveBackFree, ({ params, body }) =>
    giveBackFree(ctx, params.orderId, body.ticket_ids),
  );
  serve(orders.seatsAgain, ({ params }) => seatsAgain(ctx, params.orderId));
  serve(orders.getOrder, ({ params }) => orderPage(ctx, params.orderId));
  serve(ticketLinks.readLinkedTicket, ({ params }) => linkedTicket(ctx, params.ticketKey));
  serve(ticketLinks.downloadLinkedCalendar, ({ params }) => linkedCalendar(ctx, params.ticketKey));
  serve(ticketLinks.downloadLinkedPass, ({ params }) => linkedPass(ctx, params.ticketKey));
  serve(ticketLinks.saveLinkedToGoogle, ({ params }) => linkedGoogle(ctx, params.ticketKey));
  serve(ticketLinks.handOnTicket, ({ params }) =>
    handOnTicket(ctx, params.orderId, params.ticketId),
  );
  serve(links.viewAsBuyer, ({ params }, { user }) => orderAsBuyer(ctx, user, params.orderId));
  serve(links.replaceMyLink, ({ params }) => renewLink(ctx, params.orderId, 'visitor'));
  serve(links.replaceLink, ({ params }, { actor }) => renewLink(ctx, params.orderId, actor));
  serve(orders.listOrders, ({ query }, { user }) => orderList(ctx, user, query));
  serve(orders.totalOrders, ({ query }, { user }) => orderTotals(ctx, user, query));
  serve(orders.exportOrders, ({ query }) => orderFile(ctx, query));
  serve(exchanges.quoteExchange, ({ params, body }, { user }) =>
    quoteExchange(ctx, user, { order_id: params.orderId, ...body }),
  );
  serve(exchanges.quoteOwnExchange, ({ params, body }) =>
    quoteOwnExchange(ctx, params.orderId, body),
  );
  serve(moves.proposeMove, ({ params, body }) => proposeMove(ctx, params.orderId, body.ticket_ids));
  serve(moves.quoteMove, ({ params, body }) => quoteMove(ctx, params.orderId, body));
  serve(moves.moveTickets, ({ params, body }, { user }) =>
    moveTickets(ctx, params.orderId, body, { user_id: user.id, role: user.role }),
  );
  serve(moves.quoteSwap, ({ params, body }) => quoteSwap(ctx, params.orderId, body));
  serve(moves.swapTickets, ({ params, body }, { user }) =>
    swapTickets(ctx, params.orderId, body, { user_id: user.id }),
  );
  serve(moves.quoteTypes, ({ params, body }) => quoteTypes(ctx, params.orderId, body.ticket_ids));
  serve(moves.changeTypes, ({ params, body }, { user }) =>
    changeTypes(ctx, params.orderId, body, { user_id: user.id, role: user.role }),
  );
  serve(orders.readOrder, ({ params }, { user }) => orderFor(ctx, user, params.orderId));
  serve(orders.listOrderTickets, ({ params }, { user }) => orderTickets(ctx, user, params.orderId));
  serve(orders.readCheckoutSession, ({ params }, { user }) =>
    checkoutSession(ctx, user, params.orderId),
  );
}
