/** Which part of each refund of an order pays back its surcharges (RULES R5). */
import { servicePart, type Fees } from '#server/domain/price/fees.ts';
import { shareOut } from '#server/domain/price/share.ts';

/** A sum, split by what it paid for. */
export interface Parts extends Fees {
  tickets_cents: number;
}

/** What the order's payment was for: first its surcharges, then its tickets (RULES L9). */
export function paidParts(order: { paid_cents: number } & Fees): Parts {
  const fee_cents = Math.min(order.fee_cents, order.paid_cents);
  const service_cents = Math.min(order.service_cents, fee_cents);
  return { tickets_cents: order.paid_cents - fee_cents, fee_cents, service_cents };
}

export interface SharedRefund {
  amount_cents: number;
  /** The surcharges of the tickets that it names; 0 if it is only an amount. */
  named_fee_cents: number;
  named_service_cents: number;
}

/**
 * The surcharges that one of several refunds of the same tickets names: together these pay prices
 * first. `before`: what the earlier ones give.
 */
export function namedInPart(
  named: { price_cents: number } & Fees,
  { before, amount_cents }: { before: number; amount_cents: number },
): Pick<SharedRefund, 'named_fee_cents' | 'named_service_cents'> {
  const feesIn = (cents: number) =>
    Math.min(named.fee_cents, Math.max(0, cents - named.price_cents));
  const from = feesIn(before);
  const to = feesIn(before + amount_cents);
  return {
    named_fee_cents: to - from,
    named_service_cents: servicePart(named, to) - servicePart(named, from),
  };
}

/** The lines of refunds that give so much together: of each its price first. */
export function linesWithin<L extends { price_cents: number } & Fees>(
  lines: readonly L[],
  cents: number,
): L[] {
  const shares = shareOut(
    cents,
    lines.map(({ price_cents, fee_cents }) => price_cents + fee_cents),
  );
  return lines.map((line, at) => {
    const share = shares[at] ?? 0;
    const price_cents = Math.min(line.price_cents, share);
    const fee_cents = share - price_cents;
    return { ...line, price_cents, fee_cents, service_cents: servicePart(line, fee_cents) };
  });
}

/**
 * The surcharges in the next refund; `left` is what is not given back yet. A refund takes those of
 * its own tickets, more only if nothing else is left; so does the commission among them.
 */
export function feesBack(left: Parts, refund: SharedRefund): Fees {
  const fee_cents = lastPart(refund.amount_cents, {
    first: left.tickets_cents,
    last: left.fee_cents,
    named: refund.named_fee_cents,
  });
  const service_cents = lastPart(fee_cents, {
    first: left.fee_cents - left.service_cents,
    last: left.service_cents,
    named: refund.named_service_cents,
  });
  return { fee_cents, service_cents };
}

/** How much of a sum is of the part that is given back last. */
function lastPart(cents: number, left: { first: number; last: number; named: number }): number {
  const beyond = cents - Math.max(0, left.first);
  return Math.min(Math.max(0, left.last), Math.max(left.named, beyond));
}

/**
 * The surcharges in each of these refunds. Together they never exceed those that were paid, and
 * equal them once all money is refunded; so does the commission.
 */
export function feesBackByTurn(paid: Parts, refunds: readonly SharedRefund[]): Fees[] {
  const left = { ...paid };
  return refunds.map((refund) => {
    const back = feesBack(left, refund);
    left.fee_cents -= back.fee_cents;
    left.service_cents -= back.service_cents;
    left.tickets_cents -= refund.amount_cents - back.fee_cents;
    return back;
  });
}
