/** Lines of a refund of which a part goes back another way. */
import type { Fees } from '#server/domain/price/fees.ts';

type Line = { price_cents: number } & Fees;

/** The lines less so many cents: taken from the last prices first, and then from their fees. */
export function lessOf<T extends Line>(lines: readonly T[], cents: number): T[] {
  const left = lines.map((line) => ({ ...line }));
  let rest = cents;
  for (const part of ['price_cents', 'fee_cents'] as const)
    for (const line of left.toReversed()) {
      const taken = Math.min(rest, line[part]);
      line[part] -= taken;
      rest -= taken;
    }
  return left.map((line) => ({
    ...line,
    service_cents: Math.min(line.service_cents, line.fee_cents),
  }));
}
