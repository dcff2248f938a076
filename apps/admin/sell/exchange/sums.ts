/** What an exchange costs or gives back, from what is in the basket. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { quoteExchange } from '#server/contract/order/exchanges.ts';
import { exchangeSums } from '#server/domain/order/exchange-sums.ts';
import type { SaleBody } from '#apps/admin/sell/use-sale.ts';
import type { Given } from './given.ts';

export type ExchangeQuote = ReplyOf<typeof quoteExchange>;

export interface Exchange {
  given: Given;
  /** Of the old order; null: not read yet. */ number: string | null;
  /** Null: not read yet, or not possible. */ quote: ExchangeQuote | null;
  failure: Error | null;
}

/** What the till asks for seats of this price: those of an exchange, or of a plain sale. */
export function dealOf(exchange: Exchange | null, seats: number) {
  const quote = exchange?.quote ?? null;
  const sums = quote && exchangeSums(quote, seats);
  return {
    sums,
    due: sums?.due ?? seats,
    isReady: exchange === null || (quote !== null && quote.obstacle === null),
    body: { expected_cents: sums?.total ?? seats, ...bodyOf(exchange) },
  };
}

/** The old tickets at the worth that the seller has read. */
function bodyOf(exchange: Exchange | null): Pick<SaleBody, 'exchange'> {
  if (exchange === null || exchange.quote === null) return {};
  const { orderId: order_id, ticketIds: ticket_ids } = exchange.given;
  const expected_worth_cents = exchange.quote.worth_cents;
  return { exchange: { order_id, ticket_ids, expected_worth_cents } };
}
