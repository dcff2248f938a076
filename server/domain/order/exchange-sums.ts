/** What an exchange costs or gives back, as till and event page show it (RULES M6). */

/** Cents; `total` is that of the new order, with what the exchange costs. */
export interface ExchangeSums {
  fee: number;
  total: number;
  due: number;
  back: number;
}

/** Splits what the old tickets give: a part of the new total, and the rest that goes back. */
export function splitCredit(
  worth_cents: number,
  total_cents: number,
): { credit_cents: number; back_cents: number } {
  const credit_cents = Math.min(worth_cents, total_cents);
  return { credit_cents, back_cents: worth_cents - credit_cents };
}

/** `seats`: the price of the new seats; if it is nothing, the exchange costs nothing. */
export function exchangeSums(
  { worth_cents, fee_cents }: { worth_cents: number; fee_cents: number },
  seats: number,
): ExchangeSums {
  const fee = seats > 0 ? fee_cents : 0;
  const total = seats + fee;
  const { credit_cents, back_cents } = splitCredit(worth_cents, total);
  return { fee, total, due: total - credit_cents, back: back_cents };
}
