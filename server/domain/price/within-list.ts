/** No ticket costs more than its list price, whatever the package that it is part of costs. */
import { shareOut } from './share.ts';
import type { PricedTicket } from './spread.ts';

/**
 * A package may cost more than its own tickets where that frees dearer ones of another rule: what
 * exceeds their list prices is then shared by tickets that cost less than theirs.
 */
export function withinList(lines: readonly PricedTicket[]): readonly PricedTicket[] {
  const beyond = lines.reduce((sum, line) => sum + Math.max(0, -roomOf(line)), 0);
  if (beyond === 0) return lines;
  const more = shareOut(
    beyond,
    lines.map((line) => Math.max(0, roomOf(line))),
  );
  return lines.map((line, at) =>
    roomOf(line) < 0 ? { ...line, price_cents: line.list_cents } : dearer(line, more[at]!),
  );
}

function roomOf({ list_cents, price_cents }: PricedTicket): number {
  return list_cents - price_cents;
}

/** The line with a higher price: its last reasons take less off. */
function dearer(line: PricedTicket, cents: number): PricedTicket {
  let left = cents;
  const reasons = line.reasons
    .toReversed()
    .map((reason) => {
      const less = Math.min(left, reason.off_cents);
      left -= less;
      return { ...reason, off_cents: reason.off_cents - less };
    })
    .filter(({ off_cents }) => off_cents > 0)
    .toReversed();
  return { ...line, price_cents: line.price_cents + cents, reasons };
}
