/**
 * Reads a payout, its lines, or the movements of one payment from Stripe into our database.
 * Reading again changes nothing.
 */
import type { StripeMovement, StripePayout } from '#server/adapters/stripe-payouts.ts';
import { waitForPayout } from '#db/book.ts';
import { transact } from '#db/engine/transact.ts';
import {
  bringLateFees,
  dropOtherLines,
  notePayoutRead,
  onTheWay,
  putLines,
  putPayout,
} from '#db/payment/payouts.ts';
import type { BreakRow, PayoutLineRow } from '#db/rows.ts';
import { movementKindOf } from '#server/domain/payment/payout.ts';
import { bookPayment } from '#server/services/payment/payment-record.ts';
import type { Ctx } from '#server/services/context.ts';
import { faultyLines, notePayout } from './payout-check.ts';

/** The most payments of one payout that are read from Stripe because our database lacks them. */
const mostUnknown = 100;

/** Stores the payout and its lines as Stripe has them now. */
export async function fetchPayout(ctx: Ctx, id: string): Promise<StripePayout> {
  const payout = await ctx.payments.payout(id);
  ctx.fault('payout_read');
  const { amount, automatic, listed, ...facts } = payout;
  await transact(ctx.db, (trx) =>
    putPayout(trx, {
      ...facts,
      amount_cents: amount,
      automatic: automatic ? 1 : 0,
      listed: listed ? 1 : 0,
    }),
  );
  if (listed) await readLines(ctx, id);
  await bookUnknown(ctx, id);
  await notePayout(ctx, id);
  return payout;
}

async function readLines(ctx: Ctx, id: string): Promise<void> {
  const read = new Set<string>();
  for await (const page of ctx.payments.movementsOfPayout(id)) {
    for (const movement of page) read.add(movement.id);
    await storeLines(ctx, id, page);
  }
  await transact(ctx.db, async (trx) => {
    await dropOtherLines(trx, id, read);
    await notePayoutRead(trx, id, {
      read_at: ctx.now(),
      sum_cents: null,
      lines: read.size,
      differences: 0,
    });
    await waitForPayout(trx, id, ctx.now());
  });
}

/** Stores a page of lines in its own transaction. */
export async function storeLines(
  ctx: Ctx,
  payout_id: string,
  page: readonly StripeMovement[],
): Promise<void> {
  const lines = page.map((movement) => lineOf(payout_id, movement));
  await transact(ctx.db, async (trx) => {
    await putLines(trx, lines);
    const charges = lines
      .filter(({ kind }) => kind === 'charge')
      .flatMap(({ source_id }) => source_id ?? []);
    await bringLateFees(trx, charges);
  });
  ctx.fault('payout_lines_stored');
}

function lineOf(payout_id: string, movement: StripeMovement): PayoutLineRow {
  const { gross, fee, net, ...rest } = movement;
  return {
    ...rest,
    payout_id,
    kind: movementKindOf(movement),
    gross_cents: gross,
    fee_cents: fee,
    net_cents: net,
  };
}

/** Reads payments that our database lacks: if they were only unread, they are no difference. */
async function bookUnknown(ctx: Ctx, id: string): Promise<void> {
  const unknown = (await faultyLines(ctx, id)).flatMap(({ standing, payment_intent }) =>
    standing === 'unknown' && payment_intent !== null ? [payment_intent] : [],
  );
  for (const payment_intent of [...new Set(unknown)].slice(0, mostUnknown))
    await bookPayment(ctx, payment_intent);
}

/** Reads again what a break is about: the payout, or the movements of the payment. */
export async function readAgain(ctx: Ctx, row: Pick<BreakRow, 'kind' | 'subject'>): Promise<void> {
  if (row.kind !== 'payment_not_paid_out') {
    await fetchPayout(ctx, row.subject);
    return;
  }
  const payment = await bookPayment(ctx, row.subject);
  if (!payment?.charge) return;
  for await (const page of ctx.payments.movementsOfSource(payment.charge.id))
    await storeLines(ctx, onTheWay, page);
}
