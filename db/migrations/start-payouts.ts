/**
 * Part of the start schema: Stripe's payouts to the bank, and the movements of its balance in
 * them.
 */
import type { MovementKind, PayoutState } from '#server/domain/payment/payout.ts';
import { bigInteger, integer, text, truth, table } from './table.ts';

export const payoutTables = {
  payouts: table({
    // Stripe's id.
    id: text(100).primary(),
    amount_cents: integer(),
    state: text<PayoutState>(20),
    // 0 if it was requested by hand; Stripe does not list the lines of such a payout.
    automatic: truth(),
    // True when Stripe has finished the list of lines.
    listed: truth(),
    failure: text(100).orNull(),
    bank_reference: text(200).orNull(),
    created_at: bigInteger().index(),
    arrives_at: bigInteger(),
    // When the lines were read to the end, and their sum; null before.
    read_at: bigInteger().orNull(),
    sum_cents: integer().orNull(),
    lines: integer().defaultTo(0),
    differences: integer().defaultTo(0),
  }),

  payout_lines: table(
    {
      // Stripe's id of the balance transaction.
      id: text(100),
      // Empty while the movement is in no payout.
      payout_id: text(100),
      kind: text<MovementKind>(12),
      type: text(60),
      category: text(60),
      gross_cents: integer(),
      fee_cents: integer(),
      net_cents: integer(),
      created_at: bigInteger().index(),
      available_at: bigInteger(),
      // The charge, refund, dispute or payout of this movement.
      source_id: text(100).orNull().index(),
      charge_id: text(100).orNull(),
      payment_intent: text(100).orNull(),
      // The order's id, which Stripe stores for us.
      order_mark: text(100).orNull(),
      description: text(500).orNull(),
    },
    (t) => {
      t.primary(['id', 'payout_id']);
      t.index(['payout_id', 'created_at', 'id']);
    },
  ),
};
