/** Reads the facts for an exchange of tickets, and what these give towards another date. */
import type { Db } from '#db/engine/dialect.ts';
import { ticketsInExchange } from '#db/order/exchanges.ts';
import type { EventRow, OrderRow } from '#db/rows.ts';
import { refundQuote } from '#server/domain/payment/refund-quote.ts';
import type { RefundAsk } from '#server/domain/payment/refund.ts';
import { isCounterOpen } from '#server/domain/counter/counter.ts';
import {
  exchangeObstacle,
  lineObstacles,
  type ExchangeFacts,
  type ExchangeObstacle,
} from '#server/domain/order/exchange.ts';
import { exchangeUntil } from '#server/domain/order/exchange-terms.ts';
import { asGivenBack, dateQuestion } from './date-question.ts';
import { lineIdsOf, lockedFacts, quoteInWords, type OrderForRefund } from './refund-facts.ts';

/**
 * `except`: the exchange that is being carried out, whose tickets count as free. `agreed`: the
 * question that it answers, even after its deadline; left out: one that waits for answers now.
 */
export interface ExchangeWish {
  order: OrderRow;
  event: EventRow;
  now: number;
  by: ExchangeFacts['by'];
  ticket_ids: readonly string[] | undefined;
  except?: string;
  agreed?: string | null;
}

/** What the tickets give: the return that the office would make now, under the order's terms. */
export async function exchangeQuote(db: Db, wish: ExchangeWish) {
  const { order, event, now, by, ticket_ids, except } = wish;
  const question = await dateQuestion(db, wish);
  const known = await lockedFacts(db, { event, order, now });
  const found = question === null ? known : asGivenBack(known);
  const busy = await ticketsInExchange(db, order.id, except ?? null);
  const facts: ExchangeFacts = {
    now,
    by,
    until: exchangeUntil(event),
    event: { cancelled: event.status === 'cancelled', over: !isCounterOpen(event, now) },
    asked: question !== null,
    lines: found.lines.map((line, at) => ({
      line_id: line.id,
      used: found.facts.lines[at]?.used === true,
      in_exchange: line.ticket_id !== null && busy.has(line.ticket_id),
      whole: line.whole_size > 0 ? line.object_label : null,
    })),
  };
  const line_ids = ticket_ids ? lineIdsOf(found.lines, ticket_ids) : freeLines(found, facts);
  const ask: RefundAsk = {
    by: 'office',
    line_ids,
    ...(question !== null && { with_fees: question.with_fees }),
  };
  const quote = refundQuote(found.facts, ask);
  const obstacles = lineObstacles(facts, quote);
  return { found, ask, question, quote, obstacles, obstacle: exchangeObstacle(facts, quote) };
}

/** The lines whose tickets may be exchanged now. */
function freeLines(found: OrderForRefund, facts: ExchangeFacts): readonly string[] {
  const all = refundQuote(found.facts, { by: 'office', line_ids: 'all' });
  const obstacles = lineObstacles(facts, all);
  return [...obstacles].flatMap(([line_id, obstacle]) => (obstacle === null ? [line_id] : []));
}

type Quoted = Awaited<ReturnType<typeof exchangeQuote>>;

/** What the house takes for it, for each chosen ticket; nothing where its evening changed. */
export function feeOf({ event }: ExchangeWish, { quote, question }: Quoted): number {
  if (question !== null) return 0;
  return event.exchange_fee_cents * quote.lines.filter(({ chosen }) => chosen).length;
}

/** The quote as it crosses the wire, but for the way in which money goes back. */
export function exchangeInWords(wish: ExchangeWish, quoted: Quoted) {
  const { order, event } = wish;
  const { found, ask, quote, obstacles, obstacle } = quoted;
  return {
    order_id: order.id,
    event: { id: event.id, title: event.title, starts_at: event.starts_at },
    tickets: quoteInWords(found, ask).lines.flatMap((line) => {
      const { ticket_id, seat, category, type_label, chosen } = line;
      if (ticket_id === null) return [];
      return {
        ticket_id,
        seat,
        category,
        type_label,
        paid_cents: line.price_cents + line.fee_cents,
        worth_cents: line.refund_cents + line.refund_fee_cents,
        chosen,
        obstacle: obstacles.get(line.line_id) ?? null,
      };
    }),
    worth_cents: quote.amount_cents,
    kept_fee_cents: quote.kept_fee_cents,
    because: quote.because,
    fee_cents: feeOf(wish, quoted),
    obstacle: obstacle satisfies ExchangeObstacle | null,
  };
}
