/** Paid orders for tests: a buyer with a name pays, and the product learns of it. */
import { quoteRefund, type makeRefund } from '#server/contract/order/refunds.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { comeBack, payAs, type Buyer } from './buyer.ts';
import { callOk, makeOrder, type Booked, type OrderOptions } from './make.ts';
import { refundByOffice } from './refunds.ts';
import type { TestServer } from './server.ts';

/** The buyer returns; a few minutes later the receipt, the fees and the mails exist, too. */
export async function settle(server: TestServer, order: { order_id: string }): Promise<void> {
  await comeBack(server, order);
  for (let look = 0; look < 3; look += 1) {
    await server.runDue();
    server.clock.advance(60_000);
    await server.house.standins!.stripe!.tick();
  }
  await server.runDue();
}

export async function sellTo(
  server: TestServer,
  buyer: Buyer = {},
  options: OrderOptions = {},
): Promise<Booked> {
  const order = await makeOrder(server, options);
  await payAs(server, order, buyer);
  await settle(server, order);
  return order;
}

/** The office refunds the first `count` tickets of an order, by default all. */
export async function refundTickets(
  server: TestServer,
  admin: { cookie: string },
  order: { order_id: string },
  count = Number.POSITIVE_INFINITY,
): Promise<ReplyOf<typeof makeRefund>> {
  const asked = { params: { orderId: order.order_id } };
  const { lines } = await callOk(server, quoteRefund, asked, admin);
  const ticket_ids = lines.slice(0, count).flatMap((line) => line.ticket_id ?? []);
  return refundByOffice(server, admin, order, { ticket_ids });
}
