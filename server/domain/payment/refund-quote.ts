/** What may be refunded now, by whom, and how much of it are fees (RULES R1, R2, R4). */
import { addFees, noFees, servicePart, type Fees } from '#server/domain/price/fees.ts';
import { feesBack, paidParts, type SharedRefund } from './presale-part.ts';
import {
  closedTo,
  type Obstacle,
  type RefundAsk,
  type RefundFacts,
  type RefundLineFacts,
} from './refund.ts';
import { shareByRules, type Ruled, type RuledShare, type Sum } from './ruled-refund.ts';

/** What would be refunded for a line; zero if it is not chosen. */
interface QuotedLine extends Fees {
  line_id: string;
  price_cents: number;
  chosen: boolean;
  obstacle: Obstacle | null;
}

/**
 * `amount_cents` = `tickets_cents` + `fee_cents`, never more than `left_cents` (paid and not yet
 * refunded). `kept_fee_cents`: fees of the chosen lines that are not refunded. `because`: why rules
 * give back less, in Italian. `obstacle`: why nothing may be refunded.
 */
export interface Quote extends Fees {
  lines: QuotedLine[];
  tickets_cents: number;
  amount_cents: number;
  kept_fee_cents: number;
  left_cents: number;
  because: string | null;
  obstacle: Obstacle | null;
}

/**
 * What a refund would pay back now: one rule for the order page, the office, the server and a
 * cancelled event; all amounts in cents.
 */
export function refundQuote(facts: RefundFacts, ask: RefundAsk): Quote {
  const left_cents = Math.max(0, facts.paid_cents - facts.counted_cents);
  if (ask.amount_cents !== undefined) return freeAmount(facts, ask.amount_cents, left_cents);
  const closed = closedTo(facts, ask.by);
  const obstacleOf = (line: RefundLineFacts) => closed ?? lineObstacle(facts, line, ask);
  const isChosen = (line: RefundLineFacts) =>
    ask.line_ids === 'all' ? obstacleOf(line) === null : ask.line_ids.includes(line.line_id);
  const chosen = facts.lines.filter(isChosen);
  const { shares, because } = sharesOf(facts, chosen, ask);
  const lines = facts.lines.map((line) => {
    const { price_cents, fee_cents } = shares.get(line.line_id) ?? { price_cents: 0, fee_cents: 0 };
    return {
      line_id: line.line_id,
      price_cents,
      fee_cents,
      service_cents: servicePart(line, fee_cents),
      chosen: isChosen(line),
      obstacle: obstacleOf(line),
    };
  });
  const named = addFees(lines);
  const amount_cents = sumOf(lines, (line) => line.price_cents) + named.fee_cents;
  const parts = partsOf(facts, {
    amount_cents,
    named_fee_cents: named.fee_cents,
    named_service_cents: named.service_cents,
  });
  const quote = {
    lines,
    ...parts,
    amount_cents,
    kept_fee_cents: Math.max(0, sumOf(chosen, (line) => line.fee_cents) - parts.fee_cents),
    left_cents,
    because,
  };
  return { ...quote, obstacle: wholeObstacle(facts, ask, quote) };
}

/** What each chosen line gives: by the order's rules, or what it cost (RULES R7). */
function sharesOf(
  facts: RefundFacts,
  chosen: readonly RefundLineFacts[],
  ask: RefundAsk,
): RuledShare {
  const { paid_cents, counted_cents, ruled, event } = facts;
  const isWithMoney = ask.with_money !== false;
  const left_cents = isWithMoney ? Math.max(0, paid_cents - counted_cents) : 0;
  const with_fees = givesFees(facts, ask);
  if (ruled === undefined || !isWithMoney)
    return { shares: share(chosen, { left_cents, with_fees }), because: null };
  return shareByRules(ruled, {
    line_ids: chosen.map(({ line_id }) => line_id),
    left_cents,
    with_fees,
    cancelled: event.cancelled || ask.by === 'event_cancelled',
  });
}

/** Splits the next refund as the books will (RULES R5). */
function partsOf(
  { lines, paid_cents, counted_cents, counted_fee_cents, counted_service_cents }: RefundFacts,
  refund: SharedRefund,
): Pick<Quote, 'tickets_cents' | 'fee_cents' | 'service_cents'> {
  const paid = paidParts({ paid_cents, ...addFees(lines) });
  const fees = feesBack(
    {
      tickets_cents: paid.tickets_cents - (counted_cents - counted_fee_cents),
      fee_cents: paid.fee_cents - counted_fee_cents,
      service_cents: paid.service_cents - counted_service_cents,
    },
    refund,
  );
  return { tickets_cents: refund.amount_cents - fees.fee_cents, ...fees };
}

/** The lines that a refund of the quote consists of. */
export function chosenLines({
  lines,
}: Pick<Quote, 'lines'>): Omit<QuotedLine, 'chosen' | 'obstacle'>[] {
  return lines
    .filter((line) => line.chosen)
    .map(({ chosen: _chosen, obstacle: _none, ...line }) => line);
}

/** Whether the chosen lines are all those whose tickets have not ended yet. */
export function endsAll({ lines }: Pick<Quote, 'lines'>): boolean {
  return (
    lines.some(({ chosen }) => chosen) &&
    lines.every(({ chosen, obstacle }) => chosen || obstacle === 'ticket_gone')
  );
}

/**
 * A buyer gets fees as the policy says; the office may decide otherwise, but not keep what a
 * cancellation owes.
 */
function givesFees({ event }: RefundFacts, { by, with_fees }: RefundAsk): boolean {
  if (by === 'buyer' || with_fees === undefined) return !event.keeps_fees;
  return with_fees || (event.cancelled && !event.keeps_fees);
}

function lineObstacle(
  { ruled }: RefundFacts,
  line: RefundLineFacts,
  { by, with_money }: RefundAsk,
): Obstacle | null {
  if (line.refund === 'asked' && by !== 'event_cancelled') return 'already_asked';
  if (line.refund !== null && line.refund !== 'asked') return 'ticket_gone';
  // After a failed refund the ticket has ended, but its money was not paid back: the office and a
  // cancellation may still refund it.
  if (
    !line.ticket_live &&
    (by === 'buyer' || with_money === false || line.price_cents + line.fee_cents === 0)
  )
    return 'ticket_gone';
  if (by !== 'buyer') return null;
  if (line.used) return 'ticket_used';
  const isFree = line.price_cents + line.fee_cents === 0;
  return isFree && !hasListPrice(ruled, line) ? 'nothing_paid' : null;
}

/** A ticket that rules made free takes part in what the others cost. */
function hasListPrice(ruled: Ruled | undefined, { line_id }: RefundLineFacts): boolean {
  const own = ruled?.lines.find((line) => line.line_id === line_id);
  return own !== undefined && own.ticket.list_cents > 0;
}

function wholeObstacle(
  facts: RefundFacts,
  ask: RefundAsk,
  quote: Omit<Quote, 'obstacle'>,
): Obstacle | null {
  const chosen = quote.lines.filter((line) => line.chosen);
  const refused = chosen.find((line) => line.obstacle !== null);
  if (refused) return refused.obstacle;
  if (
    ask.line_ids !== 'all' &&
    ask.line_ids.some((id) => !facts.lines.some((line) => line.line_id === id))
  )
    return 'ticket_gone';
  if (chosen.length === 0)
    return ask.line_ids === 'all' ? (quote.lines[0]?.obstacle ?? 'nothing_left') : 'nothing_chosen';
  if (ask.by === 'buyer' && quote.amount_cents === 0) return 'nothing_left';
  // A cancelled event refunds every order it can; refusals from Stripe are then handled one by
  // one.
  return facts.disputed && quote.amount_cents > 0 && ask.by !== 'event_cancelled'
    ? 'disputed'
    : null;
}

function freeAmount(facts: RefundFacts, amount_cents: number, left_cents: number): Quote {
  const lines = facts.lines.map((line) => ({
    line_id: line.line_id,
    price_cents: 0,
    ...noFees,
    chosen: false,
    obstacle: null,
  }));
  return {
    lines,
    ...partsOf(facts, { amount_cents, named_fee_cents: 0, named_service_cents: 0 }),
    amount_cents,
    kept_fee_cents: 0,
    left_cents,
    because: null,
    obstacle: amountObstacle(facts, amount_cents, left_cents),
  };
}

function amountObstacle(
  { disputed }: RefundFacts,
  amount_cents: number,
  left_cents: number,
): Obstacle | null {
  if (amount_cents > left_cents) return 'too_much';
  if (amount_cents < 1) return 'nothing_chosen';
  return disputed ? 'disputed' : null;
}

/** Refunds prices first, then fees, as far as the money allows, so that none is paid twice. */
function share(
  lines: readonly RefundLineFacts[],
  { left_cents, with_fees }: { left_cents: number; with_fees: boolean },
): Map<string, Sum> {
  let left = left_cents;
  const take = (cents: number) => {
    const taken = Math.min(left, cents);
    left -= taken;
    return taken;
  };
  const shares = lines.map((line) => ({
    line,
    share: { price_cents: take(line.price_cents), fee_cents: 0 },
  }));
  if (with_fees) for (const { line, share } of shares) share.fee_cents = take(line.fee_cents);
  return new Map(shares.map(({ line, share }) => [line.line_id, share]));
}

function sumOf<T>(items: readonly T[], cents: (item: T) => number): number {
  return items.reduce((sum, item) => sum + cents(item), 0);
}
