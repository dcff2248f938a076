/** Paid orders for tests: a buyer with a name pays, and the house has heard of it. */
import { orderStatus } from '#server/contract/orders.ts';
import { makeRefund, quoteRefund } from '#server/contract/refunds.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { ask, callOk, makeOrder, type Booked } from './make.ts';
import type { TestServer } from './server.ts';

export interface Buyer { name?: string; email?: string; method?: string }

/** Pays as the hosted page does, with the buyer's name and address. */
export async function payAs(server: TestServer, order: Booked, { name = 'Eva Neri', email = 'eva@example.it', method = 'pm_card_visa' }: Buyer = {}): Promise<void> {
  const page = `/standins/stripe/v1/payment_pages/${order.checkout_url.split('/').at(-1)!}`;
  const { amount_total } = (await ask(server, 'GET', page)).body as { amount_total: number };
  const paid = await ask(server, 'POST', `${page}/confirm`, { body: { payment_method: method, expected_amount: amount_total, email, name, custom_fields: { nome: name } } });
  if (paid.status !== 200) throw new Error(`not paid: ${JSON.stringify(paid.body)}`);
}

/** The return page makes us look; a few minutes later receipt, fees and mails are there, too. */
export async function settle(server: TestServer, order: { order_id: string }): Promise<void> {
  server.clock.advance(3_000);
  await callOk(server, orderStatus, { params: { orderId: order.order_id } });
  for (let look = 0; look < 3; look += 1) {
    await server.runDue();
    server.clock.advance(60_000);
    await server.house.standins!.stripe!.tick();
  }
  await server.runDue();
}

export async function sellTo(server: TestServer, buyer: Buyer = {}, options: Parameters<typeof makeOrder>[1] = {}): Promise<Booked> {
  const order = await makeOrder(server, options);
  await payAs(server, order, buyer);
  await settle(server, order);
  return order;
}

/** The office refunds the first `count` tickets of an order, all by default. */
export async function refundTickets(server: TestServer, admin: { cookie: string }, order: { order_id: string }, count = Number.POSITIVE_INFINITY): Promise<ReplyOf<typeof makeRefund>> {
  const params = { orderId: order.order_id };
  const { lines } = await callOk(server, quoteRefund, { params }, admin);
  const ticket_ids = lines.slice(0, count).flatMap((line) => line.ticket_id ?? []);
  const quote = await callOk(server, quoteRefund, { params, query: { ticket_ids: ticket_ids.join(',') } }, admin);
  return callOk(server, makeRefund, { params, body: { ticket_ids, expected_cents: quote.amount_cents, expected_left_cents: quote.left_cents, reason: 'Un amico malato' } }, admin);
}
