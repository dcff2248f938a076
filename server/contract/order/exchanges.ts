/** Exchange of tickets for another date, on the wire; money in cents, times ISO. */
import * as v from 'valibot';
import { availabilities } from '#server/domain/event/event.ts';
import {
  backWays,
  exchangeEnds,
  exchangeObstacles,
  exchangeStates,
} from '#server/domain/order/exchange.ts';
import { endpoint, text, timeOut } from '#server/contract/endpoint.ts';

const cents = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10_000_000));
const ticketIds = v.pipe(
  v.array(text(40, 1)),
  v.minLength(1),
  v.maxLength(100),
  v.check((all) => new Set(all).size === all.length, 'each ticket once'),
);

/**
 * In a sale or a booking: the tickets that it replaces. `worth_cents` of the quote is what they
 * give; another sum is refused with 409 exchange_changed. At the till `payments` add up to
 * `due_cents` = max(0, expected_cents − expected_worth_cents); `expected_cents` is the whole new
 * total with the exchange's fee.
 */
export const exchangeAsk = v.object({
  order_id: text(100, 1),
  ticket_ids: ticketIds,
  expected_worth_cents: cents,
});

/**
 * `worth_cents`: what the chosen tickets give, as a return now would. `fee_cents`: what the house
 * takes for the exchange, as service commission of the new order, if that one costs something;
 * it is part of the new total. `obstacle` of a ticket: why it cannot be exchanged; of the quote:
 * why the chosen ones cannot be.
 */
const quote = v.object({
  order_id: v.string(),
  event: v.object({ id: v.string(), title: v.string(), starts_at: timeOut }),
  tickets: v.array(
    v.object({
      ticket_id: v.string(),
      seat: v.string(),
      category: v.string(),
      type_label: v.string(),
      /** With its fees. */ paid_cents: v.number(),
      worth_cents: v.number(),
      chosen: v.boolean(),
      obstacle: v.nullable(v.picklist(exchangeObstacles)),
    }),
  ),
  worth_cents: v.number(),
  /** Fees of the chosen tickets that stay with the house. */ kept_fee_cents: v.number(),
  /** Why the rules of the order give less, in Italian; null: they do not. */
  because: v.nullable(v.string()),
  fee_cents: v.number(),
  /** How `back_cents` of the question would go back. */ back: v.picklist(backWays),
  obstacle: v.nullable(v.picklist(exchangeObstacles)),
});

/**
 * Without `ticket_ids` all that may be exchanged are chosen. `back_cents`: what exceeds the new
 * total; left out: all that the tickets give.
 */
const quoteBody = v.object({
  ticket_ids: v.optional(ticketIds),
  back_cents: v.optional(cents),
});

export const quoteExchange = endpoint('POST', '/api/admin/orders/:orderId/exchange/quote', {
  who: 'sell',
  limit: 'read',
  refusals: ['order_not_found'],
  summary: 'What tickets would give towards an order of another date',
  body: quoteBody,
  reply: quote,
});

/** `:orderId` is the secret of the buyer's link. */
export const quoteOwnExchange = endpoint('POST', '/api/orders/:orderId/exchange/quote', {
  who: 'public',
  limit: 'read',
  refusals: ['order_not_found'],
  summary: 'What a buyer’s tickets would give towards another date of the show',
  body: quoteBody,
  reply: v.object({
    ...quote.entries,
    /** Until when the buyer may change the date; null: this is not offered. */
    until: v.nullable(timeOut),
    /** Other dates of the show that are on sale now, the soonest first. */
    dates: v.array(
      v.object({
        event_id: v.string(),
        starts_at: timeOut,
        /** The lowest price in cents, fee included; null: none is known. */
        from_cents: v.nullable(v.number()),
        availability: v.picklist(availabilities),
      }),
    ),
  }),
});

/** One exchange as the order's page in the office shows it; the same row on both orders. */
export const exchangeShown = v.object({
  exchange_id: v.string(),
  state: v.picklist(exchangeStates),
  /** Which of the two orders this is: its tickets were given, or it replaced them. */
  side: v.picklist(['given', 'got']),
  other: v.object({
    order_id: v.string(),
    number: v.string(),
    event_title: v.string(),
    starts_at: timeOut,
  }),
  /** The old tickets' seats. */ seats: v.array(v.string()),
  credit_cents: v.number(),
  back_cents: v.number(),
  fee_cents: v.number(),
  ended_why: v.nullable(v.picklist(exchangeEnds)),
  created_at: timeOut,
  settled_at: v.nullable(timeOut),
});

/** One exchange as the buyer reads it on the pages of both orders. */
export const ownExchange = v.object({
  side: v.picklist(['given', 'got']),
  state: v.picklist(exchangeStates),
  /** The other order's secret link; null: it has another buyer, or may have. */
  order_id: v.nullable(v.string()),
  /** Of the other order. */ number: v.string(),
  starts_at: timeOut,
  /** The old tickets' seats. */ seats: v.array(v.string()),
  credit_cents: v.number(),
  back_cents: v.number(),
  ended_why: v.nullable(v.picklist(exchangeEnds)),
});

/** In the answer of a sale that replaces tickets. */
export const saleExchange = v.object({
  exchange_id: v.string(),
  credit_cents: v.number(),
  due_cents: v.number(),
  back_cents: v.number(),
  /** Null: nothing goes back. */ back: v.nullable(v.picklist(backWays)),
});
