/** Which part of each refund of an order pays back the presale fee (RULES R5). */

/** A sum, split by what it paid for. */
export interface Parts {
  tickets_cents: number;
  fee_cents: number;
}

/** What the order's payment was for: first its fee, then its tickets (RULES L9). */
export function paidParts(order: { paid_cents: number; fee_cents: number }): Parts {
  const fee_cents = Math.min(order.fee_cents, order.paid_cents);
  return { tickets_cents: order.paid_cents - fee_cents, fee_cents };
}

export interface SharedRefund {
  amount_cents: number;
  /** The fees of the tickets that it names; 0 if it is only an amount. */
  named_fee_cents: number;
}

/**
 * The part of the next refund that is the fee, in cents; `left` is what is not given back yet. A
 * refund takes the fees of its own tickets, more only if nothing else is left.
 */
export function presalePart(left: Parts, { amount_cents, named_fee_cents }: SharedRefund): number {
  const beyondTickets = amount_cents - Math.max(0, left.tickets_cents);
  return Math.min(Math.max(0, left.fee_cents), Math.max(named_fee_cents, beyondTickets));
}

/**
 * The presale fee in each of these refunds. Together they never exceed the fee that was paid, and
 * equal it once all money is refunded.
 */
export function presaleParts(paid: Parts, refunds: readonly SharedRefund[]): number[] {
  const left = { ...paid };
  return refunds.map((refund) => {
    const fee_cents = presalePart(left, refund);
    left.fee_cents -= fee_cents;
    left.tickets_cents -= refund.amount_cents - fee_cents;
    return fee_cents;
  });
}
