/**
 * Finds an order by its receipt number: in our database first, then at Stripe, where the number
 * may be newer than our last read.
 */
import { ProviderRefused, ProviderUnavailable } from '#server/adapters/provider.ts';
import { findOrderByReceipt, noteReceipts, oldestWithoutReceipt } from '#db/order/receipts.ts';
import { transact } from '#db/engine/transact.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { memo } from '#server/services/kit/memo.ts';

/**
 * Stripe cannot be asked for one number: its charges are read page by page, no more than these
 * and no longer than this.
 */
const mostPages = 30;
const longestMs = 12_000;
/** Wrong numbers typed in a row are one look at Stripe, not many. */
const sharedLook = memo<boolean>({ freshMs: 10_000 });

/**
 * The order's id. Spaces, dashes and small letters do not count (foldReceipt). A refund's receipt
 * leads to its order, too.
 * @throws Refusal receipt_not_found; `detail.stripe` is 'silent' when Stripe could not be asked
 * to the end.
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

/** Stores every number that is found on the way. False: not all could be read. */
async function learnReceipts(ctx: Ctx): Promise<boolean> {
  const since = await oldestWithoutReceipt(ctx.db);
  if (since === null) return true;
  const end = performance.now() + longestMs;
  let pages = 0;
  try {
    // Stripe counts whole seconds, and its clock is not ours.
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
