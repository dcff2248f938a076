/**
 * Exchange of tickets for another date: a new order that the old tickets pay for as far as the
 * rule of returns would give for them (RULES M6, M7).
 */
import { addFees, type Fees } from '#server/domain/price/fees.ts';
import { shareOut } from '#server/domain/price/share.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { PlannedOrder } from './order.ts';
import type { Quote } from '#server/domain/payment/refund-quote.ts';
import type { Obstacle } from '#server/domain/payment/refund.ts';

/** `open`: the old tickets are good. `done`: the new ones are. `ended`: nothing has happened. */
export const exchangeStates = ['open', 'done', 'ended'] as const;
export type ExchangeState = (typeof exchangeStates)[number];

/** Why it ended: the new order was not paid, or an old ticket changed before it was. */
export const exchangeEnds = ['unpaid', 'changed'] as const;
export type ExchangeEnd = (typeof exchangeEnds)[number];

/** Why tickets cannot be exchanged; the sentences are in exchange-words.ts. */
export const exchangeObstacles = [
  'not_confirmed',
  'not_offered',
  'too_late',
  'event_past',
  'event_cancelled',
  'already_asked',
  'ticket_gone',
  'ticket_used',
  'in_exchange',
  'whole_object',
  'disputed',
  'nothing_chosen',
  'same_date',
  'too_little',
] as const;
export type ExchangeObstacle = (typeof exchangeObstacles)[number];

/**
 * How money goes back: by Stripe, out of the seller's drawer, later by the office, or in part by
 * Stripe and the rest by the office.
 */
export const backWays = ['stripe', 'drawer', 'office', 'mixed'] as const;
export type BackWay = (typeof backWays)[number];

interface PricedOrder {
  total_cents: number;
  exchange_credit_cents: number | null;
}

/** What is still to be paid of an order, beside what the tickets give that it replaces. */
export function dueOf({ total_cents, exchange_credit_cents }: PricedOrder): number {
  return total_cents - (exchange_credit_cents ?? 0);
}

/** The same without the parts that a reservation has paid already (RULES K5). */
export function restOf(order: PricedOrder & { paid_cents: number }): number {
  return dueOf(order) - order.paid_cents;
}

/**
 * The planned order with what the house takes for the exchange, as service commission that its
 * paid tickets share; an order of which nothing is paid bears none (RULES P4).
 */
export function withExchangeFee<O extends Pick<PlannedOrder, 'lines' | 'total_cents' | keyof Fees>>(
  order: O,
  cents: number,
): O {
  const shares = shareOut(
    cents,
    order.lines.map(({ price_cents, fee_cents }) => price_cents + fee_cents),
  );
  const lines = order.lines.map((line, at) => {
    const share = requireValue(shares[at], 'share');
    const { fee_cents, service_cents } = line;
    return { ...line, fee_cents: fee_cents + share, service_cents: service_cents + share };
  });
  const added = addFees(lines).fee_cents - order.fee_cents;
  return { ...order, lines, ...addFees(lines), total_cents: order.total_cents + added };
}

/** `until`: the last moment for the buyer, not for the office; null if the terms offer none. */
export interface ExchangeFacts {
  now: number;
  by: 'office' | 'buyer';
  until: number | null;
  event: { cancelled: boolean; over: boolean };
  /** The evening has moved or was cancelled, and the buyers are asked (RULES E3, E5). */
  asked: boolean;
  /** The lines whose guest has come in, whose ticket is in an open exchange, or of an object. */
  lines: readonly ExchangeLine[];
}

export interface ExchangeLine {
  line_id: string;
  used: boolean;
  in_exchange: boolean;
  /** The object sold whole to which it belongs; null: a place of its own. */
  whole: string | null;
}

const sameWords: readonly Obstacle[] = ['not_confirmed', 'already_asked', 'disputed'];

function likeRefund(obstacle: Obstacle): ExchangeObstacle {
  return (sameWords.includes(obstacle) ? obstacle : 'ticket_gone') as ExchangeObstacle;
}

/** Why no ticket of the order may be exchanged; null: some may. */
function closedToExchange(facts: ExchangeFacts): ExchangeObstacle | null {
  const { now, by, until, event, asked } = facts;
  if (asked) return null;
  if (event.cancelled) return 'event_cancelled';
  if (event.over) return 'event_past';
  if (by === 'office') return null;
  if (until === null) return 'not_offered';
  return now > until ? 'too_late' : null;
}

/** The obstacle of each line, by its id; null: its ticket may be exchanged. */
export function lineObstacles(
  facts: ExchangeFacts,
  quote: Quote,
): Map<string, ExchangeObstacle | null> {
  const closed = closedToExchange(facts);
  return new Map(
    quote.lines.map(({ line_id, obstacle }) => {
      const line = facts.lines.find((one) => one.line_id === line_id);
      if (closed !== null) return [line_id, closed];
      if (obstacle !== null) return [line_id, likeRefund(obstacle)];
      if (line?.used) return [line_id, 'ticket_used'];
      return [line_id, line?.in_exchange ? 'in_exchange' : null];
    }),
  );
}

/** Why the chosen tickets of the quote cannot be exchanged together; null: they can. */
export function exchangeObstacle(facts: ExchangeFacts, quote: Quote): ExchangeObstacle | null {
  const obstacles = lineObstacles(facts, quote);
  const chosen = quote.lines.filter((line) => line.chosen).map(({ line_id }) => line_id);
  const closed = closedToExchange(facts);
  if (closed !== null) return closed;
  for (const line_id of chosen) {
    const obstacle = obstacles.get(line_id) ?? null;
    if (obstacle !== null) return obstacle;
  }
  if (quote.obstacle !== null)
    return quote.obstacle === 'nothing_chosen' ? 'nothing_chosen' : likeRefund(quote.obstacle);
  return isTorn(facts, { chosen, obstacles }) ? 'whole_object' : null;
}

/** Whether places of an object sold whole would stay behind: it is given back whole. */
function isTorn(
  { lines }: ExchangeFacts,
  {
    chosen,
    obstacles,
  }: { chosen: readonly string[]; obstacles: ReadonlyMap<string, ExchangeObstacle | null> },
): boolean {
  const going = new Set(
    lines.flatMap(({ line_id, whole }) => (chosen.includes(line_id) ? (whole ?? []) : [])),
  );
  return lines.some(
    ({ line_id, whole }) =>
      whole !== null &&
      going.has(whole) &&
      !chosen.includes(line_id) &&
      obstacles.get(line_id) !== 'ticket_gone',
  );
}
