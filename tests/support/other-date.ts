/** A moved or cancelled evening whose tickets become some of another date, in tests. */
import { bookSeats } from '#server/contract/order/orders.ts';
import { quoteOwnExchange } from '#server/contract/order/exchanges.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { aBuyer, ask, callOk, demoEvent, holdSeats, payOrder, recordOf, until } from './make.ts';
import { feeEvent, type PaidOrder } from './refunds.ts';
import type { TestServer } from './server.ts';

/** Both evenings are dates of one show, whose terms allow no exchange. */
export async function oneShow(server: TestServer): Promise<void> {
  const { db } = server.house.ctx;
  const { show_id } = await db('events').where({ id: demoEvent }).first('show_id');
  await db('events').where({ id: feeEvent }).update({ show_id });
}

export async function ownQuote(
  server: TestServer,
  { link_key }: Pick<PaidOrder, 'link_key'>,
): Promise<ReplyOf<typeof quoteOwnExchange>> {
  return callOk(server, quoteOwnExchange, { params: { orderId: link_key }, body: {} });
}

export interface Begun {
  order_id: string;
  checkout_url: string | null;
}

/** Books other seats with the old tickets, without paying. */
export async function otherDate(
  server: TestServer,
  old: PaidOrder,
  { nth = 5, tickets = old.tickets }: { nth?: number; tickets?: readonly string[] } = {},
): Promise<Begun> {
  const { link_key } = old;
  const params = { orderId: link_key };
  const ticket_ids = [...tickets];
  const { worth_cents } = await callOk(server, quoteOwnExchange, { params, body: { ticket_ids } });
  const held = await holdSeats(server, { event: demoEvent, nth, count: tickets.length });
  const exchange = { order_id: link_key, ticket_ids, expected_worth_cents: worth_cents };
  const body = { ...held, buyer: aBuyer, exchange };
  const booked = await ask(server, bookSeats.method, `/api/event/${demoEvent}/book`, { body });
  if (booked.status !== 200) throw new Error(`refused: ${JSON.stringify(booked.body)}`);
  const answer = booked.body as { order_id: string; checkout_url: string | null };
  return { order_id: await recordOf(server, answer), checkout_url: answer.checkout_url };
}

/** Pays, and waits until the order is confirmed or has ended. */
export async function payOther(server: TestServer, order: Begun): Promise<void> {
  if (order.checkout_url !== null) await payOrder(server, order.checkout_url);
  const { db } = server.house.ctx;
  await until(async () => {
    await server.runDue();
    const { state } = await db('orders').where({ id: order.order_id }).first('state');
    return state === 'confirmed' || state === 'deleted';
  }, 10_000);
  await server.runDue();
}
