/** A sum that cannot be charged online: what rules leave below Stripe's smallest sum is nothing. */
import { leastCents } from './price-bounds.ts';
import { noFees } from './fees.ts';
import { formatEuro } from './money.ts';
import type { PriceFacts } from './rule.ts';
import type { PricedTicket } from './spread.ts';

/** It stands among the reasons of a line as a rule does. */
export const tooLittle = {
  id: 'too_little',
  name: `Online sotto ${formatEuro(leastCents)} non si paga`,
};

/** The lines as they were, or all of them at nothing, each with that reason. */
export function withoutTooLittle(
  lines: readonly PricedTicket[],
  { channel }: PriceFacts,
): readonly PricedTicket[] {
  const total = lines.reduce((sum, line) => sum + line.price_cents + line.fee_cents, 0);
  const isLowered = lines.some(({ reasons }) => reasons.length > 0);
  if (channel !== 'site' || !isLowered || total >= leastCents) return lines;
  return lines.map((line) => ({ ...line, price_cents: 0, ...noFees, reasons: reasonsOf(line) }));
}

function reasonsOf({ reasons, price_cents }: PricedTicket) {
  const { id: rule_id, name } = tooLittle;
  return price_cents === 0 ? reasons : [...reasons, { rule_id, name, off_cents: price_cents }];
}
