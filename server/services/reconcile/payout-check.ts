/**
 * Compares payouts with our data line by line; reports a difference to the office, and closes it
 * when it is gone.
 */
import { listOpenBreaks } from '#db/reconcile/breaks.ts';
import { transact } from '#db/engine/transact.ts';
import type { After } from '#db/engine/page.ts';
import {
  findPayout,
  isPaidAgain,
  linesOfPayout,
  paymentsWithoutMovement,
  notePayoutRead,
  sumLines,
  type JudgedLine,
} from '#db/payment/payouts.ts';
import type { PayoutRow } from '#db/rows.ts';
import { readSetting } from '#db/settings.ts';
import {
  countDifferences,
  isDifference,
  judgeLine,
  type LineStanding,
} from '#server/domain/payment/payout.ts';
import type { Ctx } from '#server/services/context.ts';
import type { About, Found } from './about.ts';

/** The most lines of a payout that one query reads. */
const pageLines = 500;
/** The most lines that a break lists. */
const mostTold = 20;
/**
 * A payment without a balance movement is reported after this time; normally its movement is read
 * within hours.
 */
const settledWithinMs = 2 * 24 * 3_600_000;

/**
 * The setting with the time up to which all movements are read;
 * `server/services/reconcile/payouts.ts` writes it.
 */
export const readUntilKey = 'payouts_read_until';

export async function readUntil(ctx: Ctx): Promise<number | null> {
  const kept = await readSetting(ctx.db, readUntilKey);
  return kept === null ? null : Number(kept);
}

interface FaultyLine extends JudgedLine {
  standing: LineStanding;
}

/** The lines of a payout that differ from our data. */
export async function faultyLines(ctx: Ctx, payout_id: string): Promise<FaultyLine[]> {
  const faulty: FaultyLine[] = [];
  for (let after: After | null = null; ;) {
    const lines: JudgedLine[] = await linesOfPayout(ctx.db, payout_id, { limit: pageLines, after });
    for (const line of lines) {
      const standing = judgeLine(line);
      if (isDifference(standing)) faulty.push({ ...line, standing });
    }
    const last = lines.at(-1);
    if (!last || lines.length < pageLines) return faulty;
    after = { at: last.created_at, id: last.id };
  }
}

/**
 * Counts the payout's lines and differences again. Null: its lines are not read yet, or Stripe
 * never lists them.
 */
async function countPayout(ctx: Ctx, payout: PayoutRow) {
  if (payout.automatic === 0 || payout.read_at === null) return null;
  const faulty = await faultyLines(ctx, payout.id);
  const sums = await sumLines(ctx.db, payout.id);
  const sum_cents = sums.reduce((sum, { net_cents }) => sum + net_cents, 0);
  const lines = sums.reduce((sum, each) => sum + each.lines, 0);
  const { amount_cents } = payout;
  const differences = countDifferences({ amount_cents, sum_cents, faulty: faulty.length });
  return { faulty, sum_cents, lines, differences };
}

/** Stores the counts of the payout's lines and differences. */
export async function notePayout(ctx: Ctx, id: string): Promise<void> {
  const payout = await findPayout(ctx.db, id);
  const counted = payout && (await countPayout(ctx, payout));
  if (!counted) return;
  const { faulty: _, ...counts } = counted;
  await transact(ctx.db, (trx) => notePayoutRead(trx, id, { read_at: payout.read_at, ...counts }));
}

export async function lookAtPayout(ctx: Ctx, { subject }: Pick<About, 'subject'>): Promise<Found> {
  const payout = await findPayout(ctx.db, subject);
  const counted = payout && (await countPayout(ctx, payout));
  if (!counted || counted.differences === 0) return null;
  const { faulty, ...counts } = counted;
  return {
    kind: 'payout_differs',
    detail: {
      amount_cents: payout.amount_cents,
      sum_cents: counts.sum_cents,
      differences: counts.differences,
      lines: faulty.slice(0, mostTold).map((line) => ({
        id: line.id,
        standing: line.standing,
        kind: line.kind,
        source_id: line.source_id,
        order_number: line.order_number,
        gross_cents: line.gross_cents,
        fee_cents: line.fee_cents,
        our_cents: line.our_cents,
        our_fee_cents: line.kind === 'charge' ? line.our_fee_cents : null,
      })),
    },
  };
}

export async function lookAtFailure(ctx: Ctx, { subject }: Pick<About, 'subject'>): Promise<Found> {
  const payout = await findPayout(ctx.db, subject);
  if (payout?.state !== 'failed' || (await isPaidAgain(ctx.db, subject))) return null;
  return {
    kind: 'payout_failed',
    detail: { amount_cents: payout.amount_cents, failure: payout.failure },
  };
}

/** Payments that should have a balance movement by now but have none. */
export async function lonely(ctx: Ctx, only?: string) {
  const until = await readUntil(ctx);
  if (until === null) return [];
  return paymentsWithoutMovement(ctx.db, Math.min(until, ctx.now() - settledWithinMs), only);
}

/** `subject`: the payment intent. */
export async function lookAtLonely(ctx: Ctx, { subject }: Pick<About, 'subject'>): Promise<Found> {
  const [payment] = await lonely(ctx, subject);
  if (!payment) return null;
  const { amount_cents, paid_at } = payment;
  return { kind: 'payment_not_paid_out', detail: { amount_cents, paid_at } };
}

const payoutBreaks = ['payout_differs', 'payout_failed', 'payment_not_paid_out'] as const;

export async function openPayoutBreaks(ctx: Ctx) {
  return listOpenBreaks(ctx.db, payoutBreaks);
}
