/** Exchanges of tickets in tests: the quote that a seller sees, and the sale that makes them. */
import { makeSale } from '#server/contract/counter.ts';
import { quoteExchange } from '#server/contract/order/exchanges.ts';
import type { Asked, ReplyOf } from '#server/contract/endpoint.ts';
import { newSaleKey, type Seller } from './counter.ts';
import { callOk, findSeats, holdObjects, makeHoldToken } from './make.ts';
import { feeEvent } from './refunds.ts';
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
