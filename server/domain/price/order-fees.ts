/** What an order bears once, on its lines (RULES P4). */
import { addFees, type Fees } from './fees.ts';
import { shareOut } from './share.ts';

interface Charged extends Fees {
  list_cents: number;
  price_cents: number;
}

/** The lines with the surcharge of the order, shared by list price over those that are paid. */
export function withOrderFees<Line extends Charged>(
  lines: readonly Line[],
  { fee_cents, service_cents }: Fees,
): readonly Line[] {
  if (fee_cents === 0) return lines;
  // The odd cents must not depend on the order of the cart.
  const names = lines.map((line) => JSON.stringify(line));
  const sorted = [...lines.keys()].toSorted((a, b) => (names[a]! < names[b]! ? -1 : 1));
  const weights = sorted.map((at) => (lines[at]!.price_cents > 0 ? lines[at]!.list_cents : 0));
  const presale = shareOut(fee_cents - service_cents, weights);
  const service = shareOut(service_cents, weights);
  const charged = [...lines];
  for (const [nth, at] of sorted.entries()) {
    const line = lines[at]!;
    charged[at] = { ...line, ...addFees([line, feesOf(presale[nth]!, service[nth]!)]) };
  }
  return charged;
}

function feesOf(presale_cents: number, service_cents: number): Fees {
  return { fee_cents: presale_cents + service_cents, service_cents };
}
