/** What is charged beside prices, in cents (RULES P4). */

export interface Fees {
  /** All surcharges: presale fee and service commission. */
  fee_cents: number;
  /** The part of them that is service commission. */
  service_cents: number;
}

export const noFees: Fees = { fee_cents: 0, service_cents: 0 };

export function addFees(all: readonly Fees[]): Fees {
  return all.reduce<Fees>(
    (sum, { fee_cents, service_cents }) => ({
      fee_cents: sum.fee_cents + fee_cents,
      service_cents: sum.service_cents + service_cents,
    }),
    noFees,
  );
}

/** How much of a part of these surcharges is service commission, in proportion. */
export function servicePart({ fee_cents, service_cents }: Fees, part_cents: number): number {
  return fee_cents === 0 ? 0 : Math.round((part_cents * service_cents) / fee_cents);
}
