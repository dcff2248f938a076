/** A buyer who pays on the hosted page, leaves a name and an address, and returns to the shop. */
import { orderStatus } from '#server/contract/order/orders.ts';
import { callOk, makeOrder, payOrder, type Booked, type OrderOptions } from './make.ts';
import type { TestServer } from './server.ts';

/** `email` null: the buyer leaves no address, so no mail can be sent. */
export interface Buyer {
  name?: string;
  email?: string | null;
  method?: string;
}

export async function payAs(
  server: TestServer,
  order: Pick<Booked, 'checkout_url'>,
  { name = 'Eva Neri', email = 'eva@example.it', method }: Buyer = {},
): Promise<void> {
  const paid = await payOrder(server, order.checkout_url, method, {
    name,
    ...(email === null ? {} : { email }),
  });
  if (paid.status !== 200) throw new Error(`not paid: ${JSON.stringify(paid.body)}`);
}

/** The page after the payment makes the server check the payment, at most every two seconds. */
export async function comeBack(
  server: TestServer,
  { order_id }: { order_id: string },
): Promise<{ confirmed: boolean }> {
  server.clock.advance(3_000);
  return {
    confirmed:
      (await callOk(server, orderStatus, { params: { orderId: order_id } })).order_confirmed_at !==
      null,
  };
}

/** A confirmed order, by default of two full-price seats; its mail is due but not sent. */
export async function makePaidOrder(
  server: TestServer,
  buyer: Buyer = {},
  options: OrderOptions = {},
): Promise<Booked> {
  const order = await makeOrder(server, options);
  await payAs(server, order, buyer);
  if (!(await comeBack(server, order)).confirmed) throw new Error('not confirmed');
  return order;
}
