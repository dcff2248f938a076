/** Exchanges of tickets in tests: at the till, and by their buyer, who pays at Stripe. */
import { expect } from 'vitest';
import { makeSale } from '#server/contract/counter.ts';
import { quoteExchange, quoteOwnExchange } from '#server/contract/order/exchanges.ts';
import { bookSeats } from '#server/contract/order/orders.ts';
import type { Asked, ReplyOf } from '#server/contract/endpoint.ts';
import { newSaleKey, type Seller } from './counter.ts';
import {
  aBuyer,
  ask,
  callOk,
  demoEvent,
  findSeats,
  holdObjects,
  holdSeats,
  makeHoldToken,
  payOrder,
  recordOf,
  until,
  type Answered,
} from './make.ts';
import { feeEvent, type PaidOrder } from './refunds.ts';
import type { TestServer } from './server.ts';

export interface Wanted {
  order_id: string;
  /** Left out: all of the order. */
  ticket_ids?: string[];
  event_id?: string;
  nth?: number;
  /** The new total, with the exchange's fee. */
  total_cents: number;
  body?: Partial<Asked<typeof makeSale>['body']>;
}

export async function quoteOf(
  server: TestServer,
  seller: Seller,
  { order_id, ticket_ids }: Pick<Wanted, 'order_id' | 'ticket_ids'>,
): Promise<ReplyOf<typeof quoteExchange>> {
  const params = { orderId: order_id };
  return callOk(server, quoteExchange, { params, body: { ticket_ids } }, seller);
}

/** Holds as many seats of the other evening, and pays the difference in cash. */
export async function exchangeBody(
  server: TestServer,
  seller: Seller,
  wanted: Wanted,
): Promise<Asked<typeof makeSale>['body']> {
  const { event_id = feeEvent, nth = 7, total_cents, body } = wanted;
  const quote = await quoteOf(server, seller, wanted);
  const ticket_ids = quote.tickets.flatMap((one) => (one.chosen ? one.ticket_id : []));
  const seats = await findSeats(server, { nth, count: Math.max(1, ticket_ids.length) });
  const selected_objects = seats.map((object_id) => ({ object_id, ticket_type: 'intero' }));
  const hold_token = await makeHoldToken(server);
  const held = await holdObjects(server, hold_token, selected_objects, event_id);
  if (held.status !== 200) throw new Error(`hold refused: ${JSON.stringify(held.body)}`);
  const due = total_cents - Math.min(total_cents, quote.worth_cents);
  return {
    sale_key: newSaleKey(),
    event_id,
    hold_token,
    selected_objects,
    expected_cents: total_cents,
    payments: due === 0 ? [] : [{ method: 'cash', amount_cents: due }],
    exchange: {
      order_id: wanted.order_id,
      ticket_ids,
      expected_worth_cents: quote.worth_cents,
    },
    ...body,
  };
}

export async function exchangeAtTill(
  server: TestServer,
  seller: Seller,
  wanted: Wanted,
): Promise<ReplyOf<typeof makeSale>> {
  return callOk(server, makeSale, { body: await exchangeBody(server, seller, wanted) }, seller);
}

type Bought = Pick<PaidOrder, 'link_key' | 'tickets'>;

/** Both evenings are dates of one show, which lets its buyers change the date. */
export async function allowExchange(server: TestServer, terms: object = {}): Promise<void> {
  const { db } = server.house.ctx;
  const { show_id } = await db('events').where({ id: demoEvent }).first('show_id');
  await db('events').where({ id: feeEvent }).update({ show_id });
  await db('events').update({ exchange: 1, exchange_until_hours: 1, ...terms });
}

/** What the buyer reads on the order's page. */
export async function ownQuote(
  server: TestServer,
  { link_key }: Pick<Bought, 'link_key'>,
  ticket_ids?: string[],
): Promise<ReplyOf<typeof quoteOwnExchange>> {
  const quoted = await ask(server, 'POST', `/api/orders/${link_key}/exchange/quote`, {
    body: { ticket_ids },
  });
  expect(quoted.status).toBe(200);
  return quoted.body as ReplyOf<typeof quoteOwnExchange>;
}

interface Other {
  event?: string;
  nth?: number;
  /** Left out: all of the order. */
  ticket_ids?: string[];
}

/** Books the other evening with the old tickets, without paying. */
export async function exchangeOnline(
  server: TestServer,
  old: Bought,
  { event = demoEvent, nth = 5, ticket_ids = old.tickets }: Other = {},
): Promise<Answered> {
  const { worth_cents } = await ownQuote(server, old, ticket_ids);
  const held = await holdSeats(server, { event, nth, count: ticket_ids.length });
  const exchange = {
    order_id: old.link_key,
    ticket_ids,
    expected_worth_cents: worth_cents,
  };
  const body = { ...held, buyer: aBuyer, exchange };
  return ask(server, bookSeats.method, `/api/event/${event}/book`, { body });
}

export interface Begun {
  order_id: string;
  checkout_url: string;
}

export async function begun(server: TestServer, old: Bought, other: Other = {}): Promise<Begun> {
  const { status, body } = await exchangeOnline(server, old, other);
  expect([status, body]).toEqual([200, expect.anything()]);
  const booked = body as { order_id: string; checkout_url: string };
  return { order_id: await recordOf(server, booked), checkout_url: booked.checkout_url };
}

/** Pays, and waits until Stripe's news has come. */
export async function pay(
  server: TestServer,
  { order_id, checkout_url }: Begun,
  payment_method?: string,
): Promise<void> {
  await payOrder(server, checkout_url, payment_method);
  const { db } = server.house.ctx;
  await until(async () => {
    await server.runDue();
    const { state } = await db('orders').where({ id: order_id }).first('state');
    return state !== 'awaiting_payment';
  }, 10_000);
  await server.runDue();
}

export async function exchangeOf(server: TestServer) {
  return server.house.ctx.db('exchanges').first('state', 'ended_why', 'credit_cents');
}
