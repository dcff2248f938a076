/** Orders: endpoint to use case, one line each. */
import {
  bookSeats,
  cancelCheckout,
  exportOrders,
  getOrder,
  listOrders,
  listOrderTickets,
  orderStatus,
  readCheckoutSession,
  readOrder,
} from '#server/contract/orders.ts';
import { serve, type House } from '#server/http/serve.ts';
import { bookSeats as book } from '#server/services/booking/booking.ts';
import { orderForOffice } from '#server/services/office/order-desk.ts';
import { orderFile } from '#server/services/office/order-export.ts';
import {
  checkoutSession,
  orderList,
  orderPage,
  orderStatus as statusOf,
  orderTickets,
} from '#server/services/booking/orders.ts';
import { cancelOrder } from '#server/services/booking/settle.ts';

export function orderRoutes(house: House): void {
  serve(house, bookSeats, ({ params, body }) => book(house.ctx, params.eventId, body));
  serve(house, orderStatus, ({ params }) => statusOf(house.ctx, params.orderId));
  serve(house, cancelCheckout, ({ params }) => cancelOrder(house.ctx, params.orderId));
  serve(house, getOrder, ({ params }) => orderPage(house.ctx, params.orderId));
  serve(house, listOrders, ({ query }) => orderList(house.ctx, query));
  serve(house, exportOrders, ({ query }) => orderFile(house.ctx, query));
  serve(house, readOrder, ({ params }) => orderForOffice(house.ctx, params.orderId));
  serve(house, listOrderTickets, ({ params }) => orderTickets(house.ctx, params.orderId));
  serve(house, readCheckoutSession, ({ params }) => checkoutSession(house.ctx, params.orderId));
}
