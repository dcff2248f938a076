/**
 * Finds an order by its receipt number: first in our database, then at Stripe, which may have
 * numbers that we have not read yet.
 */
import { ProviderRefused, ProviderUnavailable } from '#server/adapters/provider.ts';
import { findOrderByReceipt, noteReceipts, oldestWithoutReceipt } from '#db/order/receipts.ts';
import { transact } from '#db/engine/transact.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { memo } from '#server/services/kit/memo.ts';

/** Stripe cannot be asked for one number: we read pages of its charges, within these limits. */
const mostPages = 30;
const longestMs = 12_000;
/** Wrong numbers typed within ten seconds cause only one reading at Stripe. */
const sharedLook = memo<boolean>({ freshMs: 10_000 });

/**
 * The order's id, also for the receipt of a refund. Spaces, dashes and small letters do not
 * matter (foldReceipt).
 * @throws Refusal receipt_not_found; `detail.stripe` is 'silent' if not all charges could be read
 */
export async function orderOfReceipt(ctx: Ctx, receipt_number: string): Promise<string> {
  const known = await findOrderByReceipt(ctx.db, receipt_number);
  if (known !== undefined) return known;
  const complete = await sharedLook.get(ctx.memory, {
    now: ctx.now,
    ask: () => learnReceipts(ctx),
  });
  const found = await findOrderByReceipt(ctx.db, receipt_number);
  if (found === undefined)
    throw new Refusal('receipt_not_found', { stripe: complete ? 'asked' : 'silent' });
  return found;
}

/** Stores every number that Stripe has. False: not all charges could be read. */
async function learnReceipts(ctx: Ctx): Promise<boolean> {
  const since = await oldestWithoutReceipt(ctx.db);
  if (since === null) return true;
  const end = performance.now() + longestMs;
  let pages = 0;
  try {
    // Reads from an hour earlier: Stripe counts whole seconds and its clock may differ.
    for await (const receipts of ctx.payments.receipts(since - 3_600_000)) {
      await transact(ctx.db, (trx) => noteReceipts(trx, receipts));
      pages += 1;
      if (pages >= mostPages || performance.now() > end) return false;
    }
    return true;
  } catch (error) {
    if (!(error instanceof ProviderUnavailable) && !(error instanceof ProviderRefused)) throw error;
    ctx.log.warn({ err: error }, 'receipts: Stripe does not answer');
    return false;
  }
}
