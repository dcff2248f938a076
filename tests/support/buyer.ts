/** A buyer who leaves name and address at the till and pays. */
import { getOrder } from '#server/contract/orders.ts';
import { ask, callOk, makeOrder, type Booked } from './make.ts';
import type { TestServer } from './server.ts';

export interface Buyer { email?: string; name?: string; nth?: number }

/** A confirmed order of two full-price seats; its mail is owed, not sent. Without an e-mail nobody knows where to. */
export async function makePaidOrder(server: TestServer, { email, name = 'Eva Neri', nth = 0 }: Buyer = {}): Promise<Booked> {
  const order = await makeOrder(server, { nth });
  const body = { payment_method: 'pm_card_visa', expected_amount: 6400, ...(email === undefined ? {} : { email }), name, custom_fields: { nome: name } };
  const paid = await ask(server, 'POST', `/standins/stripe/v1/payment_pages/${order.checkout_url.split('/').at(-1)!}/confirm`, { body });
  if (paid.status !== 200) throw new Error(JSON.stringify(paid.body));
  // The page that makes the server look is allowed to do so every two seconds.
  server.clock.advance(3_000);
  await callOk(server, getOrder, { params: { orderId: order.order_id } });
  return order;
}
